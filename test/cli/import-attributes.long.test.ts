/** An attribute that goes while a thousand people come. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { type AuditKind, eventBy } from '../../src/audit/entry.ts'
import { judgePeople } from '../../src/import/people.ts'
import { runImport } from '../../src/import/run.ts'
import { postgresServer } from '../support/postgres.ts'
import { lines, placeWith } from './import-place.ts'

const person = (name: string, attributes?: object) => ({ username: name, email: `${name}@example.com`, attributes })

describe('an attribute of imported people (claims and groups, section 1)', () => {
  it('that is deleted while people are imported leaves out those who come after it, and nobody has a value', async (t) => {
    const place = placeWith(t, {})
    await place.json('attribute add level --type integer')
    await place.withStorage(async (storage) => {
      const { attributes, removals, users } = storage
      const { known: declared } = await attributes.all()
      async function* records() {
        for (let at = 0; at < 1000; at += 1) {
          // The first five hundred are being stored meanwhile.
          if (at === 600) await attributes.change(() => ({ changes: [{ name: 'level', after: undefined }] }))
          yield { line: at + 1, person: person(`p${at}`, { level: at }) as Readonly<Record<string, unknown>> }
        }
      }
      const rules = {
        ...{ nowMs: place.nowMs, judgeHash: () => ({ fault: '' }), roleFault: () => undefined },
        attributes: { declared, matches: () => true },
      }
      const keys = () => assert.fail()
      const found = await runImport({
        file: 'people',
        ...{ id: 'i', kind: 'users', records: records(), isDryRun: false, nowMs: place.nowMs, progress() {} },
        ...{ storage, register: () => assert.fail() },
        people: judgePeople({
          origin: 'users',
          storage,
          rules,
          onConflict: 'fail',
          isWrapped: false,
          keys,
          random: randomBytes,
        }),
        event: (kind: AuditKind) => eventBy('test', place.nowMs, kind, {}),
      })
      assert.deepEqual([found.read, found.created + found.failed], [1000, 1000])
      assert.ok(found.failed >= 500, `${found.failed} were left out`)
      assert.match(found.rows[0]?.reason ?? '', /^p500: The attribute level is not declared\.$/)
      await removals.goOn(() => true)
      const people = await users.list()
      assert.equal(people.length, found.created)
      assert.ok(people.every((one) => one.attributes.level === undefined))
    })
  })

  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    it(`that another command deletes meanwhile is with nobody afterwards, and each row has its outcome, on ${engine}`, async (t) => {
      const people = Array.from({ length: 1000 }, (_, at) => person(`p${at}`, { level: at }))
      const place = placeWith(t, { 'people.jsonl': lines(...people) })
      const env = engine === 'SQLite' ? {} : await databaseEnv()
      const run = (line: string) => place.run(line, { env })
      const declared = await run('attribute add level --type integer --searchable')
      assert.deepEqual([declared.code, declared.stderr], [0, ''])
      let isOver = false
      const importing = run('import users people.jsonl --json').finally(() => {
        isOver = true
      })
      while (!isOver && (await run('user show p0')).code !== 0);
      const deleting = await run('attribute delete level --yes --json')
      assert.deepEqual([deleting.code, deleting.stderr], [0, ''])
      const { stdout } = await importing
      const found = JSON.parse(stdout) as { read: number; created: number; failed: number; rows: { reason: string }[] }
      assert.deepEqual([found.read, found.created + found.failed], [1000, 1000])
      assert.ok(found.created > 0)
      for (const { reason } of found.rows) assert.match(reason, /level is not declared/)
      const listed = JSON.parse((await run('user list --json')).stdout) as { attributes?: object }[]
      assert.equal(listed.length, found.created)
      assert.ok(listed.every(({ attributes }) => attributes === undefined))
      assert.deepEqual(JSON.parse((await run('attribute list --json')).stdout), [])
      // Nothing of it is left behind: a new one of the name begins with nobody.
      assert.equal((await run('attribute add level --unique')).code, 0)
      assert.match((await run('attribute delete level')).stderr, /of which nobody has a value/)
    })
  }
})

async function databaseEnv(): Promise<Readonly<Record<string, string>>> {
  const server = await postgresServer()
  after(() => server.stop())
  return { Database__Url: await server.createDatabase(), Keys__MasterKey: `${'A'.repeat(43)}=` }
}
