/**
 * The records of the audit trail: an event as reported, and an entry as stored.
 *
 * Belongs here: the form of the audit trail: events, chains, checkpoints, retention and proof.
 * Belongs elsewhere: storing entries (`storage/`) and printing them (`cli/`).
 */

import type { QueuedMail } from '../mail/queued-mail.ts'
import type { AuditKind } from './kinds.ts'

export type { AuditKind } from './kinds.ts'

/** Flat, so that an entry fits one line. Never contains a secret or anything a secret can be derived from. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** An event, passed to storage together with the change it describes. */
export type AuditEvent = {
  /** In epoch milliseconds. */
  readonly atMs: number
  readonly kind: AuditKind
  readonly userId: string | null
  readonly clientId: string | null
  /** The request's trace id; null for commands and for the service itself. */
  readonly traceId: string | null
  /** The client's address as seen by the request. */
  readonly address: string | null
  readonly details: AuditDetails
  /** `MailingEvent` has some. */
  readonly mails?: undefined
}

/** An event with the mails that tell people of it. The commit that stores the event queues the mails. */
export type MailingEvent = Omit<AuditEvent, 'mails'> & { readonly mails: readonly QueuedMail[] }

export type AuditEvents = readonly (AuditEvent | MailingEvent)[]

/** The position of an entry. Entries are ordered by time, then writer, then number. */
export type AuditKey = {
  readonly atMs: number
  /** 16 hexadecimal digits. Identifies a chain, which is appended to sequentially. */
  readonly writer: string
  /** Number of the entry within its chain, from 1. */
  readonly seq: number
}

/** An entry exactly as stored: what its hash covers. */
export type StoredAuditEntry = AuditKey &
  Omit<AuditEvent, 'kind' | 'details'> & {
    readonly kind: string
    /** JSON text. */
    readonly details: string
    /** SHA-256 over the entry and the previous hash, base64url; see `chain.ts`. */
    readonly hash: string
  }

/** An event without a place in a chain yet. Plain data, because it travels between threads. */
export type Draft = Omit<StoredAuditEntry, 'writer' | 'seq' | 'hash'>

/** An entry with its details parsed. */
export type AuditEntry = Omit<StoredAuditEntry, 'details'> & { readonly details: AuditDetails }

/** What the entry of a new account says of its password, by which its age is known. */
export const passwordDetail = ({ passwordHash }: { readonly passwordHash: string | null }): AuditDetails =>
  passwordHash === null ? {} : { password: true }

/**
 * Returns an event outside any request. `actor`: the operating-system user of a command, or `service` for what a server
 * does by itself.
 */
export function eventBy(
  actor: string,
  atMs: number,
  kind: AuditKind,
  { userId = null, clientId = null }: Partial<Pick<AuditEvent, 'userId' | 'clientId'>>,
  details: AuditDetails = {},
): AuditEvent {
  return { atMs, kind, userId, clientId, traceId: null, address: null, details: { actor, ...details } }
}
