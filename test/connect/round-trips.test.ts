/** What the endpoints that are called most ask of the database. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { authorizeParameters, Browser, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { type Counts, countedStorage } from '../support/counted-storage.ts'
import { DpopKey } from '../support/dpop.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const asked: Counts = { reads: 0, commits: 0 }
const api = { client_id: 'api', client_secret: 's3cret' }
const service = await serviceForFile({}, { storage: await countedStorage(asked) })
const app = { consent: 'implicit', scopes: ['offline_access', 'demo_api'] } as const
await addClient(service, { id: 'app', ...app })
const metadata = { ...defaultClientMetadata, resources: [service.issuer] }
const authentication = bySecret(hashSecret(api.client_secret))
const grantTypes = ['client_credentials'] as const
await addClient(service, { id: 'api', authentication, grantTypes, redirectUris: [], metadata })

const key = new DpopKey()
const proof = (path: string, method = 'POST', accessToken?: string) => ({
  DPoP: key.proof({
    url: `${service.issuer}${path}`,
    method,
    nowMs: service.now(),
    ...(accessToken && { accessToken }),
  }),
})
/** Signs in and redeems a code; what is asked from then on counts. */
async function tokens(headers: Readonly<Record<string, string>> = {}) {
  const code = await obtainCode(new Browser(service), { client_id: 'app', scope: 'openid offline_access demo_api' })
  const { body } = await postToken(service, codeFields(code, { client_id: 'app' }), headers)
  Object.assign(asked, { reads: 0, commits: 0 })
  return body
}

describe('one round trip', () => {
  it('is what userinfo, the sample API and introspection read, and they write nothing', async () => {
    const { access_token, refresh_token } = await tokens()
    const headers = { authorization: `Bearer ${access_token}` }
    for (const path of ['connect/userinfo', 'weatherforecast']) {
      Object.assign(asked, { reads: 0, commits: 0 })
      assert.equal((await fetch(new URL(path, service.issuer), { headers })).status, 200)
      assert.deepEqual(asked, { reads: 1, commits: 0 }, path)
    }
    for (const token of [access_token, refresh_token, 'unknown']) {
      Object.assign(asked, { reads: 0, commits: 0 })
      const { status } = await postToken(service, { token, ...api }, {}, 'connect/introspect')
      assert.equal(status, 200)
      assert.deepEqual(asked, { reads: 1, commits: 0 })
    }
  })

  it('is what a pushed request and a token for a client itself write, with a proof as without', async () => {
    await tokens()
    const request = authorizeParameters({ client_id: 'app' })
    for (const headers of [{}, proof('connect/par')]) {
      Object.assign(asked, { reads: 0, commits: 0 })
      assert.equal((await postToken(service, request, headers, 'connect/par')).status, 201)
      assert.equal(asked.commits, 1)
    }
    // Without a proof, the commit is an entry of the audit trail alone, which is not counted.
    for (const [headers, commits] of [[{}, 0] as const, [proof('connect/token'), 1] as const]) {
      Object.assign(asked, { reads: 0, commits: 0 })
      assert.equal((await postToken(service, { grant_type: 'client_credentials', ...api }, headers)).status, 200)
      assert.deepEqual(asked, { reads: 1, commits })
    }
  })

  it('is what a refresh writes, and a proof is used up by that commit', async () => {
    for (const withProof of [false, true]) {
      const headers = () => (withProof ? proof('connect/token') : {})
      const { refresh_token } = await tokens(headers())
      assert.equal(
        (await postToken(service, refreshFields(refresh_token, { client_id: 'app' }), headers())).status,
        200,
      )
      assert.deepEqual(asked, { reads: 1, commits: 1 }, `with a proof: ${withProof}`)
    }
  })
})
