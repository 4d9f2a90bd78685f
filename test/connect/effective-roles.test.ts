/** Roles of groups, included roles and roles of everybody in tokens and userinfo, and what they cost. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Group } from '../../src/users/groups.ts'
import { Browser, claimsOf, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { type Counts, countedStorage } from '../support/counted-storage.ts'
import { openOnPostgres } from '../support/postgres.ts'
import { addClient, startService, type TestService, testScope, userNamed } from '../support/service.ts'
import { openInMemory } from '../support/sqlite.ts'

const group = (id: string, change: Partial<Group> = {}): Group => ({
  ...{ id, name: id, parentId: null, description: null, roles: [], createdAtMs: 1, version: 1 },
  ...change,
})
const rolesOf = (token: string): readonly string[] => [claimsOf(token).role ?? []].flat()
/** Both open the keys that one of them stored. */
const env = { Keys__MasterKey: `${'A'.repeat(43)}=` }
const asking = { client_id: 'app', scope: 'openid offline_access demo_api roles' }
const app = { client_id: 'app' }

for (const [name, open] of [
  ['SQLite', openInMemory],
  ['PostgreSQL', openOnPostgres],
] as const) {
  describe(`effective roles on ${name}`, async () => {
    const adapter = await open()
    // One engine for both, of which the first that closes would take the other's.
    const shared = { ...adapter, engine: { ...adapter.engine, close: async () => {} } }
    const asked: Counts = { reads: 0, commits: 0 }
    const ofOthers: Counts = { reads: 0, commits: 0 }
    const one = await startService(env, { storage: await countedStorage(asked, shared) })
    const other = await startService(env, { storage: await countedStorage(ofOthers, shared) })
    after(async () => {
      await one.stop()
      await other.stop()
      await adapter.engine.close()
    })
    const change = async (...groups: Group[]) => {
      await other.storage.groups.change(() => ({ changes: groups.map((after) => ({ id: after.id, after })) }))
    }
    await one.storage.scopes.create(testScope('roles'))
    await addClient(one, { id: 'app', consent: 'implicit', scopes: ['offline_access', 'demo_api', 'roles'] })
    const { id } = await userNamed(one, 'alice')
    await change(group('staff', { roles: ['employee'] }), group('berlin', { parentId: 'staff', roles: ['editor'] }))
    await one.storage.groups.addMembers('berlin', [id])

    it('are those of the groups and of their parents, and a change is in the next token', async () => {
      const first = await tokensOf(one)
      assert.deepEqual(rolesOf(first.access_token), ['admin', 'editor', 'employee'])
      assert.deepEqual(rolesOf(first.id_token), ['admin', 'editor', 'employee'])
      assert.deepEqual(await userinfoRoles(one, first.access_token), ['admin', 'editor', 'employee'])
      await change(group('staff', { roles: ['colleague'] }))
      assert.deepEqual(await userinfoRoles(one, first.access_token), ['admin', 'colleague', 'editor'])
      const { body } = await postToken(one, refreshFields(first.refresh_token, app))
      assert.deepEqual(rolesOf(body.access_token), ['admin', 'colleague', 'editor'])
      assert.deepEqual(rolesOf((await tokensOf(one)).access_token), ['admin', 'colleague', 'editor'])
    })

    it('are those that others include and that everybody has, and a change is in the next token', async () => {
      const first = await tokensOf(one)
      const role = { name: 'editor', description: null, createdAtMs: 1 }
      const everybodys = { ...role, name: 'reader', isDefault: true as const }
      await other.storage.roles.change(() => ({ changes: [{ ...role, includes: ['author'] }, everybodys] }))
      const expected = ['admin', 'author', 'editor', 'reader']
      const without = (roles: readonly string[]) => roles.filter((name) => !['employee', 'colleague'].includes(name))
      const { body } = await postToken(one, refreshFields(first.refresh_token, app))
      assert.deepEqual(without(rolesOf(body.access_token)), expected)
      assert.deepEqual(without(rolesOf((await tokensOf(one)).id_token)), expected)
      for (const name of ['editor', 'reader'])
        await other.storage.roles.change(() => ({ changes: [{ ...role, name }] }))
      const { access_token } = (await postToken(one, refreshFields(body.refresh_token, app))).body
      assert.deepEqual(without(rolesOf(access_token)), ['admin', 'editor'])
    })

    it('cost no statement more, and one reading of the catalogue after a change in another process', async () => {
      const { access_token, refresh_token } = await tokensOf(one)
      const counted = async (work: () => Promise<unknown>) => {
        Object.assign(asked, { reads: 0, commits: 0 })
        await work()
        return { ...asked }
      }
      const refresh = () => postToken(one, refreshFields(refresh_token, app))
      const usual = await counted(() => userinfoRoles(one, access_token))
      assert.deepEqual(usual, { reads: 1, commits: 0 })
      await change(group('staff', { roles: ['employee'] }))
      const after = await counted(() => userinfoRoles(one, access_token))
      assert.ok(after.reads > usual.reads)
      assert.deepEqual(await counted(() => userinfoRoles(one, access_token)), usual)
      assert.deepEqual(await counted(refresh), { reads: 1, commits: 1 })
      const code = await obtainCode(new Browser(one), asking)
      assert.deepEqual(await counted(() => postToken(one, codeFields(code, app))), { reads: 1, commits: 1 })
    })

    it('end with the membership, and with the group', async () => {
      const { refresh_token } = await tokensOf(one)
      await other.storage.groups.removeMember('berlin', id)
      const { body } = await postToken(one, refreshFields(refresh_token, app))
      assert.deepEqual(rolesOf(body.access_token), ['admin'])
      await one.storage.groups.addMembers('berlin', [id])
      await other.storage.groups.change(() => ({ changes: [{ id: 'berlin', after: undefined }] }))
      const next = await postToken(one, refreshFields(body.refresh_token, app))
      assert.deepEqual(rolesOf(next.body.access_token), ['admin'])
    })
  })
}

async function tokensOf(service: TestService) {
  const { status, body } = await postToken(service, codeFields(await obtainCode(new Browser(service), asking), app))
  assert.equal(status, 200)
  return body
}

async function userinfoRoles(service: TestService, token: string): Promise<readonly string[]> {
  const answer = await fetch(new URL('connect/userinfo', service.issuer), {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(answer.status, 200)
  return [((await answer.json()) as { role?: string | string[] }).role ?? []].flat()
}
