import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadBeside, onDemand } from '../src/on-demand.ts'

describe('a part that is loaded on demand', () => {
  it('is loaded once by calls that come together, and not before', async () => {
    let loads = 0
    const part = onDemand(async () => ({ number: ++loads }))
    assert.equal(loads, 0)
    const [one, other] = await Promise.all([part(), part()])
    assert.equal(one, other)
    assert.equal(await part(), one)
    assert.equal(loads, 1)
  })

  it('is provided without a promise once it is there', async () => {
    const part = onDemand(async () => ({}))
    const loaded = await part()
    assert.equal(part(), loaded)
  })

  it('is tried again after a failure, which all waiting calls get', async () => {
    let loads = 0
    const part = onDemand(async () => {
      loads += 1
      if (loads === 1) throw new Error('it cannot be read now')
      return { loads }
    })
    const failures = await Promise.allSettled([part(), part()])
    assert.deepEqual(
      failures.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(loads, 1)
    assert.deepEqual(await part(), { loads: 2 })
  })
})

describe('parts that are loaded beside requests', () => {
  /** Holds up the event loop, as a load does. */
  const hold = async (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until; );
  }

  it('come one after the other, and leave the event loop longer to others than they held it up', async () => {
    const loads: { readonly beganAtMs: number; readonly endedAtMs: number }[] = []
    const part = async () => {
      const beganAtMs = performance.now()
      await hold(10)
      loads.push({ beganAtMs, endedAtMs: performance.now() })
    }
    await loadBeside([part, part, part], () => false)
    assert.equal(loads.length, 3)
    for (const [at, { beganAtMs }] of loads.entries()) {
      const before = loads[at - 1]
      if (before === undefined) continue
      assert.ok(beganAtMs - before.endedAtMs > 2 * (before.endedAtMs - before.beganAtMs))
    }
  })

  it('end when the service stops, and one that cannot be loaded keeps none of the others away', async () => {
    const loaded: string[] = []
    const named = (name: string) => async () => void loaded.push(name)
    const broken = () => Promise.reject(new Error('it cannot be read now'))
    await loadBeside([named('one'), broken, named('two'), named('three')], () => loaded.length === 2)
    assert.deepEqual(loaded, ['one', 'two'])
  })
})
