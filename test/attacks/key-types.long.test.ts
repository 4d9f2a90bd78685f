/** Key types that some libraries refuse, together with the whole key set: only an operator brings one into it. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { adminProgram } from '../support/admin.ts'
import { Browser, codeFields, headerOf, obtainCode, postToken } from '../support/browser.ts'
import { initialAccessToken, register, sendMetadata } from '../support/registration.ts'
import { startService, type TestService } from '../support/service.ts'

const redirect_uris = ['http://localhost:5081/callback']
const everyAlgorithm = ['RS256', 'PS256', 'ES256', 'EdDSA', 'ML-DSA-65']
/** What the service signs for a client, and the list in discovery that says with what. */
const members = {
  id_token_signed_response_alg: 'id_token_signing_alg_values_supported',
  userinfo_signed_response_alg: 'userinfo_signing_alg_values_supported',
  introspection_signed_response_alg: 'introspection_signing_alg_values_supported',
  authorization_signed_response_alg: 'authorization_signing_alg_values_supported',
}

const masterKey = Buffer.alloc(32, 1).toString('base64')

async function scene(t: TestContext) {
  const service = await startService({
    OAuth__DynamicRegistration: 'open',
    OAuth__PostQuantum: 'true',
    Keys__MasterKey: masterKey,
  })
  t.after(() => service.stop())
  return { service, admin: await adminProgram(service) }
}

async function publicDocument(service: TestService, path: string) {
  service.advance(1)
  return (await (await fetch(new URL(`.well-known/${path}`, service.issuer))).json()) as Record<string, unknown>
}

const keyTypes = async (service: TestService) => {
  const { keys } = await publicDocument(service, 'jwks')
  return [...new Set((keys as { kty: string }[]).map(({ kty }) => kty))].sort()
}

const signIn = async (service: TestService, client_id: string, browser = new Browser(service)) =>
  (await postToken(service, codeFields(await obtainCode(browser, { client_id, scope: 'openid' }), { client_id }))).body

describe('a registration that no operator made', () => {
  it('makes no key of a new type, with an initial access token either', async (t) => {
    const { service } = await scene(t)
    const before = await keyTypes(service)
    assert.deepEqual(before, ['EC', 'RSA'])
    for (const member of Object.keys(members)) {
      for (const algorithm of ['EdDSA', 'ML-DSA-65']) {
        const document = { redirect_uris, [member]: algorithm }
        for (const token of [undefined, await initialAccessToken(service)]) {
          const { status, body } = await register(service, document, token)
          assert.deepEqual([status, body.error], [400, 'invalid_client_metadata'], `${member} ${algorithm}`)
          assert.match(
            body.error_description,
            /must be one of ES256, PS256, RS256: a key of another type needs an operator/,
          )
        }
      }
    }
    assert.deepEqual(await keyTypes(service), before)
  })

  it('may ask for exactly the algorithms that discovery lists, strongest first', async (t) => {
    const { service, admin } = await scene(t)
    const listed = async () => {
      const document = await publicDocument(service, 'openid-configuration')
      const lists = Object.values(members).map((name) => document[name] as readonly string[])
      for (const list of lists) assert.deepEqual(list, lists[0])
      return lists[0] ?? []
    }
    const accepted = async () => {
      const found: string[] = []
      for (const algorithm of everyAlgorithm) {
        const answers = []
        for (const member of Object.keys(members)) {
          const token = await initialAccessToken(service)
          answers.push((await register(service, { redirect_uris, [member]: algorithm }, token)).status)
        }
        assert.equal(new Set(answers).size, 1)
        if (answers[0] === 201) found.push(algorithm)
      }
      return found.sort()
    }
    assert.deepEqual(await listed(), ['ES256', 'PS256', 'RS256'])
    assert.deepEqual(await accepted(), [...(await listed())].sort())
    const client = { client_id: 'curve', redirect_uris, id_token_signed_response_alg: 'EdDSA' }
    assert.equal((await admin.post('/clients', client)).status, 201)
    assert.deepEqual(await listed(), ['EdDSA', 'ES256', 'PS256', 'RS256'])
    assert.deepEqual(await accepted(), [...(await listed())].sort())
  })

  it('keeps no key: when the last client of an operator goes, its key leaves the key set and sign-ins go on', async (t) => {
    const { service, admin } = await scene(t)
    const ofOperator = { client_id: 'curve', redirect_uris, id_token_signed_response_alg: 'EdDSA' }
    await admin.post('/clients', ofOperator)
    const stranger = (await register(service, { redirect_uris, id_token_signed_response_alg: 'EdDSA' })).body.client_id
    const browser = new Browser(service)
    const consented = await signIn(service, stranger, browser)
    assert.equal(headerOf(consented.id_token).alg, 'EdDSA')
    assert.deepEqual(await keyTypes(service), ['EC', 'OKP', 'RSA'])

    assert.equal((await admin.delete('/clients/curve')).status, 204)
    assert.deepEqual(await keyTypes(service), ['EC', 'RSA'])
    const later = await signIn(service, stranger, browser)
    assert.equal(headerOf(later.id_token).alg, 'RS256')
    assert.deepEqual(await keyTypes(service), ['EC', 'RSA'])
    const answer = await register(service, { redirect_uris, id_token_signed_response_alg: 'EdDSA' })
    assert.equal(answer.status, 400)
    // Its public half goes on to verify what it signed.
    const query = new URLSearchParams({ id_token_hint: consented.id_token })
    assert.equal((await browser.get(`/connect/logout?${query}`)).status, 302)
  })
})

