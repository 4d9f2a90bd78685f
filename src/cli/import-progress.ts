/** What `latchkey import` says while it works, on a line of its own of a terminal. */
import { setTimeout } from 'node:timers/promises'
import { openPatience, type Patience } from '../import/patience.ts'
import type { ImportCounts } from '../storage/port/imports.ts'
import { StorageUnavailable } from '../storage/port/unavailable.ts'
import type { CommandContext } from './context.ts'

export function showProgress(context: CommandContext, { read, created, updated, skipped, failed }: ImportCounts): void {
  showLine(context, `${read} read: ${created} created, ${updated} updated, ${skipped} skipped, ${failed} left out`)
}

export function showLine({ stderr }: CommandContext, text: string): void {
  if (stderr.isTTY === true) stderr.write(`\r\u001b[K${text}`)
}

export function endLine({ stderr }: CommandContext): void {
  if (stderr.isTTY === true) stderr.write('\r\u001b[K')
}

/** Waits for the database, and says so. */
export function patienceOf(context: CommandContext): Patience {
  return openPatience({
    isPassing,
    pause: context.pause ?? setTimeout,
    say(reason, seconds) {
      endLine(context)
      context.stderr.write(`warning: ${reason} Trying again in ${seconds} s.\n`)
    },
  })
}

export const isPassing = (error: unknown): error is StorageUnavailable =>
  error instanceof StorageUnavailable && error.isPassing
