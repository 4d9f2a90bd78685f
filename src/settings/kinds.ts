/** The kinds of setting values: how each is parsed from text or JSON, and how the documentation names it. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isLoopbackHost } from '../protocol/loopback.ts'

/** The fault of a value, as the end of a sentence: `must be …`. */
export class Fault {
  readonly must: string
  constructor(must: string) {
    this.must = must
  }
}

export type Kind<T, Unit extends string = ''> = {
  /** The unit of a number. */
  readonly unit?: Unit
  /** The name of the kind in the documentation. */
  readonly type: string
  /** Messages never repeat the value. */
  readonly secret?: true
  readonly shown?: (raw: unknown) => unknown
  /** Accepts several values: a JSON array, numbered names, or text with commas. */
  readonly list?: true
  /** `raw`: text or a JSON scalar; for a list, an array of them. Relative files resolve against `folder`. */
  read(raw: unknown, folder: string): T | Fault
}

/** Returns what is shown of a value as written; null: it is a secret, or there is none. */
export const shownOf = ({ secret, shown }: Pick<Kind<unknown, string>, 'secret' | 'shown'>, raw: unknown): unknown =>
  secret ? null : shown ? shown(raw) : raw

/** Units that end the names of values in the record of settings. */
export const measures = ['seconds', 'days', 'megabytes'] as const

/** Printable text without leading or trailing spaces. */
export const text: Kind<string> = {
  type: 'text',
  read: (raw) => (isText(raw) ? raw : new Fault('must be text without control characters')),
}

export const secretText: Kind<string> = { ...text, secret: true }

export const host: Kind<string> = {
  type: 'host name or IP address',
  read(raw) {
    // Tests names first, because the runtime's pattern for IPv6 addresses is slow to compile.
    const valid = typeof raw === 'string' && (/^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})$/.test(raw) || isIP(raw) > 0)
    return valid ? raw : new Fault('must be a host name or an IP address without brackets or port')
  },
}

/** The name of an HTTP header (RFC 9110 §5.1), in lower case. */
export const headerName: Kind<string> = {
  type: 'header name',
  read: (raw) =>
    typeof raw === 'string' && /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(raw)
      ? raw.toLowerCase()
      : new Fault('must be the name of a header: letters, digits and dashes'),
}

export function wholeNumber<Unit extends string>(unit: Unit, min: number, max: number): Kind<number, Unit> {
  return {
    type: unit,
    unit,
    read(raw) {
      const value = typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : raw
      if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
      return new Fault(`must be a whole number from ${min} to ${max}`)
    },
  }
}

/** A number, or 0 for never. */
export function orNever<Unit extends string>(kind: Kind<number, Unit>): Kind<number, Unit> {
  return {
    ...kind,
    type: `${kind.type}, or \`0\``,
    read(raw, folder) {
      if (raw === 0 || raw === '0') return 0
      const value = kind.read(raw, folder)
      return value instanceof Fault ? new Fault(`${value.must}, or 0`) : value
    },
  }
}

export const flag: Kind<boolean> = {
  type: 'true or false',
  read(raw) {
    const word = String(raw).toLowerCase()
    return word === 'true' || word === 'false' ? word === 'true' : new Fault('must be true or false')
  },
}

export function oneOf<T extends string>(...values: readonly T[]): Kind<T> {
  return {
    type: values.map((value) => `\`${value}\``).join(', '),
    read(raw) {
      const found = values.find((value) => typeof raw === 'string' && value.toLowerCase() === raw.toLowerCase())
      return found ?? new Fault(`must be one of ${values.join(', ')}`)
    },
  }
}

/** Algorithms for signing tokens (RFC 7518 §3.1, RFC 8037 §3.1). */
export type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA'

export const signingAlgorithm: Kind<SigningAlgorithm> = oneOf('RS256', 'PS256', 'ES256', 'EdDSA')
export const registrationMode = oneOf('off', 'token', 'open')
export const tokenEndpointAuthMethod = oneOf('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none')
export const pushedRequests = oneOf('auto', 'always', 'never')
export const scopeForm = oneOf('array', 'string')
export const logLevel = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')

