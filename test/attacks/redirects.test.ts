/** The service sends no browser, and with it no code and no trusting person, to an address of the attacker. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authorizePath, Browser, locationOf } from '../support/browser.ts'
import { githubForFile } from '../support/fake-github.ts'
import { addClient, serviceForFile } from '../support/service.ts'
import { arriveFromProvider } from './attacker.ts'
import { Wire } from './wire.ts'

const github = await githubForFile()
const service = await serviceForFile(github.env)
await addClient(service, {
  id: 'native',
  consent: 'implicit',
  redirectUris: ['http://127.0.0.1/callback', 'https://app.example/callback'],
  postLogoutRedirectUris: ['https://app.example/'],
})
const signedIn = await Browser.signedIn(service)

/** Each leads a browser elsewhere, or did so in one browser or another. */
const elsewhere = [
  ['two slashes', '//evil.test'],
  ['three slashes', '///evil.test'],
  ['slash, backslash', '/\\evil.test'],
  ['backslash, slash', '\\/evil.test'],
  ['two backslashes', '\\\\evil.test'],
  ['a tab between slashes', '/\t/evil.test'],
  ['a line feed between slashes', '/\n/evil.test'],
  ['a carriage return between slashes', '/\r/evil.test'],
  ['a tab, then a backslash', '/\t\\evil.test'],
  ['a tab at the end', '/x\t'],
  ['a C1 control character', '/\u0085/evil.test'],
  ['delete', '/\u007f/evil.test'],
  ['a space in front', ' //evil.test'],
  ['a tab in front', '\t//evil.test'],
  ['a no-break space in front', '\u00a0//evil.test'],
  ['a byte order mark in front', '\ufeff//evil.test'],
  ['a fullwidth solidus', '\uff0f\uff0fevil.test'],
  ['a division slash', '\u2215\u2215evil.test'],
  ['a fullwidth reverse solidus', '\uff3cevil.test'],
  ['an address', 'https://evil.test/'],
  ['a scheme in mixed case', 'HtTpS://evil.test/'],
  ['a scheme without slashes', 'https:evil.test'],
  ['a scheme with one slash', 'https:/evil.test'],
  ['a scheme with backslashes', 'https:\\\\evil.test'],
  ['a scheme with a tab in it', 'ht\ttps://evil.test'],
  ['our own origin', 'http://localhost/'],
  ['our own name as user', 'http://localhost@evil.test/'],
  ['javascript', 'javascript:alert(1)'],
  ['javascript in mixed case', 'JaVaScRiPt:alert(1)'],
  ['javascript with a line feed', 'java\nscript:alert(1)'],
  ['javascript behind a control character', '\u0001javascript:alert(1)'],
  ['data', 'data:text/html,<script>alert(1)</script>'],
  ['vbscript', 'vbscript:msgbox(1)'],
  ['a host without anything', 'evil.test'],
  ['dots', '../evil.test'],
  ['the path base', '~//evil.test'],
  ['a percent-encoded first slash', '%2f/evil.test'],
  ['percent-encoded slashes', '%2f%2fevil.test'],
  ['doubly percent-encoded slashes', '%252f%252fevil.test'],
  ['a query', '?//evil.test'],
  ['a fragment', '#//evil.test'],
] as const

/** Local addresses that only look like the ones above: they may be followed, and must stay at this service. */
const lookalikes = [
  '/%2fevil.test',
  '/%252fevil.test',
  '/%5cevil.test',
  '/%09/evil.test',
  '/%0d%0aLocation:%20https://evil.test',
  '/.//evil.test',
  '/..//evil.test',
  '/%2e%2e//evil.test',
  '/a/..//evil.test',
  '/;//evil.test',
  '/@evil.test',
  '/:80@evil.test',
  '/\uff0fevil.test',
  '/\u2044evil.test',
  '/\u3002evil\uff0etest',
  '/?next=//evil.test',
  '/#//evil.test',
  '/https://evil.test',
]

/** Where a browser that follows the answer ends up; a header that holds more than one line would show here too. */
function originAfter(response: Response): string | undefined {
  const location = response.headers.get('location')
  if (location === null) return undefined
  assert.match(location, /^[\x21-\x7e]+$/, 'an address line without anything a browser drops')
  return new URL(location, service.issuer).origin
}

const own = (): string => new URL(service.issuer).origin

