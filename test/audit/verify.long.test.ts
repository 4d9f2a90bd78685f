/** Whoever changes the trail in the database is found, and the first bad entry is named. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { calculateJwkThumbprint, exportJWK } from 'jose'
import { openJudge } from '../../src/audit/acknowledged.ts'
import { hashOf, hashOfStatement } from '../../src/audit/chain.ts'
import { type Statement, signStatement } from '../../src/audit/checkpoint.ts'
import { trailKeeper } from '../../src/audit/keeper.ts'
import { Proof } from '../../src/audit/proof.ts'
import { verifyTrail } from '../../src/audit/verify.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { anEvent, atOnce } from '../storage/records.ts'
import { day, engines, minute, scene, settingsOf, start } from './scene.ts'

for (const engine of engines) {
  describe(`latchkey audit verify on ${engine.name}`, () => {
    it('says how many entries are in order, and how far the last checkpoint reaches', async (t) => {
      const { process, write, assertIntact, run } = await scene(t, engine)
      // The keys of the first start are recorded, too.
      await assertIntact(
        /31 entries of 1 writers from 2027-01-01.*\n3 checkpoints are valid; .* nothing was recorded after it/,
      )
      await process((storage) => write(storage, 2))
      await assertIntact(/33 entries of 2 writers .*\n3 checkpoints .* and 2 entries after it are not signed yet/)
      const json = JSON.parse((await run('verify', '--json')).stdout)
      assert.deepEqual([json.intact, json.entries, json.not_signed, json.checkpoints], [true, 33, 2, 3])
    })

    it('holds over 200 acts at once, from processes that work at the same time', async (t) => {
      const { process, assertIntact, time } = await scene(t, engine)
      await Promise.all(
        [1, 2, 3].map(() =>
          process((storage) =>
            atOnce(200, (at) => storage.spentValues.spend(`${at}`, 1, [anEvent({ atMs: time.nowMs + (at % 5) })])),
          ),
        ),
      )
      await assertIntact(/ 231 entries of \d+ writers/)
    })

    it('finds an entry of which any member was changed', async (t) => {
      const { execute, entries, assertFound, assertIntact } = await scene(t, engine)
      const [entry] = (await entries()).slice(15)
      const was = `where hash = '${entry?.hash}'`
      const changes = {
        at_ms: ['1', entry?.atMs],
        writer: ["'ffffffffffffffff'", `'${entry?.writer}'`],
        seq: ['500', '16'],
        kind: ["'sign_out'", `'${entry?.kind}'`],
        user_id: ["'mallory'", `'${entry?.userId}'`],
        client_id: ['null', `'${entry?.clientId}'`],
        trace_id: ["'x'", `'${entry?.traceId}'`],
        address: ["''", `'${entry?.address}'`],
        details: [`'{"at": 4}'`, `'${entry?.details}'`],
      }
      for (const [column, [to, from]] of Object.entries(changes)) {
        await execute(`update audit_entries set ${column} = ${to} ${was}`)
        // One that went to another time or another writer is missed where it was, or not expected where it is.
        const writer = column === 'writer' ? '[0-9a-f]{16}' : entry?.writer
        const seq = column === 'seq' ? '500' : column === 'writer' ? '1' : '16'
        await assertFound(new RegExp(`: entry ${seq} of writer ${writer} .*(changed|removed|moved|forged)`))
        await execute(`update audit_entries set ${column} = ${from} ${was}`)
      }
      await assertIntact()
      await execute(`update audit_entries set hash = '${'A'.repeat(43)}' ${was}`)
      await assertFound(/: entry 16 of writer .* was changed: its content does not match its hash/)
    })

    it('finds each of all entries when it is changed, and names it', async (t) => {
      const { process } = await scene(t, engine)
      await process(async (storage) => {
        const rows = await storage.audit.stored(undefined, 1000)
        for (const [at, row] of rows.entries()) {
          const changed = rows.with(at, { ...row, details: '{}', userId: 'mallory' })
          const found = await verifyTrail(
            {
              keys: () => storage.keys.list(),
              checkpoints: async function* () {
                yield await storage.audit.checkpoints(0, 100)
              },
              entries: async function* () {
                yield changed
              },
              between: async function* () {
                yield changed
              },
            },
            () => {},
          )
          assert.deepEqual([found.fault?.kind, found.fault?.entry?.seq], ['changed', row.seq])
        }
      })
    })

    it('finds an entry that was removed: the first, one in the middle, and the last that was signed', async (t) => {
      for (const seq of [1, 16, 31]) {
        const { execute, assertFound } = await scene(t, engine)
        await execute(`delete from audit_entries where seq = ${seq}`)
        await assertFound(new RegExp(`entry ${seq} of writer [0-9a-f]{16}.* was removed: it is missing`))
      }
    })

    it('finds two entries that changed places', async (t) => {
      const { execute, entries, assertFound } = await scene(t, engine)
      const [one, other] = [(await entries())[10], (await entries())[20]]
      await execute(`update audit_entries set at_ms = ${one?.atMs} + 1 where seq = 21`)
      await execute(`update audit_entries set at_ms = ${other?.atMs} where seq = 11`)
      await assertFound(/: entry 21 of writer .* was moved: it stands before entry 12/)
    })

    it('finds an entry that was put in: between others, as a second of its number, and as a chain of its own', async (t) => {
      const insert = (values: string) =>
        `insert into audit_entries (at_ms, writer, seq, kind, details, hash) values (${values})`
      const { execute, entries, assertFound } = await scene(t, engine)
      const [entry] = (await entries()).slice(15)
      await execute(insert(`${entry?.atMs} + 1, '${entry?.writer}', 16, 'sign_in', '{}', 'x'`))
      await assertFound(/entry 16 of writer .* is forged: another entry has its number/)

      const second = await scene(t, engine)
      const nobody = { userId: null, clientId: null, traceId: null, address: null }
      const made = { atMs: start + 1, writer: '00000000000000aa', seq: 1, kind: 'sign_in', details: '{}', ...nobody }
      // With the right hash, as anybody can calculate it; but much later than its time.
      second.time.nowMs += 10 * minute
      await second.process(async (storage, keeper) => {
        await second.write(storage, 1)
        await keeper.checkpoint()
      })
      await second.execute(insert(`${made.atMs}, '${made.writer}', 1, 'sign_in', '{}', '${hashOf('', made)}'`))
      await second.assertFound(
        /entry 1 of writer 00000000000000aa .* is forged: it is missing from checkpoints that were signed/,
      )
    })

    it('finds a chain that was made anew with right hashes, at the first entry that was signed otherwise', async (t) => {
      const { execute, entries, assertFound } = await scene(t, engine)
      let previous = ''
      const statements: string[] = []
      for (const entry of await entries()) {
        const next = entry.seq === 5 ? { ...entry, userId: 'mallory' } : entry
        previous = hashOf(previous, next)
        statements.push(
          `update audit_entries set user_id = ${next.userId === null ? 'null' : `'${next.userId}'`}, hash = '${previous}' where seq = ${entry.seq}`,
        )
      }
      await execute(statements.join(';'))
      await assertFound(/entry 11 of writer .* is forged: it is not the entry that was signed/)
    })

    it('finds a checkpoint that was removed, changed or signed by somebody else', async (t) => {
      const removed = await scene(t, engine)
      await removed.execute('delete from audit_checkpoints where number = 2')
      await removed.assertFound(/checkpoint 2 was removed/)

      const changed = await scene(t, engine)
      await changed.execute('update audit_checkpoints set at_ms = at_ms + 1 where number = 3')
      await changed.assertFound(/checkpoint 3 was changed/)

      // Whoever writes to the database can add a key, but cannot encrypt it under the master key.
      const forged = await scene(t, engine)
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const jwk = await exportJWK(publicKey)
      const kid = await calculateJwkThumbprint(jwk)
      const content: Statement = { number: 1, at: start, reach: start, previous: null, tails: [] }
      const statement = await signStatement(content, { kid, algorithm: 'ES256', privateKey })
      await forged.execute(
        `insert into keys (id, use, algorithm, public_jwk, wrapped, created_at_ms, active_at_ms)
           select '${kid}', 'audit', 'ES256', '${JSON.stringify(jwk)}', wrapped, 1, 1 from keys where use = 'audit';
         delete from audit_checkpoints where number > 1;
         update audit_checkpoints set at_ms = ${start}, statement = '${statement}' where number = 1`,
      )
      await forged.assertFound(/checkpoint 1 is forged: its signature/)
    })

    it('finds that the end was taken off, checkpoints included, when one was kept elsewhere', async (t) => {
      const { execute, run, assertFound, assertIntact } = await scene(t, engine)
      const { hash, number } = JSON.parse((await run('checkpoint', '--json')).stdout)
      assert.equal(number, 3)
      assert.equal((await run('verify', '--anchor', hash)).code, 0)
      await execute('delete from audit_checkpoints where number = 3; delete from audit_entries where seq > 21')
      await assertIntact(/21 entries/)
      await assertFound(/checkpoint 3 was removed: it, or a later one, had the hash/, '--anchor', hash)
    })

    it('holds when old entries were removed by the service, and not when by somebody else', async (t) => {
      const { process, execute, entries, time, write, assertIntact, assertFound } = await scene(t, engine)
      time.nowMs += day
      const cutMs = time.nowMs - day - minute
      await process(async (storage, keeper) => {
        await write(storage, 5)
        await keeper.checkpoint()
        const count = async () => (await storage.audit.stored(undefined, 1000)).length
        assert.equal(await count(), 36)
        assert.equal(await keeper.removeBefore(cutMs, 7), 7)
        assert.equal(await keeper.removeBefore(cutMs, 7), 7)
        assert.equal(await count(), 22)
        while ((await keeper.removeBefore(cutMs, 7)) > 0);
        assert.equal(await keeper.removeBefore(cutMs, 7), 0)
        assert.ok((await storage.audit.stored(undefined, 1000)).every(({ atMs }) => atMs >= cutMs))
      })
      await assertIntact(/\d+ checkpoints are valid/)
      const [first] = await entries()
      await execute(`delete from audit_entries where seq = ${first?.seq} and writer = '${first?.writer}'`)
      await assertFound(/ was removed: it is missing/)
    })

    it('holds when the process was killed between signing a cut and removing what it is about', async (t) => {
      const { process, time, write, assertIntact } = await scene(t, engine)
      time.nowMs += day
      await process(async (storage) => {
        const stopped: Storage = {
          ...storage,
          audit: { ...storage.audit, cut: () => Promise.reject(new Error('killed')) },
        }
        const keys = await openKeyRing({ storage, settings: settingsOf(), clock: () => time.nowMs })
        const keeper = trailKeeper({ storage: stopped, keys, clock: () => time.nowMs })
        await assert.rejects(keeper.removeBefore(time.nowMs - day - minute, 7), /killed/)
        await write(storage, 1)
      })
      await assertIntact(/32 entries/)
      await process(async (_storage, keeper) => {
        assert.equal(await keeper.removeBefore(time.nowMs - day - minute, 7), 7)
      })
      await assertIntact(/25 entries/)
    })

    it('is signed by exactly one of several nodes for each number', async (t) => {
      const { process, write, assertIntact, time } = await scene(t, engine)
      await process(async (one, keeperOfOne) =>
        process((two, keeperOfTwo) =>
          process(async (_, keeperOfThree) => {
            for (let round = 0; round < 3; round += 1) {
              await Promise.all([write(one, 3), write(two, 3)])
              time.nowMs += minute
              await Promise.all([keeperOfOne, keeperOfTwo, keeperOfThree].map((keeper) => keeper.checkpoint()))
            }
            assert.equal(await keeperOfOne.checkpoint(), undefined)
          }),
        ),
      )
      await assertIntact(/49 entries of 3 writers .*\n\d+ checkpoints are valid; .* nothing was recorded after it/)
    })
  })
}

it('the proof keeps a bounded number of statements and cuts of a writer, and calls no entry late for that', async () => {
  const proof = new Proof({ judge: openJudge(), keptAtMost: 64 })
  let previous: string | null = null
  const rows = Array.from({ length: 1000 }, (_, at) => {
    const [number, atMs] = [at + 1, start + at * minute]
    const tails = [{ writer: 'a', seq: 10 * number, hash: `${number}` }]
    const cuts = at === 0 ? [] : [{ writer: 'a', seq: 10 * at, hash: `${at}` }]
    const statement = JSON.stringify({ number, at: atMs, reach: atMs, previous, tails, cuts } satisfies Statement)
    previous = hashOfStatement(statement)
    return { number, atMs, statement }
  })
  const read = async (statement: string) => JSON.parse(statement) as Statement
  async function* checkpoints() {
    yield rows
  }
  assert.equal(await proof.follow(checkpoints, read), undefined)
  const kept = rows.filter(({ number }) => proof.of('a', 10 * number) !== undefined)
  assert.ok(kept.length >= 32 && kept.length <= 64, `${kept.length}`)
  assert.equal(proof.last('a')?.seq, 10_000)
  assert.equal(rows.filter(({ number }) => proof.cut('a', 10 * number) !== undefined).length, 64)
  assert.equal(proof.cutBefore('a', 10_000)?.seq, 9990)
  for (const [at, { atMs }] of rows.slice(0, -1).entries()) assert.ok(proof.newSince('a', 10 * at + 15) <= atMs)
})