/** The issuer identifier (RFC 8414 §2): https, no query, no fragment. Appends the trailing slash. */
export const issuer: Kind<string> = {
  type: 'URL',
  read(raw) {
    const url = secureUrl(raw)
    if (url instanceof Fault) return url
    // Not `url.search`, which is empty for a lone `?`.
    if (/[?#]/.test(String(raw))) return new Fault('must have no query and no fragment')
    return url.href.endsWith('/') ? url.href : `${url.href}/`
  },
}

/** Another provider's issuer. Unchanged, because issuers are compared character by character. */
export const foreignIssuer: Kind<string> = {
  type: 'URL',
  read(raw) {
    const url = issuer.read(raw, '')
    return url instanceof Fault ? url : String(raw)
  },
}

export const endpoint: Kind<string> = {
  type: 'URL',
  read(raw) {
    const url = secureUrl(raw)
    if (url instanceof Fault) return url
    return String(raw).includes('#') ? new Fault('must have no fragment') : url.href
  },
}

/** Where the service itself asks. Its query may have a key, which is not shown. */
export const askedEndpoint: Kind<string> = {
  ...endpoint,
  shown: (raw) => (typeof raw === 'string' ? raw.replace(/\?.+/s, '?…') : raw),
}

export const page: Kind<string> = {
  type: 'path or URL',
  read(raw) {
    if (typeof raw !== 'string' || raw.includes('#')) return new Fault('must be a path or a URL, without a fragment')
    if (!raw.startsWith('/')) return endpoint.read(raw, '')
    // With a second slash or a backslash, a browser would read it as another host.
    const local = /^\/(?![/\\])[\x21-\x7e]*$/.test(raw)
    return local ? raw : new Fault('must be a path such as /Account/Login, or a whole URL for a page on another origin')
  },
}

export type DatabaseSettings =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'sqlite-memory' }
  | {
      readonly kind: 'postgres'
      readonly url: string
      /** Default: true. */
      readonly preparedStatements?: boolean
    }

export const database: Kind<DatabaseSettings> = {
  type: '`sqlite:FILE`, `sqlite::memory:` or `postgres://…`',
  // A database address may contain a password.
  secret: true,
  read(raw, folder) {
    const forms = new Fault('must be sqlite:FILE, sqlite::memory: or postgres://user:password@host/database')
    if (!isText(raw)) return forms
    if (raw === 'sqlite::memory:') return { kind: 'sqlite-memory' }
    if (raw.startsWith('sqlite:')) {
      const file = raw.slice('sqlite:'.length)
      // Other products write sqlite://FILE, whose first folder would silently be read as a host.
      if (/^(?:$|:|\/\/[^/])/.test(file)) return forms
      return file.includes('?') ? forms : { kind: 'sqlite', file: resolve(folder, file) }
    }
    return readPostgres(raw) ?? forms
  },
}

/** What libpq reads from parameters too, and the driver from the address alone. */
const ofTheAddress = new Set('host hostaddr port dbname database user password passfile service'.split(' '))

/** Parses several servers separated by commas, as in libpq. Returns undefined if it is not a PostgreSQL address. */
function readPostgres(raw: string): DatabaseSettings | Fault | undefined {
  const [, before, hosts, after = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(raw) ?? []
  if (before === undefined || hosts === undefined) return undefined
  const servers = hosts.split(',')
  const areNamed = servers.length === 1 || !servers.includes('')
  if (!areNamed || !servers.every((server) => URL.canParse(`${before}${server}${after}`))) return undefined
  const parameters = new URL(`${before}${servers[0]}${after}`).searchParams
  // libpq reads them there. The driver would connect to the default address, and tell the server about the other.
  const misplaced = parameters.keys().find((name) => ofTheAddress.has(name))
  if (misplaced !== undefined) {
    return new Fault(
      `must say ${misplaced} before the question mark, as in postgres://user:password@host:5432/database: it is not read as a parameter`,
    )
  }
  const wanted = parameters.getAll('target_session_attrs')
  if (!wanted.every((one) => one === 'read-write' || one === 'primary')) {
    return new Fault(
      'must have read-write or primary as target_session_attrs: the service needs a server that takes writes',
    )
  }
  return { kind: 'postgres', url: raw }
}

/** 256 bits, in the format of `openssl rand -base64 32`. */
export const masterKey: Kind<Uint8Array | null> = {
  type: '32 bytes, base64',
  secret: true,
  read: (raw) =>
    decodeMasterKey(raw) ?? new Fault('must be exactly 32 bytes in base64; make one with: openssl rand -base64 32'),
}

export function decodeMasterKey(raw: unknown): Uint8Array | undefined {
  if (typeof raw !== 'string' || !/^[A-Za-z0-9+/]{43}=?$/.test(raw)) return undefined
  const bytes = Buffer.from(raw, 'base64')
  return bytes.length === 32 && bytes.toString('base64').startsWith(raw) ? new Uint8Array(bytes) : undefined
}

export const file: Kind<string | null> = {
  type: 'file',
  read: (raw, folder) => (isText(raw) ? resolve(folder, raw) : new Fault('must be the name of a file')),
}

function isText(raw: unknown): raw is string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern excludes them
  return typeof raw === 'string' && !/[\u0000-\u001f\u007f]/.test(raw) && raw.trim() === raw
}

function secureUrl(raw: unknown): URL | Fault {
  if (typeof raw !== 'string' || !/^https?:\/\/[\x21-\x7e]+$/i.test(raw) || !URL.canParse(raw)) {
    return new Fault('must be a whole URL such as https://id.example.com/')
  }
  const url = new URL(raw)
  if (url.username !== '' || url.password !== '') return new Fault('must not contain a user name or password')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return new Fault('must start with https:// (http:// is for loopback addresses alone)')
  }
  return url
}
