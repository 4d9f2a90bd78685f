/** The console on a slow network: a frame before any script has come, few files, and nothing that moves. */
import { addClient, testUser } from '../support/service.ts'
import { open, settled, test } from './console.ts'
import { expect } from './fixtures.ts'

test.use({ ownPage: true })

/** What Chromium's tools call slow 4G: 562.5 ms for each request, 1.44 Mbit/s. */
const slow = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 }

/** Sums up what moves without anybody having done something. */
const shifts = `
  window.moved = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`

test('the frame is there while no script has come, and without scripts it is not', async ({
  page,
  browser,
  issuer,
}) => {
  await open(page, 'root', '/')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  await page.goto('/admin/', { waitUntil: 'commit' })
  await expect(page.locator('.waiting .skeleton')).toBeVisible()
  await expect(page.locator('.waiting header')).toContainText('Latchkey')
  resolve()
  await page.unrouteAll({ behavior: 'wait' })
  await settled(page)
  await expect(page.locator('.waiting')).toHaveCount(0)
  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: issuer })
  const without = await plain.newPage()
  await without.goto('/admin/')
  await expect(without.locator('.waiting')).toBeHidden()
  await expect(without.getByRole('heading', { level: 1 })).toBeVisible()
  await plain.close()
})

for (const path of ['/', '/people', '/applications', '/activity']) {
  test(`nothing moves while ${path} comes, and its sign-in begins with the first files`, async ({ page, service }) => {
    for (let at = 0; at < 30; at += 1) {
      const name = `slow-${at}-${path.length}`
      await service.storage.users.create(testUser({ name, email: `${name}@example.com` }))
    }
    await open(page, 'root', '/')
    const other = await page.context().newPage()
    const session = await page.context().newCDPSession(other)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    await session.send('Network.emulateNetworkConditions', slow)
    await other.addInitScript(shifts)
    const asked: string[] = []
    other.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await other.goto(`/admin${path}`, { waitUntil: 'commit' })
    await expect(other.locator('main h1')).toBeVisible()
    await settled(other)
    const paint = (await other.evaluate(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`,
    )) as number
    const usable = (await other.evaluate('performance.now()')) as number
    const moved = (await other.evaluate('window.moved')) as number
    test.info().annotations.push({
      type: 'slow 4G, nothing cached',
      description: `first paint ${Math.round(paint)} ms, usable ${Math.round(usable)} ms, moved ${moved.toFixed(4)}`,
    })
    expect(moved).toBeLessThan(0.005)
    const signIn = asked.indexOf('/connect/authorize')
    // The document, three style sheets, six scripts with the texts, and the icon.
    expect(signIn).toBeLessThanOrEqual(11)
    expect(asked.slice(0, signIn)).not.toContain('/.well-known/openid-configuration')
    await other.close()
  })
}

test('rows that wait are as high on a phone as those that follow, and what follows moves nothing', async ({
  page,
  service,
}) => {
  for (let at = 0; at < 12; at += 1) {
    await addClient(service, { id: `waited-${at}`, name: `Waited ${at}` })
    const name = `waited-${at}`
    await service.storage.users.create(testUser({ name, email: `${name}@example.com`, claims: { name } }))
  }
  await open(page, 'root', '/')
  for (const path of ['people', 'applications']) {
    const other = await page.context().newPage()
    await other.setViewportSize({ width: 390, height: 900 })
    await other.addInitScript(shifts)
    const held = Promise.withResolvers<void>()
    await other.route(/\/(?:users|clients)(?:\?|$)/, async (route) => {
      await held.promise
      await route.fallback()
    })
    await other.goto(`/admin/${path}`)
    const rows = other.locator('.records tbody tr')
    const heights = (): Promise<number[]> =>
      other.evaluate(`[...document.querySelectorAll('.records tbody tr')].map((row) => row.offsetHeight)`)
    await expect(other.locator('.records tbody.skeleton')).toBeVisible()
    const [waiting = 0] = await heights()
    held.resolve()
    await settled(other)
    await expect(rows.first()).toBeVisible()
    const following = await heights()
    expect(Math.abs(waiting - Math.max(...following)), `${path} ${waiting} ${following}`).toBeLessThanOrEqual(12)
    expect(await other.evaluate('window.moved'), path).toBeLessThan(0.002)
    await other.unrouteAll({ behavior: 'wait' })
    await other.close()
  }
})
