/** `consent` external and always (connections, section 5). */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { adminProgram } from '../support/admin.ts'
import {
  authorizeParameters,
  authorizePath,
  Browser,
  codeFields,
  deviceGrant,
  exchangeGrant,
  fetchWithToken,
  locationOf,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
const admin = await adminProgram(service)
const scope = 'openid offline_access'
const [closed, asking] = [
  { client_id: 'closed', scope },
  { client_id: 'asking', scope },
]
const confidential = {
  authentication: bySecret(hashSecret('s')),
  grantTypes: [exchangeGrant],
  redirectUris: [],
} as const
const browsers: Record<string, Browser> = {}
const ids: Record<string, string> = {}

before(async () => {
  await addClient(service, {
    id: 'closed',
    consent: 'external',
    grantTypes: ['authorization_code', 'refresh_token', deviceGrant],
  })
  await addClient(service, {
    id: 'asking',
    consent: 'always',
    grantTypes: ['authorization_code', 'refresh_token', deviceGrant],
  })
  await addClient(service, { id: 'worker', consent: 'external', ...confidential, metadata: { may_exchange: ['demo'] } })
  for (const name of ['gina', 'hugo']) {
    ids[name] = (await addUser(service, name)).id
    browsers[name] = await Browser.signedIn(service, { username: name })
  }
})

const of = (name: string): Browser => browsers[name] ?? assert.fail(name)
const answerOf = async (name: string, change: Record<string, string>, button?: 'Accept'): Promise<URL> =>
  locationOf(
    button === undefined
      ? await of(name).get(authorizePath(change))
      : await of(name).submit('/connect/authorize', { ...authorizeParameters(change), 'submit.Accept': 'Yes' }),
  )
const errorOf = async (name: string, change: Record<string, string>, button?: 'Accept') =>
  (await answerOf(name, change, button)).searchParams.get('error')
const store = (name: string, client: string, scopes: readonly string[]) =>
  admin.post(`/users/${ids[name]}/authorizations`, { client_id: client, scopes })
const consentsOf = async (name: string) => await service.storage.authorizations.list(ids[name] ?? '')
const tokensOf = async (name: string, client: { client_id: string; scope: string }) => {
  const answer = await answerOf(name, client)
  const code = answer.searchParams.get('code') ?? assert.fail(answer.href)
  return (await postToken(service, codeFields(code, { client_id: client.client_id }))).body
}

describe('a client with consent=external (connections, section 5)', () => {
  it('is for nobody without a consent that an operator stored, whatever prompt says and whoever agrees', async () => {
    for (const prompt of [{}, { prompt: 'consent' }, { prompt: 'none' }] as Record<string, string>[]) {
      const answer = await answerOf('gina', { ...closed, ...prompt })
      assert.equal(answer.searchParams.get('error'), 'consent_required', answer.href)
      assert.match(answer.searchParams.get('error_uri') ?? '', /#ID9124$/)
      assert.equal(await errorOf('gina', { ...closed, ...prompt }, 'Accept'), 'consent_required')
    }
    assert.deepEqual(await consentsOf('gina'), [])
  })

  it('does not count a consent that the person gave while the client asked, nor its grants', async () => {
    await service.storage.clients.update('closed', (client) => ({ ...client, consent: 'explicit' }))
    const code = await of('gina').allowedCode(closed)
    const tokens = (await postToken(service, codeFields(code, { client_id: 'closed' }))).body
    const late = await of('gina').allowedCode(closed)
    await service.storage.clients.update('closed', (client) => ({ ...client, consent: 'external' }))
    assert.equal(await errorOf('gina', closed), 'consent_required')
    const refused = await postToken(service, refreshFields(tokens.refresh_token, { client_id: 'closed' }))
    assert.equal(refused.body.error, 'invalid_grant')
    assert.equal((await postToken(service, codeFields(late, { client_id: 'closed' }))).body.error, 'invalid_grant')
    assert.equal((await fetchWithToken(service, 'connect/userinfo', tokens.access_token)).status, 401)
  })

  it('is for those with one that covers the scopes, who are never asked', async () => {
    const stored = await store('hugo', 'closed', ['openid', 'offline_access'])
    assert.deepEqual(
      [stored.status, stored.body.by_operator, stored.body.scopes],
      [201, true, ['offline_access', 'openid']],
    )
    assert.equal(stored.headers.get('location'), `${service.issuer}admin/api/v1/authorizations/${stored.body.id}`)
    for (const prompt of [{}, { prompt: 'consent' }, { prompt: 'none' }, { scope: 'openid' }] as Record<
      string,
      string
    >[]) {
      assert.ok((await answerOf('hugo', { ...closed, ...prompt })).searchParams.get('code'), JSON.stringify(prompt))
    }
    assert.equal(await errorOf('hugo', { ...closed, scope: 'openid demo_api' }), 'consent_required')
    assert.equal(await errorOf('gina', closed), 'consent_required', 'it is of one person')
  })

  it('ends with the consent: refresh, userinfo and the next request', async () => {
    const tokens = await tokensOf('hugo', closed)
    const refreshed = await postToken(service, refreshFields(tokens.refresh_token, { client_id: 'closed' }))
    assert.equal(refreshed.status, 200)
    const [consent] = (await admin.get(`/users/${ids.hugo}/authorizations`)).body.items
    assert.equal((await admin.delete(`/authorizations/${consent.id}`)).status, 204)
    const again = await postToken(service, refreshFields(refreshed.body.refresh_token, { client_id: 'closed' }))
    assert.equal(again.body.error, 'invalid_grant')
    assert.equal((await fetchWithToken(service, 'connect/userinfo', refreshed.body.access_token)).status, 401)
    assert.equal(await errorOf('hugo', { ...closed, prompt: 'none' }), 'consent_required')
  })

  it('is reached from a device by nobody else either (RFC 8628 §3.3)', async () => {
    const begun = await postToken(service, closed, {}, 'connect/device')
    const poll = () =>
      postToken(service, { grant_type: deviceGrant, client_id: 'closed', device_code: begun.body.device_code })
    const context = async (name: string) => {
      const path = `/Account/DeviceContext?${new URLSearchParams({ user_code: begun.body.user_code })}`
      return (await of(name).get(path)).json() as Promise<{ request: unknown; error: string | null }>
    }
    const shown = await context('gina')
    assert.deepEqual([shown.request, shown.error], [null, 'not_allowed'])
    const form = { user_code: begun.body.user_code, 'submit.Accept': 'Yes' }
    assert.equal(locationOf(await of('gina').submit('/Account/Device', form)).search, '?error=not_allowed')
    assert.equal((await poll()).body.error, 'authorization_pending')
    const { body: consent } = await store('hugo', 'closed', ['openid', 'offline_access'])
    assert.equal((await context('hugo')).error, null)
    assert.equal(locationOf(await of('hugo').submit('/Account/Device', form)).search, '?outcome=allowed')
    service.advance(10)
    const tokens = await poll()
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body))
    await service.storage.authorizations.revoke(consent.id)
    const refused = await postToken(service, refreshFields(tokens.body.refresh_token, { client_id: 'closed' }))
    assert.equal(refused.body.error, 'invalid_grant')
  })

  it('gets no token of a person by exchange either (RFC 8693)', async () => {
    const code = await of('gina').allowedCode({ scope: 'openid' })
    const subject = (await postToken(service, codeFields(code))).body.access_token
    const fields = { grant_type: exchangeGrant, client_id: 'worker', client_secret: 's', subject_token: subject }
    const exchange = () =>
      postToken(service, { ...fields, subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' })
    const refused = await exchange()
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'])
    assert.match(refused.body.error_uri, /#ID9232$/)
    assert.equal((await store('gina', 'worker', ['openid'])).status, 201)
    assert.equal((await exchange()).status, 200)
  })
})

describe('storing a consent for a person (connections, section 5)', () => {
  it('needs a person, a client and scopes that it may request', async () => {
    const codesOf = async (client: string, scopes: readonly string[], id = ids.gina) => {
      const { status, body } = await admin.post(`/users/${id}/authorizations`, { client_id: client, scopes })
      return [status, body.errors?.[0]?.path ?? body.error]
    }
    assert.deepEqual(await codesOf('unknown', ['openid']), [400, '/client_id'])
    assert.deepEqual(await codesOf('closed', ['openid', 'unknown']), [400, '/scopes'])
    assert.deepEqual(await codesOf('closed', []), [400, '/scopes'])
    assert.equal((await codesOf('closed', ['openid'], 'nobody'))[0], 404)
  })

  it('is for who may change the person, and give the client what it covers', async () => {
    const reader = await adminProgram(service, ['admin:users:read'])
    const body = { client_id: 'closed', scopes: ['openid'] }
    assert.equal((await reader.post(`/users/${ids.gina}/authorizations`, body)).status, 403)
    const helpDesk = await adminProgram(service, ['admin:users'])
    await addClient(service, { id: 'operating', scopes: ['admin:write'] })
    const more = { client_id: 'operating', scopes: ['admin:write'] }
    const refused = await helpDesk.post(`/users/${ids.gina}/authorizations`, more)
    assert.deepEqual([refused.status, refused.body.error], [403, 'permission_exceeded'])
  })

  it('saves the person the question of another client, and is recorded with its actor', async () => {
    const { body: stored } = await store('gina', 'demo', ['openid', 'demo_api'])
    assert.ok((await answerOf('gina', { scope: 'openid demo_api' })).searchParams.get('code'))
    assert.equal((await answerOf('gina', { scope: 'openid offline_access demo_api' })).searchParams.get('code'), null)
    await service.storage.audit.flush()
    const entries = await service.storage.audit.list({ kind: 'consent_given' }, undefined, 50)
    const entry = entries.find(({ details }) => details.id === stored.id)
    assert.deepEqual([entry?.userId, entry?.details.actor], [ids.gina, 'program-admin:write'])
  })
})

describe('a client with consent=always (connections, section 5)', () => {
  it('asks each time and remembers nothing, and prompt=none is consent_required', async () => {
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await answerOf('hugo', asking)).pathname, '/Account/Consent')
      assert.equal(await errorOf('hugo', { ...asking, prompt: 'none' }), 'consent_required')
      const code = (await answerOf('hugo', asking, 'Accept')).searchParams.get('code') ?? assert.fail()
      const tokens = (await postToken(service, codeFields(code, { client_id: 'asking' }))).body
      const refreshed = await postToken(service, refreshFields(tokens.refresh_token, { client_id: 'asking' }))
      assert.equal(refreshed.status, 200)
    }
    assert.deepEqual(
      (await consentsOf('hugo')).filter(({ clientId }) => clientId === 'asking'),
      [],
    )
  })

  it('asks also whoever agreed before, or has a consent of an operator', async () => {
    await store('hugo', 'asking', ['openid', 'offline_access'])
    assert.equal((await answerOf('hugo', asking)).pathname, '/Account/Consent')
    assert.equal(await errorOf('hugo', { ...asking, prompt: 'none' }), 'consent_required')
  })

  it('remembers nothing of an answer on a device', async () => {
    const begun = await postToken(service, asking, {}, 'connect/device')
    const form = { user_code: begun.body.user_code, 'submit.Accept': 'Yes' }
    assert.equal(locationOf(await of('gina').submit('/Account/Device', form)).search, '?outcome=allowed')
    assert.deepEqual(
      (await consentsOf('gina')).filter(({ clientId }) => clientId === 'asking'),
      [],
    )
  })
})
