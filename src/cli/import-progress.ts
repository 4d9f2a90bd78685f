/** What `latchkey import` says while it works, on a line of its own of a terminal. */
import { setTimeout } from 'node:timers/promises'
import { openPatience, type Patience } from '../import/patience.ts'
import { Overtaken } from '../import/run.ts'
import { HeldSource, UnreadableSource } from '../import/source.ts'
import { Refused } from '../server/refused.ts'
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

/** Waits for the database, and says so. `passes`: which errors are waited for. */
export function patienceOf(context: CommandContext, passes: (error: unknown) => error is Error = isPassing): Patience {
  return openPatience({
    isPassing: passes,
    pause: context.pause ?? setTimeout,
    say(reason, seconds) {
      endLine(context)
      context.stderr.write(`warning: ${reason} Trying again in ${seconds} s.\n`)
    },
  })
}

/** An SQLite file that another process writes to counts: that process ends its transaction sooner or later. */
export const isPassing = (error: unknown): error is StorageUnavailable =>
  error instanceof StorageUnavailable && (error.isPassing || error.isHeld)

/** Whether another process writes to the file of the database, or of the source. */
export const isHeld = (error: unknown): error is Error =>
  error instanceof HeldSource || (error instanceof StorageUnavailable && error.isHeld)

/** Returns what is thrown in place of an error that ended an import: what happened, and what to do. */
export function explained(error: unknown, isDryRun: boolean): unknown {
  if (error instanceof UnreadableSource) return new Refused(error.message)
  if (error instanceof Overtaken) return new Refused('Another process goes on with the import of the same files.')
  const { syscall, path, code } = error as NodeJS.ErrnoException
  if (syscall === 'read' || syscall === 'open') return new Refused(`${path ?? 'The file'} cannot be read (${code}).`)
  if (!isPassing(error)) return error
  const held = error.isHeld
    ? ' A backup, a program that shows the database, or another command is probably writing to it.'
    : ''
  const again = isDryRun
    ? ' Give the same command again.'
    : ' What was stored before stays: give the same command again, and it goes on there.'
  return new StorageUnavailable(`${error.message}${held}${again}`)
}
