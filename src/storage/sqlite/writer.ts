import type { Worker } from 'node:worker_threads'
import { newTails, type Tails } from '../../audit/chain.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { startThread } from '../../thread.ts'
import { StorageUnavailable, type UnderWay } from '../port/port.ts'
import type { Commit, Failure, Outcome, Written } from './batch.ts'
import type { WriterAnswer, WriterRequest, WriterSettings } from './worker.ts'

/** Writes batches, one at a time. A failure stands for the whole batch. */
export type Writer = {
  write(batch: readonly Commit[]): Promise<readonly Outcome[] | Failure>
  close(): Promise<void>
}

/** Commits that one batch takes at most: bounds how long the first of them waits for the last. */
const batchAtMost = 512

/** Turns of the event loop that a batch waits for more at most, so that a flood does not keep it waiting. */
const turnsAtMost = 8

/** Gathers commits into batches: everything that arrives while one is being written joins the next. */
export function groupCommits(writer: Writer, metrics?: Metrics) {
  type Waiting = {
    readonly commit: Commit
    readonly resolve: (outcome: Outcome) => void
    readonly reject: (error: unknown) => void
    readonly underWay: UnderWay | undefined
  }
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  metrics?.gauge('sqlite_commits_waiting', () => waiting.length)

  /** Whoever was just answered, or is being read from its socket now, gets the chance to join. */
  async function gather(): Promise<void> {
    let before = 0
    // A batch costs as much as several commits, so that it waits for as long as every turn brings more of them.
    for (let turn = 0; turn < turnsAtMost && before < waiting.length; turn += 1) {
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
        batch.forEach(({ resolve }, at) => {
          resolve('message' in answer ? { failure: answer } : (answer[at] as Outcome))
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    writing = undefined
  }

  return {
    commit: (commit: Commit, underWay?: UnderWay) =>
      new Promise<Outcome>((resolve, reject) => {
        waiting.push({ commit, resolve, reject, underWay })
        writing ??= writeAll()
      }),
    /** Writes what was accepted, then ends the writer. */
    async close(): Promise<void> {
      await writing
      await writer.close()
    },
  }
}

/**
 * The audit chains of a process. A batch that failed as a whole may have reached the disk all the same, so that nobody
 * continues the chains that it was to continue: the next batch begins others.
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
const restsAfterMs = 10_000

/**
 * A writer in a thread of its own. The thread starts with the first batch, ends when nothing is written for a while,
 * and never keeps the process alive by itself.
 */
export function threadWriter(settings: WriterSettings): Writer {
  let worker: Worker | undefined
  let rest: NodeJS.Timeout | undefined
  const continueChains = auditChains()

  function start(): Worker {
    const started = startThread(import.meta.url, 'worker', settings)
    const forget = () => {
      if (worker === started) worker = undefined
    }
    // Also while nobody waits for it: the next request then starts another one.
    started.on('error', forget).on('exit', forget)
    worker = started
    return started
  }

  /** Sends one request and waits for its end: an answer, or the end of the thread. */
  function send(current: Worker, request: WriterRequest): Promise<WriterAnswer | undefined> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        current.off('message', onMessage).off('error', onError).off('exit', onExit)
        current.unref()
        finish()
      }
      const onMessage = (answer: WriterAnswer) => settle(() => resolve(answer))
      const onError = (cause: unknown) =>
        settle(() => reject(new StorageUnavailable('The database writer failed; it starts again.', { cause })))
      const onExit = () =>
        settle(() =>
          request === 'close'
            ? resolve(undefined)
            : reject(new StorageUnavailable('The database writer ended; it starts again.')),
        )
      current.on('message', onMessage).on('error', onError).on('exit', onExit)
      current.ref()
      current.postMessage(request)
    })
  }

  async function end(): Promise<void> {
    clearTimeout(rest)
    const current = worker
    // Forgotten first, so that a batch that arrives meanwhile starts a thread of its own.
    worker = undefined
    if (current) await send(current, 'close')
  }

  return {
    async write(batch) {
      clearTimeout(rest)
      const outcomes = await continueChains(
        async (tails) => (await send(worker ?? start(), { batch, tails })) as Written | Failure,
      )
      rest = setTimeout(() => void end().catch(() => undefined), restsAfterMs).unref()
      return outcomes
    },
    close: end,
  }
}
