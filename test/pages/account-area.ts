/** What tests of the account area stand on. */
import { test as base, expect, type Page, sharedService } from './fixtures.ts'

export const test = base.extend({
  service: async ({ shared }, use) => {
    const env = { RateLimit__LoginPerMinute: '1000', Mail__Url: 'file:/nowhere' }
    await use(await sharedService(shared, 'with mail', env))
  },
})

/** Opens a page of the account area, and waits until it is loaded. */
export async function open(page: Page, below: string): Promise<void> {
  await page.goto(`/Account${below}`)
  await expect(page.locator('main:not([aria-busy=true])')).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
}
