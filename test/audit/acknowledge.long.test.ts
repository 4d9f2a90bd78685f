/** What an operator has looked into no longer fails the proof; it stays named, and nothing else hides behind it. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { checkAcknowledgement } from '../../src/audit/acknowledged.ts'
import { hashOf, hashOfStatement } from '../../src/audit/chain.ts'
import { type Statement, signStatement } from '../../src/audit/checkpoint.ts'
import type { StoredAuditEntry } from '../../src/audit/entry.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { isRefusal } from '../../src/refusal.ts'
import { day, type Engine, engines, minute, scene, settingsOf, start } from './scene.ts'

const nobody = { userId: null, clientId: null, traceId: null, address: null }

/** An entry with the right hash, as anybody can make one. */
function made(writer: string, seq: number, atMs: number, previous = '', details = '{}'): StoredAuditEntry {
  const entry = { atMs, writer, seq, kind: 'sign_in', ...nobody, details }
  return { ...entry, hash: hashOf(previous, entry) }
}

const insert = ({ atMs, writer, seq, details, hash }: StoredAuditEntry): string =>
  `insert into audit_entries (at_ms, writer, seq, kind, details, hash)
     values (${atMs}, '${writer}', ${seq}, 'sign_in', '${details}', '${hash}');`

type Place = Awaited<ReturnType<typeof scene>>

/** Does `harm`, which is found as `found`; accepts it, and expects the next verification to name it and succeed. */
async function accepted(
  t: Parameters<typeof scene>[0],
  engine: Engine,
  harm: (place: Place) => Promise<unknown>,
  found: RegExp,
) {
  const place = await scene(t, engine)
  await harm(place)
  await place.assertFound(found)
  const { code, stdout, stderr } = await place.run('acknowledge', '--reason', 'a disk was exchanged')
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, found)
  await place.assertIntact(
    /^The audit trail is intact, but for (one place that was|\d+ places that were) acknowledged: /,
  )
  const { stdout: told } = await place.run('verify')
  assert.match(told, found)
  assert.match(told, /^Acknowledged: .* By \S.* at 2027-01-\d\dT.*, because: a disk was exchanged$/m)
  const json = JSON.parse((await place.run('verify', '--json')).stdout)
  assert.equal(json.intact, true)
  assert.ok(json.acknowledged.length > 0)
  assert.equal(json.acknowledged[0].reason, 'a disk was exchanged')
  assert.match((await place.run('list', '--kind', 'gap_acknowledged')).stdout, /reason="a disk was exchanged"/)
  // Nothing more is wrong.
  const again = await place.run('acknowledge', '--reason', 'once more')
  assert.match(again.stderr, /^error: There is nothing to acknowledge: the audit trail is intact\.\n$/)
  return place
}

