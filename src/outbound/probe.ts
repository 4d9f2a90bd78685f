/** Connects to an address, to tell what is there. */
import type { TLSSocket } from 'node:tls'
import { lookupAmong, OutboundFault, untilAborted } from './exchange.ts'
import type { WayOut } from './way-out.ts'

export type Seen = {
  /** The address that was connected to: of the host, or of the proxy. */
  readonly address: string
  /** Of the host; undefined: plain http. `until`: epoch milliseconds. */
  readonly certificate?: { readonly subject: string; readonly issuer: string; readonly untilMs: number }
  /** From the look-up to the answer. */
  readonly tookMs: number
}

/** Sends one `HEAD`. `addresses`: those that were checked; undefined: the machine or a proxy resolves the name. Rejects with what failed. */
export async function probe(
  url: URL,
  way: WayOut,
  addresses: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Seen> {
  const startedAtMs = performance.now()
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const agent = await way.agentFor(url, { signal })
  const { promise, resolve, reject } = Promise.withResolvers<Seen>()
  const lookup = addresses === undefined ? {} : { lookup: lookupAmong(addresses) }
  const sent = request(url, { method: 'HEAD', agent, signal, ...lookup }, (message) => {
    const socket = message.socket as TLSSocket
    const address = socket.remoteAddress ?? ''
    const peer = url.protocol === 'https:' ? socket.getPeerCertificate() : undefined
    const certificate = peer?.valid_to && {
      subject: nameIn(peer.subject),
      issuer: nameIn(peer.issuer),
      untilMs: Date.parse(peer.valid_to),
    }
    message.destroy()
    resolve({ address, ...(certificate && { certificate }), tookMs: performance.now() - startedAtMs })
  })
  sent.on('error', reject)
  sent.on('close', () => reject(new OutboundFault('the connection ended without a response')))
  sent.end()
  try {
    return await untilAborted(promise, signal)
  } catch (error) {
    throw signal.aborted ? new OutboundFault('there was no answer in time') : error
  }
}

type Name = { readonly CN?: string | string[]; readonly O?: string | string[] }

const nameIn = ({ CN, O }: Name): string => [CN ?? O ?? '(no name)'].flat().join(', ')
