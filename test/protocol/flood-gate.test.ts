import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { floodGate, tally } from '../../src/protocol/flood-gate.ts'

const limits = { perNetwork: 60, inAll: 600 }

/** How many of so many events of each network are admitted at that time. */
function admittedOf(gate: ReturnType<typeof floodGate>, networks: readonly string[], events: number, nowMs = 0) {
  return networks.map(
    (network) =>
      Array.from({ length: events }, () => gate.admits(network, nowMs)).filter((admitted) => admitted).length,
  )
}

const named = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

describe('what a flood may have written down', () => {
  it('is so much for each network a minute, and no more before the next', () => {
    const gate = floodGate(limits)
    assert.deepEqual(admittedOf(gate, ['a'], 1000), [60])
    assert.deepEqual(admittedOf(gate, ['a'], 1000, 59_999), [0])
    assert.deepEqual([gate.isOver(59_999), gate.isOver(60_000)], [false, true])
    assert.deepEqual(admittedOf(gate, ['a'], 1000, 60_000), [60])
  })

  it('is so much in all, however many networks there are', () => {
    const gate = floodGate(limits)
    const admitted = admittedOf(gate, named(10_000, 'n'), 10)
    assert.equal(
      admitted.reduce((sum, count) => sum + count, 0),
      600,
    )
  })

  it('leaves room to see others when a few networks use up theirs', () => {
    const gate = floodGate(limits)
    admittedOf(gate, named(100, 'loud'), 1000)
    const before = floodGate(limits)
    admittedOf(before, named(5, 'loud'), 1000)
    assert.deepEqual(admittedOf(before, named(20, 'quiet'), 1), Array(20).fill(1))
  })
})

describe('what a flood was counted for', () => {
  it('names how many there were, of how many networks, and who had the most', () => {
    const held = tally()
    assert.equal(held.count, 0)
    for (const [network, times] of [
      ['a', 5],
      ['b', 700],
      ['c', 20],
      ['d', 10],
    ] as const) {
      for (let at = 0; at < times; at += 1) held.add(network)
    }
    held.add(null, 7)
    assert.deepEqual(held.told(), { count: 742, networks: 4, most: ['b: 700', 'c: 20', 'd: 10'] })
    const sum = tally()
    sum.add('d', 30)
    sum.addAll(held)
    assert.deepEqual(sum.told(), { count: 772, networks: 4, most: ['b: 700', 'd: 40', 'c: 20'] })
  })

  it('holds no more than a thousand networks, whatever is sent', () => {
    const held = tally()
    for (const network of named(100_000, 'n')) held.add(network)
    assert.deepEqual([held.count, held.networks.size], [100_000, 1000])
  })
})
