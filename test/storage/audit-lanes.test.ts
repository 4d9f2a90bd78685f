import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toDraft } from '../../src/audit/draft.ts'
import type { Committed } from '../../src/storage/engine.ts'
import { auditLanes, type TrailState } from '../../src/storage/postgres/audit.ts'
import { anEvent } from './records.ts'

it('reads the state of the trail once for all first entries on PostgreSQL, also after a read that failed, and keeps it', async () => {
  let reads = 0
  let isLost = true
  const lanes = auditLanes(async (): Promise<TrailState> => {
    reads += 1
    await Promise.resolve()
    if (isLost) throw new Error('The connection was lost.')
    return { floorMs: 0, partitions: [] }
  })
  const commit = async (): Promise<Committed> => ({ applied: true, changes: [1] })
  const record = () => lanes.record([toDraft(anEvent())], commit)
  await assert.rejects(record(), /lost/)
  isLost = false
  await Promise.all(Array.from({ length: 20 }, record))
  for (let entry = 0; entry < 20; entry += 1) await record()
  assert.equal(reads, 2)
})
