/** An HTTP proxy on loopback that leads every name to one port, and keeps what it was asked for. */
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { after } from 'node:test'

export type TestProxy = {
  /** With a user name and a password. */
  readonly address: string
  /** `CONNECT app.example:443`, `POST http://app.example/path`. */
  readonly asked: string[]
  /** Of each request. */
  readonly authorizations: (string | undefined)[]
  /** Where it leads. */
  lead(port: number): void
}

/** Starts a proxy that ends with the test file. `tls`: of one that is asked over TLS, at `localhost`. */
export async function testProxy(tls?: { readonly key: string | Buffer; readonly cert: string }): Promise<TestProxy> {
  const asked: string[] = []
  const authorizations: (string | undefined)[] = []
  let port = 0
  const note = ({ method, url, headers }: IncomingMessage): void => {
    asked.push(`${method} ${url}`)
    authorizations.push(headers['proxy-authorization'])
  }
  const pass: RequestListener = (message, response) => {
    note(message)
    const { pathname, search } = new URL(message.url ?? '')
    const { method, headers } = message
    const onwards = request({ host: '127.0.0.1', port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    message.pipe(onwards)
  }
  const server = tls === undefined ? createServer(pass) : createSecureServer(tls, pass)
  server.on('connect', (message, socket) => {
    note(message)
    const onwards = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onwards.pipe(socket)
      socket.pipe(onwards)
    })
    const end = (): void => {
      onwards.destroy()
      socket.destroy()
    }
    onwards.on('error', end).on('close', end)
    socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const own = tls === undefined ? 'http://latchkey:s%40cret@127.0.0.1' : 'https://latchkey:s%40cret@localhost'
  const address = `${own}:${(server.address() as AddressInfo).port}`
  return {
    address,
    asked,
    authorizations,
    lead(to) {
      port = to
    },
  }
}
