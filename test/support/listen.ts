/** Servers of tests, on loopback. */
import type { AddressInfo, Server } from 'node:net'

/** Has the server listen on a free port, and returns its origin. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
