/** The example that people copy, in a real browser, against the service as it is started by its command. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'

/** A name that ends in what has no direction of its own. */
const rightToLeft = '\u05dc\u05d9\u05d0\u05ea (9)'

const children: ChildProcess[] = []
let folder: string
let client: string
let issuer: string

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-demo-'))
  const port = await freePort()
  issuer = `http://localhost:${port}/`
  client = await start([process.execPath, 'examples/demo-client/server.ts'], /demo client: (\S+)/, {
    DEMO_CLIENT_PORT: '0',
    DEMO_ISSUER: issuer,
    DEMO_CLIENT_ID: 'example',
  })
  const settings = {
    Server__Port: String(port),
    Database__Url: `sqlite:${join(folder, 'latchkey.db')}`,
    Cors__Origins__0: new URL(client).origin,
  }
  await start(['bin/latchkey', 'serve', '--demo', '--json'], /"(ready)"/, settings)
  const registration = ['--redirect-uri', `${client}callback`, '--post-logout-redirect-uri', client]
  const scopes = ['--scope', 'offline_access', '--scope', 'demo_api']
  const latchkey = (parameters: string[], input = '') =>
    execFileSync('bin/latchkey', parameters, { env: { ...process.env, ...settings }, input })
  latchkey(['client', 'add', 'example', ...registration, ...scopes])
  // Somebody who has never allowed anything, whichever tests ran before.
  latchkey(['user', 'add', 'dana', '--email', 'dana@example.com', '--password-stdin'], 'Passw0rd!')
  latchkey(['user', 'add', rightToLeft, '--email', 'liat@example.com', '--password-stdin'], 'Passw0rd!')
})

test.afterAll(async () => {
  const ended = children.map((child) => once(child, 'exit'))
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(ended)
  await rm(folder, { recursive: true, force: true })
})

test('signs in, calls the API, refreshes and signs out [S2.3.6, S4.3.2, C5.3, C5.5]', async ({ page }) => {
  const problems = watch(page)
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'Access token' })).toBeVisible()
  await expect(page).toHaveURL(client)
  await expect(claim(page, 'access-claims', 'preferred_username')).toHaveText('alice')
  await expect(claim(page, 'access-claims', 'role')).toHaveText('admin')
  await expect(claim(page, 'access-claims', 'scope')).toContainText('demo_api')
  await expect(claim(page, 'id-claims', 'aud')).toHaveText('example')
  await expect(page.locator('#id-claims')).not.toContainText('role')

  await page.getByRole('button', { name: 'Call the API' }).click()
  await expect(page.locator('#weather tbody tr')).toHaveCount(5)

  const before = await claim(page, 'access-claims', 'jti').textContent()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The tokens are new.' })).toBeVisible()
  expect(await claim(page, 'access-claims', 'jti').textContent()).not.toBe(before)
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

  const revoked = page.waitForResponse(`${issuer}connect/revocation`)
  await signOut(page)
  expect((await revoked).status()).toBe(200)
  await expect(page.getByText('You signed out.')).toBeVisible()
  await expect(page).toHaveURL(client)
  expect(problems).toEqual([])
})

test('greets by name', async ({ page }) => {
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'Hello, alice' })).toBeVisible()
  await signOut(page)
  await signIn(page, rightToLeft)
  // Isolated, so that its digits do not move into the greeting.
  await expect(page.locator('h2 bdi')).toHaveText(rightToLeft)
})

test('shows a forecast in which word and temperature agree', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: 'Call the API' }).click()
  const rows = page.locator('#weather tbody tr')
  await expect(rows).toHaveCount(5)
  const order = ['Freezing', 'Chilly', 'Cool', 'Mild', 'Warm', 'Balmy', 'Hot', 'Sweltering']
  const days = await Promise.all((await rows.all()).map((row) => row.getByRole('cell').allTextContents()))
  const ranks = days
    .map(([, celsius = '', , summary = '']) => ({
      degrees: Number.parseInt(celsius, 10),
      rank: order.indexOf(summary),
    }))
    .sort((a, b) => a.degrees - b.degrees)
    .map(({ rank }) => rank)
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  expect(ranks).not.toContain(-1)
  await page.getByRole('button', { name: 'Call the API' }).click()
  await expect(page.locator('#working')).toBeHidden()
  const again = await Promise.all((await rows.all()).map((row) => row.getByRole('cell').allTextContents()))
  expect(again).toEqual(days)
})

