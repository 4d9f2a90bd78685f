/**
 * The service's log: JSON lines, or readable lines on a terminal. Redacts secrets before a line is formatted and
 * escapes terminal control characters.
 */
import { type DestinationStream, type Logger, levels, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { Settings } from '../settings/settings.ts'
import { inSources } from '../stack.ts'
import { visible, visibleJson } from '../text.ts'

/** Members that may hold a secret, at any depth covered below. */
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

/** The member that holds an error. Redacted by name, because the censor receives names and not wildcards. */
const errorName = 'err'

const secretPaths = [errorName, `${errorName}.*`, '', '*', '*.*'].flatMap((parent) =>
  secretNames.map((name) => (name.startsWith('[') || parent === '' ? `${parent}${name}` : `${parent}.${name}`)),
)

/** `ECONNREFUSED`, `ERR_HTTP_REQUEST_TIMEOUT`; SQLSTATE `08006`. No authorization code of this service matches. */
const errorCode = /^(?:[A-Z][A-Z0-9_]{2,63}|[0-9A-Z]{5})$/

/** Shows exit codes and error codes. Any other `code` may be an authorization code. */
function censor(value: unknown, path: readonly string[]): unknown {
  if (path.at(-1) !== 'code') return '[secret]'
  if (typeof value === 'number' || value === null) return value
  return path[0] === errorName && typeof value === 'string' && errorCode.test(value) ? value : '[secret]'
}

const serializers = {
  [errorName](value: Error) {
    const error = stdSerializers.err(value)
    // Not every value that is logged as an error is one.
    if (typeof error.stack === 'string') error.stack = inSources(error.stack)
    return error
  },
}

/** Returns the formatter of JSON lines. */
export function lineForm(readable: boolean): (line: string) => string {
  return readable ? readableLine : visibleJson
}

export function createLog(level: Settings['log']['level'], output: DestinationStream, readable: boolean): Logger {
  const form = lineForm(readable)
  const destination = { write: (line: string) => output.write(form(line)) }
  const redact = { paths: secretPaths, censor }
  // Omits process id and host name: log collectors add labels of their own.
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, serializers, redact }, destination)
}

/** `12:30:05 INFO  message  name=value …`, followed by the stack of an error. */
export function readableLine(line: string): string {
  const { time, level, msg = '', err, ...others } = JSON.parse(line) as Record<string, unknown> & { err?: Failure }
  const label = (levels.labels[Number(level)] ?? '').toUpperCase().padEnd(5)
  const details = Object.entries(others).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const text = [String(time).slice(11, 19), label, msg, ...details].join(' ').trimEnd()
  return `${visible(text)}${err === undefined ? '' : `\n${readableStack(err)}`}\n`
}

type Failure = { readonly message?: unknown; readonly stack?: unknown }

/** Keeps one line per stack frame, and joins the lines of the message. */
function readableStack({ message, stack }: Failure): string {
  const [first = '', ...places] = String(stack ?? message).split(/\n(?= {4}at )/)
  return [first, ...places].map(visible).join('\n')
}
