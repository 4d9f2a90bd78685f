/** A page whose script is late, or never comes. */
import { expect, leave, loginForm, type Page, test } from './fixtures.ts'

test.use({ ownPage: true })

const card = (page: Page) => page.locator('#late > .card')
const link = (page: Page) => page.getByRole('link', { name: 'Load it again' })

/** Opens the login page without its script, and stops the clock of what appears later. Answers with what lets it through. */
async function openWithoutScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  await page.goto('/Account/Login?ReturnUrl=%2FAccount%2FSession', { waitUntil: 'commit' })
  await expect(card(page)).toBeAttached()
  return resolve
}

/** Sets every animation of the page to that moment. */
const atMs = (page: Page, ms: number) =>
  page.evaluate(
    `for (const animation of document.getAnimations()) { animation.pause(); animation.currentTime = ${ms} }`,
  )

test('says so after four seconds with a link that can be seen, and keeps it from everybody until then', async ({
  page,
}) => {
  const letThrough = await openWithoutScript(page)
  await atMs(page, 3999)
  await expect(card(page)).toBeHidden()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true)

  await atMs(page, 4001)
  await expect(page.getByRole('alert')).toContainText('This page is taking long to load')
  await expect(link(page)).toBeVisible()
  await expect(page.locator('#late')).toHaveCSS('opacity', '1')
  await expect(card(page).locator('img')).toBeVisible()
  letThrough()
  await expect(loginForm(page).submit).toBeVisible()
  await expect(link(page)).toHaveCount(0)
})

test('the link loads the same page again', async ({ page }) => {
  const letThrough = await openWithoutScript(page)
  await atMs(page, 4001)
  await leave(page, () => link(page).click())
  letThrough()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(loginForm(page).submit).toBeVisible()
  await expect(page).toHaveURL(/ReturnUrl=%2FAccount%2FSession$/)
})

test('a page that is loading fades in, and no two animations share a name', async ({ page }) => {
  await page.goto('/Account/Login')
  await expect(loginForm(page).submit).toBeVisible()
  const names = (await page.evaluate(`[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSKeyframesRule).map((rule) => rule.name).sort()`)) as string[]
  expect(names.length).toBeGreaterThan(3)
  expect(names).toEqual([...new Set(names)])
})
