/** Which addresses a request may lead to: the rules against requests to networks that only this service can reach. */
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { isNeverReached, plainAddress } from '../protocol/special-addresses.ts'
import type { Settings } from '../settings/settings.ts'
import { isLoopbackIp, isPublicAddress } from './address.ts'
import { OutboundFault } from './exchange.ts'

/**
 * Who chose an address: an operator, the holder of an initial access token, or anybody. Only those of an operator may lead to
 * what the settings allow.
 */
export type AddressSource = 'operator' | 'token' | 'anybody'

export type ReachOptions = {
  /** Networks and host names of `Outbound:Networks`, in lower case. Default: none. */
  readonly networks?: readonly string[]
  /** `Outbound:AllowHttp`. Default: false. */
  readonly allowHttp?: boolean
  /** Addresses of the service as clients know them. The issuer is always one of them. */
  readonly ownAddresses?: readonly string[]
  /** Where the service listens: `host` as in `Server:Host`. */
  readonly listeners?: readonly { readonly host: string; readonly port: number }[]
}

export type Reach = {
  /** Returns the address if it may be requested at all. Throws `OutboundFault`. */
  urlOf(text: string, by: AddressSource): URL
  /** Throws `OutboundFault` unless each of the addresses of the host may be connected to. One that may not is reason enough to refuse. */
  check(url: URL, addresses: readonly string[], by: AddressSource): void
  /**
   * Throws `OutboundFault` unless the name may be asked of a proxy, which alone knows where it leads. `addresses`: those that this
   * machine knows of a name that a stranger registered; possibly none.
   */
  checkName(url: URL, addresses: readonly string[], by: AddressSource): void
}

/** Returns what the settings say. */
export function reachFrom({ outbound, oauth, admin, server, metrics }: Settings): ReachOptions {
  const { networks, allowHttp } = outbound
  const listeners = [
    { host: server.host, port: server.port },
    { host: server.host, port: admin.port },
    { host: metrics.host, port: metrics.port },
  ].flatMap(({ host, port }) => (port === null ? [] : [{ host, port }]))
  const ownAddresses = [admin.url, ...(oauth.mtls.address === null ? [] : [oauth.mtls.address])]
  return { networks, allowHttp, ownAddresses, listeners }
}

const addressLengthAtMost = 2000

