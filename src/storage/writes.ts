/** Whether a database takes writes: known from the commits, and found out by a write of its own when they do not say. */
import type { Committed, Engine } from './engine.ts'
import { StorageUnavailable } from './port/port.ts'

export type WatchedEngine = {
  /** The same engine; the outcome of each commit is remembered. */
  readonly engine: Engine
  /**
   * Resolves when the last commit succeeded, at most `maxAgeMs` ago. After a failed commit, before the first one, and
   * when the last one is older, runs `probe`. Rejects with `StorageUnavailable` when nothing can be written.
   */
  checkWrites(maxAgeMs: number): Promise<void>
}

/** `probe` writes something over the engine that it is given, and takes it back. Never run twice at once. */
export function watchWrites(engine: Engine, probe: (engine: Engine) => Promise<void>): WatchedEngine {
  /** Monotonic time of the last commit, when that succeeded. */
  let succeededAtMs: number | undefined
  let probing: Promise<void> | undefined

  const succeed = ({ applied, changes }: Committed): void => {
    // A commit that changed nothing may not have reached the disk.
    if (applied && (changes.length === 0 || changes.some((rows) => rows > 0))) succeededAtMs = performance.now()
  }
  const fail = (error: unknown): void => {
    // Other errors are about the statement.
    if (error instanceof StorageUnavailable) succeededAtMs = undefined
  }
  const watched: Engine = {
    ...engine,
    commit(statements, events, underWay) {
      const outcome = engine.commit(statements, events, underWay)
      outcome.then(succeed, fail)
      return outcome
    },
  }
  return {
    engine: watched,
    async checkWrites(maxAgeMs) {
      engine.checkPlace()
      if (succeededAtMs !== undefined && performance.now() - succeededAtMs <= maxAgeMs) return
      probing ??= probe(watched).finally(() => {
        probing = undefined
      })
      await probing
    },
  }
}