test('is signed in again after a reload, without a question and with nothing stored', async ({ page }) => {
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'Hello, alice' })).toBeVisible()
  const before = await claim(page, 'access-claims', 'jti').textContent()
  const entries = await page.evaluate('history.length')
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hello, alice' })).toBeVisible()
  await expect(page).toHaveURL(client)
  expect(await claim(page, 'access-claims', 'jti').textContent()).not.toBe(before)
  expect(visited).not.toContain('/Account/Login')
  expect(visited).not.toContain('/Account/Consent')
  expect(await page.evaluate('history.length')).toBe(entries)
  expect(await stored(page)).toBe('[{},{},""]')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('The tokens are new.')).toBeVisible()
})

test('asks the provider for nothing where nobody was signed in', async ({ page }) => {
  const requests = watchRequests(page)
  await page.goto(client)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
  expect(requests).toEqual([])
})

test('says after a reload that the session at the provider has ended', async ({ page, context }) => {
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'Hello, alice' })).toBeVisible()
  await context.clearCookies()
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'You are not signed in any more.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
  await page.reload()
  await expect(page.getByText('You are not signed in here')).toBeVisible()
  await expect(page.getByText('You are not signed in any more.')).toHaveCount(0)
})

test.describe('signing out', () => {
  test('revokes the refresh token after the person confirmed, not before [C5.5]', async ({ page }) => {
    const requests = watchRequests(page)
    await signIn(page)
    await expect(page.getByRole('heading', { name: 'Hello, alice' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign out?' })).toBeVisible()
    expect(requests).not.toContain('POST /connect/revocation')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('You signed out.')).toBeVisible()
    const [confirmed, revoked] = ['POST /connect/logout', 'POST /connect/revocation'].map((one) =>
      requests.indexOf(one),
    )
    expect(confirmed).toBeGreaterThan(0)
    expect(revoked).toBeGreaterThan(confirmed ?? 0)
    expect(await stored(page)).toBe('[{},{},""]')
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Hello, alice' })).toHaveCount(0)
  })

  test('leaves who stays with tokens that work, and with one refresh token', async ({ page }) => {
    await signIn(page)
    await expect(page.getByRole('heading', { name: 'Hello, alice' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    const revoked = page.waitForResponse(`${issuer}connect/revocation`)
    await page.getByRole('link', { name: 'Stay signed in' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, alice' })).toBeVisible()
    expect((await revoked).status()).toBe(200)
    await expect(page.getByText('You signed out.')).toBeHidden()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByText('The tokens are new.')).toBeVisible()
    expect(await stored(page)).toBe('[{},{},""]')
  })

  test('is finished when the way back was lost after the person had confirmed', async ({ page }) => {
    await signIn(page)
    await expect(page.getByRole('heading', { name: 'Hello, alice' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign out?' })).toBeVisible()
    // The provider ends the session, and its answer goes astray.
    const ended = Promise.withResolvers<void>()
    await page.route(`${issuer}connect/logout`, async (route) => {
      await route.fetch({ maxRedirects: 0 })
      await route.abort()
      ended.resolve()
    })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await ended.promise
    await page.unrouteAll({ behavior: 'wait' })
    const revoked = page.waitForResponse(`${issuer}connect/revocation`)
    await page.goto(client)
    await expect(page.getByText('You signed out.')).toBeVisible()
    expect((await revoked).status()).toBe(200)
    expect(await stored(page)).toBe('[{},{},""]')
  })

  test('says so when the refresh token could not be revoked, and tries again', async ({ page }) => {
    await signIn(page)
    await expect(page.getByRole('heading', { name: 'Hello, alice' })).toBeVisible()
    await page.route(`${issuer}connect/revocation`, (route) => route.abort())
    await signOut(page)
    await expect(page.getByRole('alert')).toContainText('cannot be reached')
    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
    await expect(page.getByText('You signed out.')).toBeVisible()
    expect(await stored(page)).toBe('[{},{},""]')
  })
})

test('tells what happened, step by step, with what was sent and received', async ({ page }) => {
  await signIn(page)
  const steps = page.locator('#timeline .step')
  await expect(steps.first()).toHaveText('Keys')
  await expect(steps.filter({ hasText: 'Authorization request' })).toHaveCount(1)
  await steps.filter({ hasText: 'Code for tokens' }).click()
  await expect(page.locator('#timeline pre').filter({ hasText: 'code_verifier = ' })).toBeVisible()
  await page.getByText('As it was sent').nth(1).click()
  await expect(page.locator('#access-raw')).toHaveText(/^eyJ[^.]+\.[^.]+\.[^.]+$/)
  await expect(page.locator('#expiry')).toHaveText(/^valid for (59:\d\d|60:00)$/)
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})

test('shows refusals on purpose, with their explanation', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: 'Redeem an invented code' }).click()
  await expect(page.getByRole('alert')).toContainText(/invalid_grant: ID\d+/)
  const explanation = page.getByRole('link', { name: 'What this error means' })
  await expect(explanation).toHaveAttribute('href', new RegExp(`^${issuer}errors#ID\\d+$`))
  await page.getByRole('button', { name: 'Send a changed token' }).click()
  await expect(page.getByRole('alert')).toContainText('The access token was not accepted.')
  await expect(page.getByRole('alert')).toContainText('invalid_token')
  await expect(page.locator('#timeline li.failed')).toHaveCount(2)
  await page.getByRole('button', { name: 'Call the API' }).click()
  await expect(page.locator('#weather tbody tr')).toHaveCount(5)
})

test('asks for a second factor, and says what the sign-in reached', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: 'Ask for a second factor' }).click()
  await expect(page.getByText('The sign-in has one factor.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Access token' })).toBeVisible()
})

test('says in words that access was denied', async ({ page }) => {
  await signIn(page, 'dana', 'Deny')
  await expect(page.getByRole('alert')).toContainText('You did not allow access.')
  await expect(page.getByRole('alert')).toContainText('access_denied')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
})

test('refuses an answer that this tab did not ask for', async ({ page }) => {
  await page.goto(`${client}callback?code=stolen&state=guessed`)
  await expect(page.getByRole('alert')).toContainText('started somewhere else')
  await expect(page).toHaveURL(client)
})

test('keeps nothing of the tokens in the browser', async ({ page }) => {
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'Access token' })).toBeVisible()
  expect(await stored(page)).toBe('[{},{},""]')
})

