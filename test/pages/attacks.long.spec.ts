/** What an attacker tries in the browser itself: scripts in our pages, our pages in frames, our forms on other sites. */

import { createServer, type Server } from 'node:http'
import { anAuthorization, aPasskey } from '../storage/records.ts'
import { authorizePath, Browser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { password, testClient, testUser } from '../support/service.ts'
import { authorizeAt, expect, loginForm, type Page, signInQuietly, test } from './fixtures.ts'

type Report = { readonly ran: readonly string[]; readonly violations: readonly string[] }

/** A page of the attacker. */
async function evilSite(html: string): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  return { origin: await listen(server), server }
}

/** Markup that would run a script, each leaving its own name behind. */
const injections: Readonly<Record<string, string>> = {
  inline: '<script>ran("inline")</script>',
  module: '<script type="module">ran("module")</script>',
  image: '<img src="x" onerror="ran(\'image\')">',
  vector: '<svg onload="ran(\'vector\')"></svg>',
  details: '<details open ontoggle="ran(\'details\')"><summary>x</summary></details>',
  data: '<script src="data:text/javascript,ran(%22data%22)"></script>',
  srcdoc: '<iframe srcdoc="<script>parent.ran(\'srcdoc\')</script>"></iframe>',
  frame: '<iframe src="javascript:parent.ran(\'frame\')"></iframe>',
  document: '<iframe src="data:text/html,<script>parent.ran(1)</script>"></iframe>',
  object: '<object data="data:text/html,<script>opener.ran(1)</script>"></object>',
  link: '<a id="evil-link" href="javascript:ran(\'link\')">x</a>',
  style: '<style>@import "data:text/css,body{--evil:1}"; body { --evil: 1 }</style>',
  attribute: '<p style="--evil: 1">x</p>',
  base: '<base href="https://evil.test/">',
}

/** Watches for scripts that ran and for violations, from before the page's first byte. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.report = { ran: [], violations: [] }
    globalThis.ran = (name) => report.ran.push(name)
    addEventListener('securitypolicyviolation', (event) => report.violations.push(event.effectiveDirective))
  `)
}

/** Opens `path` with `markup` written into the document that the service sends; its headers stay as they came. */
async function openInjected(page: Page, path: string, markup: string): Promise<void> {
  await page.route(
    (url) => url.pathname === new URL(path, 'http://x').pathname,
    async (route) => {
      if (!route.request().isNavigationRequest()) return route.continue()
      const response = await route.fetch({ maxRedirects: 0 })
      const html = await response.text()
      const body = html.replace('<head>', `<head>${injections.base}`).replace('</body>', `${markup}</body>`)
      if (body === html) throw new Error('nothing was injected')
      await route.fulfill({ response, body })
    },
  )
  await page.goto(path, { waitUntil: 'load' })
}

test.describe('scripts in our pages', () => {
  test.use({ ownPage: true, expectedErrors: /Content Security Policy|Failed to load|frame-ancestors|Refused/ })

  const markup = Object.values(injections).join('\n')
  for (const [what, path] of [
    ['the login page', '/Account/Login'],
    ['the consent page', '/Account/Consent'],
    ['the logout page', '/Account/Logout'],
    ['the confirm page', '/Account/ExternalLoginConfirm'],
    ['a page about a refusal', '/connect/authorize?client_id=nobody'],
    ['the error catalogue', '/errors'],
  ] as const) {
    test(`runs no script that was written into ${what}, and reports each`, async ({ page }) => {
      await watch(page)
      await openInjected(page, path, markup)
      await page.evaluate(`document.getElementById('evil-link')?.click()`)
      const directives = ['base-uri', 'frame-src', 'object-src', 'script-src-attr', 'script-src-elem', 'style-src-elem']
      await expect
        .poll(async () => [...new Set(((await page.evaluate('report')) as Report).violations)].sort())
        .toEqual(expect.arrayContaining(directives))
      const report = (await page.evaluate('report')) as Report
      expect(report.ran).toEqual([])
      expect(report.violations.length).toBeGreaterThanOrEqual(9)
      expect(await page.evaluate(`getComputedStyle(document.body).getPropertyValue('--evil')`)).toBe('')
      expect(await page.evaluate('document.baseURI')).toBe(page.url())
    })
  }

  test('runs no other script where one of our own is allowed: the form that sends itself', async ({
    page,
    site,
    service,
    person,
  }) => {
    await signInQuietly(page, person)
    await watch(page)
    const client = { client_id: 'orchard', redirect_uri: site.callback, response_mode: 'form_post', prompt: 'none' }
    // Nobody consented, so that the form carries a refusal; its page is the same.
    const path = new URL(authorizePath(client), service.issuer)
    const seen: string[] = []
    await page.route(path.href, async (route) => {
      const response = await route.fetch()
      const html = await response.text()
      // Our own script is kept from leaving, so that the page can be looked at.
      const body = html
        .replace('<form', '<form onsubmit="ran(\'submit\')"')
        .replace(/<script>.*<\/script>/, `${markup}`)
      seen.push(html)
      await route.fulfill({ response, body })
    })
    await page.goto(path.href, { waitUntil: 'load' })
    expect(seen.join()).toContain('document.forms[0].submit()')
    await expect.poll(async () => ((await page.evaluate('report')) as Report).violations).toContain('script-src-elem')
    expect(((await page.evaluate('report')) as Report).ran).toEqual([])
  })
})

