/** How many connections there may be: in all, and of one address. */
import type { Socket } from 'node:net'
import { networksOf } from './networks.ts'

export type ConnectionLimits = {
  readonly total: number
  /** A /64 of IPv6 counts as one. */
  readonly perAddress: number
  /** Whether the address is that of a trusted proxy. It speaks for many, so only the total counts. */
  readonly isProxy: (address: string) => boolean
  /** Told of a connection that was closed at once, or had to make room. */
  readonly onRefused: (address: string) => void
}

export type Connections = {
  /** Counts the connection until it closes; closes it, or another one, when there are too many. */
  admit(socket: Socket): void
  open(): number
  /** Whether one of them has sent nothing yet. */
  anySilent(): boolean
  /** Closed at once, or to make room, since the start. */
  refused(): number
}

/** The holder of all connections of trusted proxies. */
const proxies = 'proxies'

/** `limits` is asked at each connection, because a reload may change them. */
export function countConnections(limits: () => ConnectionLimits): Connections {
  /** Those of each holder, the oldest first. */
  const holders = new Map<string, Set<Socket>>()
  let open = 0
  let refused = 0

  function refuse(socket: Socket): void {
    refused += 1
    limits().onRefused(socket.remoteAddress ?? '')
    socket.destroy()
  }

  /** The oldest connection of the address that has the most: a few that hold many give way to many that hold a few. */
  function mostGreedy(): { readonly holder: string; readonly socket: Socket } | undefined {
    let greatest: [string, Set<Socket>] | undefined
    for (const entry of holders) {
      if (entry[0] !== proxies && entry[1].size > (greatest?.[1].size ?? 0)) greatest = entry
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
      // Node.js keeps what was read once, so that the address is known after a disconnect, too.
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

/** The system spells addresses in one way only, so nearly all of them need no look at their parts. */
function holderOf(address: string): string {
  return !address.includes(':') || address === '::1' ? address : networksOf(address)[0].key
}
