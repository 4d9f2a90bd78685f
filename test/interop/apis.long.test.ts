/** APIs that check access tokens, each with a library that is not ours (`examples/clients/api-*`). */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { adminProgram } from '../support/admin.ts'
import { Browser, claimsOf, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { addClient, freePort, startService, type TestService, testScope } from '../support/service.ts'
import { nodeProgram, notInstalled, startProgram } from './programs.ts'

const apis = ['api-jose', 'api-express-oauth2-jwt-bearer', 'api-express-jwt', 'api-aws-jwt-verify', 'api-fastify-jwt']

const audience = 'https://api.planner.example.com/'

describe('APIs with libraries of others', { skip: notInstalled }, () => {
  let service: TestService
  let token: string
  let forAnother: string
  before(async () => {
    service = await startService({ OAuth__PostQuantum: 'true' })
    const admin = await adminProgram(service)
    for (const algorithm of ['EdDSA', 'ML-DSA-65']) {
      const client = { client_id: algorithm, redirect_uris: ['https://app.example/cb'] }
      const { status } = await admin.post('/clients', { ...client, userinfo_signed_response_alg: algorithm })
      assert.equal(status, 201)
    }
    const { keys } = (await (await fetch(`${service.issuer}.well-known/jwks`)).json()) as { keys: { kty: string }[] }
    assert.deepEqual(new Set(keys.map(({ kty }) => kty)), new Set(['RSA', 'EC', 'OKP', 'AKP']))
    await service.storage.scopes.create(testScope('planner_api', { resources: [audience] }))
    await addClient(service, {
      id: 'planner',
      scopes: ['planner_api', 'demo_api'],
      metadata: { access_token_scope: 'string' },
    })
    const tokenFor = async (scope: string): Promise<string> => {
      const code = await obtainCode(new Browser(service), { client_id: 'planner', scope })
      const { body } = await postToken(service, codeFields(code, { client_id: 'planner' }))
      return body.access_token
    }
    token = await tokenFor('openid planner_api')
    forAnother = await tokenFor('openid demo_api')
  })
  after(() => service.stop())

  for (const name of apis) {
    it(`${name} accepts an access token that is meant for it, and no other, whatever other keys are in the key set (RFC 7517 §5)`, async (t) => {
      const port = await freePort()
      const settings = { ISSUER: service.issuer, AUDIENCE: audience, CLIENT_ID: '', CLIENT_SECRET: '' }
      const program = await startProgram(nodeProgram(name), { ...settings, PORT: String(port) })
      t.after(() => program.stop())
      const call = (authorization: string) => fetch(`${program.origin}/whoami`, { headers: { authorization } })

      const accepted = await call(`Bearer ${token}`)
      assert.equal(accepted.status, 200, `${await accepted.clone().text()}\n${program.output()}`)
      assert.deepEqual(await accepted.json(), { sub: claimsOf(token).sub })

      const [header, payload, signature = ''] = token.split('.')
      const changed = Buffer.from(signature, 'base64url').reverse().toString('base64url')
      for (const refused of [forAnother, `${header}.${payload}.${changed}`, `${header}.${payload}.`, 'x']) {
        assert.equal((await call(`Bearer ${refused}`)).status, 401, refused)
      }
    })
  }
})
