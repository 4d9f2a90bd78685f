/** Reads protocol parameters from a request. Refuses malformed input instead of guessing. */
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Request } from './request.ts'

/** Throws for invalid UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** More than any valid request needs. */
const maxParameters = 256
/** As `+`. Each costs 50 ns to replace: 64 KiB of them would take 3 ms. */
const maxSpaces = 4096

/** Reads the parameters of the query string. */
export function readQuery(request: Request): Parameters | Refusal {
  return parseFormText(request.query)
}

/** Whether the content type is that of a form. */
export function isForm(request: Request): boolean {
  const contentType = request.headers['content-type'] ?? ''
  return contentType === formType || /^application\/x-www-form-urlencoded(?=$|[\s;])/i.test(contentType)
}

/** As nearly every client writes it. */
const formType = 'application/x-www-form-urlencoded'

/** Reads the parameters of a form body. Refuses other content types (RFC 6749 Appendix B). */
export function readForm(request: Request): Parameters | Refusal {
  const contentType = request.headers['content-type']
  if (contentType === undefined) return refuse('content_type_missing')
  if (!isForm(request)) {
    return refuse('content_type_unsupported', 'Content-Type', { received: contentType.split(';', 1)[0] })
  }
  try {
    return parseFormText(utf8.decode(request.body))
  } catch {
    return refuse('encoding_malformed', '', { rule: 'the body is not UTF-8' })
  }
}

/**
 * Parses application/x-www-form-urlencoded text. Refuses broken percent-encoding, invalid UTF-8, NUL (which database
 * text cannot hold), more than 256 pairs and more than 4096 spaces as `+`.
 */
export function parseFormText(text: string): Parameters | Refusal {
  if (text === '') return []
  const pieces = text.split('+', maxSpaces + 2)
  if (pieces.length > maxSpaces + 1) {
    return refuse('encoding_malformed', '', { rule: 'too many spaces', limit: maxSpaces })
  }
  const pairs = pieces.join(' ').split('&', maxParameters + 1)
  if (pairs.length > maxParameters) {
    return refuse('encoding_malformed', '', { rule: 'too many parameters', limit: maxParameters })
  }
  try {
    const parameters: (readonly [string, string])[] = []
    let hasNul = false
    for (const pair of pairs) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      const name = decode(equals === -1 ? pair : pair.slice(0, equals))
      const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
      hasNul ||= name.includes('\0') || value.includes('\0')
      parameters.push([name, value])
    }
    return hasNul ? refuse('encoding_malformed', '', { rule: 'a NUL character' }) : parameters
  } catch {
    return refuse('encoding_malformed', '', { rule: 'the percent-encoding is broken, or not of UTF-8' })
  }
}

/** Most parts are plain, long tokens above all, and searching is far cheaper than decoding. */
function decode(part: string): string {
  return part.includes('%') ? decodeURIComponent(part) : part
}

/**
 * Serialises parameters as a query string with its leading `?`. Keeps order and duplicates. Empty without parameters.
 */
export function toQuery(parameters: Parameters): string {
  const query = parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return query === '' ? '' : `?${query}`
}

/** What `application/x-www-form-urlencoded` leaves as it is (URL Standard §5.2). Codes and identifiers are nothing else. */
const plain = /^[\w*.-]*$/

/** Encodes a part as `URLSearchParams` does, which looks at each character of a long code by itself. */
function encode(part: string): string {
  if (plain.test(part)) return part
  const encoded = encodeURIComponent(part.toWellFormed()).replaceAll('%20', '+')
  return encoded.replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Adds query parameters to an address that may already have some. */
export function withQuery(address: string, parameters: Parameters): string {
  const query = toQuery(parameters).slice(1)
  if (query === '') return address
  return `${address}${address.includes('?') ? '&' : '?'}${query}`
}

/** Returns only the parameters with a non-empty value. */
export function withoutEmpty(parameters: Parameters): Parameters {
  return parameters.filter(([, value]) => value !== '')
}

/** Returns the first value of a field, ignoring the case of its name; undefined: it was not sent. */
export function fieldIgnoringCase(parameters: Parameters, name: string): string | undefined {
  return parameters.find(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1]
}

/** Drops the named fields, which belong to the form and not to the protocol. */
export function withoutFields(parameters: Parameters, names: readonly string[]): Parameters {
  return parameters.filter(([name]) => !names.includes(name))
}