test('fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'Access token' })).toBeVisible()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
})

/** Through the login page and, when it is shown, the consent page. */
async function signIn(page: Page, name = 'alice', answer: 'Allow' | 'Deny' = 'Allow'): Promise<void> {
  await page.goto(client)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill('Passw0rd!')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const decision = page.getByRole('button', { name: answer })
  await expect(decision.or(page.getByRole('heading', { name: 'Access token' }))).toBeVisible()
  if (await decision.isVisible()) await decision.click()
}

function claim(page: Page, list: string, name: string) {
  return page.locator(`#${list} dt:text-is("${name}") + dd`)
}

/** Through the confirmation at the provider. */
async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign out?' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${client}**`)
}

/** Everything that a script of a later page could read, as JSON text. */
async function stored(page: Page): Promise<string> {
  return (await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )) as string
}

/** What the provider is asked for, as it comes. */
function watchRequests(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (`${origin}/` === issuer) requests.push(`${request.method()} ${pathname}`)
  })
  return requests
}

/** Errors of scripts and violations of the policy, as they come. */
function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return problems
}

/** Starts a program of the project; resolves to what `ready` captured in its output. */
async function start(
  [program = '', ...parameters]: string[],
  ready: RegExp,
  env: Record<string, string>,
): Promise<string> {
  const child = spawn(program, parameters, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let output = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, captured] = ready.exec(output) ?? []
      if (captured !== undefined) resolve(captured)
    })
  }
  child.on('exit', (code) => reject(new Error(`${parameters.join(' ')} ended with ${code}:\n${output}`)))
  return promise
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