test.describe('scripts in what we are told', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('shows markup in every parameter as text', async ({ page, person }) => {
    await watch(page)
    const evil = `"><img src=x onerror="ran('shown')"><script>ran('shown')</script>`
    const query = new URLSearchParams({ ReturnUrl: `/${evil}`, username: evil, error: evil, rememberMe: evil })
    await page.goto(`/Account/Login?${query}`)
    await expect(loginForm(page).username).toHaveValue(evil)
    await page.goto(authorizePath({ client_id: evil, redirect_uri: `https://evil.test/${evil}` }))
    await expect(page.getByRole('alert').or(page.getByRole('heading')).first()).toBeVisible()
    await signInQuietly(page, person)
    await page.goto(`${authorizePath({ state: evil, nonce: evil })}&${new URLSearchParams({ [evil]: evil })}`)
    await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
    expect(((await page.evaluate('report')) as Report).ran).toEqual([])
  })

  test('shows markup in the names of people, passkeys and clients as text', async ({ page, service, person }) => {
    const vector = `<svg onload="ran('named')">`
    const evil = `"><img src=x onerror="ran('named')">${vector}`
    const { storage } = service
    const user = await storage.users.findByName(person)
    if (user === undefined) throw new Error('no such person')
    const claims = { name: evil, nickname: evil, given_name: vector, website: 'https://example.com/%3Csvg' }
    await storage.users.update(user.id, (stored) => ({ ...stored, claims }))
    await storage.passkeys.add(aPasskey(user, { name: evil }), {
      id: `named ${person}`,
      expiresAtMs: service.now() + 1,
    })
    const uri = 'http://localhost:5081/callback'
    const client = testClient({ id: `named-${person}`, name: evil, redirectUris: [uri] })
    await storage.clients.create(client)
    const consent = { scopes: ['openid'], createdAtMs: service.now() }
    await storage.authorizations.store(anAuthorization(user, client, consent))
    await signInQuietly(page, person)
    await watch(page)
    for (const path of [
      '/Account',
      '/Account/Security',
      '/Account/Applications',
      '/Account/Profile',
      authorizePath({ client_id: client.id, scope: 'openid demo_api', redirect_uri: uri }),
      `/Account/Choose?ReturnUrl=${encodeURIComponent(authorizePath({ client_id: client.id, redirect_uri: uri }))}`,
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('img[src=x], svg[onload]').count(), path).toBe(0)
      expect(((await page.evaluate('report')) as Report).ran, path).toEqual([])
    }
    await page.goto('/Account/Security')
    await expect(page.getByText(evil).first()).toBeVisible()
    await page.goto('/Account/Applications')
    await expect(page.getByText(evil).first()).toBeVisible()
  })

  for (const returnUrl of [
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    'javascript:alert(1)',
    'https://evil.test/',
  ]) {
    test(`stays on its own origin after the login page with ReturnUrl ${JSON.stringify(returnUrl)}`, async ({
      page,
      person,
      service,
    }) => {
      await page.goto(`/Account/Login?${new URLSearchParams({ ReturnUrl: returnUrl })}`)
      const form = loginForm(page)
      await form.username.fill(person)
      await form.password.fill(password)
      await form.submit.click()
      await page.waitForURL((url) => url.pathname !== '/Account/Login' || url.search === '')
      expect(new URL(page.url()).origin).toBe(new URL(service.issuer).origin)
    })
  }
})

