/** Tracks whether the database accepts writes: from commits, or with a probe when they do not tell. */
import type { Committed, Engine } from './engine.ts'
import { haveMails } from './mail-rows.ts'
import { StorageUnavailable } from './port/unavailable.ts'

export type WatchedEngine = {
  /** The same engine, with the outcome of each commit observed. */
  readonly engine: Engine
  /**
   * Resolves if the last commit succeeded at most `maxAgeMs` ago. Otherwise, and after a failed commit, runs `probe`.
   * Rejects with `StorageUnavailable` if nothing can be written.
   */
  checkWrites(maxAgeMs: number): Promise<void>
}

/**
 * `probe` writes through the given engine and undoes it. Never runs twice at once. `mailsQueued`: called after a commit
 * that queued mails.
 */
export function watchWrites(
  engine: Engine,
  probe: (engine: Engine) => Promise<void>,
  mailsQueued: () => void = () => {},
): WatchedEngine {
  /** Monotonic time of the last commit, if it succeeded. */
  let succeededAtMs: number | undefined
  let probing: Promise<void> | undefined

  const succeed = ({ applied, changes }: Committed): void => {
    // A commit that changed nothing may not have reached the disk.
    if (applied && (changes.length === 0 || changes.some((rows) => rows > 0))) succeededAtMs = performance.now()
  }
  const fail = (error: unknown): void => {
    // Other errors concern the statement, not the database.
    if (error instanceof StorageUnavailable) succeededAtMs = undefined
  }
  const watched: Engine = {
    ...engine,
    commit(statements, events, underWay) {
      const outcome = engine.commit(statements, events, underWay)
      outcome.then(succeed, fail)
      if (events !== undefined && haveMails(events)) outcome.then(({ applied }) => applied && mailsQueued(), fail)
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
