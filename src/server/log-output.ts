/**
 * Where the log goes: a stream whose reader may stall, go away, or have no room left. Nothing waits for it, nothing fails
 * with it, and what it holds back is bounded. Lines that it cannot take are dropped and counted.
 */
import { isoTime } from '../text.ts'

export type LogOutput = {
  write(text: string): void
  /** Lines dropped since the start. */
  dropped(): number
}

/** A stream as far as it is used here. */
export type OutputStream = Pick<NodeJS.WritableStream, 'on'> & {
  write(text: string, done: (error?: Error | null) => void): unknown
  readonly isTTY?: boolean
  /** Bytes that wait for the reader; absent where writing never waits. */
  readonly writableLength?: number
}

/** Bytes that may wait for the reader: thousands of lines, for one that is slow and not stalled. */
const waitingAtMost = 1024 * 1024

/** After a failure the stream is left alone for this long. */
const pauseMs = 1000

/** `clock`: epoch milliseconds. `form` shapes a line of JSON like the other lines. */
export function logOutput(
  stream: OutputStream,
  { clock, form }: { readonly clock: () => number; readonly form: (line: string) => string },
): LogOutput {
  let dropped = 0
  /** Those of them that no line tells of yet. */
  let untold = 0
  let isFull = false
  let isTorn = false
  let pausedUntil = Number.NEGATIVE_INFINITY

  function drop(lines: number): void {
    dropped += lines
    untold += lines
  }

  /** `lines`: how many are lost if the text is. */
  function send(text: string, lines: number): void {
    const told = untold
    untold = 0
    // The line that failed may have left its beginning behind.
    const start = isTorn ? '\n' : ''
    stream.write(`${start}${told === 0 ? '' : tell(told)}${text}`, (error) => {
      isTorn = error instanceof Error
      if (!isTorn) return
      isFull = false
      pausedUntil = performance.now() + pauseMs
      drop(lines)
      untold += told
    })
  }

  function tell(lines: number): string {
    const msg = 'the output could not take all lines: some were dropped'
    return form(`${JSON.stringify({ level: 40, time: isoTime(clock()), dropped: lines, msg })}\n`)
  }

  if (stream.isTTY === true) neverWait(stream)
  // Each failure is told to the write that failed. Without a listener it would end the process.
  stream.on('error', () => {})
  stream.on('drain', () => {
    isFull = false
    if (untold > 0) send('', 0)
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
 * Node.js writes to a terminal synchronously: a person who stops the output with Ctrl+S, or a line that went dead, would
 * stop the service. There is no public way to ask for the other mode, which pipes have.
 */
function neverWait(terminal: OutputStream): void {
  const { _handle: handle } = terminal as { readonly _handle?: { setBlocking?(isBlocking: boolean): unknown } }
  handle?.setBlocking?.(false)
}

/** How long a process that is done waits for the reader of what it wrote. */
const lastWordsMs = 1000

/** Lets a process that is done end, although nobody takes what it wrote last. */
export function abandonOutput(streams: readonly { readonly writableLength: number }[]): void {
  if (streams.every(({ writableLength }) => writableLength === 0)) return
  setTimeout(() => process.exit(), lastWordsMs).unref()
}
