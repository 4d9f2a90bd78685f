import { words } from './texts.ts'

/** Returns what is wrong with an address for responses, by the rules that the service registers with; undefined: nothing. */
export function redirectFault(address: string): string | undefined {
  const text = words().applications.faults
  if (/[^\x21-\x7e]/.test(address) || !URL.canParse(address)) return text.absolute
  if (address.includes('#')) return text.fragment
  const { protocol, hostname, username, password, searchParams } = new URL(address)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (forbiddenSchemes.test(protocol)) return text.scheme
  if (isWeb && !/^https?:\/\/[^/]/i.test(address)) return text.absolute
  if (hostname.includes('*')) return text.pattern
  if (username !== '' || password !== '') return text.credentials
  if ([...searchParams.keys()].some((key) => key.toLowerCase() === 'iss')) return text.iss
  return address.length > 2048 ? text.long : undefined
}

/** Of those that the service refuses, the ones that somebody might type; it knows more of them. */
const forbiddenSchemes =
  /^(?:javascript|vbscript|data|blob|about|file|filesystem|view-source|ftp|wss?|mailto|tel|sms|intent|urn):$/

/** The addresses of a field with one in each line. */
export const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== '')

/** The first fault of such a field, with its address. */
export function linesFault(text: string): string | undefined {
  for (const line of linesOf(text)) {
    const fault = redirectFault(line)
    // Isolated: beside words from right to left, an address keeps its order.
    if (fault !== undefined) return `\u2066${line}\u2069: ${fault}`
  }
  return undefined
}