describe('ReturnUrl at the password sign-in', () => {
  for (const [what, returnUrl] of elsewhere) {
    it(`refuses ${what}, with neither an address nor a session in the answer`, async () => {
      const browser = new Browser(service)
      const response = await browser.signIn({ ReturnUrl: returnUrl })
      assert.equal(response.status, 500)
      assert.equal(response.headers.get('location'), null)
      assert.equal(browser.cookies.has('latchkey.session'), false)
      assert.deepEqual(await (await browser.get('/Account/Session')).json(), { user: null })
    })
  }

  it('stays on its own origin for addresses that a second decoding or a careless browser would turn round', async () => {
    for (const returnUrl of lookalikes) {
      const response = await new Browser(service).signIn({ ReturnUrl: returnUrl })
      assert.equal(response.status, 302, returnUrl)
      assert.equal(originAfter(response), own(), returnUrl)
    }
  })

  it('keeps the address a mere value on the way back to the page after a wrong password', async () => {
    for (const [what, returnUrl] of elsewhere.slice(0, 8)) {
      const response = await new Browser(service).signIn({ username: 'nobody', ReturnUrl: returnUrl })
      assert.equal(originAfter(response), own(), what)
      assert.equal(locationOf(response).pathname, '/Account/Login', what)
      assert.equal(locationOf(response).searchParams.get('ReturnUrl'), returnUrl, 'as a value, nothing more')
    }
  })

  it('refuses a second ReturnUrl and a very long one, and reads none from the query', async () => {
    const twice = [
      ['username', 'alice'],
      ['password', 'Passw0rd!'],
      ['ReturnUrl', '/fine'],
      ['returnURL', '//evil.test'],
    ] as const
    assert.equal((await new Browser(service).submit('/Account/Login', twice)).status, 400)
    const query = new Browser(service)
    const fields = { username: 'alice', password: 'Passw0rd!' }
    const ignored = await query.submit('/Account/Login?ReturnUrl=//evil.test', fields)
    assert.equal(ignored.headers.get('location'), '/')
    const long = await new Browser(service).signIn({ ReturnUrl: `/${'a'.repeat(60_000)}` })
    assert.equal(long.status, 400)
    assert.equal(long.headers.get('location'), null)
  })
})

describe('returnUrl of the external sign-in', () => {
  for (const [what, returnUrl] of elsewhere) {
    it(`ends at / for ${what}`, async () => {
      const query = new URLSearchParams({ returnUrl })
      const failed = await new Browser(service).get(`/Account/ExternalLoginCallback?error=x&${query}`)
      assert.equal(originAfter(failed), own())
      assert.equal(locationOf(failed).searchParams.get('ReturnUrl'), '/')
      const browser = new Browser(service)
      const fields = { email: 'not an address', ReturnUrl: returnUrl }
      const refused = await browser.submit('/Account/ExternalLoginRegister', fields)
      assert.equal(locationOf(refused).searchParams.get('returnUrl'), '/')
    })
  }

  it('stays on its own origin after the provider when the address comes in another case or twice', async () => {
    for (const query of ['RETURNURL=//evil.test', 'returnUrl=%2F%09%2Fevil.test&returnurl=/fine']) {
      const browser = new Browser(service)
      const back = await arriveFromProvider(browser, `?${query}`)
      assert.equal(locationOf(back).searchParams.get('returnUrl'), '/', query)
    }
  })
})

/** Variations of the registered http://localhost:5081/callback and of the two of `native`. */
const almost: readonly (readonly [client: string, uri: string])[] = [
  ['demo', 'http://localhost:5081/callback/'],
  ['demo', 'http://localhost:5081/Callback'],
  ['demo', 'http://LOCALHOST:5081/callback'],
  ['demo', 'HTTP://localhost:5081/callback'],
  ['demo', 'https://localhost:5081/callback'],
  ['demo', 'http://localhost:5082/callback'],
  ['demo', 'http://localhost:05081/callback'],
  ['demo', 'http://localhost/callback'],
  ['demo', 'http://localhost.:5081/callback'],
  ['demo', 'http://localhost:5081/callback?'],
  ['demo', 'http://localhost:5081/callback?next=//evil.test'],
  ['demo', 'http://localhost:5081/callback#'],
  ['demo', 'http://localhost:5081/callback;x'],
  ['demo', 'http://localhost:5081/callback/../evil'],
  ['demo', 'http://localhost:5081/./callback'],
  ['demo', 'http://localhost:5081//callback'],
  ['demo', 'http://localhost:5081/%63allback'],
  ['demo', 'http://localhost:5081/%2563allback'],
  ['demo', 'http://localhost:5081/callback%00'],
  ['demo', 'http://localhost:5081/callback%20'],
  ['demo', 'http://localhost:5081/callback%0d%0aX-Evil:%201'],
  ['demo', 'http://localhost:5081/callback '],
  ['demo', ' http://localhost:5081/callback'],
  ['demo', '\thttp://localhost:5081/callback'],
  ['demo', 'http://localhost:5081/call\tback'],
  ['demo', 'http://localhost:5081/call\nback'],
  ['demo', 'http://localhost:5081\\callback'],
  ['demo', 'http:\\\\localhost:5081\\callback'],
  ['demo', 'http:/localhost:5081/callback'],
  ['demo', 'http://user@localhost:5081/callback'],
  ['demo', 'http://:@localhost:5081/callback'],
  ['demo', 'http://localhost:5081@evil.test/callback'],
  ['demo', 'http://localhost:5081%40evil.test/callback'],
  ['demo', 'http://evil.test/http://localhost:5081/callback'],
  ['demo', 'http://localhost:5081.evil.test/callback'],
  ['demo', 'http://ｌocalhost:5081/callback'],
  ['demo', 'http://localhost:5081/cаllback'],
  ['demo', 'javascript:alert(document.domain)//http://localhost:5081/callback'],
  ['demo', 'data:text/html,http://localhost:5081/callback'],
  ['demo', `http://localhost:5081/callback?${'a'.repeat(2100)}`],
  ['native', 'https://app.example./callback'],
  ['native', 'https://app。example/callback'],
  ['native', 'https://app．example/callback'],
  ['native', 'https://app.example:443/callback'],
  ['native', 'https://app.example\u200b/callback'],
  ['native', 'https://app.example@evil.test/callback'],
  ['native', 'https://app.example\\@evil.test/callback'],
  ['native', 'https://evil.test\\.app.example/callback'],
  ['native', 'http://127.0.0.1:@evil.test/callback'],
  ['native', 'http://127.0.0.1:80@evil.test/callback'],
  ['native', 'http://127.0.0.1:8080.evil.test/callback'],
  ['native', 'http://127.0.0.1:8080\\@evil.test/callback'],
  ['native', 'http://127.0.0.1:123456/callback'],
  ['native', 'http://127.1:8080/callback'],
  ['native', 'http://2130706433:8080/callback'],
  ['native', 'http://0x7f000001:8080/callback'],
  ['native', 'http://[::ffff:127.0.0.1]:8080/callback'],
  ['native', 'https://127.0.0.1:8080/callback'],
]

