/**
 * Secrets of clients that came from another system, stored as a foreign hash (`foreign-hash.ts`). They are checked on the
 * hash threads, in a queue of their own: a flood of wrong secrets delays no sign-in.
 */
import { createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import { openSemaphore } from '../semaphore.ts'
import { foreignText, parseForeign } from './foreign-hash.ts'
import { hashInThread } from './hash-threads.ts'
import { hashSecret } from './opaque.ts'

/** Too many secrets are waiting to be checked. Becomes 503. */
export class SecretCheckBusy extends Error {
  override readonly name = 'SecretCheckBusy'
}

/**
 * Shorter secrets may be words that people chose. Their SHA-256 could be guessed from a copy of the database, and they
 * keep their slow hash.
 */
const replacedFromLength = 32

/** Secrets that were right are remembered, so that a slow hash is computed once in a process. */
const rememberedAtMost = 1000
const remembered = new Map<string, Uint8Array>()
const memoKey = randomBytes(32)

const places = openSemaphore({
  running: 1,
  waiting: 50,
  refusal: () => new SecretCheckBusy('too many secrets of clients are waiting to be checked'),
})

/**
 * For what is tried after the first secret of an attempt: one of them at a time is in the queue, so whoever sends secrets that can be
 * read in two ways delays the first tries of others by one hash at most.
 */
const furtherPlaces = openSemaphore({
  running: 1,
  waiting: 50,
  refusal: () => new SecretCheckBusy('too many secrets of clients are waiting to be checked as they were sent'),
})

/**
 * Returns that of the presented secrets with this foreign hash; undefined: none. The first one is tried first, unless another one
 * is remembered. Rejects with `SecretCheckBusy`.
 */
export async function matchingForeignSecret(secrets: readonly string[], stored: string): Promise<string | undefined> {
  const foreign = parseForeign(stored)
  if (foreign === undefined) return undefined
  const memoOf = (secret: string) => createHmac('sha256', memoKey).update(secret).digest()
  const known = remembered.get(stored)
  const rememberedOne = known && secrets.find((secret) => timingSafeEqual(known, memoOf(secret)))
  if (rememberedOne !== undefined) return rememberedOne
  for (const [at, secret] of secrets.entries()) {
    const compute = () => places.run(() => hashInThread({ foreign, password: secret }))
    const computed = await (at === 0 ? compute() : furtherPlaces.run(compute))
    if (computed.length !== foreign.hash.length || !timingSafeEqual(computed, foreign.hash)) continue
    if (remembered.size >= rememberedAtMost) remembered.clear()
    remembered.set(stored, memoOf(secret))
    return secret
  }
  return undefined
}

/** Whether it is the secret with this foreign hash. Rejects with `SecretCheckBusy`. */
export async function foreignSecretMatches(secret: string, stored: string): Promise<boolean> {
  return (await matchingForeignSecret([secret], stored)) !== undefined
}

/** Whether a secret that was right is to be stored as SHA-256, like one that was generated here. */
export function isReplaced(secret: string): boolean {
  return secret.length >= replacedFromLength
}

const slowRounds = 600_000

/** Returns the hash under which a secret from elsewhere is stored: a slow one, if the secret could be guessed. Blocks. */
export function storedSecret(secret: string): string {
  if (isReplaced(secret)) return hashSecret(secret)
  const salt = randomBytes(16)
  const hash = pbkdf2Sync(secret, salt, slowRounds, 32, 'sha256')
  return foreignText({ kind: 'pbkdf2', digest: 'sha256', rounds: slowRounds, salt, hash })
}
