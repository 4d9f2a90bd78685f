/** Test sign-ins of applications: what an administrator sees, and what nobody else gets. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { openCode } from '../../src/tokens/code.ts'
import { AdminCaller, adminProgram } from '../support/admin.ts'
import { authorizePath, Browser, codeFields, locationOf, postToken } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ RateLimit__LoginPerMinute: '1000' })
await addClient(service, { id: 'tool', consent: 'implicit', scopes: ['admin:write'] })

/** A person with the role, in a browser and with a token for the API. */
async function person(name: string, role = 'latchkey-admin') {
  const user = await addUser(service, name, { roles: [role] })
  const browser = await Browser.signedIn(service, { username: name })
  return { user, browser, caller: await callerOf(browser) }
}

async function callerOf(browser: Browser): Promise<AdminCaller> {
  const address = authorizePath({ client_id: 'tool', scope: 'openid admin:write' })
  const code = locationOf(await browser.get(address)).searchParams.get('code') ?? ''
  const { body } = await postToken(service, codeFields(code, { client_id: 'tool' }))
  return new AdminCaller(service, body.access_token)
}

const { user: root, caller: admin, browser: rootBrowser } = await person('root')

const shop = { id: 'shop', name: 'Shop', consent: 'implicit', scopes: ['demo_api', 'offline_access'] } as const
await addClient(service, { ...shop, authentication: bySecret(hashSecret('shop-secret')) })

/** Begins a test, and opens its address in the browser: the answer that comes to the console. */
async function answered(client = 'shop', browser = rootBrowser, caller: AdminCaller = admin) {
  const { status, body } = await caller.post(`/clients/${client}/test-sign-in`)
  assert.equal(status, 200, JSON.stringify(body))
  const url = new URL(body.authorization_url)
  const answer = locationOf(await browser.get(url.pathname + url.search))
  return { url, answer, code: answer.searchParams.get('code') ?? '', state: answer.searchParams.get('state') ?? '' }
}

const result = ({ code, state }: { code: string; state: string }, caller = admin, client = 'shop') =>
  caller.post(`/clients/${client}/test-sign-in/result`, { code, state })

const grantOf = async (code: string) =>
  (await service.storage.grants.findForExchange({ ...partsOf(code), clientId: 'shop' })).grant
function partsOf(code: string) {
  const { grantId = '', userId = '', authorizationId = null } = openCode(code, service.keys) ?? {}
  return { grantId, userId, authorizationId }
}

/** A refusal of the rule, with what it says in the trail. */
const isRefused = ({ status, body }: Awaited<ReturnType<typeof result>>) => {
  assert.deepEqual([status, body.code ?? body.id], [400, 'ID9671'], JSON.stringify(body))
  assert.ok(!JSON.stringify(body).includes('claims'))
}

describe('a test sign-in', () => {
  it('shows the tokens of the administrator who signed in, decoded, without signatures, and revoked', async () => {
    const at = await answered()
    assert.equal(`${at.answer.origin}${at.answer.pathname}`, `${service.issuer}admin/applications/shop/test`)
    const { status, body, headers } = await result(at)
    assert.equal(status, 200, JSON.stringify(body))
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    const { id_token, access_token, ...others } = body
    assert.deepEqual(others, {
      token_type: 'Bearer',
      expires_in: others.expires_in,
      scope: 'openid demo_api offline_access',
      has_refresh_token: true,
    })
    assert.deepEqual([id_token.claims.sub, id_token.claims.aud], [root.id, 'shop'])
    assert.equal(access_token.header.typ, 'at+jwt')
    assert.deepEqual(Object.keys(id_token), ['header', 'claims'])
    assert.notEqual((await grantOf(at.code))?.revokedAtMs ?? null, null)
    const [entry] = (await service.storage.audit.list({}, undefined, 100)).filter(
      ({ kind }) => kind === 'client_test_sign_in',
    )
    assert.deepEqual([entry?.clientId, entry?.details.type], ['shop', 'authorization_code'])
    const { redirectUris } = (await service.storage.clients.find('shop')) ?? {}
    assert.deepEqual(redirectUris, ['http://localhost:5081/callback'])
  })

  it('is answered once: a second result is refused, and so is one of two at the same moment', async () => {
    const at = await answered()
    assert.equal((await result(at)).status, 200)
    const again = await result(at)
    assert.deepEqual([again.status, again.body.error ?? again.body.code], [400, 'invalid_grant'])
    const other = await answered()
    const both = await Promise.all([result(other), result(other)])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
    assert.notEqual((await grantOf(other.code))?.revokedAtMs ?? null, null)
  })

  it('opens once: its address leads nowhere after it was answered, nor for another application', async () => {
    const { url } = await answered()
    assert.equal((await rootBrowser.get(url.pathname + url.search)).status, 400)
    await addClient(service, { ...shop, id: 'other', authentication: bySecret(hashSecret('x')) })
    const begun = await admin.post('/clients/shop/test-sign-in')
    const foreign = new URL(begun.body.authorization_url)
    foreign.searchParams.set('client_id', 'other')
    assert.equal((await rootBrowser.get(foreign.pathname + foreign.search)).status, 400)
  })

  it('is not ended by another administrator, by a program, in the name of another application, or without its state', async () => {
    const { caller: second } = await person('second')
    const program = await adminProgram(service)
    const at = await answered()
    isRefused(await result(at, second))
    isRefused(await result(at, program))
    isRefused(await result(at, admin, 'other'))
    isRefused(await result({ ...at, state: `${at.state.slice(0, -2)}xx` }))
    isRefused(await result({ ...at, state: 'anything' }))
    assert.equal((await result(at)).status, 200, 'what was refused used nothing up')
  })

  it('shows nothing of another person who signs in, and leaves their code unredeemed', async () => {
    await addUser(service, 'victim')
    const victim = await Browser.signedIn(service, { username: 'victim' })
    const at = await answered('shop', victim)
    isRefused(await result(at))
    assert.equal(await grantOf(at.code), undefined)
  })

  it('ends with its ten minutes', async () => {
    const { browser, caller } = await person('late')
    const early = await answered('shop', browser, caller)
    service.advance(30)
    assert.equal((await result(early, caller)).status, 200)
    const { state } = await answered('shop', browser, caller)
    service.advance(570)
    const { code } = await answered('shop', browser, await callerOf(browser))
    service.advance(31)
    isRefused(await result({ code, state }, await callerOf(browser)))
  })

  it('is begun by people who may change applications: not by viewers, not by programs', async () => {
    const { caller: viewer } = await person('viewer', 'latchkey-viewer')
    assert.equal((await viewer.post('/clients/shop/test-sign-in')).status, 403)
    assert.equal((await result({ code: 'x', state: 'x' }, viewer)).status, 403)
    const program = await adminProgram(service, ['admin:clients'])
    isRefused(await program.post('/clients/shop/test-sign-in'))
    assert.equal((await program.post('/clients/nobody/test-sign-in')).status, 404)
    assert.equal((await program.post('/clients/nobody/test-sign-in/result', { code: 'x', state: 'x' })).status, 404)
  })
})

