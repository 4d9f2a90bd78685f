/**
 * Computes password hashes in dedicated threads. In the runtime's thread pool, hashes would delay the much shorter signatures
 * and could not be given a lower priority.
 */
import { startThread, type Thread, type ThreadEnded } from '../thread.ts'
import type { HashRequest, Implementation } from './argon2.ts'
import type { ForeignRequest } from './hash-worker.ts'

type HashThread = Thread<HashRequest | ForeignRequest | 'choose', Uint8Array | Implementation>

/** An idle thread is terminated after this time: it holds memory, and a new one starts quickly. */
const idleTimeoutMs = 10_000
/** The thread that chose the implementation ends sooner, so that an idle service keeps none. */
const idleTimeoutAfterChoiceMs = 1_000

/** Idle threads, with the timers that end them. */
const idle = new Map<HashThread, NodeJS.Timeout>()

let chosen: Promise<Implementation> | undefined

/** Returns the implementation of this process. Chosen once, in a thread, on first use. */
export function argon2Implementation(): Promise<Implementation> {
  chosen ??= choose()
  return chosen
}

async function choose(): Promise<Implementation> {
  const thread = startHashing()
  try {
    const implementation = await thread.ask<Implementation>('choose')
    markIdle(thread, idleTimeoutAfterChoiceMs)
    return implementation
  } catch (error) {
    const { cause, message } = error as ThreadEnded
    return { name: 'node:crypto', reason: String((cause as Error | undefined)?.message ?? message), isFault: true }
  }
}

/** Computes a hash in an otherwise idle thread. The caller limits how many run at once. */
export async function hashInThread(request: HashRequest | ForeignRequest): Promise<Uint8Array> {
  const implementation = await argon2Implementation()
  const [thread = startHashing(implementation)] = idle.keys()
  leaveIdle(thread)
  const hash = await thread.ask<Uint8Array>(request)
  markIdle(thread)
  return hash
}

/** `implementation` undefined: the first request must be `choose`. */
function startHashing(implementation?: Implementation): HashThread {
  // Also applies to an idle thread, which would never answer after its end.
  const onEnd = () => leaveIdle(thread)
  const thread: HashThread = startThread(import.meta.url, 'hash-worker', { data: implementation, onEnd })
  return thread
}

function markIdle(thread: HashThread, atMostMs = idleTimeoutMs): void {
  const end = setTimeout(() => {
    leaveIdle(thread)
    thread.terminate()
  }, atMostMs).unref()
  idle.set(thread, end)
}

function leaveIdle(thread: HashThread): void {
  clearTimeout(idle.get(thread))
  idle.delete(thread)
}
