/** Argon2id as a program on Node.js gets it: asynchronously, in the thread pool, with as much at once as processors. */
import { argon2, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { openSemaphore } from '../../src/semaphore.ts'

const argon2Async = promisify(argon2)
const places = openSemaphore({
  running: Math.min(availableParallelism(), 3),
  waiting: 100,
  refusal: () => new Error('too many requests are waiting for a password check'),
})
const nonce = new Uint8Array(16).fill(7)

/** The same parameters as Latchkey's. One salt is enough: there is one account. */
export async function hashPassword(password: string): Promise<string> {
  const parameters = { message: password, nonce, memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
  const hash = await places.run(() => argon2Async('argon2id', parameters))
  return hash.toString('base64url')
}

export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const computed = Buffer.from(await hashPassword(password))
  return stored !== null && timingSafeEqual(computed, Buffer.from(stored))
}
