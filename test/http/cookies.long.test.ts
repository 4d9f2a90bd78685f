/**
 * Every cookie of whole journeys under an https issuer. Each is the browser's alone, of this very host, and lives as
 * long as it has to. Scripts may read `latchkey.mark`, which the pages make (decision 0007), and those of the language.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { authorizeParameters, authorizePath, Browser, locationOf } from '../support/browser.ts'
import { type FakeGithub, startFakeGithub } from '../support/fake-github.ts'
import { startService, type TestService } from '../support/service.ts'

type Cookie = { readonly name: string; readonly value: string; readonly attributes: ReadonlyMap<string, string> }

type Rule = {
  readonly name: RegExp
  readonly sameSite: 'Lax' | 'Strict' | 'None'
  /** Seconds it outlives the browser; undefined: it ends with it. */
  readonly maxAge: readonly (number | undefined)[]
}

/** The whole list (docs/limits.md). A name that is not in it fails. */
const rules: readonly Rule[] = [
  { name: /^session$/, sameSite: 'Lax', maxAge: [undefined, 1_209_600] },
  { name: /^antiforgery$/, sameSite: 'Strict', maxAge: [undefined] },
  { name: /^challenge\.[\w-]{22}$/, sameSite: 'Lax', maxAge: [3600] },
  { name: /^chosen\.[\w-]{22}$/, sameSite: 'Lax', maxAge: [3600] },
  { name: /^opened\.[\w-]{22}$/, sameSite: 'Lax', maxAge: [3600] },
  { name: /^state\.[\w-]{22}(?:\.\d)?$/, sameSite: 'None', maxAge: [900] },
  { name: /^device$/, sameSite: 'Lax', maxAge: [15_552_000] },
  { name: /^external(?:\.\d)?$/, sameSite: 'Lax', maxAge: [undefined] },
]

function parse(line: string): Cookie {
  const [pair = '', ...rest] = line.split('; ')
  const attributes = new Map(
    rest.map((part): [string, string] => {
      const [name = '', value = ''] = part.split('=', 2)
      return [name.toLowerCase(), value]
    }),
  )
  return { name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1), attributes }
}

/** Keeps every line of `Set-Cookie` that it was ever sent. */
class WatchedBrowser extends Browser {
  readonly lines: string[] = []

  override async fetch(pathOrUrl: string, init: RequestInit = {}): Promise<Response> {
    const response = await super.fetch(pathOrUrl, init)
    this.lines.push(...this.setCookies)
    return response
  }
}

function assertRules(cookie: Cookie, prefix: string, secure: boolean): Rule {
  const { name, value, attributes } = cookie
  assert.ok(name.startsWith(`${prefix}latchkey.`), name)
  const rule = rules.find((one) => one.name.test(name.slice(`${prefix}latchkey.`.length)))
  assert.ok(rule, `${name} is a cookie that nobody described`)
  const isEnd = value === ''
  assert.equal(attributes.get('path'), '/', name)
  assert.equal(attributes.has('domain'), false, name)
  assert.equal(attributes.has('httponly'), true, name)
  assert.equal(attributes.has('secure'), secure, name)
  const sameSite = rule.sameSite === 'None' && !secure ? 'Lax' : rule.sameSite
  // What takes a cookie out of the browser needs the name and path alone.
  if (!isEnd) assert.equal(attributes.get('samesite'), sameSite, name)
  const maxAge = attributes.get('max-age')
  if (isEnd) assert.equal(attributes.get('expires'), 'Thu, 01 Jan 1970 00:00:00 GMT', name)
  else {
    assert.ok(rule.maxAge.includes(maxAge === undefined ? undefined : Number(maxAge)), `${name}: ${maxAge}`)
    assert.equal(attributes.has('expires'), false, name)
  }
  // Browsers keep 4096 bytes of name and value, and none of a larger cookie.
  assert.ok(name.length + value.length <= 4096, name)
  return rule
}

