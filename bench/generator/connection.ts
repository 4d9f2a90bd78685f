/** One HTTP/1.1 connection that is kept: a request is sent when the answer to the one before is complete. */
import { connect, type Socket } from 'node:net'

export type Answer = { readonly status: number; readonly head: string; readonly body: string }

/** After this an answer is no longer waited for. */
const patienceMs = 30_000

export class Connection {
  readonly #socket: Socket
  readonly #opened: Promise<void>
  #received = ''
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined
  #ended: Error | undefined

  constructor(port: number) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#opened = promise
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true }, resolve)
    // Everything that is looked at is ASCII; one byte stays one character, so lengths are right.
    this.#socket.setEncoding('latin1').setTimeout(patienceMs)
    this.#socket.on('data', (chunk) => this.#take(chunk as unknown as string))
    const end = (error: Error) => {
      this.#ended ??= error
      reject(error)
      this.#waiting?.reject(error)
      this.#waiting = undefined
    }
    this.#socket.on('error', end)
    this.#socket.on('timeout', () => this.#socket.destroy(new Error(`no answer within ${patienceMs} ms`)))
    this.#socket.on('close', () => end(new Error('the server closed the connection')))
    promise.catch(() => {})
  }

  opened(): Promise<void> {
    return this.#opened
  }

  /** `request` is a whole message: request line, header fields and body. */
  send(request: string): Promise<Answer> {
    if (this.#ended) return Promise.reject(this.#ended)
    if (this.#waiting) return Promise.reject(new Error('a connection carries one request at a time'))
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(request, 'latin1')
    })
  }

  /** Bytes of all requests so far, and of all answers. */
  bytes(): { readonly sent: number; readonly received: number } {
    return { sent: this.#socket.bytesWritten, received: this.#socket.bytesRead }
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: string): void {
    this.#received += chunk
    const answer = parseAnswer(this.#received)
    if (answer === undefined) return
    const waiting = this.#waiting
    this.#waiting = undefined
    this.#received = ''
    waiting?.resolve(answer)
  }
}

/** The answer when all of it is there. Only ever one is under way, so nothing can follow it. */
export function parseAnswer(text: string): Answer | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = text.slice(0, end)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (length !== null) {
    const bodyStart = end + 4
    const bodyEnd = bodyStart + Number(length[1])
    return text.length < bodyEnd ? undefined : { status, head, body: text.slice(bodyStart, bodyEnd) }
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const body = joinChunks(text, end + 4)
    return body === undefined ? undefined : { status, head, body }
  }
  return { status, head, body: '' }
}

/** RFC 9112 §7.1; undefined: the last chunk is not there yet. */
function joinChunks(text: string, start: number): string | undefined {
  let body = ''
  for (let at = start; ; ) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const dataEnd = lineEnd + 2 + size
    if (text.length < dataEnd + 2) return undefined
    if (size === 0) return body
    body += text.slice(lineEnd + 2, dataEnd)
    at = dataEnd + 2
  }
}
