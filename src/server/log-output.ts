/**
 * The output stream of the log. Its reader may stall, disappear or run out of space. Writing to it never blocks, never
 * fails and buffers a bounded amount; excess lines are dropped and counted.
 */
import { isoTime } from '../text.ts'

export type LogOutput = {
  write(text: string): void
  /** Lines dropped since the start. */
  dropped(): number
}

/** The part of a stream that is used here. */
export type OutputStream = Pick<NodeJS.WritableStream, 'on'> & {
  write(text: string, done: (error?: Error | null) => void): unknown
  readonly isTTY?: boolean
  /** Buffered bytes; undefined if writes are synchronous. */
  readonly writableLength?: number
}

/** Maximum buffered bytes: thousands of lines, enough for a reader that is slow but not stalled. */
const waitingAtMost = 1024 * 1024

/** Pause after a failed write. */
const pauseMs = 1000

/** `clock`: epoch milliseconds. `form`: formats a line of JSON like the other lines. */
export function logOutput(
  stream: OutputStream,
  { clock, form }: { readonly clock: () => number; readonly form: (line: string) => string },
): LogOutput {
  let dropped = 0
  /** Dropped lines that were not reported yet. */
  let unreported = 0
  let isFull = false
  let isTorn = false
  let pausedUntil = Number.NEGATIVE_INFINITY

  function drop(lines: number): void {
    dropped += lines
    unreported += lines
  }

  /** `lines`: the number of lines lost if the write fails. */
  function send(text: string, lines: number): void {
    const reported = unreported
    unreported = 0
    // The failed line may have been written in part.
    const start = isTorn ? '\n' : ''
    stream.write(`${start}${reported === 0 ? '' : reportOf(reported)}${text}`, (error) => {
      isTorn = error instanceof Error
      if (!isTorn) return
      isFull = false
      pausedUntil = performance.now() + pauseMs
      drop(lines)
      unreported += reported
    })
  }

  function reportOf(lines: number): string {
    const msg = 'the output could not take all lines: some were dropped'
    return form(`${JSON.stringify({ level: 40, time: isoTime(clock()), dropped: lines, msg })}\n`)
  }

  if (stream.isTTY === true) makeAsynchronous(stream)
  // Failures are handled by the callback of the write. Without a listener they would end the process.
  stream.on('error', () => {})
  stream.on('drain', () => {
    isFull = false
    if (unreported > 0) send('', 0)
  })
  return {
    write(text) {
      if (isFull || performance.now() < pausedUntil) {
        drop(1)
        return
      }
      send(text, 1)
      isFull = (stream.writableLength ?? 0) > waitingAtMost
    },
    dropped: () => dropped,
  }
}

/**
 * Makes terminal output asynchronous. Node.js writes to a terminal synchronously, so Ctrl+S or a dead line would block
 * the service. There is no public API for the mode that pipes have.
 */
function makeAsynchronous(terminal: OutputStream): void {
  const { _handle: handle } = terminal as { readonly _handle?: { setBlocking?(isBlocking: boolean): unknown } }
  handle?.setBlocking?.(false)
}

/** How long an ending process waits for its output to be read, and for connections that nothing answers. */
const drainMs = 1000

/** Ends the process even if its last output is never read, or a connection to the database stays open. */
export function endSoon(): void {
  setTimeout(() => process.exit(), drainMs).unref()
}
