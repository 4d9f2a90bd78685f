/**
 * Ports that nothing listens on. They are below the ephemeral range, from which the system would give them to a connection
 * before the service listens.
 */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** A port is given once to a process: nothing may listen on it yet when the next one is chosen. */
const given = new Set<number>()

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

/** The first of two consecutive ones. */
export async function freePortPair(): Promise<number> {
  for (;;) {
    const port = randomInt(5_500, 10_000) * 2
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
