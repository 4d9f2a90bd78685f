import { budget } from './budget.ts'
import { expect, type Page, test } from './fixtures.ts'

/** Loads of which one has to be in time: other work on the machine can make any of them late, and none of them early. */
const loads = 60

/** Milliseconds from the beginning of the navigation to the first pixel. */
async function firstPaint(page: Page): Promise<number> {
  const read = () => page.evaluate(() => performance.getEntriesByName('first-paint')[0]?.startTime ?? null)
  await expect.poll(read).not.toBeNull()
  return (await read()) as number
}

test.use({ ownPage: true })

test('the login page is painted within its budget on loopback, with nothing cached', async ({ page }) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const times: number[] = []
  while (times.length < loads && !times.some((ms) => ms < budget.firstPaintMs)) {
    await page.goto('/Account/Login')
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
    times.push(await firstPaint(page))
  }
  const best = Math.min(...times)
  test.info().annotations.push({ type: 'first paint', description: `${Math.round(best)} ms` })
  expect(best, `first paints: ${times.map(Math.round).join(', ')} ms`).toBeLessThan(budget.firstPaintMs)
})
