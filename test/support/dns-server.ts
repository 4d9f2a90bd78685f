/** A DNS server on loopback (RFC 1035) that knows the names of the test. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'

export type DnsServer = {
  /** With its port. */
  readonly address: string
  /** The names of A questions. */
  readonly asked: string[]
}

/** Starts a server that ends with the test file. `known`: IPv4 addresses of names; null: never answered. Others do not exist. */
export async function dnsServer(known: Readonly<Record<string, string | null>>): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionIn(query)
    if (type === typeA) asked.push(name)
    const found = known[name]
    if (found === null) return
    const records = found !== undefined && type === typeA ? [recordOf(found)] : []
    const header = Buffer.from(query.subarray(0, 12))
    // A response with recursion; NXDOMAIN for names that are not known.
    header.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2)
    for (const [at, count] of [1, records.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + at * 2)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

const typeA = 1

function questionIn(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** An A record of the name of the question, for a minute. */
function recordOf(address: string): Buffer {
  return Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
}