for (const engine of engines) {
  describe(`latchkey audit acknowledge on ${engine.name}`, () => {
    it('accepts a gap, and finds whatever is taken out or changed beside it', async (t) => {
      const missing =
        (seqs: string) =>
        async ({ execute }: Place) =>
          execute(`delete from audit_entries where seq in (${seqs}) and kind <> 'gap_acknowledged'`)
      const place = await accepted(t, engine, missing('15, 16'), /entry 15 of writer .* was removed: it is missing/)
      for (const [harm, found] of [
        ['delete from audit_entries where seq = 14', /entry 14 of writer .* was removed/],
        ['delete from audit_entries where seq = 17', /entry 15 of writer .* was removed/],
        ["update audit_entries set details = '{}' where seq = 17", /entry 15 of writer .* was removed/],
        ["update audit_entries set details = '{}' where seq = 18", /entry 18 of writer .* was changed/],
      ] as const) {
        const rows = (await place.entries()).filter(({ seq }) => seq >= 14 && seq <= 18)
        await place.execute(harm)
        await place.assertFound(found)
        await place.execute(`delete from audit_entries where seq between 14 and 18`)
        await place.execute(rows.map(insertOf).join(''))
        await place.assertIntact(/but for one place/)
      }
    })

    it('accepts a missing end, also of the whole trail but its first entry', async (t) => {
      const harm = ({ execute }: Place) => execute('delete from audit_entries where seq > 1')
      const place = await accepted(t, engine, harm, /entry 2 of writer .* was removed: it is missing; entry 31/)
      await place.process((storage) => place.write(storage, 3))
      await place.assertIntact(/but for one place/)
      await place.execute("delete from audit_entries where kind = 'keys_created'")
      await place.assertFound(/entry 1 of writer .* was removed: it is missing; entry 31/)
    })

    it('accepts an entry that was changed, and finds it when it is changed again', async (t) => {
      const change =
        (text: string) =>
        ({ execute }: Place) =>
          execute(`update audit_entries set user_id = '${text}' where seq = 16 and kind <> 'gap_acknowledged'`)
      const place = await accepted(t, engine, change('mallory'), /entry 16 of writer .* was changed: its content/)
      await change('trudy')(place)
      await place.assertFound(/entry 16 of writer .* was changed: its content/)
      await change('mallory')(place)
      await place.assertIntact(/but for one place/)
    })

    it('accepts a row that was put in, and a chain that was made anew', async (t) => {
      const putIn = async ({ execute, entries }: Place) => {
        const [entry] = (await entries()).slice(15)
        assert.ok(entry)
        await execute(insert(made(entry.writer, 16, entry.atMs + 1)))
      }
      await accepted(t, engine, putIn, /entry 16 of writer .* is forged: another entry has its number/)
      const anew = async ({ execute, entries }: Place) => {
        let previous = ''
        const statements = (await entries()).map((entry) => {
          const details = entry.seq === 5 ? '{}' : entry.details
          previous = hashOf(previous, { ...entry, details })
          return `update audit_entries set details = '${details}', hash = '${previous}' where seq = ${entry.seq}`
        })
        await execute(statements.join(';'))
      }
      const place = await accepted(t, engine, anew, /entry 11 of writer .* is forged: it is not the entry that was/)
      assert.match((await place.run('verify')).stdout, /but for 3 places/)
    })

    it('accepts entries of a late clock as one place, and finds what is added to them or changed in them', async (t) => {
      // As a server of an earlier version wrote them.
      const chain = [made('00000000000000aa', 1, start + minute)]
      for (let seq = 2; seq <= 50; seq += 1)
        chain.push(made('00000000000000aa', seq, start + minute + seq, chain.at(-1)?.hash))
      const harm = async ({ execute, process, write, time }: Place) => {
        time.nowMs += 30 * minute
        await process(async (storage, keeper) => {
          await write(storage, 1)
          await keeper.checkpoint()
        })
        await execute(chain.map(insert).join(''))
      }
      const place = await accepted(
        t,
        engine,
        harm,
        /entry 1 of writer 00000000000000aa .* is forged: it is missing from checkpoints/,
      )
      await place.assertIntact(/but for one place that was acknowledged/)
      const next = made('00000000000000aa', 51, start + 2 * minute, chain.at(-1)?.hash)
      await place.execute(insert(next))
      await place.assertFound(/entry 51 of writer 00000000000000aa .* is forged: it is missing from checkpoints/)
      await place.execute(`delete from audit_entries where writer = '${next.writer}' and seq > 40`)
      await place.assertFound(/entry 41 of writer 00000000000000aa .* was removed/)
      let previous = chain[39]?.hash ?? ''
      for (let seq = 41; seq <= 50; seq += 1) {
        const other = made('00000000000000aa', seq, start + minute + seq, previous, '{"other":1}')
        previous = other.hash
        await place.execute(insert(other))
      }
      await place.assertFound(/entry 50 of writer 00000000000000aa .* is forged/)
    })

    it('accepts checkpoints that are missing or not signed by this service, and believes nothing of them', async (t) => {
      const gone = ({ execute }: Place) => execute('delete from audit_checkpoints where number = 2')
      const place = await accepted(t, engine, gone, /checkpoint 2 was removed: it is missing/)
      await place.execute('delete from audit_checkpoints where number = 1')
      await place.assertFound(/checkpoint 1 was removed/)
      const forged = ({ execute }: Place) =>
        execute("update audit_checkpoints set statement = 'not.a.statement' where number = 2")
      const other = await accepted(t, engine, forged, /checkpoint 2 is forged: its signature/)
      await other.execute("update audit_checkpoints set statement = 'not.the.same' where number = 2")
      await other.assertFound(/checkpoint 2 is forged: its signature/)

      // What it says of an entry does not keep the entry from becoming too old.
      const lying = async ({ process, entries, execute }: Place) => {
        const entry = (await entries())[11]
        const [row] = await process(({ audit }) => audit.checkpoints(1, 1))
        assert.ok(entry && row)
        const tails = [{ writer: entry.writer, seq: entry.seq, hash: 'A'.repeat(43) }]
        const said: Statement = { number: 2, at: row.atMs, reach: row.atMs, previous: null, tails }
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        const statement = await signStatement(said, { kid: 'another', algorithm: 'ES256', privateKey })
        await execute(`update audit_checkpoints set statement = '${statement}' where number = 2`)
      }
      const third = await accepted(t, engine, lying, /checkpoint 2 is forged: its signature/)
      third.time.nowMs += 2 * day
      await third.process(async (_storage, keeper) => {
        assert.ok((await keeper.removeBefore(start + 90_000, 100)) > 12)
      })
      await third.assertIntact()
    })

    it('lets what was accepted become too old like everything else', async (t) => {
      const harm = async ({ execute }: Place) => {
        await execute("update audit_entries set user_id = 'mallory' where seq = 5")
        await execute('delete from audit_entries where seq in (12, 13)')
        await execute('delete from audit_checkpoints where number = 1')
      }
      const place = await accepted(t, engine, harm, /checkpoint 1 was removed/)
      const { process, time, run } = place
      assert.match((await run('verify')).stdout, /but for 3 places/)
      time.nowMs += 2 * day
      await process(async (_storage, keeper) => {
        // In portions, through the places and between them.
        while ((await keeper.removeBefore(start + 90_000, 3)) > 0);
      })
      await place.assertIntact(/but for (one place|\d places)/)
      await process(async (storage, keeper) => {
        await place.write(storage, 1)
        await keeper.checkpoint()
        while ((await keeper.removeBefore(time.nowMs - day, 3)) > 0);
      })
      const { stdout } = await run('verify')
      assert.match(stdout, /but for one place that was acknowledged: 1 entries/)
      assert.match(stdout, /Acknowledged: checkpoint 1 was removed/)
    })

    it('is of no use to somebody without the master key', async (t) => {
      const { process, execute, entries, time, assertFound } = await scene(t, engine)
      await execute("update audit_entries set user_id = 'mallory' where seq = 16")
      const [entry] = (await entries()).filter(({ seq }) => seq === 16)
      assert.ok(entry)
      await process(async (storage) => {
        const last = await storage.audit.lastCheckpoint()
        const place = { writer: entry.writer, seq: 16, content: hashOf(entry.hash, entry) }
        const fault = { kind: 'changed' as const, what: 'nothing' }
        const said: Statement = {
          number: 4,
          at: time.nowMs,
          reach: time.nowMs,
          previous: hashOfStatement(last?.statement ?? ''),
          tails: [],
          acknowledged: { at: time.nowMs, actor: 'mallory', reason: 'none', places: [{ place, fault }] },
        }
        // With a key of this service it would be believed; with another one it is not.
        const keys = await openKeyRing({ storage, settings: settingsOf(), clock: () => time.nowMs })
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        const statement = await signStatement(said, { ...keys.auditKey(), privateKey })
        await storage.audit.addCheckpoint({ number: 4, atMs: said.at, statement })
      })
      await assertFound(/checkpoint 4 is forged: its signature/)
    })

    it('sets the times right when the last checkpoint is of a time that has not come', async (t) => {
      const { process, time, write, run, assertIntact, entries } = await scene(t, engine)
      const mocked = { nowMs: 0 }
      t.mock.method(performance, 'now', () => mocked.nowMs)
      await process(async (running) => {
        time.nowMs += 3650 * day
        await process(async (storage, keeper) => {
          await write(storage, 1)
          await keeper.checkpoint()
        })
        await write(running, 1)
        time.nowMs -= 3650 * day
        await write(running, 1)
        assert.ok(((await entries()).at(-1)?.atMs ?? 0) > time.nowMs + 3649 * day)
        const { code, stdout } = await run('acknowledge', '--reason', 'the clock was set')
        assert.equal(code, 0)
        assert.match(stdout, /From now on, times follow the clock again/)
        mocked.nowMs += minute
        // The first of these may still go by the checkpoint that was known a minute ago.
        await write(running, 2)
        await new Promise(setImmediate)
        await write(running, 3)
      })
      await process((storage) => write(storage, 1))
      const now = (await entries()).filter(({ atMs }) => Math.abs(atMs - time.nowMs) < minute)
      assert.ok(now.length >= 4, `${now.length} entries are of now`)
      await assertIntact()
    })

    it('asks for a reason, on one line', async (t) => {
      const { run } = await scene(t, engine)
      assert.equal((await run('acknowledge')).code, 2)
      const { code, stderr } = await run('acknowledge', '--reason', 'a\nb')
      assert.deepEqual([code, stderr], [2, 'error: --reason must not contain control characters.\n'])
    })
  })
}

function insertOf({ userId, clientId, traceId, address, ...entry }: StoredAuditEntry): string {
  const text = (value: string | null) => (value === null ? 'null' : `'${value}'`)
  const { atMs, writer, seq, kind, details, hash } = entry
  return `insert into audit_entries values (${atMs}, '${writer}', ${seq}, '${kind}', ${text(userId)}, ${text(clientId)},
     ${text(traceId)}, ${text(address)}, '${details}', '${hash}');`
}

it('a trail that is damaged at more than a thousand places is not accepted', () => {
  const places = Array.from({ length: 1001 }, (_, seq) => ({
    place: { writer: 'a', seq, content: '' },
    fault: { kind: 'changed', what: '' } as const,
  }))
  assert.ok(!isRefusal(checkAcknowledgement(places.slice(1), false)))
  const refused = checkAcknowledgement(places, false)
  assert.ok(isRefusal(refused))
  assert.match(String(refused.problems[0]?.message), /is damaged at 1001 places, more than 1000/)
})
