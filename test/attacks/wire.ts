/** A connection whose bytes the test chooses itself: no client in between that corrects what an attacker would send. */
import { connect, type Socket } from 'node:net'

export type WireAnswer = {
  readonly status: number
  /** Names in lower case; repeated ones joined by a line feed. */
  readonly headers: ReadonlyMap<string, string>
  /** The head as it came, one line after the other. */
  readonly head: string
  readonly body: string
}

type Address = { readonly issuer: string }

/** One connection that is kept for many requests, answered in their order. */
export class Wire {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #ended = false
  #wake: () => void = () => undefined

  constructor({ issuer }: Address) {
    this.#socket = openSocket(issuer)
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    this.#socket.on('close', () => {
      this.#ended = true
      this.#wake()
    })
    // The service may hang up on what it does not understand; 'close' follows.
    this.#socket.on('error', () => undefined)
  }

  /** The service has closed the connection. */
  get ended(): boolean {
    return this.#ended
  }

  /** Sends bytes as they are, and waits for one whole answer. undefined: the connection was closed without one. */
  async ask(request: string | Buffer): Promise<WireAnswer | undefined> {
    this.#socket.write(request)
    return this.answer(isHead(request))
  }

  send(bytes: string | Buffer): void {
    this.#socket.write(bytes)
  }

  /** The next whole answer; undefined when the connection ends before it. `toHead`: it states a length and has no body. */
  async answer(toHead = false): Promise<WireAnswer | undefined> {
    for (;;) {
      const parsed = parseAnswer(this.#received, this.#ended, toHead)
      if (parsed !== undefined) {
        this.#received = this.#received.subarray(parsed.length)
        if (parsed.answer.status >= 200) return parsed.answer
        continue
      }
      if (this.#ended) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  close(): void {
    this.#socket.destroy()
  }
}

/**
 * Sends bytes as they are and then nothing more; every answer until the service closes the connection, which it does
 * when the request asks for it or is none.
 */
export async function exchange(service: Address, request: string | Buffer): Promise<WireAnswer[]> {
  const wire = new Wire(service)
  wire.send(request)
  const answers: WireAnswer[] = []
  try {
    const next = (): Promise<WireAnswer | undefined> => wire.answer(isHead(request))
    for (let answer = await next(); answer !== undefined; answer = await next()) answers.push(answer)
  } finally {
    wire.close()
  }
  return answers
}

function isHead(request: string | Buffer): boolean {
  return request.slice(0, 5).toString() === 'HEAD '
}

/** The lines of a request, with the line ends that HTTP has. */
export function request(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

export function openSocket(issuer: string): Socket {
  const { hostname, port } = new URL(issuer)
  return connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname)
}

function parseAnswer(
  bytes: Buffer,
  ended: boolean,
  toHead: boolean,
): { answer: WireAnswer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = bytes.toString('latin1', 0, end)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine)?.[1])
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : `${known}\n${value}`)
  }
  const start = end + 4
  const answer = (bodyStart: number, bodyEnd: number, length: number) => ({
    answer: { status, headers, head, body: bytes.toString('utf8', bodyStart, bodyEnd) },
    length,
  })
  if (toHead || status < 200 || status === 204 || status === 304) return answer(start, start, start)
  const stated = headers.get('content-length')
  if (stated !== undefined) {
    const length = start + Number(stated)
    return bytes.length < length ? undefined : answer(start, length, length)
  }
  // Without a length the answer goes on until the connection ends.
  return ended ? answer(start, bytes.length, bytes.length) : undefined
}
