/** The writer thread: waits for the disk, so that the event loop never does. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Tail } from '../audit/chain.ts'
import {
  type Commit,
  type Connection,
  connect,
  type Failure,
  runBatch,
  toFailure,
  type Written,
} from './sqlite-batch.ts'

export type WriterSettings = { readonly file: string; readonly busyTimeoutMs: number }

/** A batch to write with the audit chain that it continues, or the request to end. */
export type WriterRequest = { readonly batch: readonly Commit[]; readonly tail: Tail } | 'close'

/** What became of the batch, in its order; a single failure stands for the batch as a whole. */
export type WriterAnswer = Written | Failure

const { file, busyTimeoutMs } = workerData as WriterSettings
let connection: Connection | undefined

parentPort?.on('message', (request: WriterRequest) => {
  if (request === 'close') {
    connection?.db.close()
    parentPort?.close()
  } else parentPort?.postMessage(write(request))
})

function write({ batch, tail }: Exclude<WriterRequest, 'close'>): WriterAnswer {
  try {
    connection ??= connect(file, busyTimeoutMs)
    return runBatch(connection, batch, tail)
  } catch (error) {
    return toFailure(error)
  }
}
