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

test('what is typed while a save is under way stays, is asked about, and is saved by the next one', async ({
  page,
  service,
}) => {
  const user = await addUser(service, 'wanda')
  /** Holds the change until `type` has typed on. */
  async function saved(place: ReturnType<Page['locator']>, type: () => Promise<void>): Promise<void> {
    const held = Promise.withResolvers<void>()
    await page.route('**/*', async (route) => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.fallback()
    })
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    const answered = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await place.getByRole('button', { name: 'Save' }).click()
    await sent
    await type()
    held.resolve()
    await answered
    await expect(place.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-busy')
    await page.unrouteAll({ behavior: 'wait' })
  }
  await open(page, 'root', `/people/${user.id}`)
  const profile = page.locator('#profile')
  await profile.getByLabel('First name').fill(' Wanda ')
  await saved(profile, () => profile.getByLabel('Last name').fill('Late'))
  await expect(profile.getByLabel('First name')).toHaveValue('Wanda')
  await expect(profile.getByLabel('Last name')).toHaveValue('Late')
  await link(page, 'Home').click()
  await question(page).getByRole('button', { name: 'Stay' }).click()
  await saved(profile, async () => {})
  const { claims } = (await service.storage.users.find(user.id)) ?? {}
  expect([claims?.given_name, claims?.family_name]).toEqual(['Wanda', 'Late'])
  await link(page, 'Home').click()
  await page.waitForURL('**/admin')

  await page.goto('/admin/roles/new')
  await settled(page)
  await page.getByLabel('Name').fill('writer')
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { level: 1, name: 'writer' })).toBeVisible()
  const role = page.locator('#role')
  await role.getByLabel('Description').fill('Writes')
  await saved(role, () => role.getByLabel('Description').fill('Writes and reads'))
  await expect(role.getByLabel('Description')).toHaveValue('Writes and reads')
  await link(page, 'Home').click()
  await question(page).getByRole('button', { name: 'Stay' }).click()
  await saved(role, async () => {})
  await link(page, 'Home').click()
  await page.waitForURL('**/admin')
})
