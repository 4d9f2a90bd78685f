/** A thread that hashes passwords, one at a time. */
import { argon2Sync } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'
import type { HashRequest } from './hash-threads.ts'

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

giveWay()
parentPort?.on('message', ({ message, ...parameters }: HashRequest) => {
  parentPort?.postMessage(argon2Sync('argon2id', { message, ...parameters }))
})
