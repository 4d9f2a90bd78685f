/** Stands between a service and PostgreSQL and counts what passes: bytes both ways, and statements that were answered. */
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `statements`: those after which the server said that it is ready; each is a round trip for whoever waits for it. */
export type Passed = { statements: number; toDatabase: number; fromDatabase: number }

export type Relay = {
  /** The same database, through the relay. */
  readonly address: string
  /** Where the counters can be read, as JSON. */
  readonly counters: string
  stop(): void
}

export async function startRelay(address: string): Promise<Relay> {
  const { hostname, port } = new URL(address)
  const passed: Passed = { statements: 0, toDatabase: 0, fromDatabase: 0 }
  const sockets = new Set<Socket>()
  const relay = createServer({ noDelay: true }, (client) => {
    const server = connect({ host: hostname, port: Number(port), noDelay: true })
    const count = messageCounter('Z')
    client.on('data', (bytes: Buffer) => {
      passed.toDatabase += bytes.length
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      passed.fromDatabase += bytes.length
      passed.statements += count(bytes)
      client.write(bytes)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  const counters = createHttpServer((_, answer) => answer.end(JSON.stringify(passed)))
  const portOf = async (one: typeof relay | typeof counters): Promise<number> => {
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', () => resolve()))
    return (one.address() as AddressInfo).port
  }
  const through = new URL(address)
  through.port = String(await portOf(relay))
  return {
    address: through.href,
    counters: `http://127.0.0.1:${await portOf(counters)}/`,
    stop() {
      relay.close()
      counters.close()
      counters.closeAllConnections()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/**
 * Counts the messages of one type in what a PostgreSQL server sends, which may be cut anywhere: a byte for the type and
 * four for the length, which includes itself.
 */
export function messageCounter(type: string): (bytes: Buffer) => number {
  const wanted = type.charCodeAt(0)
  /** Of a head that is not complete yet. */
  let head = Buffer.alloc(0)
  /** Of the body that is passing. */
  let left = 0
  return (bytes) => {
    let counted = 0
    let rest = head.length === 0 ? bytes : Buffer.concat([head, bytes])
    head = Buffer.alloc(0)
    for (;;) {
      if (left >= rest.length) {
        left -= rest.length
        return counted
      }
      rest = rest.subarray(left)
      left = 0
      if (rest.length < 5) {
        head = Buffer.from(rest)
        return counted
      }
      if (rest[0] === wanted) counted += 1
      left = 1 + rest.readUInt32BE(1)
    }
  }
}
