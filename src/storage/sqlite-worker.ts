/** The writer thread: waits for the disk, so that the event loop never does. */
import { parentPort, workerData } from 'node:worker_threads'
import {
  type Commit,
  type Connection,
  connect,
  type Failure,
  type Outcome,
  runBatch,
  toFailure,
} from './sqlite-batch.ts'

export type WriterSettings = { readonly file: string; readonly busyTimeoutMs: number }

/** A batch to write, or the request to end. */
export type WriterRequest = readonly Commit[] | 'close'

/** What became of the batch, in its order; a single failure stands for the batch as a whole. */
export type WriterAnswer = readonly Outcome[] | Failure

const { file, busyTimeoutMs } = workerData as WriterSettings
let connection: Connection | undefined

parentPort?.on('message', (request: WriterRequest) => {
  if (request === 'close') {
    connection?.db.close()
    parentPort?.close()
  } else parentPort?.postMessage(write(request))
})

function write(batch: readonly Commit[]): WriterAnswer {
  try {
    connection ??= connect(file, busyTimeoutMs)
    return runBatch(connection, batch)
  } catch (error) {
    return toFailure(error)
  }
}