describe('an operator who registers EdDSA or ML-DSA-65', () => {
  it('is told in the answer which libraries refuse the key set, and has the key at once', async (t) => {
    const { service, admin } = await scene(t)
    const client = { client_id: 'post-quantum', redirect_uris, userinfo_signed_response_alg: 'ML-DSA-65' }
    const created = await admin.post('/clients', client)
    assert.match(
      created.body.warnings.join(),
      /ML-DSA-65 puts a key of the type AKP .*OpenIddict 6\.0 .*jwx before 4\.2 \(Go\), jsonwebtoken 10\.4\.0/,
    )
    assert.deepEqual(await keyTypes(service), ['AKP', 'EC', 'RSA'])
    const read = await admin.get('/clients/post-quantum')
    assert.deepEqual(read.body.warnings, created.body.warnings)
    const replaced = await admin.put('/clients/post-quantum', { ...read.body, client_name: 'Later' })
    assert.deepEqual([replaced.status, replaced.body.client_name], [200, 'Later'])
    const doctor = (await admin.get('/doctor')).body as { status: string; message: string }[]
    assert.match(
      JSON.stringify(doctor.filter(({ status }) => status === 'warning')),
      /type AKP .*jsonwebtoken 10\.4\.0/,
    )
    const usual = await admin.patch('/clients/post-quantum', { userinfo_signed_response_alg: 'RS256' })
    assert.equal(usual.body.warnings, undefined)
    assert.deepEqual(await keyTypes(service), ['EC', 'RSA'])
  })

  it('gives it to a client that registered itself as well: the key is kept for it, through its own update', async (t) => {
    const { service, admin } = await scene(t)
    const { registration_client_uri, registration_access_token, ...document } = (
      await register(service, { redirect_uris })
    ).body
    let token = registration_access_token
    const update = async (id_token_signed_response_alg: string) => {
      const answer = await sendMetadata(
        registration_client_uri,
        'PUT',
        { ...document, id_token_signed_response_alg },
        token,
      )
      token = answer.body.registration_access_token ?? token
      return answer
    }
    const given = await admin.patch(`/clients/${document.client_id}`, { id_token_signed_response_alg: 'EdDSA' })
    assert.deepEqual(given.body.granted_signing_algs, ['EdDSA'])
    assert.equal((await admin.post('/keys/rotate')).status, 200)
    assert.deepEqual(await keyTypes(service), ['EC', 'OKP', 'RSA'])
    assert.equal((await update('EdDSA')).status, 200)
    assert.equal((await update('ML-DSA-65')).status, 400)
    assert.deepEqual(await keyTypes(service), ['EC', 'OKP', 'RSA'])
    assert.equal((await update('RS256')).status, 200)
    assert.equal((await admin.post('/keys/rotate')).status, 200)
    assert.deepEqual(await keyTypes(service), ['EC', 'RSA'])
  })
})
