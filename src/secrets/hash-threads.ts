/**
 * Argon2id in threads of its own. In the thread pool of the runtime a hash delays the much shorter signatures, and cannot
 * be made to yield to them.
 */
import type { Worker } from 'node:worker_threads'
import { startThread } from '../thread.ts'
import type { HashRequest, Implementation } from './argon2.ts'

/** An idle thread is terminated after this time: it holds memory, and a new one starts quickly. */
const restsAfterMs = 10_000
/** The thread that chose the implementation is terminated sooner, so that an idle service holds none. */
const restsAfterChoiceMs = 1_000

/** Those with nothing to do, and the timers that end them. */
const resting = new Map<Worker, NodeJS.Timeout>()

let chosen: Promise<Implementation> | undefined

/** What computes the hashes of this process. Decided once, in a thread, by the first who asks or hashes. */
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

/** The hash, in a thread that has nothing else to do. The caller bounds how many there are at once. */
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

/** `implementation` undefined: the thread posts the one it chose before anything else. */
function startHashing(implementation?: Implementation): Worker {
  const thread = startThread(import.meta.url, 'hash-worker', implementation)
  // Also while nobody waits for it: one that has gone would never answer, and an error that nobody hears ends the process.
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

/** What the thread posts next. Rejects when it ends instead; it is not used again then. */
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
