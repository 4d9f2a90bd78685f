/** The kinds of members of client metadata, and how a JSON value of each is read. */
import { lineFault } from '../../problem.ts'
import { isTexts } from '../json-value.ts'
import { isLoopbackHost } from '../loopback.ts'

/**
 * `text`, `uri`, `enum`, `algorithm`: a string; `words`: one string of words separated by spaces; `list`: an array of
 * strings; `flag`: a boolean; `seconds`: a whole number; `object`: a JSON object; `rules`: rules of claims.
 */
export type MemberKind =
  | 'text'
  | 'uri'
  | 'flag'
  | 'list'
  | 'words'
  | 'seconds'
  | 'enum'
  | 'algorithm'
  | 'object'
  | 'rules'

/** A valid value, or the end of a sentence that says why it is not valid. */
export type Read<T> = { readonly value: T } | { readonly fault: string }

/** What the settings say about values. */
export type MemberContext = {
  /** Addresses that the service requests may then be plain http on loopback. */
  readonly isLoopbackIssuer: boolean
  /** Whether those that an operator registers may be plain http elsewhere, too. Absent: no operator registers. */
  readonly allowsHttp?: boolean
  /** Whether ML-DSA-65 can be registered. */
  readonly isPostQuantum: boolean
}

/** Reads the JSON value of one member. */
export type MemberRule<T> = {
  readonly kind: MemberKind
  read(given: unknown, context: MemberContext): Read<T>
}

const uriLengthAtMost = 2048

/** An address that people open. */
export const webUri: MemberRule<string> = { kind: 'uri', read: (given) => readUri(given, ['https:', 'http:']) }

/** An address that a browser calls without a user looking at it. */
export const calledUri: MemberRule<string> = {
  kind: 'uri',
  read: (given, { isLoopbackIssuer }) => readCalledUri(given, isLoopbackIssuer),
}

/** An address that the service requests. */
export const fetchedUri: MemberRule<string> = {
  kind: 'uri',
  read(given, { isLoopbackIssuer, allowsHttp }) {
    if (allowsHttp === true) return readUri(given, ['https:', 'http:'])
    const read = readCalledUri(given, isLoopbackIssuer)
    const isPlain = typeof given === 'string' && /^http:/i.test(given)
    if (allowsHttp === undefined || 'value' in read || !isPlain) return read
    return { fault: 'must start with https:// (http:// needs Outbound:AllowHttp, and an entry of Outbound:Networks)' }
  },
}

/** An image that the service requests where an operator registered it. A stranger's is never requested (`called-addresses.ts`). */
export const pictureUri: MemberRule<string> = {
  kind: 'uri',
  read: (given, context) => (context.allowsHttp === undefined ? webUri : fetchedUri).read(given, context),
}

function readCalledUri(given: unknown, isLoopbackIssuer: boolean): Read<string> {
  const read = readUri(given, isLoopbackIssuer ? ['https:', 'http:'] : ['https:'])
  if ('fault' in read) return read
  const { protocol, hostname } = new URL(read.value)
  if (protocol === 'https:' || isLoopbackHost(hostname)) return read
  return { fault: 'must start with https:// (http:// is for loopback addresses alone)' }
}

function readUri(given: unknown, schemes: readonly string[]): Read<string> {
  if (typeof given !== 'string' || !/^[\x21-\x7e]+$/.test(given) || !URL.canParse(given)) {
    return { fault: 'must be an absolute URI such as https://app.example.com/' }
  }
  if (given.length > uriLengthAtMost) return { fault: `must have at most ${uriLengthAtMost} characters` }
  const { protocol, username, password, hostname } = new URL(given)
  if (!schemes.includes(protocol)) return { fault: 'must start with https://' }
  // The parser accepts signs such as ; and * that no name of a host contains.
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(hostname)) return { fault: 'must name its host' }
  if (username !== '' || password !== '') return { fault: 'must not contain a user name or password' }
  return given.includes('#') ? { fault: 'must not have a fragment (#…)' } : { value: given }
}

export const flag: MemberRule<boolean> = {
  kind: 'flag',
  read: (given) => (typeof given === 'boolean' ? { value: given } : { fault: 'must be true or false' }),
}

export function line(lengthAtMost: number): MemberRule<string> {
  return {
    kind: 'text',
    read(given) {
      const fault = typeof given === 'string' ? lineFault(given, lengthAtMost) : 'must be a text'
      return fault === undefined ? { value: String(given) } : { fault }
    },
  }
}

export function seconds(min: number, max: number): MemberRule<number> {
  return {
    kind: 'seconds',
    read: (given) =>
      typeof given === 'number' && Number.isInteger(given) && given >= min && given <= max
        ? { value: given }
        : { fault: `must be ${min} to ${max} seconds, a whole number` },
  }
}

export function oneOf<const T extends string>(values: readonly T[]): MemberRule<T> {
  return {
    kind: 'enum',
    read(given) {
      const found = values.find((value) => value === given)
      return found === undefined ? { fault: `must be ${values.join(' or ')}` } : { value: found }
    },
  }
}

export function listOf(itemsAtMost: number, item: MemberRule<string>): MemberRule<readonly string[]> {
  return {
    kind: 'list',
    read(given, context) {
      if (!isTexts(given)) return { fault: 'must be an array of strings' }
      if (given.length > itemsAtMost) return { fault: `must have at most ${itemsAtMost} items` }
      for (const one of given) {
        const read = item.read(one, context)
        if ('fault' in read) return { fault: `holds ${JSON.stringify(one)}, which ${read.fault}` }
      }
      return { value: [...new Set(given)] }
    },
  }
}
