/** What the audit trail is made of: an event as it is reported, and an entry as it is kept. */

/** `docs/audit.md` says of each when it is recorded and what its details are. */
export type AuditKind =
  | 'sign_in'
  | 'sign_in_failed'
  | 'locked_out'
  | 'sign_out'
  | 'account_registered'
  | 'consent_given'
  | 'consent_denied'
  | 'consent_revoked'
  | 'tokens_issued'
  | 'code_replayed'
  | 'refresh_token_replayed'
  | 'token_revoked'
  | 'refusal'
  | 'keys_created'
  | 'keys_rotated'
  | 'user_added'
  | 'user_changed'
  | 'user_deleted'
  | 'client_added'
  | 'client_changed'
  | 'client_deleted'
  | 'scope_added'
  | 'scope_deleted'
  | 'database_restored'
  | 'database_moved'
  | 'database_reopened'
  | 'gap_acknowledged'
  | 'not_recorded'

/** Flat, so that it can be read in one line. Never a secret, nor anything that a secret can be made from. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** What happened, as it is handed over with the act. */
export type AuditEvent = {
  /** Epoch milliseconds. */
  readonly atMs: number
  readonly kind: AuditKind
  readonly userId: string | null
  readonly clientId: string | null
  /** The request; null for what a command or the service itself did. */
  readonly traceId: string | null
  /** The client's address as the request had it. */
  readonly address: string | null
  readonly details: AuditDetails
}

export type AuditEvents = readonly AuditEvent[]

/** Where an entry stands. Entries are ordered by time, then writer, then number. */
export type AuditKey = {
  readonly atMs: number
  /** 16 hexadecimal digits: who appends to one chain, and one after the other. */
  readonly writer: string
  /** Counts the entries of a writer, from 1. */
  readonly seq: number
}

/** An entry as it is stored, to the letter: what its hash covers. */
export type StoredAuditEntry = AuditKey &
  Omit<AuditEvent, 'kind' | 'details'> & {
    readonly kind: string
    /** JSON text. */
    readonly details: string
    /** SHA-256 over the entry and the hash before it, base64url: see `chain.ts`. */
    readonly hash: string
  }

/** An entry as it is read by people and programs. */
export type AuditEntry = Omit<StoredAuditEntry, 'details'> & { readonly details: AuditDetails }

/** What no request did. `actor`: the operating-system user of a command, or `service` for what a server does by itself. */
export function eventBy(
  actor: string,
  atMs: number,
  kind: AuditKind,
  { userId = null, clientId = null }: Partial<Pick<AuditEvent, 'userId' | 'clientId'>>,
  details: AuditDetails = {},
): AuditEvent {
  return { atMs, kind, userId, clientId, traceId: null, address: null, details: { actor, ...details } }
}
