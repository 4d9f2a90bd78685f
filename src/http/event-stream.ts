/** Server-sent events (WHATWG HTML §9.2). */
import { type Answer, neverCached } from './answer.ts'
import type { BodyStream } from './body-stream.ts'

const headers = {
  ...neverCached,
  'content-type': 'text/event-stream',
  // Asks proxies that gather answers, such as nginx, to pass on each part at once.
  'x-accel-buffering': 'no',
} as const

/** Returns a stream of events as the answer. Its parts consist of `eventText` and of comments, which begin with a colon. */
export function eventStream(body: BodyStream): Answer {
  return { status: 200, headers, cookies: [], body }
}

/** Returns one event with `data` as JSON. `id`: what a client that reconnects sends as `Last-Event-ID`. */
export function eventText(
  data: unknown,
  { id, event }: { readonly id?: string; readonly event?: string } = {},
): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${JSON.stringify(data)}`,
  ]
  return `${lines.join('\n')}\n\n`
}
