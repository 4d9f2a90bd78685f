/** Every page of the console, in both themes. */
import { testUser } from '../support/service.ts'
import { budget } from './budget.ts'
import { button, looksWell, open, settled, test } from './console.ts'
import { expect, signIn, signInQuietly } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

for (const scheme of ['light', 'dark'] as const) {
  test(`no page of the console has a violation that axe finds, on a phone and wide (${scheme})`, async ({
    page,
    service,
  }) => {
    const person = `/people/${(await service.storage.users.findByName('viewer'))?.id}`
    await page.emulateMedia({ colorScheme: scheme })
    await open(page, 'root', '/scopes')
    for (const below of [
      ...['', '?step=day'],
      ...['/applications', '/applications/new', '/applications/demo'],
      ...[
        '/scopes',
        '/scopes/new',
        '/scopes/demo_api',
        '/people',
        '/people?role=latchkey-admin',
        '/activity',
        '/people/new',
        '/people/invite',
        person,
      ],
      ...[
        '/roles',
        '/roles/new',
        '/roles/latchkey-viewer',
        '/keys',
        '/activity',
        '/activity?kind=refusal&follow=true',
        '/explain',
        '/explain/ID2052',
        '/settings',
      ],
    ]) {
      await looksWell(page, below, scheme)
    }
  })
}

test('a change of several people that is stopped, or whose session ends, says what was done and goes on with the rest', async ({
  page,
  service,
}) => {
  const { users } = service.storage
  for (let at = 0; at < 6; at += 1)
    await users.create(testUser({ name: `crowd-${at}`, email: `crowd-${at}@example.com`, roles: [] }))
  const holders = async () => (await users.list()).filter(({ roles }) => roles.includes('extra')).length
  await open(page, 'root', '/people?search=crowd')
  await page.getByLabel('Select all shown').check()
  // The third person is held up until the session has ended.
  let puts = 0
  const reached = Promise.withResolvers<void>()
  const { promise: ended, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/users/*/roles', async (route) => {
    if (route.request().method() === 'PUT') {
      puts += 1
      if (puts === 3) {
        reached.resolve()
        await ended
      }
    }
    await route.continue()
  })
  await button(page, 'Give a role').click()
  await page.getByLabel('Role to give').fill('extra')
  await page.keyboard.press('Enter')
  await reached.promise
  await expect(page.getByText('2 of 6')).toBeVisible()
  await page.context().clearCookies()
  const root = await users.findByName('root')
  const endedAtMs = service.now()
  await users.update(root?.id ?? '', (user) => ({ ...user, grantsEndedAtMs: endedAtMs }))
  goOn()
  await expect(page.getByText('Now have the role extra: 2.')).toBeVisible()
  await expect(page.getByText('Not tried:')).toBeVisible()
  expect(await holders()).toBe(2)
  const beside = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in again' }).first().click()
  const login = await beside
  await login.waitForURL('**/Account/Login?**')
  await signIn(login, 'root')
  await expect(page.getByText('You are signed in again').first()).toBeVisible()
  await button(page, 'Try the others again').click()
  await expect(page.getByText('Now have the role extra: 4.')).toBeVisible()
  expect(await holders()).toBe(6)

  await settled(page)
  await page.getByLabel('Select all shown').check()
  const held = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  await page.route('**/users/*/lock', async (route) => {
    held.resolve()
    await free.promise
    await route.continue()
  })
  await button(page, 'Lock').click()
  await button(page, 'Lock').click()
  await held.promise
  await button(page, 'Stop').click()
  free.resolve()
  // Four locks are on their way at once.
  await expect(page.getByText('Locked: 4.')).toBeVisible()
  await expect(page.getByText('Not tried:')).toBeVisible()
  expect((await users.list()).filter(({ disabled }) => disabled).length).toBe(4)
})

test('the first page of the console loads less than 150 kB, and all its pages less than 300 kB, in one language', async ({
  page,
  context,
  service,
}) => {
  await context.addCookies([{ name: 'latchkey.language', value: 'ar', url: service.issuer }])
  await signInQuietly(page, 'root')
  const loaded = new Map<string, Promise<number>>()
  const underWay = new Set<object>()
  page.on('request', (request) => void underWay.add(request))
  page.on('requestfailed', (request) => void underWay.delete(request))
  page.on('requestfinished', (request) => {
    underWay.delete(request)
    const { pathname } = new URL(request.url())
    if (!loaded.has(pathname))
      loaded.set(
        pathname,
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      )
  })
  const bytesOf = async (pattern: RegExp) => {
    const sizes = await Promise.all([...loaded].filter(([path]) => pattern.test(path)).map(([, size]) => size))
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  await page.goto('/admin', { waitUntil: 'networkidle' })
  await settled(page)
  const first = await bytesOf(/./)
  expect(first).toBeGreaterThan(20_000)
  expect(first).toBeLessThan(budget.consoleTransferBytes)
  for (const link of await page.locator('nav a').all()) {
    await link.click()
    await expect(link).toHaveAttribute('aria-current', 'page')
    await settled(page)
  }
  await expect.poll(() => underWay.size).toBe(0)
  const whole = await bytesOf(/^\/(?:assets\/|admin$)/)
  test.info().annotations.push({ type: 'bytes', description: `${first} at first, ${whole} in all` })
  expect(whole).toBeGreaterThan(first / 2)
  expect(whole).toBeLessThan(budget.consoleWholeBytes)
  const texts = [...loaded.keys()].filter((path) =>
    /^\/assets\/console-(?:[a-z]{2}|[a-z]{2}-[A-Za-z]{2,4})-\w{8}\.js$/.test(path),
  )
  expect(texts).toHaveLength(1)
})
