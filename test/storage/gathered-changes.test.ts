/** How changes of many requests come together, and that what becomes of one is not what becomes of another. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { newTail } from '../../src/audit/chain.ts'
import { type EntryRow, entryColumns } from '../../src/storage/audit-rows.ts'
import type { Committed } from '../../src/storage/engine.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { gatheringChanges } from '../../src/storage/postgres/gathered-changes.ts'
import type { Statement, Value } from '../../src/storage/sql/statement.ts'

const change = (id: string, text = 'one', more = ''): Statement => ({
  mustChange: true,
  gathered: () => [{ type: 'text' }, { type: 'text' }],
  changed: { column: 'id', key: id },
  toSql: () => ({ text: `update ${text} set more = $2 where id = $1`, parameters: [id, more] }),
})

/** What was sent, and how it ends. */
type Sent = { readonly keys: readonly string[]; readonly text?: string; answer(): void; fail(error: Error): void }

function scene() {
  const sent: Sent[] = []
  const due: (() => void)[] = []
  let nowMs = 0
  const changes = gatheringChanges({
    alone: ({ statement }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Committed>()
      const key = String(statement.changed?.key)
      const isFound = !key.startsWith('no')
      const outcome = isFound ? { applied: true, changes: [1] } : { applied: false, changes: [] }
      sent.push({ keys: [key], answer: () => resolve(outcome), fail: reject })
      return promise
    },
    send: (text, [ids]) => {
      const { promise, resolve, reject } = Promise.withResolvers<Value[][]>()
      const keys = String(ids).slice(2, -2).split('","')
      const found = keys.filter((key) => !key.startsWith('no')).map((key) => [key])
      sent.push({ keys, text, answer: () => resolve(found.toReversed()), fail: reject })
      return promise
    },
    waitingAtMost: 5000,
    waitMs: 2000,
    refusal: (reason) => new Error(reason),
    monotonic: () => nowMs,
    later: (work) => void due.push(work),
    // Each comes in a turn of its own.
    atEndOfTurn: (work) => work(),
  })
  const commit = (statement: Statement, entries: readonly EntryRow[] = []) =>
    (changes.commit([statement], entries) ?? Promise.reject(new Error('not gathered'))).then(({ applied }) => applied)
  const pass = (ms: number): void => {
    nowMs += ms
    for (const work of due.splice(0)) work()
  }
  return { sent, changes, commit, pass, keys: () => sent.map(({ keys }) => keys.join(' ')) }
}

const refused = (code: string) => Object.assign(new Error('refused'), { name: 'PostgresError', code })

/** Two under way, and then those that go together. */
async function afterTwo({ sent, commit }: ReturnType<typeof scene>, ids: readonly string[]) {
  const answers = Promise.allSettled(['a', 'b', ...ids].map((id) => commit(change(id))))
  sent[0]?.answer()
  sent[1]?.answer()
  await turn()
  return answers
}

