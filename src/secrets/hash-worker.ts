/**
 * A thread that hashes passwords, one at a time. Started without an implementation, it chooses one and posts which; after
 * that it answers each request with its hash.
 */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { argon2idOf, chooseImplementation, type HashRequest, type Implementation } from './argon2.ts'

/**
 * Nine tenths of a processor that is fought for stay with the threads that answer requests: a flood of sign-ins may
 * slow down sign-ins, and nothing else. On a processor with time to spare it makes no difference.
 */
const niceness = 10

/** Linux keeps a priority for each thread. Elsewhere it belongs to the process, and is left as it is. */
function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // Without /proc, or forbidden to: the hashes then count as much as everything else.
  }
}

function choose(): Implementation {
  const implementation = chooseImplementation()
  parentPort?.postMessage(implementation)
  return implementation
}

giveWay()
const argon2id = argon2idOf((workerData as Implementation | undefined) ?? choose())
parentPort?.on('message', (request: HashRequest) => {
  parentPort?.postMessage(argon2id(request))
})
