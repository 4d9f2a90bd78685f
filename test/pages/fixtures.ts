/** What the browser tests stand on: services, one client's site and one browser a worker, one person a test. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Browser,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
  type Response,
  type WebError,
} from '@playwright/test'
import { authorizePath } from '../support/browser.ts'
import { type FakeGithub, startFakeGithub } from '../support/fake-github.ts'
import { addClient, addUser, password, startService, type TestService, testScope } from '../support/service.ts'

export { expect, type Page } from '@playwright/test'

/** A client's site on an origin of its own. */
export type ClientSite = { readonly origin: string; readonly callback: string; readonly signedOut: string }

/** Returns what is called so, and starts it when a test of this worker asks for the first time. */
export type Shared = <T>(name: string, start: () => Promise<readonly [T, stop: () => unknown]>) => Promise<T>

/**
 * A fixture of a worker that a file has for itself means another process and another browser for that file. So there are
 * these two alone, and `shared` keeps what lasts longer than a test.
 */
type PerWorker = {
  shared: Shared
  /** One page for each service: a new one costs more than most tests. */
  tabs: { at(issuer: string): Promise<Page> }
}

type PerTest = {
  /** Without external providers. */
  service: TestService
  /** With GitHub, and with a provider that nobody has a mark for. */
  external: { readonly service: TestService; readonly github: FakeGithub }
  /** Registered with `service` as the client `orchard`. */
  site: ClientSite
  /** The name of a user nobody else has used: no failed passwords, no stored consent. */
  person: string
  /** Console errors that belong to the test: a browser reports every answer of 400 and above. */
  expectedErrors: RegExp
  /** Another origin that pages may load from. */
  alsoFrom: string
  /** For a test that leaves marks which cannot be wiped off: a page of its own. */
  ownPage: boolean
  /** The address of the service under test. */
  issuer: string
  complaints: undefined
}