describe('the redirect address of a test', () => {
  it('counts for its own request alone: not in a plain request with the same state, not pushed by the client itself', async () => {
    const { caller, browser } = await person('third')
    const { state, answer } = await answered('shop', browser, caller)
    const fields = {
      client_id: 'shop',
      response_type: 'code',
      redirect_uri: `${answer.origin}${answer.pathname}`,
      scope: 'openid',
      state,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }
    const plain = await browser.get(`/connect/authorize?${new URLSearchParams(fields)}`)
    assert.deepEqual([plain.status, plain.headers.get('location')], [400, null])
    const pushed = await fetch(new URL('connect/par', service.issuer), {
      method: 'POST',
      body: new URLSearchParams({ ...fields, client_secret: 'shop-secret' }),
    })
    const { error_description: why } = (await pushed.json()) as { error_description: string }
    assert.equal(pushed.status, 400)
    assert.match(why, /redirect_uri/)
  })

  it('gives the client nothing: its code needs the verifier that the service keeps sealed', async () => {
    const { caller, browser } = await person('fourth')
    const { code, answer } = await answered('shop', browser, caller)
    const redirect_uri = `${answer.origin}${answer.pathname}`
    for (const more of [{}, { code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' }]) {
      const fields = {
        grant_type: 'authorization_code',
        code,
        redirect_uri,
        client_id: 'shop',
        client_secret: 'shop-secret',
      }
      assert.equal((await postToken(service, { ...fields, ...more })).status, 400)
    }
  })
})

describe('a test of applications of other kinds', () => {
  const begin = async (id: string) => admin.post(`/clients/${id}/test-sign-in`)

  it('binds tokens to the key of nobody where the application demands a proof, and pushes what has to be pushed', async () => {
    const metadata = { dpop_bound_access_tokens: true, require_pushed_authorization_requests: true }
    await addClient(service, { ...shop, id: 'bound', metadata })
    const { caller, browser } = await person('fifth')
    const at = await answered('bound', browser, caller)
    const { status, body } = await result(at, caller, 'bound')
    assert.deepEqual([status, body.token_type], [200, 'DPoP'], JSON.stringify(body))
    assert.match(body.access_token.claims.cnf.jkt, /^[\w-]{43}$/)
  })

  it('gets a machine its token at once, without a person', async () => {
    const machine = {
      authentication: bySecret(hashSecret('m')),
      grantTypes: ['client_credentials'],
      redirectUris: [],
    } as const
    await addClient(service, { id: 'machine', scopes: ['demo_api'], ...machine })
    const program = await adminProgram(service, ['admin:clients', 'admin:read'])
    const { status, body } = await program.post('/clients/machine/test-sign-in')
    assert.deepEqual([status, body.authorization_url], [200, null], JSON.stringify(body))
    assert.equal(body.tokens.access_token.claims.sub, 'machine')
    assert.deepEqual([body.tokens.id_token, body.tokens.has_refresh_token], [null, false])
  })

  it('says why where the application may not sign anybody in this way', async () => {
    await addClient(service, { ...shop, id: 'signing', metadata: { require_signed_request_object: true } })
    await addClient(service, { ...shop, id: 'device', grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] })
    await addClient(service, { ...shop, id: 'scoped', scopes: ['of-nobody'] })
    const fresh = await person('sixth')
    for (const id of ['signing', 'device', 'scoped']) {
      const { status, body } = await fresh.caller.post(`/clients/${id}/test-sign-in`)
      assert.equal(status, 400, id)
      assert.ok(body.detail.length > 10, id)
    }
    assert.equal((await begin('nobody')).status === 200, false)
  })
})