describe('changes of the same kind', () => {
  it('are sent at once while few are under way, and then together, each with its own outcome, and none before its commit', async () => {
    const { sent, commit, keys } = scene()
    const done: string[] = []
    const answers = Promise.all(
      ['a', 'b', 'c', 'nobody', 'e'].map((id) =>
        commit(change(id)).then((applied) => {
          done.push(id)
          return applied
        }),
      ),
    )
    assert.deepEqual(keys(), ['a', 'b'])
    sent[0]?.answer()
    await turn()
    assert.deepEqual(keys(), ['a', 'b', 'c nobody e'])
    assert.deepEqual(done, ['a'])
    sent[1]?.answer()
    sent[2]?.answer()
    assert.deepEqual(await answers, [true, true, true, false, true])
  })

  it('of one key are never in one statement, and go in their order', async () => {
    const { sent, commit, keys } = scene()
    const ids = ['a', 'b', 'c', 'd', 'c', 'e', 'c', 'd']
    const answers = Promise.all(ids.map((id) => commit(change(id))))
    sent[0]?.answer()
    for (let at = 1; at < 5; at += 1) {
      await turn()
      sent[at]?.answer()
    }
    await answers
    assert.deepEqual(keys(), ['a', 'b', 'c d e', 'c d', 'c'])
  })

  for (const [code, what] of [
    ['40001', 'lost a race'],
    ['40P01', 'met in a deadlock'],
    ['55P03', 'waited for a lock'],
    ['23505', 'lost a race for a unique value'],
    ['23502', 'met a value that cannot be stored'],
  ] as const) {
    it(`are committed one by one when they ${what} together (SQLSTATE ${code})`, async () => {
      const one = scene()
      const answers = afterTwo(one, ['c', 'nobody', 'e'])
      await turn()
      await turn()
      const error = refused(code)
      one.sent[2]?.fail(code < '23999' ? error : new StorageUnavailable('not now', { cause: error }))
      await turn()
      assert.deepEqual(one.keys(), ['a', 'b', 'c nobody e', 'c', 'nobody', 'e'])
      one.sent[3]?.answer()
      one.sent[4]?.answer()
      // The last one is it, and takes the time that it needs.
      one.sent[5]?.fail(code < '23999' ? error : new StorageUnavailable('not now', { cause: error }))
      await turn()
      assert.deepEqual(
        one.sent.slice(3).map(({ keys, text }) => `${keys[0]} ${text !== undefined}`),
        ['c true', 'nobody true', 'e true', 'e false'],
      )
      one.sent[6]?.answer()
      const outcomes = (await answers).map((outcome) => outcome.status === 'fulfilled' && outcome.value)
      assert.deepEqual(outcomes, [true, true, true, false, true])
    })
  }

  for (const [what, error] of [
    ['the connection was lost', new StorageUnavailable('gone', { cause: new Error('CONNECTION_CLOSED') })],
    ['there was no answer in time', new StorageUnavailable('silent')],
    ['the server was stopped', new StorageUnavailable('gone', { cause: refused('57P01') })],
    ['the driver failed', new TypeError('of the driver')],
  ] as const) {
    it(`fail together, and are not committed again, when ${what}: they may be stored`, async () => {
      const one = scene()
      const answers = afterTwo(one, ['c', 'd'])
      await turn()
      await turn()
      one.sent[2]?.fail(error)
      assert.deepEqual(
        (await answers).map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected', 'rejected'],
      )
      assert.deepEqual(one.keys(), ['a', 'b', 'c d'])
    })
  }

  it('wait no longer than 5 ms for those that are held up', async () => {
    const { commit, pass, keys } = scene()
    for (const id of ['held', 'up', 'c', 'd']) void commit(change(id))
    pass(5)
    assert.deepEqual(keys(), ['held', 'up', 'c d'])
  })

  it('are not gathered with several statements, a dear one, or one with NUL', () => {
    const { changes } = scene()
    assert.equal(changes.commit([change('a'), change('b')], []), undefined)
    assert.equal(changes.commit([change('a', 'one', 'x'.repeat(20_000))], []), undefined)
    assert.equal(changes.commit([change('a', 'one', '\0')], []), undefined)
    assert.equal(changes.commit([{ mustChange: true, toSql: () => ({ text: '', parameters: [] }) }], []), undefined)
    assert.equal(changes.waiting(), 0)
  })

  it('read the entries that theirs continue from one partition', async () => {
    const { sent, changes, commit, keys } = scene()
    const entry = (partition?: string): EntryRow => ({
      values: entryColumns.map(() => null),
      after: newTail('acts'),
      partition,
    })
    for (const id of ['a', 'b', 'c', 'd']) void commit(change(id), [entry('audit_entries_7')])
    for (const id of ['e', 'f', 'g', 'h']) void commit(change(id), [entry('audit_entries_8')])
    for (const one of sent.slice(0)) one.answer()
    await turn()
    assert.deepEqual(keys().slice(4), ['c d', 'g h'])
    assert.match(sent[4]?.text ?? '', /select seq \+ 1 from audit_entries_7 /)
    assert.match(sent[5]?.text ?? '', /select seq \+ 1 from audit_entries_8 /)
    assert.equal(changes.commit([change('i')], [entry('audit_entries_7'), entry('audit_entries_8')]), undefined)
  })
})
