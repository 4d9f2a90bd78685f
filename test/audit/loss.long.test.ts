/** Events that the database does not take are lost by themselves: others are written, and the loss is told. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { auditLossLog } from '../../src/server/audit-loss.ts'
import { anEvent } from '../storage/records.ts'
import { valuesOf } from '../support/values.ts'
import { engines, scene } from './scene.ts'

/** Has the database refuse entries of one client, as it would a text that it cannot hold. */
const refusePoison = {
  SQLite: `create trigger poison before insert on audit_entries when new.client_id = 'poison'
    begin select raise(abort, 'no poison'); end`,
  PostgreSQL: "alter table audit_entries add constraint no_poison check (client_id <> 'poison')",
}

for (const engine of engines) {
  describe(`an event that ${engine.name} refuses`, () => {
    it('is dropped and told of, and blocks none that was noted with it or comes later', async (t) => {
      const { process, execute, losses, time, assertIntact, latchkey } = await scene(t, engine)
      await execute(refusePoison[engine.name as keyof typeof refusePoison])
      await process(async ({ audit }) => {
        const note = (clientId: string) => {
          time.nowMs += 1
          audit.note(anEvent({ kind: 'refusal', atMs: time.nowMs, clientId }))
        }
        for (const clientId of ['before', 'poison', 'after', 'poison']) note(clientId)
        await audit.flush()
        assert.deepEqual(valuesOf(losses, 'events'), [1, 1])
        for (const { cause } of losses) assert.match(cause, /no.poison/)
        note('later')
        await audit.flush()
        const written = await audit.newest({}, 10)
        assert.deepEqual(
          written.slice(-4).map(({ kind, clientId }) => `${kind} ${clientId}`),
          ['refusal before', 'refusal after', 'not_recorded null', 'refusal later'],
        )
        assert.deepEqual(written.at(-2)?.details, { count: 2, reason: 'unwritable' })
        assert.equal(losses.length, 2)
      })
      await assertIntact(/\nOf the events, 2 could not be written\. See: latchkey audit list --kind not_recorded/)
      const { stdout } = await latchkey('doctor')
      assert.match(
        stdout,
        /! The audit trail is not complete\. Of the events, 2 could not be written\.\n {2}The last of /,
      )
      time.nowMs += 8 * 24 * 3_600_000
      assert.match(
        (await latchkey('doctor')).stdout,
        /✓ The audit trail has recorded everything in the last seven days/,
      )
    })
  })
}

describe('the log about lost events', () => {
  it('has a line a minute for each cause, with how many there were', () => {
    let nowMs = 0
    const lines: unknown[] = []
    const loss = auditLossLog({ error: (line: unknown) => lines.push(line) } as never, () => nowMs)
    for (let at = 0; at < 1000; at += 1) loss.report({ events: 1, cause: 'a' })
    loss.report({ events: 2, cause: 'b' })
    nowMs = 60_000
    loss.report({ events: 1, cause: 'a' })
    for (let at = 0; at < 1000; at += 1) loss.report({ events: 1, cause: `cause ${at}` })
    assert.deepEqual(lines.slice(0, 3), [
      { events: 1, cause: 'a' },
      { events: 2, cause: 'b' },
      { events: 1000, cause: 'a' },
    ])
    assert.equal(lines.length, 34)
    assert.equal(loss.total(), 2003)
  })
})