test.describe('our pages in frames', () => {
  test.use({ ownPage: true, expectedErrors: /frame-ancestors|X-Frame-Options|Refused|Framing|status of 400/ })

  test('shows no page in an iframe, an object or an embed of another site', async ({ page, site, service, person }) => {
    await signInQuietly(page, person)
    for (const path of [
      '/Account/Login',
      '/Account/Logout',
      '/Account/ExternalLoginConfirm',
      '/Account/Security',
      '/Account/SecondFactor',
      '/errors',
      authorizeAt(site),
      '/connect/authorize?client_id=nobody',
      '/connect/logout',
    ]) {
      await page.goto(site.origin)
      const address = new URL(path, service.issuer).href
      await page.evaluate(`{
        const address = ${JSON.stringify(address)}
        document.body.append(
          Object.assign(document.createElement('iframe'), { src: address }),
          Object.assign(document.createElement('iframe'), { src: address, sandbox: 'allow-scripts allow-forms' }),
          Object.assign(document.createElement('object'), { data: address }),
          Object.assign(document.createElement('embed'), { src: address }),
        )
      }`)
      await expect
        .poll(
          () =>
            page
              .frames()
              .slice(1)
              .map((frame) => frame.url())
              .filter((url) => url !== 'chrome-error://chromewebdata/'),
          {
            message: path,
          },
        )
        .toEqual([])
      expect(page.frames().length).toBeGreaterThanOrEqual(3)
    }
  })
})

test.describe('our forms on other sites', () => {
  test.use({ ownPage: true, expectedErrors: /status of 400|CORS policy|net::ERR_FAILED/ })

  test('signs nobody in by a form of another site, even with a token of the attacker in it', async ({
    page,
    service,
    person,
  }) => {
    await service.storage.users.create(testUser({ name: `evil-${person}`, email: `evil-${person}@example.com` }))
    const attacker = new Browser(service)
    const token = await attacker.antiforgeryToken()
    // The victim has been at the login page, so that there is an anti-forgery cookie that could be sent along.
    await page.goto('/Account/Login')
    await expect(loginForm(page).submit).toBeVisible()
    const fields: Readonly<Record<string, string>> = {
      username: `evil-${person}`,
      password,
      ReturnUrl: '/Account/Session',
      __RequestVerificationToken: token,
    }
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
    const evil = await evilSite(
      `<!doctype html><form method="post" action="${service.issuer}Account/Login">${inputs.join('')}<button>Win</button></form>`,
    )
    try {
      await page.goto(evil.origin)
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url() === `${service.issuer}Account/Login`),
        page.getByRole('button', { name: 'Win' }).click(),
      ])
      expect(answer.status()).toBe(400)
      expect(await answer.headerValue('set-cookie')).toBeNull()
      const sent = (await answer.request().allHeaders()).cookie ?? ''
      expect(sent).not.toContain('antiforgery')
      // The browser's own page for an empty answer may still be on its way.
      await page.waitForURL((url) => url.origin !== evil.origin)
      await page.goto('/Account/Session')
      await expect(page.locator('pre')).toHaveText('{"user":null}')
    } finally {
      evil.server.closeAllConnections()
      evil.server.close()
    }
  })

  test('signs nobody out and takes no consent by forms of another site that send themselves', async ({
    page,
    service,
    site,
    person,
  }) => {
    await signInQuietly(page, person)
    const accept = new URL(authorizeAt(site), service.issuer)
    const hidden = [...accept.searchParams].map(([name, value]) => `<input name="${name}" value="${value}">`).join('')
    for (const [path, form] of [
      ['connect/logout', '<input name="Confirm" value="Yes">'],
      ['connect/authorize', `${hidden}<input name="submit.Accept" value="Yes">`],
    ] as const) {
      const evil = await evilSite(
        `<!doctype html><form method="post" action="${service.issuer}${path}">${form}</form><script>document.forms[0].submit()</script>`,
      )
      try {
        const answered = page.waitForResponse((response) => response.url() === `${service.issuer}${path}`)
        await page.goto(evil.origin)
        const answer = await answered
        const location = (await answer.headerValue('location')) ?? ''
        expect(location).not.toContain('code=')
        expect(answer.status() === 400 || location.startsWith('/Account/Login')).toBe(true)
        // The page that was answered may still be on its way.
        await page.waitForURL((url) => url.origin !== evil.origin)
      } finally {
        evil.server.closeAllConnections()
        evil.server.close()
      }
      await page.goto('/Account/Session')
      await expect(page.locator('pre')).toHaveText(JSON.stringify({ user: { name: person } }))
    }
    const user = await service.storage.users.findByName(person)
    expect(await service.storage.authorizations.list(user?.id ?? '')).toEqual([])
  })

  test('lets no script of another site read the token or the session', async ({ page, service, site, person }) => {
    await signInQuietly(page, person)
    await page.goto(site.origin)
    for (const path of ['Account/Antiforgery', 'Account/Session', 'Account/ConsentContext', '.well-known/jwks']) {
      const read = await page.evaluate(
        `fetch(${JSON.stringify(service.issuer + path)}, { credentials: 'include' }).then((r) => r.text(), () => 'kept out')`,
      )
      expect(read).toBe('kept out')
    }
  })
})
