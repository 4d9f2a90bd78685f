import { StorageUnavailable } from '../port/port.ts'

/** SQLSTATE classes of a server that cannot do its work now, whatever the statement. */
const unavailableClasses = ['08', '28', '53', '57', '58']

const unavailableStates: Readonly<Record<string, string>> = {
  '25006': 'it accepts no writes now',
  '3D000': 'there is no such database',
  '40001': 'too many changes at once',
  '40P01': 'too many changes at once',
  '55P03': 'a lock was held for too long',
}

/** What went wrong in the terms of the port. `place` says which database, without secrets. */
export function toError(error: unknown, place: string): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const code = codeOf(error)
  const reason = unavailableStates[code] ?? (isUnavailable(error, code) ? error.message : undefined)
  if (reason === undefined) return error
  return new StorageUnavailable(
    `The database ${place} cannot be used: ${reason || code}. Check that it runs and that Database:Url is right.`,
    { cause: error, isPassing: !lastingStates.test(code) },
  )
}

/** What somebody has to change: a name or a password, and a database that does not exist. */
const lastingStates = /^(?:28|3D)/

/**
 * It lost a race and may be tried again: nothing of it was stored. 23503 is the race against a deletion: what is referred
 * to was there when the statement began and not when the reference was checked. 23505 is the race for a unique value,
 * which the guard of the statement sees at the next try.
 */
export function isLostRace(error: unknown): boolean {
  return ['40001', '40P01', '23503', '23505'].includes(codeOf(error))
}

/** A migration waited too long for a lock, or would have waited for ever. Nothing of it was stored. */
export function isHeldUp(error: unknown): boolean {
  return ['40P01', '55P03'].includes(codeOf(error))
}

export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === '42P01'
}

/** A text with a NUL character, which PostgreSQL cannot hold: nothing stored can be equal to it. */
export function hasNoSuchText(error: unknown): boolean {
  return ['22021', '22P05'].includes(codeOf(error))
}

/**
 * A connection closed under a statement; whether that was carried out nobody can say. The driver names the statement in
 * such errors: those of files have a `syscall`, too.
 */
export function isConnectionLost(error: unknown): boolean {
  if (codeOf(error) === 'CONNECTION_CLOSED') return true
  return error instanceof Error && 'syscall' in error && error.syscall !== 'connect' && 'query' in error
}

/** The server is a standby, or its transactions are read-only: another one may be the primary by now. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006'
}

/** No connection can be made: the machine or the server is away, or the server starts or stops. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  if (code === 'CONNECT_TIMEOUT' || code.startsWith('57P')) return true
  return error instanceof Error && 'syscall' in error && ['connect', 'getaddrinfo'].includes(String(error.syscall))
}

function isUnavailable(error: Error, code: string): boolean {
  if (error.name === 'PostgresError') return unavailableClasses.includes(code.slice(0, 2))
  // The driver's own errors about a connection, and those of the operating system (ECONNREFUSED, ENOTFOUND, …).
  return 'syscall' in error || /^CONNECT|^E[A-Z_]+$/.test(code)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