describe('redirect_uri (RFC 9700 §4.1)', () => {
  it(`refuses ${almost.length} addresses that are almost the registered one, without a redirect or a code`, async () => {
    assert.ok(almost.length >= 50)
    for (const [client_id, redirect_uri] of almost) {
      const path = authorizePath({ client_id, redirect_uri })
      for (const answer of [
        await signedIn.get(path),
        await signedIn.get(authorizePath({ client_id, redirect_uri, prompt: 'none' })),
        await signedIn.allow({ client_id, redirect_uri }),
      ]) {
        assert.equal(answer.status, 400, redirect_uri)
        assert.equal(answer.headers.get('location'), null, redirect_uri)
      }
    }
  })

  it('shows a refused address as text, never as a link or a script', async () => {
    for (const redirect_uri of ['https://evil.test/"><script>alert(1)</script>', 'javascript:alert(1)']) {
      const page = await signedIn.get(authorizePath({ redirect_uri }), { accept: 'text/html' })
      const text = await page.text()
      assert.equal(page.status, 400)
      assert.doesNotMatch(text, /<script>alert|href="(?:javascript|https:\/\/evil)/)
    }
  })

  it('refuses raw control characters and raw UTF-8 in the request line', async () => {
    for (const bytes of ['\x01', '\x0b', '\x7f', '\xff', '\xe3\x80\x82']) {
      const target = `/connect/authorize?client_id=demo&redirect_uri=http://localhost:5081/callback${bytes}`
      const wire = new Wire(service)
      const answer = await wire.ask(Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1'))
      wire.close()
      assert.equal(answer?.status, 400, JSON.stringify(bytes))
      assert.equal(answer.headers.get('location'), undefined)
    }
  })
})

describe('post_logout_redirect_uri', () => {
  it('refuses every variation of a registered address before anything is asked or ended', async () => {
    for (const [client_id, uri] of almost) {
      const post_logout_redirect_uri = uri.replace('/callback', '/')
      const fields = { client_id, post_logout_redirect_uri, state: 's' }
      const asked = await signedIn.get(`/connect/logout?${new URLSearchParams(fields)}`)
      assert.equal(asked.status, 400, uri)
      const posted = await signedIn.submit('/connect/logout', { ...fields, Confirm: 'Yes' })
      assert.equal(posted.status, 400, uri)
      assert.equal(posted.headers.get('location'), null)
    }
    assert.deepEqual(await (await signedIn.get('/Account/Session')).json(), { user: { name: 'alice' } })
  })

  it('keeps state a mere value of the registered address', async () => {
    for (const state of ['&x=//evil.test', '#//evil.test', '\r\nLocation: //evil.test', '@evil.test', '\u0000']) {
      const fields = { client_id: 'demo', post_logout_redirect_uri: 'http://localhost:5081/', state }
      const browser = await Browser.signedIn(service)
      const response = await browser.submit('/connect/logout', { ...fields, Confirm: 'Yes' })
      const location = response.headers.get('location')
      if (state === '\u0000') {
        assert.equal(response.status, 400)
        continue
      }
      assert.equal(location, `http://localhost:5081/?${new URLSearchParams({ state })}`)
    }
  })
})
