/**
 * Opens the sockets of the driver. A proxy without a server behind it accepts a connection and closes it. The driver by
 * itself takes that for no failure: it connects again without a pause, and its statement hangs.
 */
import { Socket } from 'node:net'

type Address = { readonly host: readonly string[]; readonly port: readonly number[]; readonly path?: string | false }

/**
 * Returns a socket that connects once the driver listens to it: some failures, such as a network that is down, are reported at
 * once. What the driver writes is sent when the socket is connected.
 */
export function openSocket({ host: [host = ''], port: [port = 0], path }: Address): Socket {
  const socket = new Socket()
  setImmediate(() => {
    if (socket.destroyed) return
    try {
      if (path) socket.connect(path)
      else socket.connect(port, host)
    } catch (error) {
      // An address that cannot be one.
      socket.destroy(error as Error)
    }
  })
  socket.once('end', () => {
    if (socket.bytesRead === 0) socket.destroy(closed())
  })
  // Read by the driver, which verifies the name in a certificate.
  return Object.assign(socket, { host, port })
}

/** An error like those of the operating system when nobody listens. */
function closed(): Error {
  const message = 'the connection was closed before PostgreSQL answered, so a proxy has no server behind this address'
  return Object.assign(new Error(message), { code: 'ECONNRESET', syscall: 'connect' })
}

/**
 * Opens sockets, and lets go of those that are open. The driver ends its side of a connection and waits for the server, which
 * does not close a connection whose commit waits for a replica.
 */
export function socketKeeper() {
  const opened = new Set<Socket>()
  return {
    open(address: Address): Socket {
      for (const socket of opened) if (socket.destroyed) opened.delete(socket)
      const socket = openSocket(address)
      opened.add(socket)
      return socket
    },
    letGo(): void {
      for (const socket of opened) {
        // Must not keep a process alive that has finished.
        socket.unref()
        setTimeout(() => socket.destroy(), letGoAfterMs).unref()
      }
      opened.clear()
    },
  }
}

/** Enough for what was written to leave, and for a server to close its side. */
const letGoAfterMs = 1000
