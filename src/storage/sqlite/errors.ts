import { StorageUnavailable } from '../port/unavailable.ts'
import { type Failure, toFailure } from './batch.ts'

/** Runs `work` and translates its errors to those of the port. */
export function guard<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof StorageUnavailable ? error : toError(file, toFailure(error), error)
  }
}

/** Translates a thrown error. Errors that do not come from SQLite stay unchanged. */
export function toErrorOf(file: string, error: unknown): unknown {
  return error instanceof Error && 'errcode' in error ? toError(file, toFailure(error), error) : error
}

/** SQLite's primary result codes that concern the file rather than the statement, with a remedy for each. */
const unavailable: Readonly<Record<number, string>> = {
  3: 'may not be opened: let the user that runs the service read and write it',
  5: 'is locked by another process: end what holds it, then try again',
  6: 'is locked: try again',
  7: 'cannot be used for want of memory',
  8: 'is read-only: let the user that runs the service write to the file and its folder',
  10: 'cannot be read or written: check the disk',
  11: 'is damaged: move it away with the files beside it, then restore a backup',
  13: 'cannot grow: the disk is full',
  14: 'cannot be opened: check that the folder exists and that the user that runs the service may write to it',
  26: 'is not a database: check Database:Url',
}

export function toError(file: string, failure: Failure, cause?: unknown): Error {
  const code = failure.code === undefined ? undefined : failure.code & 0xff
  const reason = code === undefined ? fileReason(cause) : unavailable[code]
  if (reason) {
    const isHeld = code === 5 || code === 6
    return new StorageUnavailable(`The database ${file} ${reason} (${failure.message}).`, { cause, isHeld })
  }
  return cause instanceof Error ? cause : new Error(failure.message)
}

/** Describes a file system error from looking for the file or from creating it. */
function fileReason(cause: unknown): string | undefined {
  if (!(cause instanceof Error && 'syscall' in cause)) return undefined
  return cause.syscall === 'stat'
    ? 'cannot be reached: run the command as the user that runs the service, or let this user enter the folder'
    : 'cannot be made: check Database:Url, and that the user that runs the service may write there'
}
