/** Bytes as no client library sends them. */
import { connect } from 'node:net'

/**
 * Sends them over a connection of their own; all that comes back until the service closes it. Unless `isAll`, this side
 * stays open, as that of a client that has more to say.
 */
export async function rawRequest(address: string, bytes: string | Buffer, isAll = true): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1').setEncoding('latin1')
  if (isAll) socket.end(bytes)
  else socket.write(bytes)
  let received = ''
  for await (const chunk of socket) received += chunk
  return received
}
