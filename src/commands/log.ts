/** The service's log: JSON lines, or readable ones on a terminal. Secrets are taken out before a line is made. */
import { type DestinationStream, type Logger, levels, pino, stdTimeFunctions } from 'pino'
import type { Settings } from '../settings.ts'

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

const secretPaths = ['', '*', '*.*'].flatMap((parent) =>
  secretNames.map((name) => (name.startsWith('[') || parent === '' ? `${parent}${name}` : `${parent}.${name}`)),
)

export function createLog(level: Settings['log']['level'], stdout: DestinationStream, readable: boolean): Logger {
  const destination = readable ? { write: (line: string) => stdout.write(readableLine(line)) } : stdout
  const redact = { paths: secretPaths, censor: '[secret]' }
  // Neither process id nor host name: whoever collects the lines of several processes labels them.
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, redact }, destination)
}

/** `12:30:05 INFO  message  name=value …`, and the stack of an error below it. */
export function readableLine(line: string): string {
  const { time, level, msg = '', err, ...others } = JSON.parse(line) as Record<string, unknown> & { err?: Failure }
  const label = (levels.labels[Number(level)] ?? '').toUpperCase().padEnd(5)
  const details = Object.entries(others).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const stack = err === undefined ? '' : `\n${err.stack ?? err.message}`
  return `${[String(time).slice(11, 19), label, msg, ...details].join(' ').trimEnd()}${stack}\n`
}

type Failure = { readonly message?: string; readonly stack?: string }
