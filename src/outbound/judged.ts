/** Where a request may go: its address judged, its name looked up, or left to a proxy. */
import { OutboundFault } from './exchange.ts'
import { lookups, type Resolve } from './lookup.ts'
import { type AddressSource, literalOf, type ReachOptions, reachWith } from './reach.ts'
import { type WayOptions, type WayOut, wayOutOf } from './way-out.ts'

export type JudgeOptions = {
  /** Only a loopback issuer may reach loopback addresses, over plain http as well. Never reached itself. */
  readonly issuer: string
  /** What the settings allow. Default: the public internet. */
  readonly reach?: ReachOptions
  /** Default: directly, with the authorities of the runtime. */
  readonly way?: WayOptions
  /** Default: as the machine does for operators, and by DNS for strangers. */
  readonly resolve?: Resolve
}

export type Judge = {
  readonly way: WayOut
  /** Returns the address if it may be requested at all. Throws `OutboundFault`. */
  urlOf(text: string, by: AddressSource): URL
  /**
   * Returns the addresses of the host, each of which may be connected to; undefined: a proxy resolves its name. Rejects with
   * `OutboundFault`, and with `NotResolved` if the name has no address or was not looked up in time.
   */
  addressesFor(url: URL, by: AddressSource, signal: AbortSignal): Promise<readonly string[] | undefined>
}

export class NotResolved extends OutboundFault {}

/** How long the machine is asked for a name that a proxy resolves anyway. */
const knownMs = 1000
const direct: WayOptions = { proxies: { https: null, http: null, except: [] }, caFile: null }

export function judgeWith(options: JudgeOptions): Judge {
  const { issuer, resolve = lookups.resolve } = options
  const known = options.resolve ?? lookups.known
  const reach = reachWith(issuer, options.reach)
  const way = wayOutOf(options.way ?? direct)

  return {
    way,
    urlOf: reach.urlOf,
    async addressesFor(url, by, signal) {
      const isLeft = way.proxyFor(url) !== undefined
      const literal = literalOf(url)
      if (!isLeft || literal !== undefined) {
        const addresses = literal === undefined ? await resolve(url.hostname, signal, by) : [literal]
        if (addresses.length === 0) throw new NotResolved(`${url.hostname} cannot be resolved`)
        reach.check(url, addresses, by)
        return isLeft ? undefined : addresses
      }
      // Behind a proxy, this machine may know no name of the public internet.
      const soon = AbortSignal.any([signal, AbortSignal.timeout(knownMs)])
      reach.checkName(url, by === 'operator' ? [] : await known(url.hostname, soon, by), by)
      // A name that nobody answered for in time may still be one of the private network.
      if (by !== 'operator' && soon.aborted) throw new NotResolved(`${url.hostname} was not looked up in time`)
      return undefined
    },
  }
}