export const test = base.extend<PerTest, PerWorker>({
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture rests on.
    async ({}, use) => {
      const started = new Map<string, Promise<readonly [unknown, () => unknown]>>()
      const shared = async (name: string, start: () => Promise<readonly [unknown, () => unknown]>) => {
        const starting = started.get(name) ?? start()
        started.set(name, starting)
        return (await starting)[0]
      }
      await use(shared as Shared)
      for (const starting of [...started.values()].reverse()) await (await starting)[1]()
    },
    { scope: 'worker' },
  ],

  // Tests share an address, and some of them fail to sign in on purpose.
  service: async ({ shared }, use) => use(await sharedService(shared, 'plain', { RateLimit__LoginPerMinute: '1000' })),

  external: async ({ shared }, use) => {
    const github = await sharedGithub(shared, 'of external')
    const service = await sharedService(shared, 'external', {
      ...github.env,
      OAuth__External__Contoso__ClientId: 'contoso-client',
      OAuth__External__Contoso__Issuer: github.origin,
      OAuth__External__Contoso__DisplayName: 'Contoso Workforce',
    })
    await use({ service, github })
  },

  site: async ({ shared, service }, use) => {
    const origin = await shared('site', startSite)
    const registered = await shared(`site of ${service.issuer}`, async () => {
      const site = { origin, callback: `${origin}/callback`, signedOut: `${origin}/signed-out` }
      const client = {
        id: 'orchard',
        name: 'Orchard Planner',
        redirectUris: [site.callback],
        postLogoutRedirectUris: [site.signedOut],
        scopes: ['offline_access', 'demo_api', 'profile', 'roles'],
      }
      await addClient(service, client)
      await service.storage.scopes.create(testScope('profile'))
      await service.storage.scopes.create(testScope('roles', { displayName: 'Roles', description: 'What you may do' }))
      return [site, () => {}]
    })
    await use(registered)
  },

  tabs: [
    async ({ browser }, use) => {
      const open = new Map<string, Page>()
      await use({
        async at(issuer) {
          const page = open.get(issuer) ?? (await newPage(browser, issuer))
          open.set(issuer, page)
          return page
        },
      })
      for (const page of open.values()) await page.context().close()
    },
    { scope: 'worker' },
  ],

  expectedErrors: [/^$/, { option: true }],
  alsoFrom: ['', { option: true }],
  ownPage: [false, { option: true }],

  issuer: async ({ service }, use) => use(service.issuer),
  baseURL: async ({ issuer }, use) => use(issuer),

  person: async ({ service }, use, { testId }) => {
    const name = `person-${testId.slice(-12)}`
    await addUser(service, name)
    await use(name)
  },

  page: async ({ tabs, browser, issuer, ownPage }, use) => {
    const page = ownPage ? await newPage(browser, issuer) : await tabs.at(issuer)
    await use(page)
    if (ownPage) await page.context().close()
    else await wipe(page)
  },

  context: async ({ page }, use) => use(page.context()),

  /** Every test also finds that no script failed, nothing broke the policy, and nothing came from another origin. */
  complaints: [
    async ({ context, issuer, expectedErrors, alsoFrom }, use) => {
      const complaints: string[] = []
      const onError = (error: WebError): void => void complaints.push(error.error().message)
      const onConsole = (message: ConsoleMessage): void => {
        if (message.type() === 'error' && !expectedErrors.test(message.text())) complaints.push(message.text())
      }
      const onResponse = (response: Response): void => {
        const foreign = ![new URL(issuer).origin, alsoFrom].includes(new URL(response.url()).origin)
        if (foreign && !response.request().isNavigationRequest()) complaints.push(`loaded ${response.url()}`)
      }
      context.on('weberror', onError).on('console', onConsole).on('response', onResponse)
      await use(undefined)
      context.off('weberror', onError).off('console', onConsole).off('response', onResponse)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** The service of that name. Its settings are those of whoever asks first. */
export function sharedService(
  shared: Shared,
  name: string,
  ...parameters: Parameters<typeof startService>
): Promise<TestService> {
  return shared(`service ${name}`, async () => {
    const service = await startService(...parameters)
    return [service, () => service.stop()]
  })
}

export function sharedGithub(shared: Shared, name: string): Promise<FakeGithub> {
  return shared(`GitHub ${name}`, async () => {
    const github = await startFakeGithub()
    return [github, () => github.stop()]
  })
}

async function startSite(): Promise<readonly [origin: string, stop: () => void]> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><html lang="en"><title>Orchard</title><h1>Orchard</h1><p>${request.method}</p>`)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return [`http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop]
}

async function newPage(browser: Browser, issuer: string): Promise<Page> {
  return (await browser.newContext({ baseURL: issuer })).newPage()
}

/** As new, but for the cache of files and the history. */
async function wipe(page: Page): Promise<void> {
  const context = page.context()
  for (const each of context.pages()) if (each !== page) await each.close()
  await context.setOffline(false)
  // First away from the page: a request that is held up while its route is taken back would never end.
  await page.goto('about:blank')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearCookies()
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/** The same tests against the service with external providers. */
export const testWithProviders = test.extend({
  issuer: async ({ external }, use) => use(external.service.issuer),
})

/** The parts of the login page, by the names of the contract. */
export function loginForm(page: Page): Readonly<Record<'username' | 'password' | 'rememberMe' | 'submit', Locator>> {
  return {
    username: page.getByRole('textbox', { name: 'Username' }),
    password: page.getByLabel('Password'),
    rememberMe: page.getByRole('checkbox', { name: 'Remember me' }),
    submit: page.getByRole('button', { name: 'Sign in', exact: true }),
  }
}

/** Opens a login page and waits until its form rests on a token. */
export async function openLogin(page: Page, address = loginAddress): Promise<void> {
  await page.goto(address)
  await expect(antiforgeryField(page)).not.toHaveValue('')
}

export function antiforgeryField(page: Page): Locator {
  return page.locator('form[action="/Account/Login"] input[name=__RequestVerificationToken]')
}

/** Does what leads to another document, and waits for that one: what a test looks for next may stand on this one as well. */
export async function leave(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate("document.documentElement.dataset.former = ''")
  await act()
  await expect(page.locator('html:not([data-former])')).toBeAttached()
}

/** Fills in the login form that the page shows, and sends it. */
export async function signIn(page: Page, name: string, secret = password): Promise<void> {
  const form = loginForm(page)
  await form.username.fill(name)
  await form.password.fill(secret)
  await form.submit.click()
}

/** Signs in beside the pages, where the login page is not what a test is about. */
export async function signInQuietly(page: Page, name: string): Promise<void> {
  const { request } = page.context()
  const { token } = (await (await request.get('/Account/Antiforgery')).json()) as { token: string }
  const form = { username: name, password, ReturnUrl: '/Account/Session', __RequestVerificationToken: token }
  // The next page may ask for something first.
  await request.post('/Account/Login', { form, maxRedirects: 0 })
  expect(await (await request.get('/Account/Session')).json()).toEqual({ user: { name } })
}

/** Leaves the page for another one of the service, and comes back with the browser's own button. */
export async function comeBackByHistory(page: Page): Promise<void> {
  await page.goto('/Account/Session')
  await page.goBack()
}

/**
 * What a browser does that keeps the page as it is, to show it again. Chromium keeps none that is `no-store`, so the page
 * is told what others tell it.
 */
export async function comeBackToKept(page: Page): Promise<void> {
  const shown = await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    return getComputedStyle(document.documentElement).display
  })
  // What is shown before the script runs again is what was there on leaving.
  expect(shown).toBe('none')
  const loaded = page.waitForEvent('load')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await loaded
}

/** The login page that leads on to an address which says who is signed in. */
export const loginAddress = '/Account/Login?ReturnUrl=%2FAccount%2FSession'

export async function expectArrived(page: Page, name: string): Promise<void> {
  await page.waitForURL('**/Account/Session')
  await expect(page.locator('pre')).toHaveText(JSON.stringify({ user: { name } }))
}

/** An authorization request of the client `orchard`. */
export function authorizeAt(site: ClientSite, change: Readonly<Record<string, string>> = {}): string {
  return authorizePath({ client_id: 'orchard', redirect_uri: site.callback, ...change })
}

/** Plugs in an authenticator that verifies each person who asks; `session` drives it. */
export async function plugInAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId }
}
