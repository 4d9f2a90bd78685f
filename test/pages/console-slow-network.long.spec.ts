/** The console on a slow network: a frame before any script has come, few files, and nothing that moves. */
import { addClient, addUser, testUser } from '../support/service.ts'
import { button, open, settled, test } from './console.ts'
import { expect, leave, signIn } from './fixtures.ts'

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
    await open(page, 'root', path)
    // What a tab follows takes one of the six connections of HTTP/1.1.
    await page.goto('about:blank')
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
    await session.send('Network.setCacheDisabled', { cacheDisabled: false })
    await other.goto(`/admin${path}`, { waitUntil: 'commit' })
    await expect(other.locator('main h1')).toBeVisible()
    await settled(other)
    const again = (await other.evaluate('performance.now()')) as number
    test.info().annotations.push({
      type: 'slow 4G, files cached',
      description: `usable ${Math.round(again)} ms`,
    })
    expect(moved).toBeLessThan(0.005)
    const signIn = asked.indexOf('/connect/authorize')
    // The document, three style sheets, six scripts with the texts, and the icon.
    expect(signIn).toBeLessThanOrEqual(11)
    expect(asked.slice(0, signIn)).not.toContain('/.well-known/openid-configuration')
    await other.close()
  })
}

/** What pages ask the API for first, below `/admin/api/v1/`. */
const firstOf: Readonly<Record<string, readonly string[]>> = {
  // With `me` no more than the six connections of HTTP/1.1: none waits for another.
  '/': ['stats', 'setup', 'attention', 'doctor'],
  '/people': ['users', 'user-counts'],
  '/people/new': [],
  '/groups': ['groups'],
  '/attributes': ['attributes'],
  '/applications': ['clients', 'client-counts'],
  '/applications/demo': ['clients/demo'],
  '/scopes': ['scopes'],
  '/scopes/demo_api': ['scopes/demo_api'],
  '/roles/latchkey-admin': ['roles/latchkey-admin'],
  '/keys': ['keys'],
  // A page that follows reads its list once more when it has begun to.
  '/activity?group=roles,access&when=week&follow=false': ['audit'],
  '/branding': ['branding'],
  '/settings': ['settings'],
}

for (const [path, first] of Object.entries(firstOf)) {
  test(`before ${path} asks for what it shows stand two answers, and no address has a code`, async ({ page }) => {
    await open(page, 'root', path)
    const other = await page.context().newPage()
    const asked: URL[] = []
    other.on('request', (request) => asked.push(new URL(request.url())))
    const { promise, resolve } = Promise.withResolvers<void>()
    await other.route('**/admin/api/v1/**', async (route) => {
      await promise
      await route.continue()
    })
    await other.goto(`/admin${path}`, { waitUntil: 'commit' })
    const together = ['me', ...first].map((name) => `/admin/api/v1/${name}`).sort()
    // None of them has an answer yet.
    const waiting = () => asked.map(({ pathname }) => pathname).filter((name) => name.startsWith('/admin/api/'))
    await expect.poll(() => waiting().sort()).toEqual(together)
    const before = asked.map(({ pathname }) => pathname).filter((name) => !/^\/(?:assets|admin\/api)\//.test(name))
    const { pathname: document } = new URL(`/admin${path}`, other.url())
    expect(before).toEqual([document, '/connect/authorize', '/connect/token'])
    expect(asked.filter(({ searchParams }) => searchParams.has('code'))).toEqual([])
    const ahead = asked.filter(({ pathname }) => together.includes(pathname)).map(({ href }) => href)
    resolve()
    await other.unrouteAll({ behavior: 'wait' })
    await settled(other)
    // The page has taken the answers, and asked for none of them once more.
    const hrefs = asked.map(({ href }) => href)
    expect(ahead.filter((href) => hrefs.indexOf(href) !== hrefs.lastIndexOf(href))).toEqual([])
    await other.close()
  })
}

test('two windows that are opened at once are signed in each', async ({ page }) => {
  await open(page, 'root', '/')
  const others = await Promise.all([page.context().newPage(), page.context().newPage()])
  await Promise.all(others.map((other, at) => other.goto(at === 0 ? '/admin/people' : '/admin/keys')))
  for (const other of others) {
    await settled(other)
    await expect(other.getByRole('button', { name: 'Sign out' })).toBeVisible()
  }
  await Promise.all(others.map((other) => other.close()))
})

test.describe('without a role', () => {
  test.use({ expectedErrors: /status of 403/ })

  test('what is asked for before it is known who the person is tells nothing when it is refused, and is not asked for again', async ({
    page,
    service,
  }) => {
    const { users } = service.storage
    const { id } = await addUser(service, 'former', { roles: ['latchkey-admin'] })
    await open(page, 'former', '/people')
    await users.update(id, (stored) => ({ ...stored, roles: [] }))
    const refused = page.waitForResponse(/api\/v1\/users\?/)
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/admin/api/v1/me', async (route) => {
      await promise
      await route.continue()
    })
    await page.goto('/admin/people')
    expect((await refused).status()).toBe(403)
    resolve()
    const told = page.getByRole('heading', { name: 'This is for administrators' })
    await expect(told).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.unrouteAll({ behavior: 'wait' })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await leave(page, () => page.reload())
    await expect(told).toBeVisible()
    expect(asked.filter((name) => name.startsWith('/admin/api/'))).toEqual(['/admin/api/v1/me'])
  })
})

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
    // Whoever wants less motion sees rows that stand still.
    const endless = () =>
      other.evaluate(
        'document.getAnimations().filter(({ effect }) => effect.getTiming().iterations === Infinity).length',
      )
    expect(await endless(), path).toBeGreaterThan(0)
    await other.emulateMedia({ reducedMotion: 'reduce' })
    await expect.poll(endless, path).toBe(0)
    await other.emulateMedia({ reducedMotion: null })
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

for (const kind of ['refuses to be read', 'is full', 'is not there']) {
  test(`the console opens where the storage of the browser ${kind}`, async ({ page }) => {
    await open(page, 'root', '/people')
    const other = await page.context().newPage()
    await other.addInitScript((how) => {
      const refuse = (name: string) => () => {
        throw new DOMException('Refused by the browser.', name)
      }
      if (how === 'is full') Storage.prototype.setItem = refuse('QuotaExceededError')
      else {
        const get = how === 'is not there' ? () => null : refuse('SecurityError')
        for (const storage of ['localStorage', 'sessionStorage']) Object.defineProperty(window, storage, { get })
      }
    }, kind)
    const failures: Error[] = []
    other.on('pageerror', (error) => failures.push(error))
    await other.goto('/admin/people')
    await settled(other)
    await expect(other.getByRole('heading', { name: 'People', level: 1 })).toBeVisible()
    await expect(other.locator('.records tbody tr').first()).toBeVisible()
    // The login page leads back, whether or not the tab knows that it asked.
    await page.context().clearCookies()
    await other.goto('/admin/people')
    await signIn(other, 'root')
    await other.waitForURL(/\/admin\//)
    await settled(other)
    await expect(button(other, 'Sign out')).toBeVisible()
    expect(failures).toEqual([])
    await other.close()
  })
}
