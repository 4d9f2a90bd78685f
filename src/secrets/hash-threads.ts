/**
 * Argon2id in threads of its own. In the thread pool of the runtime a hash of 20 ms would stand before signatures of
 * 0.3 ms, and there is no way to make it yield to them.
 */
import type { Worker } from 'node:worker_threads'
import { startThread } from '../thread.ts'

export type HashRequest = {
  /** Text of the password, normalised. */
  readonly message: string
  readonly nonce: Uint8Array
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  /** Bytes. */
  readonly tagLength: number
}

/** A thread that hashed nothing for so long is let go: it holds some megabytes, and a new one starts in 15 ms. */
const restsAfterMs = 10_000

/** Those with nothing to do, and the timers that end them. */
const resting = new Map<Worker, NodeJS.Timeout>()

/** The hash, in a thread that has nothing else to do. The caller bounds how many there are at once. */
export async function hashInThread(request: HashRequest): Promise<Uint8Array> {
  const [thread = startHashing()] = resting.keys()
  leaveRest(thread)
  const hash = await ask(thread, request)
  const end = setTimeout(() => {
    leaveRest(thread)
    void thread.terminate()
  }, restsAfterMs).unref()
  resting.set(thread, end)
  return hash
}

function startHashing(): Worker {
  const thread = startThread(import.meta.url, 'hash-worker')
  // Also while nobody waits for it: one that has gone would never answer, and an error that nobody hears ends the process.
  const forget = () => leaveRest(thread)
  return thread.on('error', forget).on('exit', forget)
}

function leaveRest(thread: Worker): void {
  clearTimeout(resting.get(thread))
  resting.delete(thread)
}

/** Rejects when the thread ends instead of answering; it is not used again then. */
function ask(thread: Worker, request: HashRequest): Promise<Uint8Array> {
  thread.ref()
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit)
      thread.unref()
      finish()
    }
    const onMessage = (hash: Uint8Array) => settle(() => resolve(hash))
    const onError = (cause: unknown) => settle(() => reject(new Error('a password could not be hashed', { cause })))
    const onExit = () => settle(() => reject(new Error('the thread that hashes passwords ended')))
    thread.on('message', onMessage).on('error', onError).on('exit', onExit)
    thread.postMessage(request)
  })
}
