/** Imports into a PostgreSQL that is held up (connections, section 7). */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import postgres from 'postgres'
import { postgresServer } from '../support/postgres.ts'
import { place } from './db-place.ts'
import { lines } from './import-place.ts'

const server = await postgresServer()
after(() => server.stop())

describe('import into a PostgreSQL that is held up', () => {
  it('waits until a lock is released, says so, and brings everybody', async (t) => {
    const url = await server.createEmptyDatabase()
    const at = place(t, url)
    await at.run('db migrate')
    const people = Array.from({ length: 60 }, (_, each) => ({ username: `u${each}`, email: `u${each}@example.com` }))
    writeFileSync(join(at.folder, 'people.jsonl'), lines(...people))
    const sql = postgres(url, { max: 1 })
    t.after(() => sql.end())
    await sql.unsafe('begin; lock table users in access exclusive mode')
    let waits = 0
    at.meanwhile = async () => {
      waits += 1
      await sql.unsafe('rollback')
    }
    const { code, stdout, stderr } = await at.run('import users people.jsonl --json')
    assert.deepEqual([code, waits], [0, 1], stderr)
    assert.match(stderr, /^warning: The database [^\n]+ Trying again in 1 s\.\n$/)
    assert.equal(JSON.parse(stdout).created, 60)
  })
})
