/** Something that is typed into a form of the console and not saved is not lost without a question. */
import { addUser } from '../support/service.ts'
import { button, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const link = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).first()

test('the profile of a person asks before a link or Back loses what is typed, and its tabs keep it', async ({
  page,
  service,
}) => {
  const user = await addUser(service, 'paula')
  await open(page, 'root', `/people/${user.id}`)
  const family = page.locator('#profile').getByLabel('Last name')
  await family.fill('Unsaved')
  await page.getByRole('navigation', { name: 'This person' }).getByRole('link', { name: 'Activity' }).click()
  await page.waitForURL(`**/people/${user.id}/activity`)
  await expect(question(page)).toBeHidden()
  await link(page, 'Home').click()
  await expect(question(page)).toBeVisible()
  await question(page).getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('navigation', { name: 'This person' }).getByRole('link', { name: 'Overview' }).click()
  await expect(family).toHaveValue('Unsaved')
  // Saved, nothing is asked.
  await page.locator('#profile').getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await service.storage.users.find(user.id))?.claims.family_name).toBe('Unsaved')
  await link(page, 'Home').click()
  await page.waitForURL('**/admin')
})

test('forms of roles, groups, scopes, attributes and new people ask; one whose text is as before does not', async ({
  page,
}) => {
  await open(page, 'root', '/roles/new')
  for (const below of ['roles/new', 'groups/new', 'scopes/new', 'attributes/new', 'people/new', 'people/invite']) {
    await page.goto('/admin/keys')
    await settled(page)
    await link(page, 'People').click()
    await settled(page)
    await page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, `/admin/${below}`)
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('People')
    await settled(page)
    const field = page.locator('main form input').first()
    await field.fill('x')
    await page.goBack()
    await expect(question(page), below).toBeVisible()
    await question(page).getByRole('button', { name: 'Stay' }).click()
    await expect(field).toHaveValue('x')
    await expect(page).toHaveURL(new RegExp(`${below}$`))
    await field.fill('')
    await link(page, 'Home').click()
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  }
})

test('a reload asks the browser to ask, and a record that was made or left on purpose does not', async ({ page }) => {
  await open(page, 'root', '/roles/new')
  await page.getByLabel('Name').fill('gardener')
  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload().catch(() => {})
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reloaded
  await settled(page)
  await page.getByLabel('Name').fill('gardener')
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { level: 1, name: 'gardener' })).toBeVisible()
  await page.getByLabel('Description').fill('Waters')
  await link(page, 'Home').click()
  await question(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
})
