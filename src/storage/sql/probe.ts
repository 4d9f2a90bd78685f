/** A write without meaning, which tests whether the database accepts writes. */
import { randomUUID } from 'node:crypto'
import type { Engine } from '../engine.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'

type Probe = { id: string }

/** Already expired, so that the sweeper removes it if it cannot be deleted here. */
const expiresAtMs = 0

const write = prepare('probe.write', (db, p: Placeholders<Probe>) =>
  db.insertInto('spent_values').values({ id: p.id, expires_at_ms: expiresAtMs }),
)

const takeBack = prepare('probe.takeBack', (db, p: Placeholders<Probe>) =>
  db.deleteFrom('spent_values').where('id', '=', p.id),
)

/** Begins to write, and changes nothing: no id is empty. Nothing reaches the disk. */
export async function lookForWrites(engine: Engine): Promise<void> {
  await engine.checkRoom?.()
  await engine.commit([takeBack({ id: '' })])
}

/** Runs two commits; each is durable when it resolves. */
export async function probeWrites(engine: Engine): Promise<void> {
  const row = { id: `probe-${randomUUID()}` }
  await engine.commit([mustChange(write(row))])
  await engine.commit([takeBack(row)])
}
