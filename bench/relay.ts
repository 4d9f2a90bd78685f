/** Stands between a service and PostgreSQL and counts what passes: bytes both ways, and round trips. */
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `roundTrips`: how often a connection asked after its last answer. What is sent ahead of an answer belongs to the same one. */
export type Passed = { roundTrips: number; toDatabase: number; fromDatabase: number }

export type Relay = {
  /** The same database, through the relay. */
  readonly address: string
  /** Where the counters can be read, as JSON. */
  readonly counters: string
  stop(): void
}

export async function startRelay(address: string): Promise<Relay> {
  const { hostname, port } = new URL(address)
  const passed: Passed = { roundTrips: 0, toDatabase: 0, fromDatabase: 0 }
  const sockets = new Set<Socket>()
  const relay = createServer({ noDelay: true }, (client) => {
    const server = connect({ host: hostname, port: Number(port), noDelay: true })
    let isAnswered = true
    client.on('data', (bytes: Buffer) => {
      if (isAnswered) passed.roundTrips += 1
      isAnswered = false
      passed.toDatabase += bytes.length
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      passed.fromDatabase += bytes.length
      isAnswered = true
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
