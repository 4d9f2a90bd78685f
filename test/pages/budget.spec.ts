import { budget, meter, namedBy } from './budget.ts'
import { antiforgeryField, expect, loginForm, test } from './fixtures.ts'

const path = '/Account/Login'

test.use({ ownPage: true })

test('the login page is painted within its budget on loopback, with nothing cached', async ({ page }) => {
  const styles = (await namedBy(page, path)).filter((name) => name.endsWith('.css'))
  expect(styles.length).toBeGreaterThan(0)
  const { promise: painted, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route('**/*', async (route) => {
    // The first pixel waits for the document and its style sheets, and for nothing else.
    if (![path, ...styles].includes(new URL(route.request().url()).pathname)) await painted
    await route.continue()
  })
  const { bytes, processorMs } = await meter(page)
  await page.goto(path, { waitUntil: 'commit' })
  await expect.poll(() => page.evaluate('performance.getEntriesByName("first-paint").length')).toBe(1)
  const first = { bytes: bytes(), processorMs: await processorMs() }
  letThrough()
  await expect(antiforgeryField(page)).not.toHaveValue('')
  await expect(loginForm(page).username).toBeFocused()
  const usable = { bytes: bytes(), processorMs: await processorMs() }

  test.info().annotations.push({ type: 'cost', description: JSON.stringify({ first, usable }) })
  expect(first.bytes).toBeGreaterThan(1000)
  expect(first.bytes).toBeLessThan(budget.firstPaintBytes)
  expect(first.processorMs).toBeGreaterThan(0)
  expect(first.processorMs).toBeLessThan(budget.firstPaintProcessorMs)
  expect(usable.processorMs).toBeGreaterThan(first.processorMs)
  expect(usable.processorMs).toBeLessThan(budget.processorMs)
})
