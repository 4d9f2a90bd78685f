import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { User } from '../../src/users/user.ts'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { addClient, serviceForFile, testScope } from '../support/service.ts'

const service = await serviceForFile()
const scopes = ['profile', 'email', 'roles']
await addClient(service, { id: 'app', scopes: [...scopes, 'offline_access', 'demo_api'], consent: 'implicit' })
for (const name of scopes) await service.storage.scopes.create(testScope(name))
const alice = (await service.storage.users.findByName('alice')) as User

const scope = 'openid profile email roles offline_access demo_api'
const client_id = 'app'
const tokensFor = async (parameters: Record<string, string> = { scope }) => {
  const code = await obtainCode(new Browser(service), { client_id, ...parameters })
  return (await postToken(service, codeFields(code, { client_id }))).body
}
const tokenFor = async (parameters?: Record<string, string>): Promise<string> =>
  (await tokensFor(parameters)).access_token
const call = (token?: string, init: RequestInit = {}) =>
  fetch(new URL('connect/userinfo', service.issuer), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...init,
  })
const form = (fields: Record<string, string> | string[][]) => ({ method: 'POST', body: new URLSearchParams(fields) })
const challengeOf = async (answer: Promise<Response>) => {
  const { status, headers } = await answer
  return [status, headers.get('www-authenticate')?.replace(/, error_description.*/, '')]
}
const invalid = [401, 'Bearer error="invalid_token"']

describe('/connect/userinfo (OpenID Connect Core §5.3)', () => {
  it('answers the claims that the scopes of the token request, by GET and by POST (§5.4)', async () => {
    const { id: sub, name, email, roles, createdAtMs } = alice
    const profile = { name, preferred_username: name, updated_at: Math.floor(createdAtMs / 1000) }
    const everything = { sub, ...profile, email, email_verified: true, role: roles[0] }
    const token = await tokenFor()
    assert.deepEqual(await (await call(token)).json(), everything)
    assert.deepEqual(
      await (await call(token, { method: 'POST', headers: { authorization: `Bearer ${token}` } })).json(),
      everything,
    )
    assert.deepEqual(await (await call(undefined, form({ access_token: token }))).json(), everything)
    assert.deepEqual(await (await call(await tokenFor({ scope: 'openid' }))).json(), { sub })
  })

  it('answers the data as they are now, not as they were at the sign-in', async () => {
    const token = await tokenFor()
    await service.storage.users.update(alice.id, (user) => ({ ...user, emailConfirmed: false, roles: [] }))
    const { email_verified, role } = (await (await call(token)).json()) as Record<string, unknown>
    assert.deepEqual([email_verified, role], [false, undefined])
  })

  it('names only the scheme to a request without a token, also to one in the address (RFC 6750 §2.3, §3.1)', async () => {
    assert.deepEqual(await challengeOf(call()), [401, 'Bearer'])
    const url = new URL(`connect/userinfo?access_token=${await tokenFor()}`, service.issuer)
    assert.deepEqual(await challengeOf(fetch(url)), [401, 'Bearer'])
  })

  it('refuses a token without the scope openid: 403 insufficient_scope', async () => {
    const token = await tokenFor({ scope: 'demo_api' })
    assert.deepEqual(await challengeOf(call(token)), [403, 'Bearer error="insufficient_scope"'])
  })

  it('refuses a token that is sent twice, in header and form or in the form (RFC 6750 §2)', async () => {
    const token = await tokenFor()
    const { body, method } = form({ access_token: token })
    const both = call(token, { method, body, headers: { authorization: `Bearer ${token}` } })
    const twice = call(
      undefined,
      form([
        ['access_token', token],
        ['access_token', token],
      ]),
    )
    for (const answer of [both, twice])
      assert.deepEqual(await challengeOf(answer), [400, 'Bearer error="invalid_request"'])
  })

  it('refuses a token whose grants ended, by a new password or by the revocation of its chain', async () => {
    const [before, { access_token, refresh_token }] = [await tokenFor(), await tokensFor()]
    await postToken(service, { token: refresh_token, client_id }, {}, 'connect/revocation')
    assert.deepEqual(await challengeOf(call(access_token)), invalid)
    assert.equal((await call(before)).status, 200)
    await service.storage.users.update(alice.id, (user) => ({ ...user, grantsEndedAtMs: service.now() }))
    assert.deepEqual(await challengeOf(call(before)), invalid)
    await service.storage.users.update(alice.id, (user) => ({ ...user, grantsEndedAtMs: null }))
  })

  it('refuses an id token, an expired and a revoked token, and one of a user who was locked or deleted', async () => {
    const tokens = await tokensFor()
    assert.deepEqual(await challengeOf(call(tokens.id_token)), invalid)
    await postToken(service, { token: tokens.access_token, client_id }, {}, 'connect/revocation')
    assert.deepEqual(await challengeOf(call(tokens.access_token)), invalid)
    const [expired, locked] = [await tokenFor(), await tokenFor()]
    await service.storage.users.update(alice.id, (user) => ({ ...user, disabled: true }))
    assert.deepEqual(await challengeOf(call(locked)), invalid)
    await service.storage.users.delete(alice.id)
    assert.deepEqual(await challengeOf(call(locked)), invalid)
    service.advance(3601)
    assert.deepEqual(await challengeOf(call(expired)), invalid)
  })
})
