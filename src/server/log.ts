/**
 * The service's log: JSON lines, or readable ones on a terminal. Secrets are taken out before a line is made, and what a
 * terminal would obey is escaped.
 */
import { type DestinationStream, type Logger, levels, pino, stdTimeFunctions } from 'pino'
import type { Settings } from '../settings/settings.ts'
import { visible, visibleJson } from '../text.ts'

/** Members that may hold a secret, wherever a log line carries them. */
const secretNames = [
  'password',
  'passwordHash',
  'client_secret',
  'clientSecret',
  'secret',
  'code',
  'code_verifier',
  'codeVerifier',
  'refresh_token',
  'refreshToken',
  'access_token',
  'accessToken',
  'id_token',
  'id_token_hint',
  'token',
  'client_assertion',
  '__RequestVerificationToken',
  'requestverificationtoken',
  'masterKey',
  '["set-cookie"]',
  'cookie',
  'cookieValue',
  'authorization',
]

/** The member of a line that holds an error. Named, because the censor is told of names alone, not of what `*` stood for. */
const errorName = 'err'

const secretPaths = [errorName, `${errorName}.*`, '', '*', '*.*'].flatMap((parent) =>
  secretNames.map((name) => (name.startsWith('[') || parent === '' ? `${parent}${name}` : `${parent}.${name}`)),
)

/** `ECONNREFUSED`, `ERR_HTTP_REQUEST_TIMEOUT`; SQLSTATE `08006`. No authorization code of this service looks like one. */
const errorCode = /^(?:[A-Z][A-Z0-9_]{2,63}|[0-9A-Z]{5})$/

/** Exit codes and those of errors are shown; any other `code` may be an authorization code. */
function censor(value: unknown, path: readonly string[]): unknown {
  if (path.at(-1) !== 'code') return '[secret]'
  if (typeof value === 'number' || value === null) return value
  return path[0] === errorName && typeof value === 'string' && errorCode.test(value) ? value : '[secret]'
}

/** How a line of JSON is written. */
export function lineForm(readable: boolean): (line: string) => string {
  return readable ? readableLine : visibleJson
}

export function createLog(level: Settings['log']['level'], output: DestinationStream, readable: boolean): Logger {
  const form = lineForm(readable)
  const destination = { write: (line: string) => output.write(form(line)) }
  const redact = { paths: secretPaths, censor }
  // Neither process id nor host name: whoever collects the lines of several processes labels them.
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, redact }, destination)
}

/** `12:30:05 INFO  message  name=value …`, and the stack of an error below it. */
export function readableLine(line: string): string {
  const { time, level, msg = '', err, ...others } = JSON.parse(line) as Record<string, unknown> & { err?: Failure }
  const label = (levels.labels[Number(level)] ?? '').toUpperCase().padEnd(5)
  const details = Object.entries(others).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const text = [String(time).slice(11, 19), label, msg, ...details].join(' ').trimEnd()
  return `${visible(text)}${err === undefined ? '' : `\n${readableStack(err)}`}\n`
}

type Failure = { readonly message?: unknown; readonly stack?: unknown }

/** The places of the stack stay lines of their own; a message of several lines becomes one. */
function readableStack({ message, stack }: Failure): string {
  const [first = '', ...places] = String(stack ?? message).split(/\n(?= {4}at )/)
  return [first, ...places].map(visible).join('\n')
}
