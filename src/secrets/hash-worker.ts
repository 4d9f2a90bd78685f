/**
 * A thread that hashes passwords, one at a time. Started without an implementation, it chooses one on its first
 * request. Answers each other request with its hash.
 */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { argon2idOf, chooseImplementation, type HashRequest, type Implementation } from './argon2.ts'
import type { ForeignHash } from './foreign-hash.ts'

/** A password to hash as another system hashed it. */
export type ForeignRequest = { readonly foreign: ForeignHash; readonly password: string }

/**
 * Leaves a contended processor mostly to the threads that answer requests, so that a flood of sign-ins slows down
 * sign-ins only. Has no effect on a processor with time to spare.
 */
const niceness = 10

/** Linux has a priority per thread. Elsewhere the priority belongs to the process and is left unchanged. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // Without /proc or the permission, hashes run at normal priority.
  }
}

lowerPriority()
const given = workerData as Implementation | undefined
let argon2id = given && argon2idOf(given)

/** Returns no bytes, which match no hash, if the runtime refuses the parameters. */
async function hashForeign({ foreign, password }: ForeignRequest): Promise<Uint8Array> {
  const { deriveForeign } = await import('./foreign-derive.ts')
  try {
    return deriveForeign(foreign, password)
  } catch {
    return new Uint8Array()
  }
}

parentPort?.on('message', async (request: HashRequest | ForeignRequest | 'choose') => {
  if (request === 'choose') {
    const implementation = chooseImplementation()
    argon2id = argon2idOf(implementation)
    parentPort?.postMessage(implementation)
  } else if ('foreign' in request) parentPort?.postMessage(await hashForeign(request))
  else parentPort?.postMessage(argon2id?.(request))
})
