/**
 * `GET /healthz`: liveness. `GET /readyz`: readiness; a load balancer sends requests only while it succeeds. Both are
 * public and reveal no more than which part is missing.
 */

import { json } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import type { Service } from '../service.ts'

/** Parts the service needs. `writes`: the database is readable but read-only. */
export type Part = 'database' | 'migrations' | 'writes' | 'keys'

/** Whether the process was told to stop. From then on it is not ready, whatever the state of its parts. */
export type Lifecycle = { readonly isStopping: boolean }

/** How long the database may take to answer. Load balancers time out after a few seconds. */
export const databaseDeadlineMs = 2_000
/** How long an answer is cached, so that frequent probes query the database once a second at most. */
const answerLifetimeMs = 1_000

/** Does no I/O: restarting the process does not repair an unreachable database. */
export function liveness(): Endpoint {
  return async () => json({ status: 'alive' })
}

/** Answers 200 `{"status":"ready"}`, or 503 with `{"status":"not_ready","missing":[…]}` or `{"status":"stopping"}`. */
export function readiness(service: Service, lifecycle: Lifecycle): Endpoint {
  let known: { readonly missing: Promise<readonly Part[]>; readonly atMs: number } | undefined
  const missingParts = (): Promise<readonly Part[]> => {
    const nowMs = service.clock()
    // A clock that was set back must not extend the cached answer.
    if (known === undefined || nowMs < known.atMs || nowMs - known.atMs >= answerLifetimeMs) {
      known = { missing: findMissing(service), atMs: nowMs }
    }
    return known.missing
  }
  return async () => {
    if (lifecycle.isStopping) return json({ status: 'stopping' }, 503)
    const missing = await missingParts()
    return missing.length === 0 ? json({ status: 'ready' }) : json({ status: 'not_ready', missing }, 503)
  }
}

async function findMissing({ storage, keys }: Service): Promise<Part[]> {
  const [pending, writes, ring] = await Promise.allSettled([
    inTime(storage.pendingMigrations()),
    inTime(storage.checkWrites()),
    // Fails when another process has added a key that this process's master key cannot decrypt.
    inTime(keys.refresh(answerLifetimeMs)).then(() => keys.checkComplete()),
  ])
  if (pending.status === 'rejected') return ['database']
  const missing: Part[] = pending.value.length === 0 ? [] : ['migrations']
  if (writes.status === 'rejected') missing.push('writes')
  if (ring.status === 'rejected') missing.push('keys')
  return missing
}

/** Rejects when `work` exceeds the deadline; a later result is ignored. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), databaseDeadlineMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
