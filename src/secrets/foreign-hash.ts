/**
 * Password hashes of other systems, in one canonical text form each. Times, passwords and keys play no part here.
 *
 * | Text | Meaning |
 * |---|---|
 * | `$pbkdf2-sha256$i=…,l=…$salt$hash` | PBKDF2 (RFC 8018) with HMAC of SHA-1, SHA-256 or SHA-512 |
 * | `$scrypt$ln=…,r=…,p=…$salt$hash` | scrypt (RFC 7914) |
 * | `$argon2i$…`, `$argon2d$…` | Argon2 (RFC 9106) |
 * | `$2b$10$…` | bcrypt, also `$2a$` and `$2y$` |
 * | `$firebase-scrypt$ln=…,r=…,sep=…,key=…$salt$hash` | Firebase: a project's key, encrypted under the scrypt hash |
 */

type Common = { readonly salt: Uint8Array; readonly hash: Uint8Array }

export type ForeignHash =
  | (Common & {
      readonly kind: 'pbkdf2'
      readonly digest: 'sha1' | 'sha256' | 'sha512'
      readonly rounds: number
    })
  | (Common & { readonly kind: 'scrypt'; readonly logN: number; readonly r: number; readonly p: number })
  | (Common & {
      readonly kind: 'argon2i' | 'argon2d'
      /** In KiB. */
      readonly memory: number
      readonly passes: number
      readonly parallelism: number
    })
  /** `salt` is the text of the setting, `$2b$10$` and 22 characters; `hash` that of the hash, 31 characters. */
  | (Common & { readonly kind: 'bcrypt'; readonly cost: number })
  | (Common & {
      readonly kind: 'firebase'
      readonly logN: number
      readonly r: number
      readonly separator: Uint8Array
      readonly signerKey: Uint8Array
    })

/** How the text of a wrapped hash begins (`password.ts`). */
export const wrappedMark = 'wrapped:'

/** In characters. The longest is one of Firebase. */
const lengthAtMost = 1024

/** Returns the parts of a canonical hash; undefined: it is none. */
export function parseForeign(text: string): ForeignHash | undefined {
  if (text.length > lengthAtMost) return undefined
  return parseBcrypt(text) ?? parsePhc(text)
}

/**
 * Returns the canonical form of a hash as other systems write it: a PHC string, bcrypt, or `aspnet:` and Base64 of a hash
 * of ASP.NET Core Identity. Undefined: it is none of them.
 */
export function canonicalForeign(text: string): string | undefined {
  if (text.length > lengthAtMost) return undefined
  if (text.startsWith('aspnet:')) return fromAspNet(text.slice('aspnet:'.length))
  const parsed = parseForeign(text)
  return parsed && foreignText(parsed)
}

/** Returns the canonical text. */
export function foreignText(one: ForeignHash): string {
  if (one.kind === 'bcrypt') return Buffer.from(one.salt).toString() + Buffer.from(one.hash).toString()
  return `$${nameOf(one)}$${parametersOf(one)}$${base64(one.salt)}$${base64(one.hash)}`
}

/**
 * Returns the beginning of the canonical text up to the hash. It has everything that computing the hash of a password
 * takes.
 */
export function foreignSetting(one: ForeignHash): string {
  if (one.kind === 'bcrypt') return Buffer.from(one.salt).toString()
  return `$${nameOf(one)}$${parametersOf(one)}$${base64(one.salt)}$`
}

/** Returns what `foreignSetting` wrote, with a hash of zero bytes. Undefined for what is never wrapped. */
export function parseSetting(text: string): ForeignHash | undefined {
  const length = Number(/,l=(\d{1,3})\$/.exec(text)?.[1])
  if (text.startsWith('$2')) return parseForeign(text + '.'.repeat(31))
  return length > 0 ? parseForeign(text + base64(new Uint8Array(length))) : undefined
}

/** Whether guessing against a copy of the hash is too cheap: administration.md of the specification, section 4. */
export function isWeakForeign(one: ForeignHash): boolean {
  if (one.kind === 'bcrypt') return one.cost < 10
  if (one.kind !== 'pbkdf2') return false
  return one.rounds < { sha1: Number.POSITIVE_INFINITY, sha256: 600_000, sha512: 210_000 }[one.digest]
}

function nameOf(one: Exclude<ForeignHash, { kind: 'bcrypt' }>): string {
  if (one.kind === 'pbkdf2') return `pbkdf2-${one.digest}`
  return one.kind === 'firebase' ? 'firebase-scrypt' : one.kind
}

