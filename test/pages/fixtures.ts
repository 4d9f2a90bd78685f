/** What the browser tests stand on: one service, one client's site and one browser a worker, one person a test. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { authorizePath } from '../support/browser.ts'
import { type FakeGithub, startFakeGithub } from '../support/fake-github.ts'
import { password, startService, type TestService, testClient, testScope, testUser } from '../support/service.ts'

export { expect, type Page } from '@playwright/test'

/** A client's site on an origin of its own. */
export type ClientSite = { readonly origin: string; readonly callback: string; readonly signedOut: string }

type PerWorker = {
  /** Without external providers. */
  service: TestService
  /** With GitHub, and with a provider that nobody has a mark for. */
  external: { readonly service: TestService; readonly github: FakeGithub }
  /** Registered with `service` as the client `orchard`. */
  site: ClientSite
}

type PerTest = {
  /** The name of a user nobody else has used: no failed passwords, no stored consent. */
  person: string
  /** Console errors that belong to the test: a browser reports every answer of 400 and above. */
  expectedErrors: RegExp
}

export const test = base.extend<PerTest, PerWorker>({
  service: [
    async ({}, use) => {
      // Tests share an address, and some of them fail to sign in on purpose.
      const service = await startService({ RateLimit__LoginPerMinute: '1000' })
      await use(service)
      await service.stop()
    },
    { scope: 'worker' },
  ],

  external: [
    async ({}, use) => {
      const github = await startFakeGithub()
      const service = await startService({
        ...github.env,
        OAuth__External__Contoso__ClientId: 'contoso-client',
        OAuth__External__Contoso__Issuer: github.origin,
        OAuth__External__Contoso__DisplayName: 'Contoso Workforce',
      })
      await use({ service, github })
      await service.stop()
      await github.stop()
    },
    { scope: 'worker' },
  ],

  site: [
    async ({ service }, use) => {
      const server = createServer((request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(`<!doctype html><html lang="en"><title>Orchard</title><h1>Orchard</h1><p>${request.method}</p>`)
      })
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve)
      })
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const site = { origin, callback: `${origin}/callback`, signedOut: `${origin}/signed-out` }
      const client = {
        id: 'orchard',
        name: 'Orchard Planner',
        redirectUris: [site.callback],
        postLogoutRedirectUris: [site.signedOut],
        scopes: ['offline_access', 'demo_api', 'profile', 'roles'],
      }
      await service.storage.clients.create(testClient(client))
      await service.storage.scopes.create(testScope('profile'))
      await service.storage.scopes.create(testScope('roles', { displayName: 'Roles', description: 'What you may do' }))
      await use(site)
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],

  expectedErrors: [/^$/, { option: true }],

  baseURL: async ({ service }, use) => use(service.issuer),

  person: async ({ service }, use, { testId }) => {
    const name = `person-${testId.slice(-12)}`
    await service.storage.users.create(testUser({ name, email: `${name}@example.com` }))
    await use(name)
  },

  /** Every test also finds that no script failed, nothing broke the policy, and nothing came from another origin. */
  context: async ({ context, baseURL, expectedErrors }, use) => {
    const complaints: string[] = []
    context.on('weberror', (error) => complaints.push(error.error().message))
    context.on('console', (message) => {
      if (message.type() === 'error' && !expectedErrors.test(message.text())) complaints.push(message.text())
    })
    context.on('request', (request) => {
      const foreign = new URL(request.url()).origin !== new URL(baseURL ?? '').origin
      if (foreign && !request.isNavigationRequest()) complaints.push(`asked ${request.url()}`)
    })
    await use(context)
    expect(complaints).toEqual([])
  },
})

/** The same tests against the service with external providers. */
export const testWithProviders = test.extend({
  baseURL: async ({ external }, use) => use(external.service.issuer),
})

/** The parts of the login page, by the names of the contract. */
export function loginForm(page: Page): Readonly<Record<'username' | 'password' | 'rememberMe' | 'submit', Locator>> {
  return {
    username: page.getByRole('textbox', { name: 'Username' }),
    password: page.getByLabel('Password'),
    rememberMe: page.getByRole('checkbox', { name: 'Remember me' }),
    submit: page.getByRole('button', { name: 'Sign in' }),
  }
}

/** Fills in the login form that the page shows, and sends it. */
export async function signIn(page: Page, name: string, secret = password): Promise<void> {
  const form = loginForm(page)
  await form.username.fill(name)
  await form.password.fill(secret)
  await form.submit.click()
}

/** The login page that leads on to the catalogue of errors: an address of the service that says 'arrived'. */
export const loginAddress = '/Account/Login?ReturnUrl=%2Ferrors'

export async function expectArrived(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Error codes' })).toBeVisible()
}

/** An authorization request of the client `orchard`. */
export function authorizeAt(site: ClientSite, change: Readonly<Record<string, string>> = {}): string {
  return authorizePath({ client_id: 'orchard', redirect_uri: site.callback, ...change })
}
