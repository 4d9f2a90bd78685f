/**
 * Checks arriving requests against the time that they may take, while a connection is open. Node.js checks as often without
 * any, which wakes an idle process. It takes up a changed interval when a server tells again that it listens.
 */
import type { Server } from 'node:http'

/** The longest interval that timers have. */
const neverMs = 2 ** 31 - 1

/** For a server that already listens. */
export function checkWhileConnected(server: Server): void {
  const checked = server as Server & { connectionsCheckingInterval: number }
  const everyMs = checked.connectionsCheckingInterval
  let open = 0

  function checkEvery(ms: number): void {
    // A server that stopped listening is being closed, which clears the timer.
    if (!server.listening) return
    checked.connectionsCheckingInterval = ms
    server.emit('listening')
  }

  server.on('connection', (socket) => {
    open += 1
    if (open === 1) checkEvery(everyMs)
    socket.once('close', () => {
      open -= 1
      if (open === 0) checkEvery(neverMs)
    })
  })
  checkEvery(neverMs)
}
