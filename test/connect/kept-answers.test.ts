/** Userinfo and introspection say again what they said of a token only while it would be made of the same. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { ClaimRule } from '../../src/protocol/claims/claim-rules.ts'
import { type ClientMetadata, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { declareAttributes } from '../support/attributes.ts'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { openOnPostgres } from '../support/postgres.ts'
import { addClient, startService, type TestService, testScope, userNamed } from '../support/service.ts'
import { openInMemory } from '../support/sqlite.ts'

const rule = (claim: string, from: string): ClaimRule => ({
  ...{ claim, from, in: ['userinfo', 'introspection'], as: 'auto' },
})
const group = (roles: readonly string[]) => ({
  ...{ id: 'staff', name: 'staff', parentId: null, description: null, roles, createdAtMs: 1, version: 1 },
})
const env = { Keys__MasterKey: `${'A'.repeat(43)}=` }
const secret = 'secret'

for (const [name, open] of [
  ['SQLite', openInMemory],
  ['PostgreSQL', openOnPostgres],
] as const) {
  describe(`answers that are kept with a token, on ${name}`, async () => {
    const adapter = await open()
    // One engine for both, of which the first that closes would take the other's.
    const shared = { ...adapter, engine: { ...adapter.engine, close: async () => {} } }
    const one = await startService(env, { storage: sqlStorage(shared) })
    const other = await startService(env, { storage: sqlStorage(shared) })
    after(async () => {
      await one.stop()
      await other.stop()
      await adapter.engine.close()
    })
    const { users, groups, roles, scopes, clients } = other.storage
    for (const scope of ['profile', 'email', 'roles']) await scopes.create(testScope(scope))
    const metadata = { ...defaultClientMetadata, resources: [one.issuer], may_exchange: ['app'] }
    const exchanging = ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'] as const
    await addClient(one, { id: 'app', consent: 'implicit', scopes: ['profile', 'email', 'roles', 'demo_api'] })
    await addClient(one, { id: 'api', authentication: bySecret(hashSecret(secret)), metadata, grantTypes: exchanging })
    const { id } = await userNamed(one, 'alice')
    await declareAttributes(other.storage, { name: 'department' })
    await groups.change(() => ({ changes: [{ id: 'staff', after: group(['employee']) }] }))
    const code = await obtainCode(new Browser(one), { client_id: 'app', scope: 'openid profile email roles demo_api' })
    const { access_token: token } = (await postToken(one, codeFields(code, { client_id: 'app' }))).body

    const userinfo = (service: TestService) =>
      fetch(new URL('connect/userinfo', service.issuer), { headers: { authorization: `Bearer ${token}` } })
    const introspection = (service: TestService) =>
      fetch(new URL('connect/introspect', service.issuer), {
        method: 'POST',
        body: new URLSearchParams({ token, client_id: 'api', client_secret: secret }),
      })
    /** What both say, each asked twice, so that the second answer may be one that was kept. */
    const told = async (service: TestService) => {
      const texts: string[][] = []
      for (const _ of [1, 2]) {
        const answers = [await userinfo(service), await introspection(service)]
        texts.push(await Promise.all(answers.map((answer) => answer.text())))
      }
      assert.deepEqual(texts[0], texts[1])
      return (texts[0] ?? []).map((text) => JSON.parse(text) as Record<string, unknown>)
    }
    const ofClient = (client: string, change: Partial<ClientMetadata>) => () =>
      clients.update(client, (known) => ({ ...known, metadata: { ...known.metadata, ...change } }))
    const ofPerson = (change: object) => () => users.update(id, (user) => ({ ...user, ...change }))
    const editor = { name: 'employee', description: null, createdAtMs: 1 }

    // What is changed in one process, and a value that the other one must tell next: in userinfo, or else in introspection.
    const changes: readonly (readonly [
      string,
      () => Promise<unknown>,
      'userinfo' | 'introspection',
      string,
      unknown,
    ])[] = [
      ['a name', ofPerson({ name: 'alicia' }), 'introspection', 'username', 'alicia'],
      ['an address', ofPerson({ email: 'a@b.example' }), 'userinfo', 'email', 'a@b.example'],
      ['a proof', ofPerson({ emailConfirmed: false }), 'userinfo', 'email_verified', false],
      ['a field', ofPerson({ claims: { nickname: 'Al', updated_at: 7 } }), 'userinfo', 'nickname', 'Al'],
      ['its removal', ofPerson({ claims: {} }), 'userinfo', 'nickname', undefined],
      ['a role', ofPerson({ roles: ['clerk'] }), 'introspection', 'role', 'clerk'],
      [
        'a rule of a scope',
        () => scopes.update('demo_api', (scope) => ({ ...scope, claims: [rule('org', 'attribute:department')] })),
        ...(['userinfo', 'org', undefined] as const),
      ],
      ['an attribute', ofPerson({ attributes: { department: 'sales' } }), 'userinfo', 'org', 'sales'],
      ['another value', ofPerson({ attributes: { department: 'press' } }), 'introspection', 'org', 'press'],
      ['a membership', () => groups.addMembers('staff', [id]), 'userinfo', 'role', ['clerk', 'employee']],
      [
        'the roles of a group',
        () => groups.change(() => ({ changes: [{ id: 'staff', after: group(['colleague']) }] })),
        ...(['introspection', 'role', ['clerk', 'colleague']] as const),
      ],
      [
        'what a role includes',
        () => roles.change(() => ({ changes: [{ ...editor, name: 'clerk', includes: ['author'] }] })),
        ...(['userinfo', 'role', ['author', 'clerk', 'colleague']] as const),
      ],
      ['the end of a membership', () => groups.removeMember('staff', id), 'introspection', 'role', ['author', 'clerk']],
      ['a rule of the client', ofClient('app', { claims: [rule('team', 'constant:7')] }), 'userinfo', 'team', 7],
      ['its removal', ofClient('app', { claims: [] }), 'introspection', 'team', undefined],
      ['the asking client', ofClient('api', { may_exchange: [] }), 'introspection', 'may_act', undefined],
      [
        'the scope’s rules',
        () => scopes.update('demo_api', (one) => ({ ...one, claims: [] })),
        'userinfo',
        'org',
        undefined,
      ],
    ]
    it('show each change in the next answer of another process', async () => {
      assert.deepEqual((await told(one))[1]?.may_act, { sub: 'api' })
      for (const [what, change, place, claim, expected] of changes) {
        const before = await told(one)
        assert.notEqual(await change(), undefined, what)
        const after = await told(one)
        assert.deepEqual(after[place === 'userinfo' ? 0 : 1]?.[claim], expected, what)
        if (what !== 'a rule of a scope') assert.notDeepEqual(after, before, what)
      }
      assert.equal(changes.length, 17)
    })

    it('tell the asking client what it may know after its metadata changed, and a signed answer is one', async () => {
      await ofClient('api', { subject_type: 'pairwise' })()
      const [, introspected] = await told(one)
      assert.equal(introspected?.username, 'alicia')
      await ofClient('api', { introspection_signed_response_alg: 'ES256' })()
      assert.match(
        (await introspection(one)).headers.get('content-type') ?? '',
        /^application\/token-introspection\+jwt/,
      )
      await ofClient('api', { introspection_signed_response_alg: null })()
      await ofClient('app', { userinfo_signed_response_alg: 'ES256' })()
      assert.equal((await userinfo(one)).headers.get('content-type'), 'application/jwt')
      await ofClient('app', { userinfo_signed_response_alg: null })()
      assert.equal((await told(one)).length, 2)
    })

    it('are none for a person who may not sign in, for a revoked token, and for an expired one', async () => {
      await told(one)
      await ofPerson({ disabled: true })()
      assert.deepEqual(
        [(await userinfo(one)).status, await (await introspection(one)).json()],
        [401, { active: false }],
      )
      await ofPerson({ disabled: false })()
      await told(one)
      one.advance(3600)
      assert.deepEqual(
        [(await userinfo(one)).status, await (await introspection(one)).json()],
        [401, { active: false }],
      )
      one.advance(-3600)
      await told(one)
      const revoked = await fetch(new URL('connect/revocation', one.issuer), {
        method: 'POST',
        body: new URLSearchParams({ token, client_id: 'app' }),
      })
      assert.equal(revoked.status, 200)
      assert.deepEqual(
        [(await userinfo(one)).status, await (await introspection(one)).json()],
        [401, { active: false }],
      )
    })
  })
}