for (const [scheme, env, prefix] of [
  ['https', { OAuth__Issuer: 'https://id.example.com/' }, '__Host-'],
  ['http', {}, ''],
] as const) {
  describe(`every cookie of whole journeys, ${scheme} issuer`, () => {
    let service: TestService
    let github: FakeGithub
    before(async () => {
      github = await startFakeGithub()
      service = await startService({ ...github.env, ...env })
    })
    after(async () => {
      await service.stop()
      await github.stop()
    })

    const visit = () => new WatchedBrowser({ issuer: service.address })
    const assertAll = (browser: WatchedBrowser, expected: readonly string[]): readonly Cookie[] => {
      const cookies = browser.lines.map(parse)
      const met = new Set(cookies.map((cookie) => assertRules(cookie, prefix, scheme === 'https').name))
      const names = [...met].map((name) => /[a-z]+/.exec(name.source)?.[0]).sort()
      assert.deepEqual(names, [...expected].sort())
      return cookies
    }
    const named = (cookies: readonly Cookie[], name: string) =>
      cookies.filter((cookie) => cookie.name === `${prefix}latchkey.${name}`)

    it('a sign-in, a consent and a sign-out', async () => {
      const browser = visit()
      await browser.get(authorizePath())
      await browser.get('/Account/Login')
      await browser.signIn({ ReturnUrl: authorizePath() })
      await browser.submit('/connect/authorize', { ...authorizeParameters(), 'submit.Accept': 'Yes' })
      await browser.submit('/connect/logout', { Confirm: 'Yes' })
      const cookies = assertAll(browser, ['antiforgery', 'device', 'external', 'session'])
      const [begun, ended] = named(cookies, 'session')
      assert.equal(begun?.attributes.has('max-age'), false, 'without the box it ends with the browser')
      assert.equal(ended?.value, '')
      assert.deepEqual([...browser.cookies.keys()].sort(), [
        `${prefix}latchkey.antiforgery`,
        `${prefix}latchkey.device`,
      ])
    })

    it('a sign-in that is remembered, and the session that slides', async () => {
      const browser = visit()
      await browser.signIn({ rememberMe: 'true' })
      service.advance(8 * 86_400)
      await browser.get(authorizePath({ prompt: 'none' }))
      await browser.submit('/connect/authorize', { ...authorizeParameters(), 'submit.Accept': 'Yes' })
      const sessions = named(assertAll(browser, ['antiforgery', 'device', 'external', 'session']), 'session')
      assert.deepEqual(
        sessions.map(({ attributes }) => attributes.get('max-age')),
        ['1209600', '1209600'],
      )
    })

    it('a request that asks for a fresh sign-in', async () => {
      const browser = visit()
      const request = { prompt: 'login' }
      await browser.get(authorizePath(request))
      await browser.signIn()
      await browser.submit('/connect/authorize', { ...authorizeParameters(request), 'submit.Accept': 'Yes' })
      const cookies = assertAll(browser, ['antiforgery', 'device', 'challenge', 'external', 'session'])
      assert.equal(cookies.filter(({ name }) => name.includes('challenge')).at(-1)?.value, '', 'it is taken back')
    })

    it('a sign-in at a provider, and the account that is confirmed', async () => {
      const browser = visit()
      const start = locationOf(await browser.submit('/Account/ExternalLogin?returnUrl=/after', { provider: 'GitHub' }))
      const callback = locationOf(await fetch(start, { redirect: 'manual' }))
      await browser.get(callback.pathname + callback.search)
      await browser.get('/Account/ExternalLoginCallback?returnUrl=/after')
      const fields = { email: 'octocat@example.com', ReturnUrl: '/after' }
      const registered = await browser.submit('/Account/ExternalLoginRegister', fields)
      assert.equal(registered.headers.get('location'), '/after')
      const cookies = assertAll(browser, ['antiforgery', 'device', 'external', 'session', 'state'])
      const session = named(cookies, 'session').at(-1)
      assert.equal(session?.attributes.has('max-age'), false, 'never persistent (specification 3)')
      const kept = [...browser.cookies.keys()].sort()
      assert.deepEqual(kept, [`${prefix}latchkey.antiforgery`, `${prefix}latchkey.device`, session?.name])
    })

    it('an answer that needs none sets none', async () => {
      const browser = visit()
      for (const path of [
        '/',
        '/Account/Login',
        '/.well-known/openid-configuration',
        '/errors',
        '/Account/Session',
        authorizePath(),
      ]) {
        await browser.get(path)
      }
      assert.deepEqual(browser.lines, [])
    })
  })
}
