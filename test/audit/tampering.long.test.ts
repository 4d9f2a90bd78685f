/** The service's own signature is not lent to whoever changes the trail: not by a removal, nor by a fresh entry. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashOf, hashOfStatement } from '../../src/audit/chain.ts'
import { signStatement } from '../../src/audit/checkpoint.ts'
import type { StoredAuditEntry } from '../../src/audit/entry.ts'
import { NotIntact } from '../../src/audit/removal.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { day, engines, minute, scene, settingsOf, start } from './scene.ts'

const nobody = { userId: null, clientId: null, traceId: null, address: null }

/** An entry with the right hash, as anybody can make one. */
function made(writer: string, seq: number, atMs: number, previous = ''): StoredAuditEntry {
  const entry = { atMs, writer, seq, kind: 'sign_in', ...nobody, details: '{}' }
  return { ...entry, hash: hashOf(previous, entry) }
}

const insert = ({ atMs, writer, seq, hash }: Pick<StoredAuditEntry, 'atMs' | 'writer' | 'seq' | 'hash'>): string =>
  `insert into audit_entries (at_ms, writer, seq, kind, details, hash)
     values (${atMs}, '${writer}', ${seq}, 'sign_in', '{}', '${hash}');`

for (const engine of engines) {
  describe(`a trail in the hands of whoever writes to the database, on ${engine.name}`, () => {
    it('is not cut where a row pretends to be old: it is named, and everything stays', async (t) => {
      const { process, execute, entries, time, assertFound } = await scene(t, engine)
      time.nowMs += 2 * day
      const real = (await entries())[19]
      assert.ok(real)
      const pretenders = {
        'the hash of a real entry, long before its time': { ...real, atMs: 0 },
        'a number far beyond the end': { ...real, atMs: 0, seq: 1_000_000_000 },
        'a chain that was never signed': made('00000000000000aa', 1, 0),
        'a beginning of a real chain': { ...made(real.writer, 1, 0), writer: real.writer },
      }
      for (const [what, pretender] of Object.entries(pretenders)) {
        await execute(insert(pretender))
        await process(async (storage, keeper) => {
          await assert.rejects(keeper.removeBefore(start + minute / 2, 100), NotIntact, what)
          assert.equal((await storage.audit.lastCheckpoint())?.number, 3, what)
          assert.equal((await storage.audit.stored(undefined, 100)).length, 32, what)
        })
        await assertFound(/ (removed|moved|changed|forged)/)
        await execute(`delete from audit_entries where at_ms = 0`)
      }
      await process(async (_storage, keeper) => assert.ok((await keeper.removeBefore(start + minute / 2, 100)) > 0))
    })

    it('is not cut when what is to go was changed, taken out, or made anew up to what was signed', async (t) => {
      const refused = async (statements: (rows: readonly StoredAuditEntry[]) => string, why: RegExp) => {
        const { process, execute, entries, time } = await scene(t, engine)
        await execute(statements(await entries()))
        time.nowMs += 2 * day
        await process(async (storage, keeper) => {
          const rejection = { constructor: NotIntact, message: why }
          await assert.rejects(keeper.removeBefore(time.nowMs - day, 100), rejection)
          assert.equal((await storage.audit.lastCheckpoint())?.number, 3)
        })
      }
      await refused(() => "update audit_entries set details = '{}' where seq = 7", /entry 7 of .*match its hash/)
      await refused(() => 'delete from audit_entries where seq = 7', /entry 8 of .*the one before it is missing/)
      await refused(() => 'delete from audit_entries where seq = 1', /entry 2 of .*the one before it is missing/)
      await refused((rows) => {
        let previous = ''
        const anew = rows.map(({ writer, seq, atMs }) => {
          const entry = made(writer, seq, atMs, previous)
          previous = entry.hash
          return insert(entry)
        })
        return `delete from audit_entries; ${anew.join('')}`
      }, /entry 11 of .*not the entry that was signed/)
      await refused(() => "update audit_checkpoints set at_ms = 1, statement = 'x' where number = 2", /checkpoint 2 /)
      await refused(() => "update audit_checkpoints set statement = 'x' where number = 3", /the last checkpoint/)
    })

    it('has no cut of what was not signed before, or was signed otherwise', async (t) => {
      for (const change of [{ seq: 1_000_000_000 }, { hash: 'A'.repeat(43) }]) {
        const { process, entries, assertFound, time } = await scene(t, engine)
        const last = (await entries())[30]
        assert.ok(last)
        // As a service would that does not look before it signs.
        await process(async (storage) => {
          const keys = await openKeyRing({ storage, settings: settingsOf(), clock: () => time.nowMs })
          const before = await storage.audit.lastCheckpoint()
          const previous = hashOfStatement(before?.statement ?? '')
          const { writer, seq, hash } = { ...last, ...change }
          const said = {
            number: 4,
            at: time.nowMs,
            reach: time.nowMs,
            previous,
            tails: [],
            cuts: [{ writer, seq, hash }],
          }
          const statement = await signStatement(said, keys.auditKey())
          await storage.audit.addCheckpoint({ number: 4, atMs: said.at, statement })
        })
        await assertFound(
          /checkpoint 4 is forged: it lets entry \d+ of writer [0-9a-f]+ go, which differs from what was signed/,
        )
      }
    })

    it('finds a chain of long ago that one fresh entry gets signed, and does not remove it', async (t) => {
      const { process, execute, time, write, assertFound } = await scene(t, engine)
      time.nowMs += 30 * day
      await process(async (storage, keeper) => {
        await write(storage, 1)
        await keeper.checkpoint()
      })
      time.nowMs += minute
      const writer = '00000000000000aa'
      const chain = [made(writer, 1, start + minute)]
      chain.push(made(writer, 2, start + 2 * minute, chain[0]?.hash))
      chain.push(made(writer, 3, time.nowMs, chain[1]?.hash))
      await execute(chain.map(insert).join(''))
      await process((_storage, keeper) => keeper.checkpoint())
      const expected =
        /entry 1 of writer 00000000000000aa .* is forged: it is missing from checkpoints that were signed/
      await assertFound(expected)
      // Nor is it removed, by which the service would sign it.
      time.nowMs += 2 * day
      await process(async (storage, keeper) => {
        const signed = await storage.audit.lastCheckpoint()
        await assert.rejects(keeper.removeBefore(time.nowMs - day, 100), { constructor: NotIntact, message: expected })
        assert.deepEqual(await storage.audit.lastCheckpoint(), signed)
      })
      await assertFound(expected)
    })

    it('signs the last entry of each chain, also when another has a later time and a smaller number', async (t) => {
      const { process, execute, time, write, entries, assertFound } = await scene(t, engine)
      await process((storage) => write(storage, 2))
      const last = (await entries()).at(-1)
      assert.ok(last)
      await execute(insert({ ...made(last.writer, 1, time.nowMs + 1) }))
      await process((_storage, keeper) => keeper.checkpoint())
      await execute(`delete from audit_entries where writer = '${last.writer}'`)
      await assertFound(new RegExp(`entry 1 of writer ${last.writer} was removed: it is missing; entry 2 of`))
    })

    it('holds when the clock of one process is fast, and the others go on by theirs', async (t) => {
      const { process, time, write, assertIntact } = await scene(t, engine)
      await process((one, keeperOfOne) =>
        process(async (other, keeperOfOther) => {
          // Before the fast one signs, so that its entries keep to its own clock for a while.
          await write(other, 1)
          time.nowMs += 60 * minute
          await write(one, 1)
          await keeperOfOne.checkpoint()
          time.nowMs -= 60 * minute
          for (let round = 0; round < 3; round += 1) {
            await write(other, 2)
            time.nowMs += minute
            assert.ok(await keeperOfOther.checkpoint())
          }
        }),
      )
      await assertIntact(/39 entries .*\n7 checkpoints .* nothing was recorded after it/)
    })
  })
}
