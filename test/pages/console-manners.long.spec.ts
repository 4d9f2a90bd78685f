/** How the console behaves while something is on its way. */
import { button, open, settled, test } from './console.ts'
import { expect } from './fixtures.ts'

test.use({ ownPage: true })

test('a list that was shown is there at once when one comes back, and a change makes it read anew', async ({
  page,
}) => {
  await open(page, 'root', '/people')
  await page.getByRole('navigation').getByRole('link', { name: 'Scopes' }).click()
  await settled(page)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/admin/api/v1/users?*', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('navigation').getByRole('link', { name: 'People' }).click()
  await expect(page.getByRole('link', { name: /viewer/ })).toBeVisible()
  release()
  await page.unrouteAll({ behavior: 'wait' })
  await page.goto('/admin/scopes/new')
  await page.getByLabel('Name', { exact: true }).fill('manners')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/admin/scopes/manners')
  await page.getByRole('navigation').getByRole('link', { name: 'Scopes' }).click()
  await expect(page.getByRole('link', { name: /manners/ })).toBeVisible()
})

test('the frame stays while the script of a page is on its way, and pointing at a link sends for it', async ({
  page,
}) => {
  await open(page, 'root', '/scopes')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.getByRole('navigation').getByRole('link', { name: 'Roles' }).hover()
  await expect.poll(() => asked.some((url) => /roles[^/]*\.js/.test(url))).toBe(true)

  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/keys[^/]*\.js/, async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Keys' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'People' })).toBeVisible()
  release()
  await settled(page)
  await expect(page.getByRole('button', { name: 'Rotate keys' })).toBeVisible()
})

test.describe('without a script', () => {
  test.use({ expectedErrors: /Failed to load resource/ })

  test('a page whose script does not come offers a reload, and comes with it', async ({ page }) => {
    await open(page, 'root', '/people')
    await page.route('**/assets/roles*.js', (route) => route.abort())
    await page.getByRole('navigation').getByRole('link', { name: 'Roles' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Roles' })).toBeVisible()
    const retry = page.getByRole('main').getByRole('button', { name: 'Try again' })
    await expect(retry).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await retry.click()
    await expect(page.getByRole('link', { name: 'Add role' }).or(button(page, 'Add role'))).toBeVisible()
  })
})

test.describe('what does not exist', () => {
  test.use({ expectedErrors: /status of 404/ })

  test('is told by a page that waits for nothing more, so that screen readers read it', async ({ page }) => {
    await open(page, 'root', '/people')
    for (const below of ['/people/gone', '/applications/gone', '/scopes/gone', '/roles/gone', '/groups/gone']) {
      await page.goto(`/admin${below}`)
      await expect(page.getByRole('alert').first(), below).toBeVisible()
      await settled(page)
    }
  })
})
