/** What tokens say about a person, and that it is read anew at every exchange (specification 2.2, 2.3, 4.2). */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Browser, claimsOf, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { addClient, addUser, changeUser, serviceForFile, startService, testScope } from '../support/service.ts'

const allScopes = 'openid profile email roles offline_access'
let people = 0
let name: string
const service = await serviceForFile()
const scopes = ['profile', 'email', 'roles', 'offline_access', 'demo_api']
await addClient(service, { id: 'profiled', scopes })
for (const scope of ['profile', 'email', 'roles']) await service.storage.scopes.create(testScope(scope))
beforeEach(async () => {
  people += 1
  name = `person${people}`
  await addUser(service, name, { roles: ['reader'] })
})

const client = { client_id: 'profiled' }

async function codeOf(username: string, scope: string): Promise<string> {
  const browser = await Browser.signedIn(service, { username })
  return await browser.allowedCode({ ...client, scope })
}
const userId = async (): Promise<string> => (await service.storage.users.findByName(name))?.id ?? ''

describe('the claims of both tokens', () => {
  it('are exactly the declared ones: nothing without a destination gets in (specification 2.2, 2.3) [S2.2.9, S2.2.10, S2.3.4, S2.3.5, S4.2.14]', async () => {
    const { body } = await postToken(service, codeFields(await codeOf(name, 'openid demo_api'), client))
    const frame = ['aud', 'auth_time', 'exp', 'iat', 'iss', 'sub']
    assert.deepEqual(
      Object.keys(claimsOf(body.id_token)).sort(),
      [...frame, 'amr', 'at_hash', 'azp'].sort(),
      'the id token, without a scope that asks for more',
    )
    const person = ['name', 'preferred_username', 'email', 'email_verified', 'role']
    assert.deepEqual(
      Object.keys(claimsOf(body.access_token)).sort(),
      [...frame, ...person, 'scope', 'client_id', 'grant_id', 'jti'].sort(),
    )
  })

  it('name the same subject, also in the id token (OpenID Connect Core §2) [S2.2.1, S2.3.5, C4.18]', async () => {
    const { body } = await postToken(service, codeFields(await codeOf(name, 'openid'), client))
    assert.equal(claimsOf(body.id_token).sub, await userId())
    assert.equal(claimsOf(body.access_token).sub, await userId())
  })

  it('say with every e-mail address whether it was confirmed, as of now (OpenID Connect Core §5.1) [S2.3.2]', async () => {
    const confirm = async (emailConfirmed: boolean) =>
      service.storage.users.update(await userId(), (user) => ({ ...user, emailConfirmed }))
    await confirm(false)
    const first = await postToken(service, codeFields(await codeOf(name, allScopes), client))
    await confirm(true)
    const second = await postToken(service, refreshFields(first.body.refresh_token, client))
    for (const [{ body }, expected] of [
      [first, false],
      [second, true],
    ] as const) {
      for (const token of [body.access_token, body.id_token]) {
        assert.equal(claimsOf(token).email, `${name}@example.com`)
        assert.equal(claimsOf(token).email_verified, expected)
      }
    }
  })

  it('have one value for a name in the id token and at userinfo, the one that was set; access tokens have the user name', async () => {
    const given = { name: 'Alice Liddell', preferred_username: 'ali' }
    const namesIn = async (grant: Awaited<ReturnType<typeof postToken>>) => {
      const { access_token, id_token } = grant.body
      const headers = { authorization: `Bearer ${access_token}` }
      const answered = await (await fetch(new URL('connect/userinfo', service.issuer), { headers })).json()
      return [claimsOf(id_token), answered as Record<string, unknown>, claimsOf(access_token)].map((claims) => [
        claims.name,
        claims.preferred_username,
      ])
    }
    const first = await postToken(service, codeFields(await codeOf(name, allScopes), client))
    const own = [name, name]
    assert.deepEqual(await namesIn(first), [own, own, own])
    await service.storage.users.update(await userId(), (user) => ({ ...user, claims: given }))
    const second = await postToken(service, refreshFields(first.body.refresh_token, client))
    const set = Object.values(given)
    assert.deepEqual(await namesIn(second), [set, set, own])
  })

  it('carry no role member for somebody without roles [S2.2.5, S2.5.4]', async () => {
    await service.storage.users.update(await userId(), (user) => ({ ...user, roles: [] }))
    const { body } = await postToken(service, codeFields(await codeOf(name, allScopes), client))
    assert.ok(!('role' in claimsOf(body.access_token)) && !('role' in claimsOf(body.id_token)))
  })
})