/** `issuer`: a loopback one may reach loopback addresses, over plain http as well. */
export function reachWith(issuer: string, options: ReachOptions = {}): Reach {
  const { networks = [], allowHttp = false, ownAddresses = [], listeners = [] } = options
  const isLoopbackIssuer = isLoopbackHost(new URL(issuer).hostname)
  const own = new Set([issuer, ...ownAddresses].map((address) => placeOf(new URL(address))))
  const isListed = listedIn(networks)
  const isNamed = namedIn(networks)

  const isOwn = (url: URL, addresses: readonly string[]): boolean =>
    own.has(placeOf(url)) || listeners.some(({ host, port }) => port === portOf(url) && addresses.some(listensAt(host)))

  function urlOf(text: string, by: AddressSource): URL {
    if (text.length > addressLengthAtMost || !URL.canParse(text)) {
      throw new OutboundFault('it is not an absolute address')
    }
    const url = new URL(text)
    if (url.username !== '' || url.password !== '') throw new OutboundFault('its address contains a user name')
    if (url.protocol === 'https:') return url
    if (url.protocol === 'http:' && isLoopbackIssuer && isLoopbackHost(url.hostname)) return url
    if (url.protocol !== 'http:' || by !== 'operator') throw new OutboundFault(`${url.protocol}// is not https`)
    if (!allowHttp) throw new OutboundFault('http:// is not https, and Outbound:AllowHttp is false')
    return url
  }

  /** Returns why a request must not go to the address, as the rest of a sentence about it; undefined: it may. */
  function faultOf(address: string, url: URL, by: AddressSource): string | undefined {
    if (isLoopbackIssuer && isLoopbackHost(url.hostname) && isLoopbackIp(address)) return undefined
    const isPublic = isPublicAddress(address)
    if (by !== 'operator') return isPublic ? undefined : 'is not a public address'
    if (isNeverReached(address)) return 'is never reached: it is link-local or of a metadata service'
    if (isNamed(url.hostname) || isListed(address)) return undefined
    if (!isPublic) return 'no entry of Outbound:Networks allows'
    return url.protocol === 'https:' ? undefined : 'is not https, and no entry of Outbound:Networks allows http there'
  }

  return {
    urlOf,
    checkName(url, addresses, by) {
      if (isOwn(url, [])) throw new OutboundFault(`${url.host} is the service itself, which is never reached`)
      if (by === 'operator') {
        if (url.protocol === 'https:' || isNamed(url.hostname)) return
        throw new OutboundFault(`no entry of Outbound:Networks allows http to ${url.hostname}`)
      }
      const isInside = isNamed(url.hostname) || !withoutDot(url.hostname).includes('.')
      if (isInside) throw new OutboundFault(`${url.hostname} is a name of a private network`)
      for (const address of addresses) {
        const fault = faultOf(address, url, by)
        if (fault !== undefined) throw new OutboundFault(`${url.hostname} resolves to ${address}, which ${fault}`)
      }
    },
    check(url, addresses, by) {
      if (isOwn(url, addresses)) throw new OutboundFault(`${url.host} is the service itself, which is never reached`)
      const isLiteral = literalOf(url) !== undefined
      for (const address of addresses) {
        const fault = faultOf(address, url, by)
        if (fault === undefined) continue
        throw new OutboundFault(
          isLiteral ? literalFault(address, fault) : `${url.hostname} resolves to ${address}, which ${fault}`,
        )
      }
    },
  }
}

function literalFault(address: string, fault: string): string {
  return fault.startsWith('no ') ? `${address} is not a public address, and ${fault} it` : `${address} ${fault}`
}

/** Returns the address that the host of a URL is; undefined: it is a name. */
export function literalOf({ hostname }: URL): string | undefined {
  return /^\[(.*)\]$/.exec(hostname)?.[1] ?? (isIP(hostname) > 0 ? hostname : undefined)
}

const withoutDot = (hostname: string): string => hostname.replace(/\.$/, '')

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** The same for all spellings of a host and port. */
const placeOf = (url: URL): string => `${withoutDot(url.hostname)}:${portOf(url)}`

function namedIn(entries: readonly string[]): (hostname: string) => boolean {
  return (hostname) => {
    const name = withoutDot(hostname.toLowerCase())
    return entries.some((entry) => (entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry))
  }
}

function listedIn(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [base = '', prefix] = entry.split('/')
    const version = isIP(base)
    if (version === 0) continue
    // A mapped network counts as the IPv4 network that it stands for.
    const plain = plainAddress(base)
    const isMapped = version === 6 && isIP(plain) === 4
    const length = prefix === undefined ? (version === 4 || isMapped ? 32 : 128) : Number(prefix) - (isMapped ? 96 : 0)
    if (isMapped && length < 0) continue
    list.addSubnet(plain, length, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
  }
  return (text) => {
    const address = plainAddress(text)
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** A connection to the unspecified address reaches this machine. */
const isUnspecified = (address: string): boolean => address === '0.0.0.0' || /^[0:]+$/.test(address)

/** Returns whether a listener at `host` is reached by an address of this machine. */
function listensAt(host: string): (address: string) => boolean {
  const isEvery = isUnspecified(host) || (isIP(host) === 0 && host !== 'localhost')
  return (text) => {
    const address = plainAddress(text)
    if (isUnspecified(address)) return true
    if (isEvery) return isLoopbackIp(address) || isOfThisMachine(address)
    return host === 'localhost' ? address === '127.0.0.1' || address === '::1' : address === plainAddress(host)
  }
}

function isOfThisMachine(address: string): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address))
}
