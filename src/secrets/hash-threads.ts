/**
 * Computes Argon2id in dedicated threads. In the runtime's thread pool, hashes would delay the much shorter signatures
 * and could not be given a lower priority.
 */
import type { Worker } from 'node:worker_threads'
import { startThread } from '../thread.ts'
import type { HashRequest, Implementation } from './argon2.ts'

/** An idle thread is terminated after this time: it holds memory, and a new one starts quickly. */
const restsAfterMs = 10_000
/** The thread that chose the implementation ends sooner, so that an idle service keeps none. */
const restsAfterChoiceMs = 1_000

/** Idle threads, with the timers that end them. */
const resting = new Map<Worker, NodeJS.Timeout>()

let chosen: Promise<Implementation> | undefined

/** Returns the implementation of this process. Chosen once, in a thread, on first use. */
export function argon2Implementation(): Promise<Implementation> {
  chosen ??= choose()
  return chosen
}

async function choose(): Promise<Implementation> {
  const thread = startHashing()
  try {
    const implementation = await answerOf<Implementation>(thread)
    rest(thread, restsAfterChoiceMs)
    return implementation
  } catch (error) {
    const { cause, message } = error as Error
    return { name: 'node:crypto', reason: String((cause as Error | undefined)?.message ?? message), isFault: true }
  }
}

/** Computes a hash in an otherwise idle thread. The caller limits how many run at once. */
export async function hashInThread(request: HashRequest): Promise<Uint8Array> {
  const implementation = await argon2Implementation()
  const [thread = startHashing(implementation)] = resting.keys()
  leaveRest(thread)
  const answer = answerOf<Uint8Array>(thread)
  thread.postMessage(request)
  const hash = await answer
  rest(thread)
  return hash
}

/** `implementation` undefined: the thread chooses one and posts it first. */
function startHashing(implementation?: Implementation): Worker {
  const thread = startThread(import.meta.url, 'hash-worker', implementation)
  // Also applies while no hash is pending: an ended thread would never answer, and an unhandled error would end the
  // process.
  const forget = () => leaveRest(thread)
  return thread.on('error', forget).on('exit', forget)
}

function rest(thread: Worker, atMostMs = restsAfterMs): void {
  const end = setTimeout(() => {
    leaveRest(thread)
    void thread.terminate()
  }, atMostMs).unref()
  resting.set(thread, end)
}

function leaveRest(thread: Worker): void {
  clearTimeout(resting.get(thread))
  resting.delete(thread)
}

/** Resolves to the thread's next message. Rejects if the thread ends; it is not used again then. */
function answerOf<Answer>(thread: Worker): Promise<Answer> {
  thread.ref()
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit)
      thread.unref()
      finish()
    }
    const onMessage = (answer: Answer) => settle(() => resolve(answer))
    const onError = (cause: unknown) => settle(() => reject(new Error('a password could not be hashed', { cause })))
    const onExit = () => settle(() => reject(new Error('the thread that hashes passwords ended')))
    thread.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
}
