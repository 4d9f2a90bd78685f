/**
 * `GET /healthz`: the process is alive. `GET /readyz`: it can do its work; a load balancer sends it requests only then.
 * Both are open to everybody, and say no more than which part is missing.
 */

import { json } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import type { Service } from '../service.ts'

/** What the service cannot work without; `writes`: the database can be read, and takes no writes. */
export type Part = 'database' | 'migrations' | 'writes' | 'keys'

/** Whether the process was told to stop. From then on it is not ready, whatever else is in order. */
export type Lifecycle = { readonly isStopping: boolean }

/** How long the database may take to answer. Load balancers give up after a few seconds. */
export const databaseDeadlineMs = 2_000
/** An answer is good for so long: whoever asks, and however often, the database is asked once a second. */
const answerLifetimeMs = 1_000

/** Without any I/O: a database that is away is no reason to start the process again. */
export function liveness(): Endpoint {
  return async () => json({ status: 'alive' })
}

/** 200 `{"status":"ready"}`; 503 `{"status":"not_ready","missing":[…]}`, or `{"status":"stopping"}`. */
export function readiness(service: Service, lifecycle: Lifecycle): Endpoint {
  let known: { readonly missing: Promise<readonly Part[]>; readonly atMs: number } | undefined
  const missingParts = (): Promise<readonly Part[]> => {
    const nowMs = service.clock()
    // A clock that was set back must not keep an old answer.
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
    // Fails when a key has come that the master key of this process cannot open.
    inTime(keys.refresh(answerLifetimeMs)).then(() => keys.checkComplete()),
  ])
  if (pending.status === 'rejected') return ['database']
  const missing: Part[] = pending.value.length === 0 ? [] : ['migrations']
  if (writes.status === 'rejected') missing.push('writes')
  if (ring.status === 'rejected') missing.push('keys')
  return missing
}

/** Rejects when `work` takes longer than the deadline; nobody waits for what comes of it then. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), databaseDeadlineMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
