/** What was deleted and is still to be taken from rows, during a rolling upgrade. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Statement } from '../../src/storage/sql/statement.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { openOnPostgres } from '../support/postgres.ts'
import { openInMemory } from '../support/sqlite.ts'
import { aClient, aUser } from './records.ts'

const statement = (text: string): Statement => ({ mustChange: false, toSql: () => ({ text, parameters: [] }) })

for (const [name, open] of [
  ['SQLite', openInMemory],
  ['PostgreSQL', openOnPostgres],
] as const) {
  describe(`removals on ${name}`, () => {
    it('of a kind that only a newer version knows are left to it, and hold up no others', async (t) => {
      const adapter = await open()
      const storage = sqlStorage(adapter)
      t.after(() => storage.close())
      // What a process of the next version left, before and after the ones of this version.
      const unknown = ['a', 'z'].map((kind) => `insert into removals values ('${kind}-noun', 'n', 0, 'rows', '')`)
      await adapter.engine.commit(unknown.map(statement))
      await storage.users.create(aUser({ roles: ['editor', 'x'] }))
      await storage.clients.create(aClient({ id: 'gone' }))
      await storage.roles.deleteEverywhere('editor', 1)
      await storage.clients.delete('gone')
      assert.equal(await storage.removals.goOn(() => true), true)
      const left = (await storage.removals.list()).map(({ kind }) => kind as string)
      assert.deepEqual(left.sort(), ['a-noun', 'z-noun'])
      assert.deepEqual((await storage.users.list())[0]?.roles, ['x'])
    })
  })
}
