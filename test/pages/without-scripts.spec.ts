/** What people read whose browser runs no scripts: words and a brand, and codes only where developers look for them. */
import { AxeBuilder } from '@axe-core/playwright'
import { authorizePath } from '../support/browser.ts'
import { test as base, expect, type Page } from './fixtures.ts'

const test = base.extend({
  context: async ({ browser, issuer }, use) => {
    const context = await browser.newContext({ baseURL: issuer, javaScriptEnabled: false })
    await use(context)
    await context.close()
  },
  page: async ({ context }, use) => use(await context.newPage()),
})
test.use({ expectedErrors: /status of 4/ })

async function expectWordsAndBrand(page: Page, heading: string, words: RegExp): Promise<void> {
  const card = page.getByRole('main')
  await expect(card).toHaveCount(1)
  await expect(card.locator('.brand')).toHaveText('Latchkey')
  await expect(card.locator('.brand img')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  await expect(card).toContainText(words)
  for (const [width, height] of [
    [320, 568],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(card.locator('.message')).toBeInViewport({ ratio: 1 })
  }
}

for (const path of ['/Account/Login?ReturnUrl=%2Fx&error=invalid_credentials&username=alice', '/Account/Logout', '/']) {
  test(`${path} says that it needs JavaScript, and loads again`, async ({ page, issuer }) => {
    await page.goto(path)
    await expectWordsAndBrand(page, 'This page needs JavaScript', /Switch it on for this site/)
    const loaded = page.waitForEvent('load')
    await page.getByRole('link', { name: 'Load it again' }).click()
    await loaded
    await expect(page).toHaveURL(new URL(path, issuer).href)
  })
}

test('a refused request is told in words, its code among the details for developers', async ({ page }) => {
  const answer = await page.goto(authorizePath({ client_id: 'nobody' }))
  expect(answer?.status()).toBe(400)
  await expectWordsAndBrand(page, 'This request could not be completed', /go back to the application you came from/)
  await expect(page.getByRole('alert')).not.toContainText(/ID\d/)
  // Not by its text: Playwright finds none inside `noscript`.
  await expect(page.locator('dl')).toBeHidden()
  await page.locator('summary').click()
  await expect(page.locator('dl')).toContainText('ID2052: ')
  await expect(page.locator('dl')).toBeVisible()
  await expect(page.locator('code')).toHaveText(answer?.headers()['x-trace-id'] ?? 'none')
  await page.getByRole('link', { name: '#ID2052' }).click()
  await expect(page.getByRole('heading', { name: 'ID2052' })).toBeVisible()
})

test('an address that leads nowhere is told in words, with a way on', async ({ page }) => {
  const answer = await page.goto('/connect/nothing')
  expect(answer?.status()).toBe(404)
  await expectWordsAndBrand(page, 'Page not found', /nothing at this address/)
  await page.getByRole('link', { name: 'Go to sign in' }).click()
  await expect(page).toHaveURL('/Account/Login')
})

base('the page of an address that leads nowhere is accessible (WCAG 2.2 AA)', async ({ page }) => {
  await page.goto('/connect/nothing')
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  expect((await new AxeBuilder({ page }).withTags(tags).setLegacyMode().analyze()).violations).toEqual([])
})
base.use({ expectedErrors: /status of 4/ })
