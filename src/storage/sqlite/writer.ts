import { newTails, type Tails } from '../../audit/chain.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { startThread, type Thread, type ThreadEnded } from '../../thread.ts'
import type { UnderWay } from '../port/grants.ts'
import { StorageUnavailable } from '../port/unavailable.ts'
import type { Commit, Failure, Outcome, Written } from './batch.ts'
import { pack } from './message.ts'
import type { WriterAnswer, WriterRequest, WriterSettings } from './worker.ts'

/** Writes batches one at a time. A failure applies to the whole batch. */
export type Writer = {
  write(batch: readonly Commit[]): Promise<readonly Outcome[] | Failure>
  close(): Promise<void>
}

/** Maximum commits per batch. Bounds how long the first one waits for the last. */
const batchAtMost = 512

/** Maximum ticks of the event loop that a batch waits for further commits, so that a flood cannot delay it. */
const ticksAtMost = 8

/** A commit, and whom to tell of its outcome. */
type Waiting = {
  readonly commit: Commit
  readonly settle: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
  readonly underWay: UnderWay | undefined
}

/** Group commit: everything that arrives while a batch is being written joins the next one. */
export function groupCommits(writer: Writer, metrics?: Metrics) {
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  metrics?.gauge('sqlite_commits_waiting', () => waiting.length)

  /** Gives clients that were just answered, and requests being read from their sockets, a chance to join. */
  async function gather(): Promise<void> {
    let before = 0
    // A batch costs as much as several commits, so it waits while each tick adds more of them.
    for (let tick = 0; tick < ticksAtMost && before < waiting.length; tick += 1) {
      before = waiting.length
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await gather()
      const batch = waiting.slice(0, batchAtMost)
      waiting = waiting.slice(batchAtMost)
      metrics?.commitBatch(batch.length)
      try {
        const written = writer.write(batch.map(({ commit }) => commit))
        for (const { underWay } of batch) underWay?.()
        const answer = await written
        const failure = 'message' in answer ? { failure: answer } : undefined
        for (const [at, { settle }] of batch.entries()) settle(failure ?? ((answer as Outcome[])[at] as Outcome))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    writing = undefined
  }

  return {
    add(commit: Waiting): void {
      waiting.push(commit)
      writing ??= writeAll()
    },
    /** Writes all accepted commits, then closes the writer. */
    async close(): Promise<void> {
      await writing
      await writer.close()
    },
  }
}

/**
 * The audit chains of the process. A batch that failed as a whole may have reached the disk nevertheless, so its chains
 * are abandoned and the next batch starts new ones.
 */
export function auditChains() {
  let tails: Tails | undefined
  return async (write: (tails: Tails) => Promise<Written | Failure>): Promise<readonly Outcome[] | Failure> => {
    const from = tails ?? newTails()
    tails = undefined
    const answer = await write(from)
    if ('message' in answer) return answer
    tails = answer.tails
    return answer.outcomes
  }
}

/** An idle thread is terminated after this time: it holds memory, and a new one starts quickly. */
const idleTimeoutMs = 10_000

/**
 * A writer in its own thread. The thread starts with the first batch, ends when idle, and never keeps the process
 * alive.
 */
export function threadWriter(settings: WriterSettings): Writer {
  type WriterThread = Thread<WriterRequest, WriterAnswer>
  let thread: WriterThread | undefined
  let rest: NodeJS.Timeout | undefined
  const continueChains = auditChains()

  function start(): WriterThread {
    const started: WriterThread = startThread(import.meta.url, 'worker', {
      data: settings,
      // Also applies while no request is pending: the next one then starts a new thread.
      onEnd() {
        if (thread === started) thread = undefined
      },
    })
    thread = started
    return started
  }

  async function end(): Promise<void> {
    clearTimeout(rest)
    const current = thread
    // Cleared first, so that a batch arriving meanwhile starts a new thread.
    thread = undefined
    await current?.end('close').catch(rejectUnavailable)
  }

  return {
    async write(batch) {
      clearTimeout(rest)
      const outcomes = await continueChains((tails) =>
        (thread ?? start()).ask<WriterAnswer>({ batch: pack(batch), tails }).catch(rejectUnavailable),
      )
      rest = setTimeout(() => void end().catch(() => undefined), idleTimeoutMs).unref()
      return outcomes
    },
    close: end,
  }
}

function rejectUnavailable(error: ThreadEnded): never {
  const what = error.cause === undefined ? 'ended' : 'failed'
  throw new StorageUnavailable(`The database writer ${what}; it starts again.`, error)
}
