/** A change of the roles of a group costs the same with few and with very many members, and holds from the next token on. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Adapter } from '../../src/storage/engine.ts'
import type { Statement } from '../../src/storage/sql/statement.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import type { Group } from '../../src/users/groups.ts'
import { Browser, claimsOf, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { openOnPostgres } from '../support/postgres.ts'
import { addClient, startService, userNamed } from '../support/service.ts'
import { openInMemory } from '../support/sqlite.ts'

const groups = 1000
const named = (at: number, change: Partial<Group> = {}): Group => ({
  ...{ id: `group-${at}`, name: `group-${at}`, parentId: null, description: null, roles: [`role-${at}`] },
  ...{ createdAtMs: 1, version: 1 },
  ...change,
})
const app = { client_id: 'app' }

for (const [name, open, people] of [
  ['SQLite', openInMemory, 1_000_000],
  ['PostgreSQL', openOnPostgres, 20_000],
] as const) {
  describe(`${people} people in ${groups} groups, and all of them in one, on ${name}`, async () => {
    const adapter = await open()
    const { engine } = adapter
    /** What the last commits did. */
    const committed: { readonly texts: readonly string[]; readonly rows: number }[] = []
    const read: string[] = []
    const watched: Adapter['engine'] = {
      ...engine,
      read(statement) {
        read.push(statement.toSql(engine.dialect).text)
        return engine.read(statement)
      },
      async commit(statements, ...more) {
        const done = await engine.commit(statements, ...more)
        const texts = statements.map((statement) => statement.toSql(engine.dialect).text)
        committed.push({ texts, rows: done.changes.reduce((sum, rows) => sum + rows, 0) })
        return done
      },
    }
    const service = await startService({}, { storage: sqlStorage({ ...adapter, engine: watched }) })
    after(() => service.stop())
    const { storage } = service
    await addClient(service, { id: 'app', consent: 'implicit', scopes: ['offline_access', 'demo_api'] })
    const alice = await userNamed(service, 'alice')
    const all = Array.from({ length: groups }, (_, at) => named(at))
    await storage.groups.change(() => ({ changes: all.map((after) => ({ id: after.id, after })) }))
    await storage.groups.addMembers('group-0', [alice.id])

    /** Runs the change, and returns what it read and stored. */
    const watch = async (change: () => Promise<unknown>) => {
      committed.length = 0
      read.length = 0
      await change()
      const ofChange = committed.filter(({ texts }) => texts.some((text) => text.includes('"groups"')))
      return { read: [...read], ofChange }
    }
    const giveRoles = (...roles: string[]) =>
      watch(() => storage.groups.change(() => ({ changes: [{ id: 'group-0', after: named(0, { roles }) }] })))
    const tokens = async () => {
      const code = await obtainCode(new Browser(service), { ...app, scope: 'openid offline_access demo_api' })
      return (await postToken(service, codeFields(code, app))).body
    }
    const rolesOf = (token: string): readonly string[] => [claimsOf(token).role ?? []].flat()

    it('cost one small commit that touches no member, as it does with one member', { timeout: 300_000 }, async () => {
      const few = await giveRoles('one')
      await fill(adapter.engine, alice.id, people)
      const { refresh_token } = await tokens()
      const many = await giveRoles('one', 'two')
      assert.deepEqual(many, few)
      assert.equal(many.ofChange.length, 1)
      const [commit] = many.ofChange
      // The version of the catalogue, and the row of the group.
      assert.equal(commit?.rows, 2)
      const touched = [...many.read, ...(commit?.texts ?? [])]
      assert.deepEqual(
        touched.filter((text) => /"(?:users|group_members)"/.test(text)),
        [],
      )
      assert.deepEqual(rolesOf((await tokens()).access_token), ['admin', 'one', 'two'])
      const { body } = await postToken(service, refreshFields(refresh_token, app))
      assert.deepEqual(rolesOf(body.access_token), ['admin', 'one', 'two'])
    })

    it('and a token reads the groups of its person alone', { timeout: 300_000 }, async () => {
      const { refresh_token } = await tokens()
      const { read, ofChange } = await watch(() => postToken(service, refreshFields(refresh_token, app)))
      assert.deepEqual([read.length, ofChange.length], [1, 0])
      assert.deepEqual(await storage.groups.ofUser(alice.id), ['group-0'])
    })
  })
}

/** Stores so many people like the one that is there, each in two groups: every one of them in the first. */
async function fill(engine: Adapter['engine'], like: string, people: number): Promise<void> {
  const run = async (text: string): Promise<void> => {
    const statement: Statement = { mustChange: true, toSql: () => ({ text, parameters: [] }) }
    assert.equal((await engine.commit([statement])).applied, true)
  }
  const one: Statement<Record<string, unknown>> = {
    mustChange: false,
    toSql: () => ({ text: `select * from users where id = '${like}'`, parameters: [] }),
  }
  const [row] = await engine.read(one)
  assert.ok(row)
  const own = ['id', 'name', 'normalized_name', 'email', 'normalized_email', 'name_skeleton']
  const names = Object.keys(row)
  const values = names.map((column) => (own.includes(column) ? `'person-' || i` : column))
  const numbers = `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${people})`
  await run(
    `insert into users (${names.join(', ')}) ${numbers} select ${values.join(', ')} from numbers, users where id = '${like}'`,
  )
  for (const group of [`'group-0'`, `'group-' || (1 + i % ${groups - 1})`]) {
    await run(`insert into group_members (group_id, user_id) ${numbers} select ${group}, 'person-' || i from numbers`)
  }
}
