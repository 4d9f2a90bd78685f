/** A change of many people goes on while one looks at other pages. */
import { testUser } from '../support/service.ts'
import { button, looksWellNow, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

const link = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).first()

/** Chooses everybody of a name, and locks them while each answer waits. */
async function begin(page: Page, users: { create(user: ReturnType<typeof testUser>): unknown }, name: string) {
  for (let at = 0; at < 12; at += 1)
    await users.create(testUser({ name: `${name}${at}`, email: `${name}${at}@example.com`, roles: [] }))
  let release = (): void => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  let answered = 0
  await page.route('**/users/*/lock', async (route) => {
    answered += 1
    if (answered > 4) await isReleased
    await route.continue()
  })
  await open(page, 'root', `/people?search=${name}`)
  await page.getByLabel('Select all shown').check()
  await button(page, 'Lock').click()
  await button(page, 'Lock').click()
  await expect(page.getByText('4 of 12')).toBeVisible()
  return release
}

test('it shows its progress on the other pages, asks before the window ends, and says the result there', async ({
  page,
  service,
}) => {
  const release = await begin(page, service.storage.users, 'onward')
  await link(page, 'Roles').click()
  await settled(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Roles' })).toBeVisible()
  await expect(page.getByText('4 of 12')).toBeVisible()
  await looksWellNow(page, '/roles, with a change under way')
  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload({ timeout: 3000 }).catch(() => {})
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await reloaded
  release()
  await expect(page.getByRole('status', { name: 'Messages' })).toContainText('Locked: 12.')
  await expect(page.getByText(/of 12/)).toHaveCount(0)
  expect((await service.storage.users.findByName('onward11'))?.disabled).toBe(true)
})

test('it is stopped from another page, and the list tells who was not tried', async ({ page, service }) => {
  const release = await begin(page, service.storage.users, 'stopped')
  await link(page, 'Roles').click()
  await settled(page)
  await button(page, 'Stop').click()
  release()
  const said = page.getByRole('status', { name: 'Messages' })
  await expect(said).toContainText('Locked: 8.')
  await expect(said).toContainText('Not tried: 4.')
  await said.getByRole('link', { name: 'People' }).click()
  await expect(page.locator('.bulk-told')).toContainText('Not tried:')
  await expect(button(page, 'Try the others again')).toBeVisible()
  const after = await Promise.all(
    Array.from({ length: 12 }, (_, at) => service.storage.users.findByName(`stopped${at}`)),
  )
  expect(after.filter((one) => one?.disabled)).toHaveLength(8)
})
