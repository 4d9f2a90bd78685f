/**
 * Sends logout tokens to clients (OpenID Connect Back-Channel Logout 1.0 §2.5) from the outbox that the end of a session
 * fills. Any process sends; a claim in the database keeps two from sending the same one.
 */
import type { Logger } from 'pino'
import { eventBy } from '../audit/entry.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { logoutClaims } from '../protocol/logout-claims.ts'
import { algorithmOr } from '../protocol/signing-algorithms.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Settings } from '../settings/settings.ts'
import type { LogoutNotice } from '../storage/port/logout-notices.ts'
import type { Storage } from '../storage/port/storage.ts'
import { signJwt } from '../tokens/sign.ts'

/** When an attempt that fails, or that a crash interrupts, is repeated: three repeats within two minutes. */
export const retryAfterMs = [10_000, 30_000, 60_000] as const
/** Attempts at the same time in this process, and to one host among them. */
const atOnce = 32
const perHost = 4
/** Reads in a row that find nothing but notices of busy hosts. */
const roundsAtMost = 20

export type LogoutSender = {
  /** Begins the attempts that are due, as far as there is room. Does not wait for them. */
  look(): Promise<void>
  /** Resolves when no attempt is under way. Begins no further ones. */
  stop(): Promise<void>
  /** Sends everything that is due and resolves when nothing is left. */
  drain(): Promise<void>
}

export type LogoutCounts = { delivered: number; failed: number }

export function logoutSender(context: {
  readonly storage: Pick<Storage, 'logoutNotices'>
  readonly keys: KeyRing
  readonly settings: () => Settings
  readonly outbound: Pick<Outbound, 'post'>
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly log: Pick<Logger, 'warn'>
  /** Counted up: notices that were delivered, and those that were given up. */
  readonly counts: LogoutCounts
}): LogoutSender {
  const { storage, keys, settings, outbound, clock, random, log, counts } = context
  const notices = storage.logoutNotices
  const underWay = new Map<string, Promise<void>>()
  const busy = new Map<string, number>()
  let looking: Promise<void> | undefined
  let isStopping = false

  async function finish(notice: LogoutNotice, outcome: 'delivered' | 'given_up', reason?: string): Promise<void> {
    const parties = { userId: notice.userId, clientId: notice.clientId }
    const details = { outcome, attempts: notice.attempts, ...(reason !== undefined && { reason }) }
    await notices.finish(notice.id, [eventBy('service', clock(), 'logout_notice', parties, details)])
    counts[outcome === 'delivered' ? 'delivered' : 'failed'] += 1
  }

  async function attempt(notice: LogoutNotice, address: string): Promise<void> {
    const { id, client, attempts } = notice
    // Interrupted in its last attempt.
    if (attempts > retryAfterMs.length) return finish(notice, 'given_up', 'the last attempt was interrupted')
    const nowMs = clock()
    const dueAtMs = nowMs + (retryAfterMs[attempts] ?? retryAfterMs[0])
    if (!(await notices.claim(id, attempts, dueAtMs))) return
    // The client was deleted, or wants no notices any more.
    if (client === undefined || address === '') return notices.finish(id)
    const { issuer, identityTokenAlgorithm, postQuantum } = settings().oauth
    const algorithm = algorithmOr(client.metadata.id_token_signed_response_alg, identityTokenAlgorithm, postQuantum)
    const about = { userId: notice.userId, clientId: client.id, sid: notice.sid, jti: uuidv7(nowMs, random) }
    const claims = logoutClaims({ issuer, ...about, nowSeconds: Math.floor(nowMs / 1000) })
    const token = await signJwt(keys.signer(algorithm), 'logout+jwt', claims)
    const answer = await outbound.post(address, { logout_token: token })
    const begun = { ...notice, attempts: attempts + 1 }
    if ('status' in answer && answer.status >= 200 && answer.status < 300) return finish(begun, 'delivered')
    const reason = 'failed' in answer ? answer.failed : `it answered with the status ${answer.status}`
    log.warn({ client: client.id, attempt: begun.attempts, reason }, 'a logout token could not be delivered')
    if (begun.attempts > retryAfterMs.length) return finish(begun, 'given_up', reason)
    // What else is due there would fail as well: a flood of notices costs an address that is down a few requests.
    if ('failed' in answer) await notices.postpone(client.id, attempts, clock(), dueAtMs)
  }

  function begin(notice: LogoutNotice, address: string, host: string): void {
    busy.set(host, (busy.get(host) ?? 0) + 1)
    const work = attempt(notice, address)
      .then(() => true)
      .catch((error: Error) => {
        log.warn({ reason: error.message }, 'a logout token could not be sent')
        return false
      })
      .then((hasEnded) => {
        underWay.delete(notice.id)
        const left = (busy.get(host) ?? 1) - 1
        if (left === 0) busy.delete(host)
        else busy.set(host, left)
        // Others may have waited for the room. After a failure of the database, the next regular look is soon enough.
        if (hasEnded && !isStopping) void look().catch(() => {})
      })
    underWay.set(notice.id, work)
  }

  async function beginDue(): Promise<void> {
    const except = new Set<string>()
    for (let round = 0; round < roundsAtMost; round += 1) {
      const due = await notices.due(clock(), [...except])
      let hasMoved = false
      for (const notice of due) {
        if (isStopping || underWay.size >= atOnce) return
        if (underWay.has(notice.id)) continue
        const address = notice.client?.metadata.backchannel_logout_uri ?? ''
        const host = URL.canParse(address) ? new URL(address).host : ''
        if ((busy.get(host) ?? 0) >= perHost) {
          hasMoved ||= !except.has(notice.clientId)
          except.add(notice.clientId)
          continue
        }
        begin(notice, address, host)
        hasMoved = true
      }
      if (!hasMoved) return
    }
  }

  function look(): Promise<void> {
    looking ??= beginDue().finally(() => {
      looking = undefined
    })
    return looking
  }

  const settled = () => Promise.all([...underWay.values()])
  return {
    look,
    async stop() {
      isStopping = true
      await looking?.catch(() => {})
      await settled()
    },
    async drain() {
      do {
        await settled()
        await look()
      } while (underWay.size > 0)
    },
  }
}
