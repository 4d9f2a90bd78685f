/**
 * Libraries of Keycloak with clients of the shape `keycloak` (claims and groups, section 4): keycloak-js in Chromium, and keycloak-connect,
 * which checks tokens in Node.js. The latter is installed for the test, without the browser driver that it has among its dependencies.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPublicKey, type webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { Browser, Page } from '@playwright/test'
import { headerOf } from '../support/browser.ts'
import {
  addClient,
  changeUser,
  freePort,
  password,
  startService,
  type TestService,
  testScope,
} from '../support/service.ts'
import { launchChromium } from './chromium.ts'
import { clientsFolder, notInstalled } from './programs.ts'

/** What the tests use of `keycloak-js`. */
type Keycloak = {
  authenticated: boolean
  token?: string
  idToken?: string
  subject?: string
  tokenParsed: Record<string, unknown>
  idTokenParsed: Record<string, unknown>
  refreshTokenParsed: Record<string, unknown>
  login(options: object): Promise<void>
  logout(options: object): Promise<void>
  updateToken(seconds: number): Promise<boolean>
  hasRealmRole(role: string): boolean
  hasResourceRole(role: string, resource?: string): boolean
}
declare global {
  interface Window {
    keycloak: Keycloak
    ready: Promise<boolean>
  }
}

const roles = ['admin', 'web:editor', 'shop:packer', 'other:auditor']
const api = 'https://api.shop.example'
const all = 'profile email offline_access'

