import { heldUpState } from '../engine.ts'
import { StorageUnavailable } from '../port/unavailable.ts'

/** SQLSTATE classes of a server that cannot work at the moment, whatever the statement. */
const unavailableClasses = ['08', '28', '53', '57', '58']

/** SQLSTATE read_only_sql_transaction. */
export const readOnlyState = '25006'

const unavailableStates: Readonly<Record<string, string>> = {
  [readOnlyState]: 'it accepts no writes now (a replica, or a server that was made read-only)',
  '3D000': 'there is no such database',
  '40001': 'too many changes at once',
  '40P01': 'too many changes at once',
  '55P03': 'a lock was held for too long',
}

/** Translates an error to those of the port. `place`: names the database, without secrets. */
export function toError(error: unknown, place: string): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const code = codeOf(error)
  const refusal = refusalOfPooler(error, place)
  if (refusal !== undefined) return new StorageUnavailable(refusal, { cause: error })
  const reason = unavailableStates[code] ?? (isUnavailable(error, code) ? error.message : undefined)
  if (reason === undefined) return error
  return new StorageUnavailable(
    `The database ${place} cannot be used: ${reason || code}. Check that it runs and that Database:Url is right.`,
    { cause: error, isPassing: !lastingStates.test(code) },
  )
}

/** What a pooler before the server does not do, in a sentence for its operator. */
function refusalOfPooler(error: Error, place: string): string | undefined {
  if (isForgotten(error)) return forgottenStatements(place)
  const [, parameter] = /^unsupported startup parameter: (\w+)/.exec(error.message) ?? []
  if (parameter === undefined) return undefined
  return (
    `The pooler ${place} refuses the parameter ${parameter}. Name it in ignore_startup_parameters of PgBouncer, ` +
    'or set Database:PreparedStatements to false if its connections are shared by transactions.'
  )
}

/** Whether a prepared statement is not in the session in which it was prepared, or one of another is. */
export function isForgotten(error: unknown): boolean {
  return ['26000', '42P05'].includes(codeOf(error))
}

export function forgottenStatements(place: string): string {
  return (
    `The pooler ${place} gives each transaction another session, in which prepared statements are missing. ` +
    'Set Database:PreparedStatements to false, or let the pooler keep them (max_prepared_statements of PgBouncer 1.21) or whole sessions.'
  )
}

/** Errors that an operator must fix: wrong credentials, a missing database. */
const lastingStates = /^(?:28|3D)/

/**
 * Whether the commit lost a race and may be retried; nothing was stored. 23503 is the race against a deletion: the
 * referenced row existed when the statement started but not when the reference was checked. 23505 is the race for a
 * unique value, which the statement's own condition detects on the next attempt.
 */
export function isLostRace(error: unknown): boolean {
  return ['40001', '40P01', '23503', '23505'].includes(codeOf(error))
}

/** Whether a migration waited too long for a lock or would have deadlocked. Nothing was stored. */
export function isHeldUp(error: unknown): boolean {
  if (['40P01', heldUpState].includes(codeOf(error))) return true
  const { table_name: table } = error as { table_name?: string }
  // Another process has just recorded the same migration, or begun to make the same index.
  return codeOf(error) === '23505' && (table === 'kysely_migration' || table === 'pg_class')
}

/** Whether the server itself says that nothing was stored, for a reason that may be that of one change among several. */
export function hasUndoneAll(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'PostgresError') return false
  const code = codeOf(error)
  return (
    isLostRace(error) || code === heldUpState || (!isUnavailable(error, code) && unavailableStates[code] === undefined)
  )
}

export function isDivisionByZero(error: unknown): boolean {
  return codeOf(error) === '22012'
}

export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === '42P01'
}

/** Whether a value contains NUL, which PostgreSQL text cannot hold: no stored value can equal it. */
export function hasNoSuchText(error: unknown): boolean {
  return ['22021', '22P05'].includes(codeOf(error))
}

/**
 * Whether the connection closed during a statement, whose outcome is therefore unknown. The driver adds the statement
 * to such errors, unlike file system errors, which have a `syscall` too.
 */
export function isConnectionLost(error: unknown): boolean {
  if (codeOf(error) === 'CONNECTION_CLOSED') return true
  return error instanceof Error && 'syscall' in error && error.syscall !== 'connect' && 'query' in error
}

/** Whether the server is a standby or read-only. Another server may be the primary by now. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === readOnlyState
}

/** Whether no connection can be made: the machine or server is down, starting or stopping. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  if (code === 'CONNECT_TIMEOUT' || code.startsWith('57P')) return true
  return error instanceof Error && 'syscall' in error && ['connect', 'getaddrinfo'].includes(String(error.syscall))
}

function isUnavailable(error: Error, code: string): boolean {
  if (error.name === 'PostgresError') return unavailableClasses.includes(code.slice(0, 2))
  // The driver's own connection errors, and those of the operating system (ECONNREFUSED, ENOTFOUND, …).
  return 'syscall' in error || /^CONNECT|^E[A-Z_]+$/.test(code)
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/**
 * Returns errors for statements that get no place in the queue. The limits keep a slow or locked database from causing
 * an unbounded queue, and from working for requests that were abandoned long ago.
 */
export function busyErrors(waitingAtMost: number, waitMs: number) {
  const messages = {
    full: `The database is busy: ${waitingAtMost} requests wait for it already.`,
    late: `The database is busy: no connection became free within ${waitMs} ms.`,
  }
  return (reason: keyof typeof messages): Error => new StorageUnavailable(messages[reason], { isPassing: true })
}
