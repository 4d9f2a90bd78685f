/** The longest page. */
import { check } from './accessible.ts'
import { test } from './fixtures.ts'

test('catalogue of errors (WCAG 2.2 AA)', async ({ page }) => {
  await page.goto('/errors#ID2043')
  await check(page, 'Error codes')
})
