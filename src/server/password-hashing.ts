/** Reports which implementation hashes passwords. */
import type { Logger } from 'pino'
import type { Implementation } from '../secrets/argon2.ts'
import { argon2Implementation } from '../secrets/hash-threads.ts'

/**
 * Chooses the implementation in the background, so that the start does not wait. Logs one line, unless the process is
 * stopping by then.
 */
export async function announceHashing(log: Logger, lifecycle: { readonly isStopping: boolean }): Promise<void> {
  const implementation = await argon2Implementation()
  if (lifecycle.isStopping) return
  const line = { argon2: implementation.name }
  if (isFault(implementation)) log.warn(line, describe(implementation))
  else log.info(line, describe(implementation))
}

export function isFault(implementation: Implementation): boolean {
  return implementation.name === 'node:crypto' && implementation.isFault
}

export function describe(implementation: Implementation): string {
  const reason = implementation.name === 'node:crypto' ? `, because ${implementation.reason}` : ''
  return `passwords are hashed by ${implementation.name}${reason}`
}
