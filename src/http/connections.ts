/** Limits the number of open connections, in total and per address. */
import type { Socket } from 'node:net'
import { networksOf } from './networks.ts'

export type ConnectionLimits = {
  readonly total: number
  /** A /64 of IPv6 counts as one address. */
  readonly perAddress: number
  /** Whether the address is a trusted proxy. Its connections carry many clients, so only the total limits them. */
  readonly isProxy: (address: string) => boolean
  /** Called when a connection is closed on arrival or evicted for another. */
  readonly onRefused: (address: string) => void
}

export type Connections = {
  /** Counts the connection until it closes. Above a limit, closes it or evicts another one. */
  admit(socket: Socket): void
  open(): number
  /** Whether any connection has sent no byte yet. */
  anySilent(): boolean
  /** Connections closed on arrival or evicted since the start. */
  refused(): number
}

/** The holder under which all connections of trusted proxies are counted. */
const proxies = 'proxies'

/** Reads `limits` for each connection, because a reload may change them. */
export function countConnections(limits: () => ConnectionLimits): Connections {
  /** Connections by holder, oldest first. */
  const holders = new Map<string, Set<Socket>>()
  let open = 0
  let refused = 0

  function refuse(socket: Socket): void {
    refused += 1
    limits().onRefused(socket.remoteAddress ?? '')
    socket.destroy()
  }

  /**
   * Returns the oldest connection of the address that has the most, so that a few greedy addresses yield to many modest
   * ones.
   */
  function mostGreedy(): { readonly holder: string; readonly socket: Socket } | undefined {
    let greatest: [string, Set<Socket>] | undefined
    for (const candidate of holders) {
      if (candidate[0] !== proxies && candidate[1].size > (greatest?.[1].size ?? 0)) greatest = candidate
    }
    const [socket] = greatest?.[1] ?? []
    return greatest && socket && { holder: greatest[0], socket }
  }

  function keep(holder: string, socket: Socket): void {
    const held = holders.get(holder) ?? new Set()
    holders.set(holder, held.add(socket))
    open += 1
    socket.once('close', () => {
      held.delete(socket)
      if (held.size === 0) holders.delete(holder)
      open -= 1
    })
  }

  return {
    admit(socket) {
      const { total, perAddress, isProxy } = limits()
      // Node.js caches the address once read, so it stays known after a disconnect.
      const address = socket.remoteAddress ?? ''
      const holder = isProxy(address) ? proxies : holderOf(address)
      const held = holders.get(holder)?.size ?? 0
      if (holder !== proxies && held >= perAddress) {
        refuse(socket)
        return
      }
      if (open >= total) {
        const greedy = mostGreedy()
        if (greedy === undefined || greedy.holder === holder) {
          refuse(socket)
          return
        }
        refuse(greedy.socket)
      }
      keep(holder, socket)
    },
    open: () => open,
    anySilent: () => [...holders.values()].some((held) => [...held].some(({ bytesRead }) => bytesRead === 0)),
    refused: () => refused,
  }
}

/** The system normalises addresses, so most of them need no parsing. */
function holderOf(address: string): string {
  return !address.includes(':') || address === '::1' ? address : networksOf(address)[0].key
}
