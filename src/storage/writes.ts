/** Tracks whether the database accepts writes: from commits, or with a probe when they do not tell. */
import type { Committed, Engine } from './engine.ts'
import { haveMails } from './mail-rows.ts'
import { StorageUnavailable } from './port/unavailable.ts'

export type WatchedEngine = {
  /** The same engine, with the outcome of each commit observed. */
  readonly engine: Engine
  /** The same again, without `written` and `writing`: for what a process writes about itself, such as a heartbeat. */
  readonly ownEngine: Engine
  /**
   * Resolves if the last commit succeeded at most `maxAgeMs` ago, or it succeeded and `look` does. Otherwise, after a failed
   * commit, and while one takes longer than a second, runs `probe`. Rejects with `StorageUnavailable` if nothing can be
   * written.
   */
  checkWrites(maxAgeMs: number): Promise<void>
}

/** How long a commit may take until a probe is due. */
const overdueMs = 1000

/** Whether the commit reached the disk. One that changed nothing may not have. */
export function hasWritten({ applied, changes }: Committed): boolean {
  return applied && (changes.length === 0 || changes.some((rows) => rows > 0))
}

/**
 * `probe` writes through the given engine and undoes it. Never runs twice at once. `mailsQueued`: called after a commit
 * that queued mails; `written`: after one that changed something. `look` begins to write and changes nothing, so that an idle service writes nothing to the disk: it rejects if
 * the database is read-only or locked, or its disk nearly full. Default: there is none. `writing`: asked before each commit,
 * which waits for the promise and is not sent if that rejects; undefined: it is sent at once.
 */
export function watchWrites(
  engine: Engine,
  probe: (engine: Engine) => Promise<void>,
  mailsQueued: () => void = () => {},
  look: (engine: Engine) => Promise<void> = () => Promise.reject(new Error('there is none')),
  written: () => void = () => {},
  writing: () => Promise<void> | undefined = () => undefined,
): WatchedEngine {
  /** Monotonic time of the last commit, if it succeeded. */
  let succeededAtMs: number | undefined
  let probing: Promise<void> | undefined
  /** When each unfinished commit began, oldest first. */
  const underway = new Set<{ readonly sinceMs: number }>()

  const succeed = (committed: Committed): Committed => {
    // A commit that changed nothing may not have reached the disk.
    if (hasWritten(committed)) succeededAtMs = performance.now()
    return committed
  }
  const succeedWithout = (committed: Committed): Committed => {
    if (hasWritten(succeed(committed))) written()
    return committed
  }
  const succeedWithMails = (committed: Committed): Committed => {
    if (committed.applied) mailsQueued()
    return succeedWithout(committed)
  }
  const fail = (error: unknown): never => {
    // Other errors concern the statement, not the database.
    if (error instanceof StorageUnavailable) succeededAtMs = undefined
    throw error
  }
  function commit(parameters: Parameters<Engine['commit']>, succeeded: (committed: Committed) => Committed) {
    const one = { sinceMs: performance.now() }
    underway.add(one)
    return engine.commit(...parameters).then(
      (committed) => {
        underway.delete(one)
        return succeeded(committed)
      },
      (error) => {
        underway.delete(one)
        return fail(error)
      },
    )
  }
  const watched: Engine = {
    ...engine,
    commit(...parameters) {
      const [, events] = parameters
      const succeeded = events !== undefined && haveMails(events) ? succeedWithMails : succeedWithout
      return writing()?.then(() => commit(parameters, succeeded)) ?? commit(parameters, succeeded)
    },
  }
  const ownEngine: Engine = { ...engine, commit: (...parameters) => commit(parameters, succeed) }
  /** Whether the last success says nothing about now: a commit that began after it does not end. */
  const isOverdue = (): boolean => {
    const [oldest] = underway
    if (oldest === undefined || performance.now() - oldest.sinceMs < overdueMs) return false
    return succeededAtMs === undefined || succeededAtMs < oldest.sinceMs
  }
  return {
    engine: watched,
    ownEngine,
    async checkWrites(maxAgeMs) {
      engine.checkPlace()
      const ageMs = succeededAtMs === undefined ? undefined : performance.now() - succeededAtMs
      if (ageMs !== undefined && !isOverdue()) {
        if (ageMs <= maxAgeMs || (await succeeds(look(engine)))) return
      }
      probing ??= probe(watched).finally(() => {
        probing = undefined
      })
      await probing
    },
  }
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
