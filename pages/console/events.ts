import { type Call, openStream, type Result } from './api.ts'

export type ServerEvent = { id: string; event: string; data: string }

/** Reads server-sent events as they come (WHATWG HTML §9.2.6), with the fields that the service writes. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
        yield { id: field('id'), event: field('event') || 'message', data: field('data') }
      }
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

/** Before the next attempt to connect. */
const PAUSE_MS = 2000
/** Where too many streams are open. A connection that the network lost still counts for some minutes. */
const LONG_PAUSE_MS = 30_000

export type Following = {
  /** Called when the stream is open, the first time and again. */
  opened(): void
  message(data: string): void
  /** The connection is gone and will be tried again. */
  waiting(): void
  /** The service refuses. Nothing is tried again, unless too many streams are open. */
  refused(result: Exclude<Result<never>, { kind: 'ok' }>): void
}

/** Follows a stream, and goes on where it was when the connection or the token ends. Returns what stops it. */
export function follow(what: Call, { opened, message, waiting, refused }: Following): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  let last = ''

  let pauseMs = PAUSE_MS

  /** Returns whether to connect again. */
  async function connect(): Promise<boolean> {
    const answer = await openStream(what, last === '' ? {} : { 'last-event-id': last }, signal)
    if (signal.aborted) return false
    if (!(answer instanceof Response)) {
      const isFull = answer.kind === 'refused' && answer.problem.status === 429
      pauseMs = isFull ? LONG_PAUSE_MS : PAUSE_MS
      if (answer.kind !== 'unreachable') refused(answer)
      return isFull || answer.kind === 'unreachable'
    }
    if (answer.body === null) return true
    pauseMs = PAUSE_MS
    opened()
    for await (const { id, data } of eventsOf(answer.body)) {
      if (signal.aborted) return false
      if (id !== '') last = id
      if (data !== '') message(data)
    }
    return true
  }

  async function run(): Promise<void> {
    while (!signal.aborted && (await connect().catch(() => true))) {
      if (signal.aborted) return
      waiting()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  void run()
  return () => stopping.abort()
}