describe('libraries of Keycloak', { skip: notInstalled }, () => {
  let service: TestService
  let browser: Browser
  let pages: Server
  let origin: string
  before(async () => {
    const port = await freePort()
    origin = `http://localhost:${port}`
    // What these libraries verify.
    const algorithms = { OAuth__AccessTokenAlgorithm: 'RS256', OAuth__IdentityTokenAlgorithm: 'RS256' }
    service = await startService({ Cors__Origins__0: origin, ...algorithms })
    for (const name of ['profile', 'email']) await service.storage.scopes.create(testScope(name))
    await service.storage.scopes.create(testScope('orders', { resources: [api] }))
    for (const id of ['shop', 'other']) {
      await addClient(service, { id, metadata: { resources: id === 'shop' ? [api] : [] } })
    }
    const addresses = { redirectUris: [`${origin}/`], postLogoutRedirectUris: [`${origin}/`] }
    const scopes = ['profile', 'email', 'offline_access', 'orders']
    await addClient(service, {
      ...{ id: 'web', consent: 'implicit', scopes, ...addresses },
      metadata: { claim_shape: 'keycloak' },
    })
    await changeUser(service, 'alice', { roles, claims: { name: 'Alice Example', given_name: 'Alice' } })
    pages = createServer((request, response) => {
      if (request.url === '/keycloak.js') {
        response.setHeader('content-type', 'text/javascript')
        response.end(readFileSync(`${clientsFolder}node_modules/keycloak-js/lib/keycloak.js`))
        return
      }
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>web</title><script type="module">
        import Keycloak from '/keycloak.js'
        window.keycloak = new Keycloak({ oidcProvider: ${JSON.stringify(service.issuer)}, clientId: 'web' })
        window.ready = window.keycloak.init({ checkLoginIframe: false, redirectUri: location.origin + '/' })
        window.ready.then((is) => { document.body.append(is ? 'signed in' : 'signed out') }, (e) => { document.body.append('failed: ' + e) })
      </script>`)
    })
    await new Promise<void>((listening) => pages.listen(port, '127.0.0.1', listening))
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    pages.close()
    await service.stop()
  })

  async function signedIn(t: TestContext, scope: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: origin })
    t.after(() => context.close())
    const page = await context.newPage()
    await page.goto('/')
    await page.getByText('signed out').waitFor()
    await page.evaluate((asked) => void window.keycloak.login({ scope: asked }), scope)
    await page.getByRole('textbox', { name: 'Username' }).fill('alice')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${origin}/**`)
    await page.getByText(/signed in|failed/).waitFor()
    assert.equal(await page.locator('body').innerText(), 'signed in')
    return page
  }
  const tokensOf = (page: Page) =>
    page.evaluate(() => ({ access: window.keycloak.token ?? '', id: window.keycloak.idToken ?? '' }))

  it('keycloak-js signs in, finds roles, refreshes with updateToken and signs out', async (t) => {
    const page = await signedIn(t, `${all} orders`)
    const found = await page.evaluate(() => ({
      realm: [
        window.keycloak.hasRealmRole('admin'),
        window.keycloak.hasRealmRole('web:editor'),
        window.keycloak.hasRealmRole('none'),
      ],
      own: [window.keycloak.hasResourceRole('editor'), window.keycloak.hasResourceRole('packer')],
      ofResource: window.keycloak.hasResourceRole('packer', 'shop'),
      ofOther: window.keycloak.hasResourceRole('auditor', 'other'),
      token: window.keycloak.tokenParsed,
      id: window.keycloak.idTokenParsed,
      refresh: window.keycloak.refreshTokenParsed,
      subject: window.keycloak.subject,
    }))
    assert.deepEqual(found.realm, [true, false, false])
    assert.deepEqual([found.own, found.ofResource, found.ofOther], [[true, false], true, false])
    assert.deepEqual([found.token.typ, found.id.typ, found.refresh.typ], ['Bearer', 'ID', 'Refresh'])
    const { preferred_username, name, given_name, email, scope, azp, sub } = found.token
    assert.deepEqual(
      [preferred_username, name, given_name, email, azp],
      ['alice', 'Alice Example', 'Alice', 'alice@example.com', 'web'],
    )
    assert.deepEqual([scope, sub], [`openid ${all} orders`, found.subject])
    const before = await tokensOf(page)
    await changeUser(service, 'alice', { roles: [...roles, 'auditor'] })
    assert.equal(await page.evaluate(() => window.keycloak.updateToken(-1)), true)
    assert.notEqual((await tokensOf(page)).access, before.access)
    assert.equal(await page.evaluate(() => window.keycloak.hasRealmRole('auditor')), true)
    assert.equal(await page.evaluate(() => window.keycloak.updateToken(-1)), true)
    await page.evaluate(() => void window.keycloak.logout({ redirectUri: `${location.origin}/` }))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${origin}/**`)
    await page.getByText('signed out').waitFor()
    const session = await page.context().request.get(`${service.issuer}Account/Session`)
    assert.deepEqual(await session.json(), { user: null })
  })

  it('keycloak-connect takes the access token for one and the id token for none, and finds roles', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-keycloak-'))
    t.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    try {
      const options = ['--omit=optional', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
      execFileSync('npm', ['install', ...options, 'keycloak-connect@26.1.1'], { cwd: folder, stdio: 'pipe' })
    } catch {
      return t.skip('not on this machine: keycloak-connect')
    }
    const load = createRequire(join(folder, 'package.json'))
    const GrantManager = load('keycloak-connect/middleware/auth-utils/grant-manager')
    const Token = load('keycloak-connect/middleware/auth-utils/token')
    const { access, id } = await tokensOf(await signedIn(t, `${all} orders`))
    const { keys } = JSON.parse(service.keys.keySet()) as { keys: (webcrypto.JsonWebKey & { kid: string })[] }
    const key = keys.find(({ kid }) => kid === headerOf(access).kid)
    assert.ok(key)
    const publicKey = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const manager = new GrantManager({ realmUrl: service.issuer, clientId: 'web', publicKey })
    const token = new Token(access, 'web')
    assert.equal(await manager.validateToken(token, 'Bearer'), token)
    const found = ['realm:admin', 'editor', 'shop:packer', 'realm:editor', 'other:auditor'].map((one) =>
      token.hasRole(one),
    )
    assert.deepEqual(found, [true, true, true, false, false])
    await manager.validateToken(new Token(id, 'web'), 'ID')
    await assert.rejects(manager.validateToken(new Token(id, 'web'), 'Bearer'), /wrong type/)
    await assert.rejects(manager.validateToken(token, 'ID'), /wrong type/)
  })
})
