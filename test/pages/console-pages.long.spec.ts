/** What every page of the console keeps, for administrators and viewers, on a phone and wide. */
import { button, open, settled, test } from './console.ts'
import { expect } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

const pages = ['Home', 'People', 'Applications', 'Scopes', 'Roles', 'Keys', 'Activity', 'Explain', 'Settings']
const forAdministrators = ['Add person', 'Invite', 'Register application', 'Add scope', 'Rotate keys', 'Verify']

for (const [who, width] of [
  ['root', 390],
  ['root', 1280],
  ['viewer', 390],
  ['viewer', 1280],
] as const) {
  test(`each page opens for ${who} at ${width} pixels with what they may do, and asks no other origin`, async ({
    page,
  }) => {
    const origins = new Set<string>()
    page.on('request', (request) => origins.add(new URL(request.url()).origin))
    await page.setViewportSize({ width, height: 900 })
    await open(page, who, '/scopes')
    const seen = new Set<string>()
    for (const name of pages) {
      if (width === 390) await button(page, 'Menu').click()
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await settled(page)
      for (const act of forAdministrators) {
        const found = page.locator('main').getByText(act, { exact: true }).filter({ visible: true })
        if ((await found.count()) > 0) seen.add(act)
      }
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBeLessThanOrEqual(0)
    }
    expect([...seen].toSorted()).toEqual(who === 'root' ? forAdministrators.toSorted() : [])
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
    await button(page, 'Close').click()
    await page.keyboard.press('2')
    await page.waitForURL('**/admin/people')
    await settled(page)
    await page.keyboard.press('/')
    await expect(page.getByLabel('Search people')).toBeFocused()
    expect([...origins]).toEqual([new URL(page.url()).origin])
  })
}
