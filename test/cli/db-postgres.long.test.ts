/** `latchkey db` on PostgreSQL, and what a restore leaves behind that is killed, on both engines. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { oneOfEverything, storeEverything } from '../fixtures/everything.ts'
import { aUser } from '../storage/records.ts'
import { postgresServer } from '../support/postgres.ts'
import { executeSqlite } from '../support/sqlite.ts'
import { valuesOf } from '../support/values.ts'
import { databaseCommands } from './db-contract.ts'
import { place } from './db-place.ts'

const server = await postgresServer()
after(() => server.stop())

const newPostgres = () => server.createEmptyDatabase()

databaseCommands('PostgreSQL', newPostgres, newPostgres)

for (const [engine, newUrl] of [
  ['an SQLite file', async () => undefined],
  ['PostgreSQL', newPostgres],
] as const) {
  describe(`a killed restore on ${engine}`, () => {
    it('leaves the database as it was when it is killed in the middle of replacing everything', async (t) => {
      const source = place(t)
      await source.withStorage((storage) => storeEverything(storage, oneOfEverything()))
      executeSqlite(
        join(source.folder, 'data', 'latchkey.db'),
        `insert into spent_values with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
        select 'value-' || i, i from n`,
      )
      await source.run('db backup copy.db')
      const at = place(t, await newUrl())
      const stranger = aUser({ name: 'stranger' })
      await at.withStorage((storage) => storage.users.create(stranger))
      const { child, ended } = at.start(`db restore ${join(source.folder, 'copy.db')} --force`)
      child.stderr?.on('data', (chunk) => {
        if (String(chunk).includes('users: 3')) child.kill('SIGKILL')
      })
      assert.equal((await ended).signal, 'SIGKILL')
      await at.withStorage(async (storage) => {
        assert.deepEqual(valuesOf(await storage.users.list(), 'id'), [stranger.id])
        assert.equal(await storage.spentValues.spend('value-1', 9e15), true)
      })
    })
  })
}