function parametersOf(one: Exclude<ForeignHash, { kind: 'bcrypt' }>): string {
  switch (one.kind) {
    case 'pbkdf2':
      return `i=${one.rounds},l=${one.hash.length}`
    case 'scrypt':
      return `ln=${one.logN},r=${one.r},p=${one.p}`
    case 'firebase':
      return `ln=${one.logN},r=${one.r},sep=${base64(one.separator)},key=${base64(one.signerKey)}`
    default:
      return `v=19$m=${one.memory},t=${one.passes},p=${one.parallelism}`
  }
}

function parseBcrypt(text: string): ForeignHash | undefined {
  const match = /^(\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/.exec(text)
  if (match === null) return undefined
  const [, setting = '', cost, hash = ''] = match
  if (!isWithin(Number(cost), 4, 31)) return undefined
  return { kind: 'bcrypt', cost: Number(cost), salt: Buffer.from(setting), hash: Buffer.from(hash) }
}

function parsePhc(text: string): ForeignHash | undefined {
  const [first, name = '', ...fields] = text.split('$')
  if (first !== '') return undefined
  const version = fields[0]?.startsWith('v=') ? fields.shift() : undefined
  const [given = '', saltText, hashText, ...more] = fields
  const salt = bytesOf(saltText)
  const hash = bytesOf(hashText)
  // RFC 9106 §3.1 demands four bytes; anything so short could be guessed.
  if (more.length > 0 || salt === undefined || hash === undefined || hash.length < 10) return undefined
  const parameters = readParameters(given)
  const number = (key: string, least: number, most: number) => {
    const value = /^\d{1,8}$/.test(parameters.get(key) ?? '') ? Number(parameters.get(key)) : Number.NaN
    return isWithin(value, least, most) ? value : undefined
  }
  const digest = /^pbkdf2(?:-(sha1|sha256|sha512))?$/.exec(name)
  if (digest !== null) {
    const rounds = number(parameters.has('') ? '' : 'i', 1, 99_999_999)
    const isLength = !parameters.has('l') || number('l', hash.length, hash.length) !== undefined
    const named = (digest[1] ?? 'sha1') as 'sha1' | 'sha256' | 'sha512'
    return rounds && isLength ? { kind: 'pbkdf2', digest: named, rounds, salt, hash } : undefined
  }
  if (name === 'argon2i' || name === 'argon2d') {
    const [memory, passes, parallelism] = [number('m', 8, 4_194_304), number('t', 1, 1000), number('p', 1, 64)]
    if (version !== 'v=19' || !memory || !passes || !parallelism) return undefined
    return salt.length >= 8 && memory >= 8 * parallelism
      ? { kind: name, memory, passes, parallelism, salt, hash }
      : undefined
  }
  const [logN, r, p] = [number('ln', 1, 24), number('r', 1, 64), number('p', 1, 64)]
  if (name === 'scrypt') return logN && r && p ? { kind: 'scrypt', logN, r, p, salt, hash } : undefined
  const [separator, signerKey] = [bytesOf(parameters.get('sep')), bytesOf(parameters.get('key'))]
  if (name !== 'firebase-scrypt' || !logN || !r || !separator || !signerKey?.length) return undefined
  return { kind: 'firebase', logN, r, separator, signerKey, salt, hash }
}

/** `i=29000,l=32`, or the bare number of rounds as passlib writes it, under an empty name. */
function readParameters(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(',').map((part) => {
      const at = part.indexOf('=')
      return at === -1 ? ['', part] : [part.slice(0, at), part.slice(at + 1)]
    }),
  )
}

/** ASP.NET Core Identity: a zero byte, salt and hash (version 2), or a one byte and a header (version 3). */
function fromAspNet(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes[0] === 0 && bytes.length === 49) {
    const [salt, hash] = [bytes.subarray(1, 17), bytes.subarray(17)]
    return foreignText({ kind: 'pbkdf2', digest: 'sha1', rounds: 1000, salt, hash })
  }
  if (bytes[0] !== 1 || bytes.length < 13) return undefined
  const digest = (['sha1', 'sha256', 'sha512'] as const)[bytes.readUInt32BE(1)]
  const rounds = bytes.readUInt32BE(5)
  const saltEnd = 13 + bytes.readUInt32BE(9)
  const [salt, hash] = [bytes.subarray(13, saltEnd), bytes.subarray(saltEnd)]
  if (digest === undefined || !isWithin(rounds, 1, 99_999_999) || salt.length < 8 || hash.length < 16) return undefined
  return foreignText({ kind: 'pbkdf2', digest, rounds, salt, hash })
}

/** Standard Base64, with or without padding, and with the dot that passlib writes for a plus sign. */
function bytesOf(text: string | undefined): Buffer | undefined {
  if (text === undefined || !/^[A-Za-z0-9+/.]*={0,2}$/.test(text)) return undefined
  return Buffer.from(text.replaceAll('.', '+'), 'base64')
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most
}
