/**
 * keycloak-js in Chromium as applications of Keycloak use it, with an address and a realm: `OAuth:Issuer` has the path of the realm, and
 * `OAuth:EndpointAliases:Preset=keycloak` the paths below it. Nothing of the library is changed or switched off.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { addClient, freePort, password, startService, type TestService, testScope } from '../support/service.ts'
import { launchChromium } from './chromium.ts'
import { clientsFolder, notInstalled } from './programs.ts'

/** What the tests use of the library and of the application around it. */
type Realm = {
  authenticated: boolean
  token?: string
  tokenParsed: Record<string, unknown>
  sessionId?: string
  login(options?: object): Promise<void>
  logout(): Promise<void>
  updateToken(seconds: number): Promise<boolean>
  accountManagement(): Promise<void>
}
type Application = { realm: Realm; events: string[] }

describe('keycloak-js with an address and a realm', { skip: notInstalled }, () => {
  let service: TestService
  let browser: Browser
  let pages: Server
  let origin: string
  let host: string
  before(async () => {
    const [port, own] = [await freePort(), await freePort()]
    origin = `http://localhost:${port}`
    host = `http://localhost:${own}`
    service = await startService({
      Server__Port: String(own),
      OAuth__Issuer: `${host}/realms/acme`,
      OAuth__EndpointAliases__Preset: 'keycloak',
      OAuth__External__GitHub__ClientId: 'client-at-github',
      OAuth__External__GitHub__ClientSecret: 'secret',
      // The library asks for tokens with credentials, which web_origins does not allow.
      Cors__Origins__0: origin,
    })
    for (const name of ['profile', 'email']) await service.storage.scopes.create(testScope(name))
    await addClient(service, {
      ...{ id: 'web', consent: 'implicit', scopes: ['profile', 'email', 'offline_access'] },
      ...{ redirectUris: [`${origin}/`, `${origin}/silent.html`], postLogoutRedirectUris: [`${origin}/`] },
      metadata: {
        ...{ claim_shape: 'keycloak', web_origins: ['+'], allowed_origins: [origin] },
        ...{ default_scopes: ['profile', 'email'], refresh_token_scope: 'openid' },
      },
    })
    pages = createServer((request, response) => {
      const isScript = request.url === '/keycloak.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      if (isScript) response.end(readFileSync(`${clientsFolder}node_modules/keycloak-js/lib/keycloak.js`))
      else if (request.url?.startsWith('/silent.html')) {
        response.end('<!doctype html><script>parent.postMessage(location.href, location.origin)</script>')
      } else response.end(application(host))
    })
    await new Promise<void>((listening) => pages.listen(port, '127.0.0.1', listening))
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    pages.close()
    await service.stop()
  })

  async function contextFor(t: TestContext): Promise<BrowserContext> {
    const context = await browser.newContext({ baseURL: origin })
    t.after(() => context.close())
    return context
  }
  async function open(context: BrowserContext, problems: string[] = []): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => {
      const isIcon = message.location().url.endsWith('/favicon.ico')
      // Of the frame in which the library opens a page of the application itself.
      const isSandbox = message.text().includes('can escape its sandboxing')
      if (['error', 'warning'].includes(message.type()) && !isIcon && !isSandbox) problems.push(message.text())
    })
    await page.goto('/')
    await page.getByText(/^(?:signed in|signed out|failed.*)$/).waitFor()
    return page
  }
  const shown = (page: Page) => page.locator('#state').innerText()
  async function signIn(page: Page): Promise<void> {
    await page.evaluate(() => void (window as unknown as Application).realm.login())
    await page.getByRole('textbox', { name: 'Username' }).fill('alice')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${origin}/**`)
    await page.getByText(/^(?:signed in|failed.*)$/).waitFor()
    assert.equal(await shown(page), 'signed in')
  }

  it('starts signed out without leaving the page, signs in, refreshes and signs out', async (t) => {
    const problems: string[] = []
    const page = await open(await contextFor(t), problems)
    assert.equal(await shown(page), 'signed out')
    await signIn(page)
    const [before, claims] = await page.evaluate(() => {
      const { realm } = window as unknown as Application
      return [realm.token, realm.tokenParsed] as const
    })
    assert.equal(claims.iss, `${host}/realms/acme`)
    assert.equal(claims.preferred_username, 'alice')
    assert.equal(await page.evaluate(() => (window as unknown as Application).realm.updateToken(-1)), true)
    assert.notEqual(await page.evaluate(() => (window as unknown as Application).realm.token), before)
    await page.evaluate(() => void (window as unknown as Application).realm.logout())
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${origin}/**`)
    await page.getByText('signed out').waitFor()
    assert.deepEqual(problems, [])
  })

  it('finds the session in another tab silently, and keeps it while it lasts', async (t) => {
    const problems: string[] = []
    const context = await contextFor(t)
    await signIn(await open(context, problems))
    const other = await open(context, problems)
    assert.equal(await shown(other), 'signed in')
    // Three checks of the frame, each a second after the other.
    const checks: string[] = []
    other.on('response', (answer) => {
      if (answer.url().includes('login-status-iframe.html/status')) checks.push(String(answer.status()))
    })
    while (checks.length < 3) await other.waitForEvent('response')
    assert.deepEqual(await other.evaluate(() => (window as unknown as Application).events), [])
    assert.deepEqual(problems, [])
  })

  it('hears from the frame that the person signed out elsewhere', async (t) => {
    const context = await contextFor(t)
    const page = await open(context)
    await signIn(page)
    const elsewhere = await context.newPage()
    await elsewhere.goto(`${host}/connect/logout`)
    await elsewhere.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForFunction(() => (window as unknown as Application).events.includes('logout'))
    assert.equal(await page.evaluate(() => (window as unknown as Application).realm.token), undefined)
  })

  it('goes to a provider that the application names, and to the account', async (t) => {
    const page = await open(await contextFor(t))
    const asked = page.waitForRequest('https://github.com/login/oauth/authorize**')
    await page.evaluate(() => void (window as unknown as Application).realm.login({ idpHint: 'GitHub' }))
    assert.equal(new URL((await asked).url()).searchParams.get('redirect_uri'), `${host}/callback/login/GitHub`)
    const own = await open(page.context())
    await own.evaluate(() => void (window as unknown as Application).realm.accountManagement())
    await own.waitForURL(`${host}/account**`)
  })
})

/** The application: what the library's own guide tells to write. */
function application(host: string): string {
  return `<!doctype html><title>web</title><p id="state"></p><script type="module">
    import Keycloak from '/keycloak.js'
    const realm = new Keycloak({ url: ${JSON.stringify(host)}, realm: 'acme', clientId: 'web' })
    window.realm = realm
    window.events = []
    realm.onAuthLogout = () => window.events.push('logout')
    realm.init({
      onLoad: 'check-sso',
      silentCheckSsoRedirectUri: location.origin + '/silent.html',
      checkLoginIframeInterval: 1,
      redirectUri: location.origin + '/',
    }).then(
      (is) => { document.querySelector('#state').textContent = is ? 'signed in' : 'signed out' },
      (error) => { document.querySelector('#state').textContent = 'failed: ' + (error?.message ?? JSON.stringify(error)) },
    )
  </script>`
}
