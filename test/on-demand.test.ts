import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { onDemand } from '../src/on-demand.ts'

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
