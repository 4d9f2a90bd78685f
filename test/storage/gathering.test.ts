/** How readings of many requests come together, and that what becomes of one is not what becomes of another. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { gatheringReadings, type ReadingParts } from '../../src/storage/postgres/gathered-readings.ts'
import type { Statement, Value } from '../../src/storage/sql/statement.ts'

const reading = (id: Value, kind = 'person'): Statement => ({
  mustChange: false,
  gathered: () => [{ type: 'text' }],
  toSql: () => ({ text: `select ${kind} where id = $1`, parameters: [id], toRow: ([id]) => ({ id }) }),
})

/** What was sent, and how it ends. */
type Sent = { readonly ids: readonly string[]; answer(): void; fail(error: Error): void }

function scene(parts: Partial<ReadingParts> = {}) {
  const sent: Sent[] = []
  let nowMs = 0
  const sending = (ids: readonly string[]): Promise<Value[][]> => {
    const { promise, resolve, reject } = Promise.withResolvers<Value[][]>()
    const rows = ids.map((id, at) => [id, at + 1])
    sent.push({ ids, answer: () => resolve(rows.filter(([id]) => id !== 'nobody').toReversed()), fail: reject })
    return promise
  }
  const due: (() => void)[] = []
  const { read, drained } = gatheringReadings({
    async alone(statement) {
      const { parameters, toRow } = statement.toSql('postgres')
      return (await sending(parameters.map(String))).map((values) => toRow?.(values))
    },
    send: (_, [array]) => sending(String(array).slice(2, -2).split('","')),
    waitingAtMost: 5000,
    waitMs: 2000,
    refusal: (reason) => new Error(reason),
    monotonic: () => nowMs,
    later: (work) => void due.push(work),
    // Each comes in a turn of its own.
    atEndOfTurn: (work) => work(),
    ...parts,
  })
  const idsOf = async (statement: Statement): Promise<string[]> =>
    (await read(statement)).map((row) => (row as { id: string }).id)
  const pass = (ms: number): void => {
    nowMs += ms
    for (const work of due.splice(0)) work()
  }
  return { sent, read: idsOf, drained, pass, ids: () => sent.map(({ ids }) => ids.join(' ')) }
}

