/** What is meant to be used once, by one client, for one purpose and with a proof is refused otherwise. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  codeVerifier,
  fetchWithToken,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { githubForFile } from '../support/fake-github.ts'
import { addClient, changeUser, serviceForFile, testScope } from '../support/service.ts'
import { answerOfProvider, arriveFromProvider, copyOf, whoIs } from './attacker.ts'

const github = await githubForFile()
const service = await serviceForFile({ ...github.env, RateLimit__LoginPerMinute: '1000' })
const { scopes } = service.storage
await scopes.create(testScope('admin'))
await addClient(service, { id: 'other' })
await addClient(service, { id: 'secret', authentication: bySecret(hashSecret('s3cret')) })
await addClient(service, { id: 'no-proof', authentication: bySecret(hashSecret('s3cret')), requirePkce: false })

const redeem = (code: string, change: Readonly<Record<string, string>> = {}) =>
  postToken(service, codeFields(code, change))
const chain = async () => (await redeem(await obtainCode(new Browser(service)))).body
const weather = async (token: string): Promise<number> =>
  (await fetchWithToken(service, 'weatherforecast', token)).status

describe('replay', () => {
  it('redeems a code once: not again after its use or after failures, in two spellings, or from twenty sides at once', async () => {
    const code = await obtainCode(new Browser(service))
    for (const change of [
      { code_verifier: 'A'.repeat(43) },
      { redirect_uri: 'http://localhost:5081/other' },
      { client_id: 'other' },
      { code: `${code}=` },
      { code: ` ${code}` },
      { code: code.replace('.', '%2e') },
    ]) {
      assert.equal((await redeem(code, change)).body.error, 'invalid_grant', JSON.stringify(change).slice(0, 40))
    }
    const won = await redeem(code)
    assert.equal(won.status, 200, 'no failure used it up')
    const again = await Promise.all(Array.from({ length: 20 }, () => redeem(code)))
    assert.deepEqual([...new Set(again.map(({ body }) => body.error))], ['invalid_grant'])
    assert.equal(await weather(won.body.access_token), 401, 'and what it gave has ended')
    assert.equal((await postToken(service, refreshFields(won.body.refresh_token))).body.error, 'invalid_grant')
  })

  it('refuses a code after its sixty seconds, and after the person was locked out', async () => {
    const late = await obtainCode(new Browser(service))
    service.advance(61)
    assert.equal((await redeem(late)).body.error, 'invalid_grant')
    const browser = new Browser(service)
    const code = await obtainCode(browser)
    const alice = await service.storage.users.findByName('alice')
    const id = alice?.id ?? ''
    await service.storage.users.update(id, (user) => ({ ...user, disabled: true }))
    assert.equal((await redeem(code)).body.error, 'invalid_grant')
    await service.storage.users.update(id, (user) => ({ ...user, disabled: false }))
  })

  it('ends the grant of thief and owner when a refresh token is used after the owner’s rotation', async () => {
    const first = await chain()
    const owner = (await postToken(service, refreshFields(first.refresh_token))).body
    service.advance(31)
    const thieves = await Promise.all(
      Array.from({ length: 10 }, () => postToken(service, refreshFields(first.refresh_token))),
    )
    assert.deepEqual([...new Set(thieves.map(({ body }) => body.error))], ['invalid_grant'])
    assert.equal((await postToken(service, refreshFields(owner.refresh_token))).body.error, 'invalid_grant')
    assert.equal(await weather(owner.access_token), 401)
  })

  it('ends the grant of thief and owner at the owner’s next use when the thief was first', async () => {
    const { refresh_token } = await chain()
    const thief = (await postToken(service, refreshFields(refresh_token))).body
    assert.ok(thief.refresh_token)
    service.advance(31)
    assert.equal((await postToken(service, refreshFields(refresh_token))).body.error, 'invalid_grant')
    assert.equal((await postToken(service, refreshFields(thief.refresh_token))).body.error, 'invalid_grant')
    assert.equal(await weather(thief.access_token), 401)
  })

  it('refuses a refresh token of another generation or grant that was made out of a real one', async () => {
    const { refresh_token } = await chain()
    const [grant = '', , secret = ''] = String(refresh_token).split('.')
    const [other = ''] = String((await chain()).refresh_token).split('.')
    for (const forged of [
      `${grant}.1.${secret}`,
      `${grant}.00.${secret}`,
      `${grant}.zzzzzzzzzz.${secret}`,
      `${other}.0.${secret}`,
      `${grant.toUpperCase()}.0.${secret}`,
      `${grant}.0.${secret}=`,
      `${refresh_token}\n`,
    ]) {
      assert.equal((await postToken(service, refreshFields(forged))).body.error, 'invalid_grant', forged)
    }
    assert.equal((await postToken(service, refreshFields(refresh_token))).status, 200, 'the chain was not ended by it')
  })

  it('takes one answer of a provider exactly once of twenty times at once', async () => {
    const browser = new Browser(service)
    const { href: answer } = await answerOfProvider(browser)
    const asked = github.tokenRequests.length
    const answers = await Promise.all(Array.from({ length: 20 }, () => copyOf(browser).fetch(answer)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [302, ...Array.from({ length: 19 }, () => 400)])
    assert.equal(github.tokenRequests.length, asked + 1, 'and the provider is asked once')
  })

  it('refuses a provider’s answer in another browser, and with a state of that browser (RFC 9700 §4.7)', async () => {
    const [mallory, victim] = [new Browser(service), new Browser(service)]
    const answer = await answerOfProvider(mallory)
    assert.equal((await victim.fetch(answer.href)).status, 400)
    const own = await victim.submit('/Account/ExternalLogin', { provider: 'GitHub' })
    answer.searchParams.set('state', locationOf(own).searchParams.get('state') ?? '')
    // The victim’s state with the attacker’s code: the proof key of the one does not open the other.
    assert.equal((await victim.fetch(answer.href)).status, 502)
    assert.equal((await victim.get('/Account/ExternalLoginPending')).status, 404)
    assert.equal(await whoIs(victim), undefined)
  })

  it('refuses an external identity after its five minutes, and after the account was disabled', async () => {
    github.user = { id: 5001, login: 'five', name: null, email: null }
    const browser = new Browser(service)
    await arriveFromProvider(browser)
    const copy = copyOf(browser)
    const registered = await browser.submit('/Account/ExternalLoginRegister', { email: 'five@example.com' })
    assert.equal(registered.headers.get('location'), '/')
    await changeUser(service, 'five@example.com', { disabled: true })
    for (const path of ['/Account/ExternalLoginCallback', '/Account/ExternalLoginCallback?returnUrl=/x']) {
      assert.equal(locationOf(await copy.get(path)).searchParams.get('error'), 'account_not_allowed')
    }
    const again = await copy.submit('/Account/ExternalLoginRegister', { email: 'six@example.com' })
    assert.equal(locationOf(again).searchParams.get('error'), 'account_not_allowed', 'one identity, one account')
    assert.equal(await service.storage.users.findByName('six@example.com'), undefined)
    service.advance(301)
    const late = await copy.get('/Account/ExternalLoginCallback')
    assert.equal(locationOf(late).searchParams.get('error'), 'external_login_unavailable')
    assert.equal(await whoIs(copy), undefined)
  })

  it('refuses an anti-forgery token of the person before, of another browser, and after the sign-out, twenty at once', async () => {
    const browser = new Browser(service)
    const anonymous = await browser.antiforgeryToken()
    await browser.signIn()
    const ofAlice = await browser.antiforgeryToken()
    const post = (from: Browser, token: string) =>
      from.post('/connect/logout', { Confirm: 'Yes', __RequestVerificationToken: token })
    const stranger = new Browser(service)
    await stranger.antiforgeryToken()
    const forged = [...Array.from({ length: 10 }, () => post(browser, anonymous)), post(stranger, ofAlice)]
    for (const answer of await Promise.all(forged)) assert.equal(answer.status, 400)
    assert.equal(await whoIs(browser), 'alice')
    const signedIn = copyOf(browser)
    const outs = await Promise.all(Array.from({ length: 20 }, () => post(copyOf(signedIn), ofAlice)))
    // Whoever comes after the first is nobody any more, so that the token of alice is not theirs.
    assert.ok(outs.some(({ status }) => status === 302))
    assert.ok(outs.every(({ status }) => status === 302 || status === 400))
    assert.equal(await whoIs(signedIn), undefined)
    const after = await post(signedIn, ofAlice)
    assert.equal(after.status, 400, 'the posted sign-out cannot be posted again')
  })

  it('refuses a challenge of another browser, of another request and of another day', async () => {
    const path = authorizePath({ scope: 'openid', prompt: 'login' })
    const challengeOf = (browser: Browser) =>
      [...browser.cookies].find(([name]) => name.includes('challenge.')) ?? ['', '']
    const mallory = new Browser(service)
    await obtainCode(mallory, { scope: 'openid' })
    const other = new Browser(service)
    await other.get(path)
    const [name, value] = challengeOf(other)
    assert.ok(value)
    mallory.cookies.set(name, value)
    assert.equal(
      locationOf(await mallory.get(path)).pathname,
      '/Account/Login',
      'the session is older than the challenge',
    )
    const changed = authorizePath({ scope: 'openid', prompt: 'login', state: 'another' })
    await mallory.get(changed)
    service.advance(1)
    await mallory.signIn()
    const stale = copyOf(mallory)
    const another = authorizePath({ scope: 'openid', prompt: 'login', state: 'a third' })
    assert.equal(
      locationOf(await mallory.get(another)).pathname,
      '/Account/Login',
      'each request has its own challenge',
    )
    service.advance(3601)
    assert.equal(locationOf(await stale.get(changed)).pathname, '/Account/Login', 'a copy kept for later is too old')
  })
})

describe('proof of possession (RFC 7636)', () => {
  const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

  it('refuses plain, no method, other methods, and challenges that are none', async () => {
    const browser = await Browser.signedIn(service)
    for (const change of [
      { code_challenge_method: 'plain' },
      { code_challenge_method: '' },
      { code_challenge_method: 's256' },
      { code_challenge_method: 'S256 ' },
      { code_challenge_method: 'S512' },
      { code_challenge_method: 'none' },
      { code_challenge: '' },
      { code_challenge: codeVerifier.slice(0, 42) },
      { code_challenge: `${challengeOf(codeVerifier)}=` },
      { code_challenge: challengeOf(codeVerifier).replace(/.$/, '+') },
      { code_challenge: 'A'.repeat(42) },
      { code_challenge: 'A'.repeat(44) },
      { code_challenge: '', code_challenge_method: '' },
    ]) {
      const answer = locationOf(await browser.allow(change))
      assert.equal(answer.searchParams.get('code'), null, JSON.stringify(change))
      assert.equal(answer.searchParams.get('error'), 'invalid_request', JSON.stringify(change))
    }
  })

  it('refuses verifiers that are none, too short, too long, padded, of another alphabet, or the challenge itself', async () => {
    const weak = [
      'a'.repeat(42),
      'a'.repeat(129),
      `${'a'.repeat(43)}=`,
      `${'a'.repeat(43)}+`,
      `${'a'.repeat(43)}\n`,
      'ä'.repeat(43),
      '',
    ]
    for (const verifier of weak) {
      const code = await obtainCode(new Browser(service), { code_challenge: challengeOf(verifier) })
      const answer = await redeem(code, { code_verifier: verifier })
      assert.equal(answer.status, 400, JSON.stringify(verifier.slice(0, 45)))
      assert.match(answer.body.error, /^invalid_(?:grant|request)$/)
    }
    const code = await obtainCode(new Browser(service))
    for (const code_verifier of [
      challengeOf(codeVerifier),
      `${codeVerifier}=`,
      ` ${codeVerifier}`,
      codeVerifier.toUpperCase(),
      Buffer.from(codeVerifier).toString('hex'),
      '*'.repeat(43),
    ]) {
      assert.equal((await redeem(code, { code_verifier })).body.error, 'invalid_grant', code_verifier)
    }
    assert.equal((await redeem(code)).status, 200)
  })

  it('demands the proof of a code that was issued with one, also from a client that need not send one (RFC 9700 §2.1.1)', async () => {
    const as = { client_id: 'no-proof', client_secret: 's3cret' }
    const bound = await obtainCode(new Browser(service), { client_id: 'no-proof' })
    const without = await postToken(service, codeFields(bound, { ...as, code_verifier: '' }))
    assert.equal(without.status, 400)
    const stripped = { client_id: 'no-proof', code_challenge: '', code_challenge_method: '' }
    const unbound = await obtainCode(new Browser(service), stripped)
    const injected = await postToken(service, codeFields(unbound, as))
    assert.equal(injected.body.error, 'invalid_request', 'a verifier whose challenge was stripped proves nothing')
  })
})

describe('somebody else’s grant', () => {
  it('refuses another client’s code, refresh token and revocation, also with a right secret', async () => {
    const code = await obtainCode(new Browser(service))
    const { access_token, refresh_token } = await chain()
    for (const as of [{ client_id: 'other' }, { client_id: 'secret', client_secret: 's3cret' }]) {
      assert.equal((await redeem(code, as)).body.error, 'invalid_grant')
      assert.equal((await postToken(service, refreshFields(refresh_token, as))).body.error, 'invalid_grant')
      for (const token of [access_token, refresh_token]) {
        const answer = await postToken(service, { token, ...as }, {}, 'connect/revocation')
        assert.deepEqual([answer.status, answer.body], [200, {}], 'nothing is told')
      }
    }
    assert.equal(await weather(access_token), 200)
    assert.equal((await postToken(service, refreshFields(refresh_token))).status, 200)
    assert.equal((await redeem(code)).status, 200)
  })

  it('refuses a confidential client without, with half, with a wrong and with two secrets', async () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const fields = { grant_type: 'refresh_token', refresh_token: 'x' }
    for (const [what, form, headers] of [
      ['none', { ...fields, client_id: 'secret' }, {}],
      ['empty', { ...fields, client_id: 'secret', client_secret: '' }, {}],
      ['the stored hash', { ...fields, client_id: 'secret', client_secret: hashSecret('s3cret') }, {}],
      ['one letter less', { ...fields, client_id: 'secret', client_secret: 's3cre' }, {}],
      ['another case', { ...fields, client_id: 'secret', client_secret: 'S3CRET' }, {}],
      ['in the header, wrong', fields, basic('secret:wrong')],
      ['in the header, of another', { ...fields, client_id: 'secret' }, basic('other:s3cret')],
      ['in both places', { ...fields, client_id: 'secret', client_secret: 's3cret' }, basic('secret:s3cret')],
      ['a bearer token', { ...fields, client_id: 'secret' }, { authorization: 'Bearer s3cret' }],
      [
        'an assertion',
        { ...fields, client_id: 'secret', client_assertion: 'e30.e30.', client_assertion_type: 'x' },
        {},
      ],
    ] as const) {
      const answer = await postToken(service, form, headers)
      assert.ok([400, 401].includes(answer.status), what)
      assert.match(answer.body.error, /^invalid_(?:client|request)$/, what)
    }
  })

  it('never grows a scope: at the refresh, with the code, on the consent post, beyond the registration', async () => {
    const { refresh_token } = await chain()
    for (const scope of [
      'openid offline_access demo_api admin',
      'admin',
      'demo_api  admin',
      'OPENID',
      '*',
      'openid\tadmin',
    ]) {
      const answer = await postToken(service, refreshFields(refresh_token, { scope }))
      assert.equal(answer.status, 400, scope)
      assert.match(answer.body.error, /^invalid_(?:scope|request)$/, scope)
    }
    const narrow = await postToken(service, refreshFields(refresh_token, { scope: 'openid' }))
    assert.deepEqual(claimsOf(narrow.body.access_token).scope, ['openid'])
    const code = await obtainCode(new Browser(service), { scope: 'openid' })
    // The scope beside a code is ignored (RFC 6749 §3.2): what was granted is in the code.
    const small = (await redeem(code, { scope: 'openid offline_access demo_api admin' })).body
    assert.equal(small.scope, 'openid')
    assert.equal(small.refresh_token, undefined)
    assert.deepEqual(claimsOf(small.access_token).scope, ['openid'])
    const browser = await Browser.signedIn(service)
    const answer = locationOf(await browser.allow({ scope: 'openid admin' }))
    assert.equal(answer.searchParams.get('code'), null)
    assert.match(answer.searchParams.get('error') ?? '', /^invalid_(?:scope|request)$/)
  })

  it('names its issuer once in each answer (RFC 9207)', async () => {
    const browser = new Browser(service)
    await obtainCode(browser)
    for (const change of [
      {},
      { prompt: 'none' },
      { scope: 'nothing' },
      { state: 'x&iss=https://evil.test/' },
      { iss: 'https://evil.test/' },
    ]) {
      for (const response_mode of ['query', 'fragment', 'form_post']) {
        const answer = await browser.get(authorizePath({ ...change, response_mode }))
        const { search, hash } = locationOf(answer)
        const members = response_mode === 'query' ? search : hash.slice(1)
        const named =
          response_mode === 'form_post'
            ? [...(await answer.text()).matchAll(/name="iss" value="([^"]*)"/g)].map(([, value]) => value)
            : new URLSearchParams(members).getAll('iss')
        assert.deepEqual(named, [service.issuer], `${JSON.stringify(change)} ${response_mode}`)
      }
    }
  })

  it('gives no code for a request that differs from the one that was consented to', async () => {
    const browser = new Browser(service)
    await obtainCode(browser, { scope: 'openid' })
    for (const change of [{ scope: 'openid demo_api' }, { client_id: 'other', scope: 'openid' }]) {
      const silent = locationOf(await browser.get(authorizePath({ ...change, prompt: 'none' })))
      assert.match(silent.searchParams.get('error') ?? '', /^consent_required$/, JSON.stringify(change))
    }
  })
})
