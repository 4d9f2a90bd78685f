/** Reads protocol parameters from a request, strictly: what is not well-formed is refused, never guessed at. */
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals.ts'
import type { Request } from './request.ts'

/** Throws for what is not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** More pairs than any request needs. */
const maxParameters = 256

/** The parameters of the query string. */
export function readQuery(request: Request): Parameters | Refusal {
  return parseFormText(request.query)
}

/** Whether the content type is that of a form. */
export function isForm(request: Request): boolean {
  return /^application\/x-www-form-urlencoded(?=$|[\s;])/i.test(request.headers['content-type'] ?? '')
}

/** The parameters of a form body. Other content types are refused (RFC 6749 Appendix B). */
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
 * Parses application/x-www-form-urlencoded text. Refuses broken percent-encoding, bytes that are not UTF-8, NUL (which
 * no database text can hold) and more than 256 pairs.
 */
export function parseFormText(text: string): Parameters | Refusal {
  if (text === '') return []
  const pairs = text.split('&', maxParameters + 1)
  if (pairs.length > maxParameters) {
    return refuse('encoding_malformed', '', { rule: 'too many parameters', limit: maxParameters })
  }
  try {
    const parameters = pairs
      .filter((pair) => pair !== '')
      .map((pair): readonly [string, string] => {
        const equals = pair.indexOf('=')
        return equals === -1 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
      })
    const hasNul = parameters.some(([name, value]) => name.includes('\0') || value.includes('\0'))
    return hasNul ? refuse('encoding_malformed', '', { rule: 'a NUL character' }) : parameters
  } catch {
    return refuse('encoding_malformed', '', { rule: 'the percent-encoding is broken, or not of UTF-8' })
  }
}

function decode(part: string): string {
  return decodeURIComponent(part.replaceAll('+', ' '))
}

/** Writes parameters back as a query string, in order, repeats kept. Empty for no parameters, otherwise begins with `?`. */
export function toQuery(parameters: Parameters): string {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString()
  return query === '' ? '' : `?${query}`
}

/** Adds query parameters to an address that may have some already. */
export function withQuery(address: string, parameters: Parameters): string {
  const query = toQuery(parameters).slice(1)
  if (query === '') return address
  return `${address}${address.includes('?') ? '&' : '?'}${query}`
}

/** Only the parameters that have a value. */
export function withoutEmpty(parameters: Parameters): Parameters {
  return parameters.filter(([, value]) => value !== '')
}

/** The first value of a field, whatever the case of its name. Undefined: it was not sent. */
export function fieldIgnoringCase(parameters: Parameters, name: string): string | undefined {
  return parameters.find(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1]
}

/** Without these fields, which belong to the form and not to the protocol. */
export function withoutFields(parameters: Parameters, names: readonly string[]): Parameters {
  return parameters.filter(([name]) => !names.includes(name))
}
