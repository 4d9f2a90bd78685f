/** A line between two programs that a test cuts: what is on its way is held, and nothing tells either side. */
import { createServer, connect as open, type Socket } from 'node:net'

export type Relay = {
  readonly port: number
  /** Nothing passes from now on. New connections are taken, and stay silent. */
  cut(): void
  /** Connections that were open when it was cut are reset; new ones pass. */
  mend(): void
  stop(): Promise<void>
}

/** Passes connections to `port` on to another port of this machine. */
export async function startRelay(port: number, target: number): Promise<Relay> {
  let isCut = false
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    keep(near)
    if (isCut) return void near.pause()
    const far = open({ host: '127.0.0.1', port: target })
    keep(far)
    far.pipe(near)
    near.pipe(far)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  })
  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    socket.setNoDelay()
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  server.unref()
  return {
    port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    mend() {
      isCut = false
      drop()
    },
    async stop() {
      const closed = new Promise((resolve) => {
        server.close(resolve)
      })
      drop()
      await closed
    },
  }
}
