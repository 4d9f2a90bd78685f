/** `latchkey import … --sync` and `--compare` on PostgreSQL (connections, section 7, Again). */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { postgresServer } from '../support/postgres.ts'
import { place } from './db-place.ts'
import { lines } from './import-place.ts'

const server = await postgresServer()
after(() => server.stop())

describe('import --sync on PostgreSQL (connections, section 7)', () => {
  it('creates, changes and deletes people as the source did, and --compare is equal then', async (t) => {
    const at = place(t, await server.createEmptyDatabase())
    await at.run('db migrate')
    const write = (...people: readonly object[]) => writeFileSync(join(at.folder, 'people.jsonl'), lines(...people))
    const person = (username: string, name: string) => ({ id: `id-${username}`, username, name })
    write(person('alice', 'Alice'), person('bob', 'Bob'), person('carol', 'Carol'))
    assert.equal((await at.json('import users people.jsonl')).created, 3)
    await at.json('user set bob name=Robert')
    await at.json('user add zoe --no-email --no-password')
    write(person('alice', 'Al'), person('bob', 'Bo'), person('dan', 'Dan'))
    const { created, updated, gone, others, findings } = await at.json('import users people.jsonl --sync --yes')
    assert.deepEqual([created, updated], [1, 1])
    assert.deepEqual(gone, [{ id: 'id-carol', username: 'carol', deleted: true }])
    assert.deepEqual(others, { people: 1, usernames: ['zoe'] })
    assert.match(JSON.stringify(findings), /name of bob was changed here as well/)
    write(person('alice', 'Al'), person('bob', 'Robert'), person('dan', 'Dan'))
    assert.deepEqual((await at.json('import users people.jsonl --compare')).differences, [])
  })
})
