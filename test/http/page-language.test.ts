/** In which language pages are answered, and who decides that. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authorizeParameters, authorizePath, Browser } from '../support/browser.ts'
import { closing } from '../support/lifetime.ts'
import { serviceForFile, startService } from '../support/service.ts'

const service = await serviceForFile()

type Headers = Readonly<Record<string, string>>

/** `cookies`: by name, of a browser that opens the address. */
async function open(path: string, headers: Headers = {}, cookies: Headers = {}) {
  const browser = new Browser(service)
  for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value)
  const response = await browser.get(path, headers)
  const html = await response.text()
  const [, lang = ''] = /<html lang="([^"]*)" dir="ltr"/.exec(html) ?? []
  return { lang, html, response }
}

const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }
const login = (change: Headers) => `/Account/Login?${new URLSearchParams({ ReturnUrl: authorizePath(change) })}`

describe('the language of a page', () => {
  it('is that of Accept-Language, the default without one that there is', async (t) => {
    assert.equal((await open('/Account/Login')).lang, 'en')
    assert.equal((await open('/Account/Login', german)).lang, 'de')
    assert.equal((await open('/Account/Login', { 'accept-language': 'xx, *' })).lang, 'en')
    const inGerman = closing(t, await startService({ Pages__DefaultLanguage: 'de' }))
    const answer = await fetch(new URL('/Account/Login', inGerman.address))
    assert.match(await answer.text(), /<html lang="de"/)
  })

  it('is the choice of the person before that, whatever the header says', async () => {
    const chosen = { 'latchkey.language': 'de' }
    assert.equal((await open('/Account/Login', { 'accept-language': 'en' }, chosen)).lang, 'de')
    for (const nonsense of ['<script>', 'xx', '', 'de;', `${'d'.repeat(4000)}`]) {
      const { lang, html } = await open('/Account/Login', german, { 'latchkey.language': encodeURIComponent(nonsense) })
      assert.equal(lang, 'de', nonsense)
      assert.ok(!html.includes('<script>'))
    }
  })

  it('is that of ui_locales first, of the page and of the request behind ReturnUrl', async () => {
    const chosen = { 'latchkey.language': 'en' }
    assert.equal((await open('/Account/Consent?ui_locales=xx%20de-CH%20en', {}, chosen)).lang, 'de')
    assert.equal((await open(login({ ui_locales: 'de' }), {}, chosen)).lang, 'de')
    assert.equal((await open(login({ ui_locales: 'xx' }), german)).lang, 'de')
    assert.equal((await open(login({}), {}, chosen)).lang, 'en')
  })

  it('is the one that was chosen on a page of the same request, in spite of its ui_locales', async () => {
    const chosen = { 'latchkey.language': 'de', 'latchkey.language-despite': 'en%20fr' }
    assert.equal((await open(login({ ui_locales: 'en fr' }), {}, chosen)).lang, 'de')
    assert.equal((await open(login({ ui_locales: 'en' }), {}, chosen)).lang, 'en')
  })

  it('is that of the ui_locales of a pushed request, which are not in its address (RFC 9126)', async () => {
    const browser = new Browser(service)
    const pushed = await browser.post('/connect/par', authorizeParameters({ ui_locales: 'de' }))
    const { request_uri = '' } = (await pushed.json()) as { request_uri?: string }
    const asked = await browser.get(`/connect/authorize?${new URLSearchParams({ client_id: 'demo', request_uri })}`)
    assert.equal((await open(asked.headers.get('location') ?? '', { 'accept-language': 'en' })).lang, 'de')
  })

  it('is that of the profile after a sign-in, unless one was chosen in this browser', async () => {
    const alice = await service.storage.users.findByName('alice')
    const claims = { ...alice?.claims, locale: 'de-CH' }
    await service.storage.users.update(alice?.id ?? '', (user) => ({ ...user, claims }))
    const browser = new Browser(service)
    await browser.signIn()
    assert.ok(browser.setCookies.includes('latchkey.language=de; Max-Age=31536000; Path=/; SameSite=Lax'))
    const other = new Browser(service)
    other.cookies.set('latchkey.language', 'en')
    await other.signIn()
    assert.equal(other.cookies.get('latchkey.language'), 'en')
    const changed = await other.self('PATCH', '', { locale: 'de' })
    assert.equal(changed.status, 200)
    assert.equal(other.cookies.get('latchkey.language'), 'de')
  })

  it('is told to caches, and one file of texts is loaded', async () => {
    const { html, response } = await open('/Account/Login', german)
    assert.equal(response.headers.get('content-language'), 'de')
    assert.match(response.headers.get('vary') ?? '', /accept-language, cookie/)
    assert.deepEqual(html.match(/\/assets\/\w+-(?:en|de)-\w+\.js/g)?.length, 1)
    const [texts = ''] = html.match(/\/assets\/index-de-\w+\.js/) ?? []
    const file = await (await new Browser(service).get(texts)).text()
    assert.match(file, /^export default \{.*Anmelden/)
    assert.doesNotMatch(file, /Sign in|möchte Ihr Konto/)
  })

  it('is that of what the service writes itself', async () => {
    const page = { ...german, accept: 'text/html' }
    assert.match((await open('/Account/Login', page)).html, /<noscript>.*Diese Seite benötigt JavaScript/s)
    const refused = await open(authorizePath({ client_id: 'nobody' }), page)
    assert.equal(refused.lang, 'de')
    assert.match(refused.html, /<noscript>.*Diese Anfrage konnte nicht ausgeführt werden/s)
    const missing = await open('/connect/nothing', page)
    assert.equal(missing.lang, 'de')
    assert.match(missing.html, /<h1>Seite nicht gefunden<\/h1>/)
    assert.equal(missing.response.status, 404)
  })
})

describe('the shell of a page', () => {
  it('is that of its path', async () => {
    for (const [path, entry] of [
      ['/', 'index'],
      ['/account/login/', 'index'],
      ['/Account/Consent', 'steps'],
      ['/nothing', 'steps'],
      ['/Account/Nothing', 'steps'],
      ['/Account', 'account'],
      ['/Account/Choose', 'account'],
      ['/account/security/', 'account'],
    ] as const) {
      assert.match((await open(path)).html, new RegExp(`<script type="module" src="/assets/${entry}-`), path)
    }
  })

  it('says whether the browser may be signed in', async () => {
    const browser = new Browser(service)
    assert.doesNotMatch(await (await browser.get('/Account/Login')).text(), /data-session/)
    await browser.signIn()
    assert.match(await (await browser.get('/Account/Login')).text(), /<html data-session lang="de"/)
  })
})
