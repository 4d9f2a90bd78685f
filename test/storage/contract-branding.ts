import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrand } from '../../src/protocol/branding/brand.ts'
import { anEvent, countOf, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function brandingContract(storageFor: StorageFor): void {
  describe('the brand', () => {
    it('is stored once by twenty who change it at the same time, with one entry', async (t) => {
      const { branding, audit } = await storageFor(t)
      assert.deepEqual(await branding.find(), { version: 0, members: noBrand })
      assert.equal(await branding.version(), 0)
      for (const round of [1, 2]) {
        const before = await branding.find()
        const names = Array.from({ length: 20 }, (_, n) => `Orchard ${round} ${n}`)
        const done = await Promise.all(
          names.map((name) => branding.change(before, { ...noBrand, name }, now, [anEvent()])),
        )
        assert.equal(countOf(done, true), 1)
        assert.equal(await branding.version(), round)
        assert.deepEqual(await branding.find(), {
          version: round,
          members: { ...noBrand, name: names[done.indexOf(true)] },
        })
        assert.equal((await audit.newest({}, 99)).length, round)
      }
    })
  })
}
