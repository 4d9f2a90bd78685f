/** The writer thread: waits for the disk, so that the event loop never does. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Tails } from '../../audit/chain.ts'
import { type Commit, type Connection, connect, type Failure, runBatch, toFailure, type Written } from './batch.ts'
import { logKeeper } from './log.ts'

export type WriterSettings = { readonly file: string; readonly busyTimeoutMs: number }

/** A batch to write with the audit chains that it continues, or the request to end. */
export type WriterRequest = { readonly batch: readonly Commit[]; readonly tails: Tails } | 'close'

/** What became of the batch, in its order; a single failure stands for the batch as a whole. */
export type WriterAnswer = Written | Failure

const { file, busyTimeoutMs } = workerData as WriterSettings
const keepLogSmall = logKeeper(file, busyTimeoutMs)
let connection: Connection | undefined

parentPort?.on('message', (request: WriterRequest) => {
  if (request !== 'close') parentPort?.postMessage(write(request))
  // Whoever waits for the batch has its answer by now.
  if (connection !== undefined) keepLogSmall(connection.db)
  if (request !== 'close') return
  connection?.db.close()
  parentPort?.close()
})

/**
 * Result codes after which the connection is given up, because it stays as it is when the file is in order again:
 * read-only, an error of the disk, cannot be opened.
 */
const givenUpAfter: ReadonlySet<number> = new Set([8, 10, 14])

function write({ batch, tails }: Exclude<WriterRequest, 'close'>): WriterAnswer {
  try {
    connection ??= connect(file, busyTimeoutMs)
    const written = runBatch(connection, batch, tails)
    if (written.outcomes.some((outcome) => 'failure' in outcome && endsConnection(outcome.failure))) giveUp()
    return written
  } catch (error) {
    const failure = toFailure(error)
    if (endsConnection(failure)) giveUp()
    return failure
  }
}

const endsConnection = ({ code = 0 }: Failure): boolean => givenUpAfter.has(code & 0xff)

function giveUp(): void {
  try {
    connection?.db.close()
  } catch {
    // What cannot be closed is left to the end of the thread.
  }
  connection = undefined
}
