/** What is said about an address while it is typed: what the service would refuse, and what is good to know of the others. */
import { linesOf, redirectFault } from './redirect-address.ts'
import { words } from './texts.ts'

/** `redirect`: people are sent there; `origin`: scripts of it may ask; `called`: a browser or the service calls it. */
export type AddressUse = 'redirect' | 'origin' | 'called'

/** `fault`: the service refuses it. `care`: it does not, and somebody may want to know. */
export type AddressFound = { address: string; kind: 'fine' | 'care' | 'fault'; words: string }

/** Looks at each line. `registered`: addresses that the application has, which an import may have brought. */
export function checkAddresses(
  typed: string,
  use: AddressUse,
  { registered, isNative }: { registered: readonly string[]; isNative: boolean },
): AddressFound[] {
  return linesOf(typed).map((address) => {
    const fault = registered.includes(address) ? undefined : faultOf(address, use)
    if (fault !== undefined) return { address, kind: 'fault', words: fault }
    const care = careOf(address, isNative)
    return care === undefined
      ? { address, kind: 'fine', words: words().applications.notes.fine }
      : { address, kind: 'care', words: care }
  })
}

function faultOf(address: string, use: AddressUse): string | undefined {
  const { faults } = words().applications
  if (use === 'origin') {
    if (address === '+') return undefined
    return URL.canParse(address) && /^https?:/.test(address) && new URL(address).origin === address
      ? undefined
      : faults.origin
  }
  if (use === 'redirect' && address.endsWith('*')) return faults.wildcard
  const fault = redirectFault(address)
  if (fault !== undefined || use === 'redirect') return fault
  const { protocol } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? undefined : faults.https
}

/** Loopback: RFC 8252 §7.3; schemes of applications: §7.1. */
function careOf(address: string, isNative: boolean): string | undefined {
  const { notes } = words().applications
  if (address === '+') return notes.ofRedirects
  if (address.endsWith('*')) return notes.wildcard
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return notes.scheme
  if (isLoopback(hostname)) return isNative ? notes.loopbackNative : notes.loopback
  return protocol === 'http:' ? notes.http : undefined
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(?:\.\d+){3}$/.test(hostname)