describe('readings of the same kind', () => {
  it('are sent at once while few are under way, and together when they had to wait', async () => {
    const { sent, read, ids } = scene()
    const answers = Promise.all(['a', 'b', 'c', 'nobody', 'e'].map((id) => read(reading(id))))
    assert.deepEqual(ids(), ['a', 'b'])
    sent[0]?.answer()
    await turn()
    assert.deepEqual(ids(), ['a', 'b', 'c nobody e'])
    sent[1]?.answer()
    sent[2]?.answer()
    assert.deepEqual(await answers, [['a'], ['b'], ['c'], [], ['e']])
    const later = read(reading('f'))
    assert.deepEqual(ids(), ['a', 'b', 'c nobody e', 'f'])
    sent[3]?.answer()
    assert.deepEqual(await later, ['f'])
  })

  it('that come in one turn of the event loop go together at its end, and one by itself alone', async () => {
    const ends: (() => void)[] = []
    const { sent, read, ids } = scene({ atEndOfTurn: (work) => void ends.push(work) })
    const endTurn = (): void => {
      for (const work of ends.splice(0)) work()
    }
    const answers = ['a', 'b', 'c'].map((id) => read(reading(id)))
    assert.deepEqual(ids(), [])
    endTurn()
    assert.deepEqual(ids(), ['a b c'])
    answers.push(read(reading('d')))
    endTurn()
    assert.deepEqual(ids(), ['a b c', 'd'])
    // Two are under way.
    answers.push(read(reading('e')), read(reading('f')))
    endTurn()
    assert.deepEqual(ids(), ['a b c', 'd'])
    sent[1]?.answer()
    await turn()
    assert.deepEqual(ids(), ['a b c', 'd', 'e f'])
    sent[0]?.answer()
    sent[2]?.answer()
    assert.deepEqual(await Promise.all(answers), [['a'], ['b'], ['c'], ['d'], ['e'], ['f']])
  })

  it('are sent before the turn of the event loop ends when nothing more is to come', async () => {
    const { sent, read, drained, ids } = scene({ atEndOfTurn: () => {} })
    const answers = ['a', 'b'].map((id) => read(reading(id)))
    const end = drained()
    assert.deepEqual(ids(), ['a b'])
    sent[0]?.answer()
    await end
    assert.deepEqual(await Promise.all(answers), [['a'], ['b']])
  })

  it('do not wait for those of another kind', () => {
    const { read, ids } = scene()
    for (const kind of ['person', 'session', 'client']) for (const id of ['a', 'b', 'c']) void read(reading(id, kind))
    assert.deepEqual(ids(), ['a', 'b', 'a', 'b', 'a', 'b'])
  })

  it('are no more than 64 in one statement', async () => {
    const { sent, read } = scene()
    const all = Array.from({ length: 200 }, (_, at) => `n${at}`)
    const answers = Promise.all(all.map((id) => read(reading(id))))
    for (let at = 0; at < 6; at += 1) {
      sent[at]?.answer()
      await turn()
    }
    assert.deepEqual(
      sent.map(({ ids }) => ids.length),
      [1, 1, 64, 64, 64, 6],
    )
    assert.deepEqual(
      await answers,
      all.map((id) => [id]),
    )
  })

  it('are repeated one by one when a statement for several fails, so that the fault of one is its own', async () => {
    const { sent, read, ids } = scene()
    const answers = Promise.allSettled(['a', 'b', 'c', 'wrong', 'e'].map((id) => read(reading(id))))
    sent[0]?.answer()
    sent[1]?.answer()
    await turn()
    sent[2]?.fail(new Error('no such value'))
    await turn()
    assert.deepEqual(ids(), ['a', 'b', 'c wrong e', 'c', 'wrong', 'e'])
    for (const one of sent.slice(3)) one.ids[0] === 'wrong' ? one.fail(new Error('no such value')) : one.answer()
    const outcomes = (await answers).map((one) => (one.status === 'fulfilled' ? one.value[0] : one.reason.message))
    assert.deepEqual(outcomes, ['a', 'b', 'c', 'no such value', 'e'])
  })

  it('fail together, and are not repeated, when the database is out of reach; those that come later are read', async () => {
    const { sent, read, ids } = scene()
    const answers = Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => read(reading(id))))
    sent[0]?.answer()
    sent[1]?.answer()
    await turn()
    sent[2]?.fail(new StorageUnavailable('gone'))
    await answers
    assert.deepEqual(ids(), ['a', 'b', 'c d'])
    const later = read(reading('e'))
    sent[3]?.answer()
    assert.deepEqual(await later, ['e'])
  })

  it('are refused when too many wait, whatever their kind', async () => {
    const { sent, read } = scene({ waitingAtMost: 2 })
    const answers = ['a', 'b', 'c', 'd'].map((id) => read(reading(id)))
    await assert.rejects(read(reading('e')), /full/)
    const others = ['a', 'b'].map((id) => read(reading(id, 'session')))
    await assert.rejects(read(reading('c', 'session')), /full/)
    sent[0]?.answer()
    await turn()
    for (const one of sent) one.answer()
    assert.deepEqual(await Promise.all([...answers, ...others]), [['a'], ['b'], ['c'], ['d'], ['a'], ['b']])
  })

  it('wait no longer than 5 ms for a statement that is held up, and come together', async () => {
    const { sent, read, pass, ids } = scene()
    const answers = ['held', 'up', 'c', 'd'].map((id) => read(reading(id)))
    pass(4)
    assert.deepEqual(ids(), ['held', 'up'])
    pass(1)
    assert.deepEqual(ids(), ['held', 'up', 'c d'])
    sent[2]?.answer()
    assert.deepEqual(await Promise.all(answers.slice(2)), [['c'], ['d']])
    const later = ['e', 'f'].map((id) => read(reading(id)))
    pass(5)
    assert.deepEqual(ids().slice(3), ['e f'])
    sent[3]?.answer()
    assert.deepEqual(await Promise.all(later), [['e'], ['f']])
  })

  it('are held up in eight statements at most, and refused in time while all of them are', async () => {
    const { sent, read, pass } = scene()
    const late: Promise<unknown>[] = []
    for (let at = 0; at < 12; at += 1) {
      const answer = read(reading(`n${at}`))
      if (at >= 8) late.push(assert.rejects(answer, /late/))
      pass(5)
    }
    assert.equal(sent.length, 8)
    pass(2000)
    await Promise.all(late)
    assert.equal(late.length, 4)
    assert.equal(sent.length, 8)
  })

  it('are repeated one by one when they lost a race together (SQLSTATE 40001)', async () => {
    const { sent, read, ids } = scene()
    const answers = ['a', 'b', 'c', 'd'].map((id) => read(reading(id)))
    sent[0]?.answer()
    sent[1]?.answer()
    await turn()
    const cause = Object.assign(new Error('could not serialize access'), { code: '40001' })
    sent[2]?.fail(new StorageUnavailable('too many changes at once', { cause }))
    await turn()
    assert.deepEqual(ids(), ['a', 'b', 'c d', 'c', 'd'])
    sent[3]?.answer()
    sent[4]?.answer()
    assert.deepEqual(await Promise.all(answers), [['a'], ['b'], ['c'], ['d']])
  })

  it('are traced as a batch with the span of each, and not when one goes alone', async () => {
    const batches: string[][] = []
    const ids = ['1', '2', '3', '4']
    const { sent, read } = scene({
      tracing: {
        spanHere: () => ({ traceId: 'trace', spanId: `span ${ids.shift()}`, traceFlags: 1 }),
        storageBatch: (members, work) => {
          batches.push(members.map(({ spanId }) => spanId))
          return work()
        },
      },
    })
    const answers = ['a', 'b', 'c', 'd'].map((id) => read(reading(id)))
    sent[0]?.answer()
    await turn()
    for (const one of sent) one.answer()
    assert.deepEqual(await Promise.all(answers), [['a'], ['b'], ['c'], ['d']])
    assert.deepEqual(batches, [['span 3', 'span 4']])
  })

  it('with NUL find nothing, and are in no statement for others', async () => {
    const { read, ids } = scene()
    assert.deepEqual(await read(reading('a\0b')), [])
    assert.deepEqual(ids(), [])
  })
})
