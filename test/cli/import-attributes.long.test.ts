/** An attribute that goes while a thousand people come. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { type AuditKind, eventBy } from '../../src/audit/entry.ts'
import { judgePeople } from '../../src/import/people.ts'
import { runImport } from '../../src/import/run.ts'
import { placeWith } from './import-place.ts'

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
})
