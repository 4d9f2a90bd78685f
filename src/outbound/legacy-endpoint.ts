/**
 * Asks the system of before whether a password is right (`Accounts:Legacy:Url`), signed as Standard Webhooks has it. Counts per
 * process.
 */
import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sendBy } from './send.ts'
import type { WayOptions } from './way-out.ts'

/** `record`: the person as `import users` takes it. `no_answer`: nothing that counts, and no word about the password. */
export type LegacyAnswer =
  | { readonly outcome: 'right'; readonly record: Readonly<Record<string, unknown>> }
  | { readonly outcome: 'wrong' | 'no_answer' }

export type LegacyEndpoint = {
  ask(username: string, password: string): Promise<LegacyAnswer>
  /** Says that what was answered cannot be used, which is no answer. */
  unusable(): void
  /**
   * Resolves when the answer to a failed attempt that began at `startedMs` may leave: as late for names that are not asked about as
   * for those that are. `startedMs`: by `monotonic`.
   */
  failed(startedMs: number): Promise<void>
  readonly monotonic: () => number
}

const deadlineMs = 5000
const answerBytesAtMost = 65_536
/** No answers in a row. */
const breaksAfter = 5
const brokenForMs = 30_000
const wrong: readonly number[] = [401, 403, 404]
/** Answers whose time counts for what failed attempts take. */
const timesKept = 20

export function legacyEndpoint({
  url,
  secret,
  way,
  clock,
  random,
  monotonic = () => performance.now(),
}: {
  readonly url: string
  /** The bytes of `whsec_…`. */
  readonly secret: Uint8Array
  readonly way: WayOptions
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly monotonic?: () => number
}): LegacyEndpoint {
  const send = sendBy(way)
  let failuresInARow = 0
  let brokenUntilMs = 0
  const times: number[] = []

  const count = (): LegacyAnswer => {
    failuresInARow += 1
    if (failuresInARow >= breaksAfter) {
      failuresInARow = 0
      brokenUntilMs = clock() + brokenForMs
    }
    return { outcome: 'no_answer' }
  }

  async function exchange(username: string, password: string): Promise<LegacyAnswer> {
    const id = `msg_${Buffer.from(random(16)).toString('base64url')}`
    const timestamp = String(Math.floor(clock() / 1000))
    const body = JSON.stringify({ username, password })
    const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
    const response = await send(url, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json' },
        ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` },
      },
      body,
      signal: AbortSignal.timeout(deadlineMs),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      if (!wrong.includes(response.status)) return count()
      failuresInARow = 0
      return { outcome: 'wrong' }
    }
    const record = await recordOf(response)
    if (record === undefined) return count()
    failuresInARow = 0
    return { outcome: 'right', record }
  }

  return {
    monotonic,
    unusable: () => void count(),
    async ask(username, password) {
      if (clock() < brokenUntilMs) return { outcome: 'no_answer' }
      const startedMs = monotonic()
      try {
        return await exchange(username, password)
      } catch {
        return count()
      } finally {
        times.push(monotonic() - startedMs)
        if (times.length > timesKept) times.shift()
      }
    },
    async failed(startedMs) {
      const leftMs = Math.min(deadlineMs, Math.max(0, ...times)) - (monotonic() - startedMs)
      if (leftMs > 0) await pause(leftMs)
    },
  }
}

async function recordOf(response: Response): Promise<Readonly<Record<string, unknown>> | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > answerBytesAtMost) return undefined
    chunks.push(chunk)
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}
