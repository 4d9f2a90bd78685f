/**
 * Sends logout tokens to clients (OpenID Connect Back-Channel Logout 1.0 §2.5) from the outbox that the end of a session
 * fills. Any process sends; a claim in the database keeps two from sending the same one.
 */
import type { Logger } from 'pino'
import { eventBy } from '../audit/entry.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { addressesBy, type Client, isSelfRegistered } from '../protocol/client/client.ts'
import { logoutClaims } from '../protocol/logout/logout-claims.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Settings } from '../settings/settings.ts'
import type { LogoutNotice } from '../storage/port/clients.ts'
import type { Storage } from '../storage/port/storage.ts'
import { algorithmFor } from '../tokens/client-algorithm.ts'
import { signJwt } from '../tokens/sign.ts'
import { subjectFor } from '../tokens/subject.ts'
import { type Outbox, outbox } from './outbox.ts'

/** When an attempt that fails, or that a crash interrupts, is repeated: three repeats within two minutes. */
export const retryAfterMs = [10_000, 30_000, 60_000] as const
/** Attempts at the same time in this process, and to one host among them. */
const atOnce = 32
const perHost = 4
/** To clients that registered themselves: as many as `src/outbound/` sends for them at once. The name is no host. */
const selfRegistered = { name: 'self-registered clients', atOnce: 16 } as const

export type LogoutCounts = { delivered: number; failed: number }

export function logoutSender(context: {
  readonly storage: Pick<Storage, 'logoutNotices' | 'pairwiseSubjects'>
  readonly keys: KeyRing
  readonly settings: () => Settings
  readonly outbound: Pick<Outbound, 'post'>
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly log: Pick<Logger, 'warn'>
  /** Counted up: notices that were delivered, and those that were given up. */
  readonly counts: LogoutCounts
}): Outbox {
  const { storage, keys, settings, outbound, clock, random, log, counts } = context
  const notices = storage.logoutNotices

  async function finish(notice: LogoutNotice, outcome: 'delivered' | 'given_up', reason?: string): Promise<void> {
    const parties = { userId: notice.userId, clientId: notice.clientId }
    const details = { outcome, attempts: notice.attempts, ...(reason !== undefined && { reason }) }
    await notices.finish(notice.id, [eventBy('service', clock(), 'logout_notice', parties, details)])
    counts[outcome === 'delivered' ? 'delivered' : 'failed'] += 1
  }

  /** Undefined: the person of a pairwise client is gone, with what an import brought. */
  async function subjectOf(id: string, client: Client): Promise<string | undefined> {
    if (client.metadata.subject_type === 'public') return id
    const pairwiseSubjects = await storage.pairwiseSubjects.ofUser(id)
    return pairwiseSubjects && subjectFor(keys, client, { id, pairwiseSubjects })
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
    const { metadata } = client
    const registered = metadata.id_token_signed_response_alg
    const algorithm = algorithmFor(keys, metadata, registered, identityTokenAlgorithm, postQuantum)
    const subject = await subjectOf(notice.userId, client)
    const about = { subject, clientId: client.id, sid: notice.sid, jti: uuidv7(nowMs, random) }
    const claims = logoutClaims({ issuer, ...about, nowSeconds: Math.floor(nowMs / 1000) })
    const token = await signJwt(keys.signer(algorithm), 'logout+jwt', claims)
    const answer = await outbound.post(address, { logout_token: token }, addressesBy(client.metadata), client.id)
    const begun = { ...notice, attempts: attempts + 1 }
    if ('status' in answer && answer.status >= 200 && answer.status < 300) return finish(begun, 'delivered')
    const reason = 'failed' in answer ? answer.failed : `it answered with the status ${answer.status}`
    log.warn({ client: client.id, attempt: begun.attempts, reason }, 'a logout token could not be delivered')
    if (begun.attempts > retryAfterMs.length) return finish(begun, 'given_up', reason)
    // What else is due there would fail as well: a flood of notices costs an address that is down a few requests.
    if ('failed' in answer) await notices.postpone(client.id, attempts, clock(), dueAtMs)
  }

  return outbox<LogoutNotice>({
    due: (except) => notices.due(clock(), except),
    placeOf(notice) {
      const address = addressOf(notice)
      const place = { lane: URL.canParse(address) ? new URL(address).host : '', recipient: notice.clientId }
      const isShared = notice.client !== undefined && isSelfRegistered(notice.client)
      return isShared ? { ...place, share: selfRegistered } : place
    },
    attempt: (notice) => attempt(notice, addressOf(notice)),
    atOnce,
    perLane: perHost,
    log,
    failure: 'a logout token could not be sent',
  })
}

const addressOf = ({ client }: LogoutNotice): string => client?.metadata.backchannel_logout_uri ?? ''
