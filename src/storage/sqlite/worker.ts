/** The writer thread. It blocks on the disk, so that the event loop does not. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Tails } from '../../audit/chain.ts'
import { type Connection, connect, type Failure, runBatch, toFailure, type Written } from './batch.ts'
import { logKeeper } from './log.ts'
import { type Packed, unpack } from './message.ts'

export type WriterSettings = { readonly file: string; readonly busyTimeoutMs: number }

/** A batch with the audit chains to continue, or the request to end. */
export type WriterRequest = { readonly batch: Packed; readonly tails: Tails } | 'close'

/** The outcomes of a batch in order, or a single failure for the whole batch. */
export type WriterAnswer = Written | Failure

const { file, busyTimeoutMs } = workerData as WriterSettings
const keepLogSmall = logKeeper(file, busyTimeoutMs)
let connection: Connection | undefined

parentPort?.on('message', (request: WriterRequest) => {
  if (request !== 'close') parentPort?.postMessage(write(request))
  // Runs after the answer was sent, so no commit waits for it.
  if (connection !== undefined) keepLogSmall(connection.db)
  if (request !== 'close') return
  connection?.db.close()
  parentPort?.close()
})

/**
 * Result codes after which the connection is reopened, because it would stay broken after the file is repaired:
 * read-only, I/O error, cannot open.
 */
const givenUpAfter: ReadonlySet<number> = new Set([8, 10, 14])

function write({ batch, tails }: Exclude<WriterRequest, 'close'>): WriterAnswer {
  try {
    connection ??= connect(file, busyTimeoutMs)
    const written = runBatch(connection, unpack(batch), tails)
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
    // A connection that cannot be closed ends with the thread.
  }
  connection = undefined
}
