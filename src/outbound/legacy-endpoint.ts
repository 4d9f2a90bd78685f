/**
 * Asks the system of before whether a password is right (`Accounts:Legacy:Url`), signed as Standard Webhooks has it. Counts per
 * process.
 */
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isNestedTooDeeply, isObject, repeatedMember } from '../protocol/json-value.ts'
import { sendBy } from './send.ts'
import type { WayOptions } from './way-out.ts'

/** `record`: the person as `import users` takes it. `no_answer`: nothing that counts, and no word about the password. */
export type LegacyAnswer =
  | { readonly outcome: 'right'; readonly record: Readonly<Record<string, unknown>> }
  | { readonly outcome: 'wrong' | 'no_answer' }

export type LegacyEndpoint = {
  /** Begins the part of an attempt to sign in that only names without a password here take. */
  begin(): LegacyQuestion
}

export type LegacyQuestion = {
  ask(username: string, password: string): Promise<LegacyAnswer>
  /** Says whether the record that was answered can be used. One that cannot is no answer. */
  judged(isUsable: boolean): void
  /** Ends the part, whether or not it asked. */
  end(): void
  /**
   * Resolves when the answer to the failed attempt may leave: as late for names that are not asked about as for those that are.
   * Called last.
   */
  failed(): Promise<void>
}

const deadlineMs = 5000
const answerBytesAtMost = 65_536
/** No answers in a row. */
const breaksAfter = 5
const brokenForMs = 30_000
const wrong: readonly number[] = [401, 403, 404]
/** Answers whose time counts for what failed attempts take. */
const timesKept = 20
/** A question that had no answer in time takes a little longer than that. */
const heldAtMostMs = deadlineMs + 1000

export function legacyEndpoint({
  url,
  secret,
  way,
  clock,
  random,
  monotonic = () => performance.now(),
  pause = sleep,
}: {
  readonly url: string
  /** The bytes of `whsec_…`. */
  readonly secret: Uint8Array
  readonly way: WayOptions
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly monotonic?: () => number
  readonly pause?: (ms: number) => Promise<unknown>
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
    return record === undefined ? count() : { outcome: 'right', record }
  }

  return {
    begin() {
      const startedMs = monotonic()
      let tookMs = 0
      let isAsked = false
      return {
        judged(isUsable) {
          if (isUsable) failuresInARow = 0
          else count()
        },
        async ask(username, password) {
          if (clock() < brokenUntilMs) return { outcome: 'no_answer' }
          isAsked = true
          try {
            return await exchange(username, password)
          } catch {
            return count()
          }
        },
        end() {
          tookMs = monotonic() - startedMs
          if (!isAsked) return
          times.push(tookMs)
          if (times.length > timesKept) times.shift()
        },
        // What comes after the question takes everybody the same, so that its time does not count against the wait.
        async failed() {
          const leftMs = Math.min(heldAtMostMs, Math.max(0, ...times)) - tookMs
          if (leftMs > 0) await pause(leftMs)
        },
      }
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
  const text = Buffer.concat(chunks).toString('utf8')
  const value: unknown = JSON.parse(text)
  // As a row of a file: in UTF-8, and no member twice.
  const isReadable = isObject(value) && !isNestedTooDeeply(value) && !text.includes('\ufffd')
  return isReadable && repeatedMember(text) === undefined ? value : undefined
}
