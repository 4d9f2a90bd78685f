/**
 * The records of the audit trail: an event as reported, and an entry as stored.
 *
 * Belongs here: the form of the audit trail: events, chains, checkpoints, retention and proof.
 * Belongs elsewhere: storing entries (`storage/`) and printing them (`cli/`).
 */

import type { QueuedMail } from '../mail/queued-mail.ts'

/** `docs/audit.md` describes for each kind when it is recorded and what its details are. */
export type AuditKind =
  | 'sign_in'
  | 'sign_in_failed'
  | 'second_factor_asked'
  | 'locked_out'
  | 'sign_out'
  | 'logout_notice'
  | 'mail_failed'
  | 'mail_retried'
  | 'account_registered'
  | 'confirmation_asked'
  | 'invitation_withdrawn'
  | 'confirmation_failed'
  | 'consent_given'
  | 'consent_denied'
  | 'consent_revoked'
  | 'device_started'
  | 'device_approved'
  | 'tokens_issued'
  | 'code_replayed'
  | 'refresh_token_replayed'
  | 'token_revoked'
  | 'refusal'
  | 'passkey_added'
  | 'passkey_removed'
  | 'external_login_added'
  | 'external_login_removed'
  | 'keys_created'
  | 'keys_rotated'
  | 'user_added'
  | 'user_changed'
  | 'user_deleted'
  | 'data_exported'
  | 'data_imported'
  | 'deletion_planned'
  | 'deletion_cancelled'
  | 'client_added'
  | 'client_changed'
  | 'client_deleted'
  | 'registration_token_added'
  | 'role_added'
  | 'role_changed'
  | 'role_deleted'
  | 'scope_added'
  | 'scope_changed'
  | 'scope_deleted'
  | 'database_restored'
  | 'database_moved'
  | 'database_reopened'
  | 'gap_acknowledged'
  | 'not_recorded'

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
