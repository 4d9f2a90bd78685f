/** Requests that come on a connection before the answer to an earlier one (RFC 9112 §9.3.2). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that wait for the answer to an earlier one. Browsers send none. */
export const pipelinedAtMost = 16

/** Requests of each connection whose answers wait for an earlier one. */
const waiting = new WeakMap<Socket, number>()

/**
 * Counts a request that waits on its connection; false: it is not to be handled. One too many closes the connection: a piece of it
 * holds a thousand requests, and their answers stay in memory while the client does not read.
 */
export function mayWait({ socket }: IncomingMessage, response: ServerResponse): boolean {
  // Those that came with the one too many.
  if (socket.destroyed) return false
  // No earlier answer has the socket.
  if (response.socket !== null) return true
  const count = (waiting.get(socket) ?? 0) + 1
  if (count > pipelinedAtMost) {
    socket.destroy()
    return false
  }
  waiting.set(socket, count)
  response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
  return true
}