describe('a person who changed since', () => {
  it('is described by the database in the next tokens: name, e-mail and every role (specification 4.2 rule 4) [S1.11, S4.2.13]', async () => {
    const first = await postToken(service, codeFields(await codeOf(name, allScopes), client))
    assert.equal(claimsOf(first.body.id_token).email, `${name}@example.com`)
    const change = { name: `${name}-new`, email: `${name}-new@example.com`, roles: ['editor', 'owner'] }
    await service.storage.users.update(await userId(), (user) => ({ ...user, ...change }))
    const { body } = await postToken(service, refreshFields(first.body.refresh_token, client))
    for (const claims of [claimsOf(body.access_token), claimsOf(body.id_token)]) {
      assert.equal(claims.sub, claimsOf(first.body.access_token).sub)
      assert.equal(claims.name, change.name)
      assert.equal(claims.preferred_username, change.name)
      assert.equal(claims.email, change.email)
      assert.deepEqual(claims.role, change.roles)
    }
  })

  it('is described as they are now when a code is redeemed [S1.11]', async () => {
    const code = await codeOf(name, allScopes)
    await service.storage.users.update(await userId(), (user) => ({ ...user, email: 'moved@example.com' }))
    const { body } = await postToken(service, codeFields(code, client))
    assert.equal(claimsOf(body.access_token).email, 'moved@example.com')
    await service.storage.users.update(await userId(), (user) => ({ ...user, email: `${name}@example.com` }))
  })
})

describe('a person who has gone or may no longer sign in (specification 3, 4.2 rules 2 and 3, 7)', () => {
  const gone = { error: 'invalid_grant', words: /The token is no longer valid/ }
  const kept = { error: 'invalid_grant', words: /The user is no longer allowed to sign in/ }
  const changes = [
    ['was deleted', (id: string) => service.storage.users.delete(id), gone],
    ['was disabled', (id: string) => service.storage.users.update(id, (user) => ({ ...user, disabled: true })), kept],
    [
      'is locked',
      (id: string) => service.storage.users.update(id, (user) => ({ ...user, lockedUntilMs: service.now() + 60_000 })),
      kept,
    ],
  ] as const
  for (const [what, change, expected] of changes) {
    it(`gets no token for a code when the user ${what}, and none for a refresh token [S1.12, S3.15, S3.16, S4.2.11, S4.2.12, S7.8, S7.9]`, async () => {
      const first = await postToken(service, codeFields(await codeOf(name, allScopes), client))
      const code = await codeOf(name, allScopes)
      await change(await userId())
      for (const fields of [codeFields(code, client), refreshFields(first.body.refresh_token, client)]) {
        const { status, body } = await postToken(service, fields)
        assert.equal(status, 400)
        assert.equal(body.error, expected.error)
        assert.match(body.error_description, expected.words)
        assert.ok(!('access_token' in body))
      }
    })
  }

  it('gets none either while the e-mail address has to be confirmed and is not [S3.16, C3.20]', async () => {
    await using strict = await startService({ Accounts__RequireConfirmedEmail: 'true' })
    const code = await obtainCode(new Browser(strict))
    const first = await postToken(strict, codeFields(await obtainCode(new Browser(strict))))
    await changeUser(strict, 'alice', { emailConfirmed: false })
    for (const fields of [codeFields(code), refreshFields(first.body.refresh_token)]) {
      const { body } = await postToken(strict, fields)
      assert.equal(body.error, 'invalid_grant')
      assert.match(body.error_description, kept.words)
    }
  })
})
