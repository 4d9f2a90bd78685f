/** A person who can sign in. Times are epoch milliseconds. */
export type User = {
  /** UUIDv7; becomes `sub` (OpenID Connect Core §2). Never reused. */
  readonly id: string
  /** As it was typed at registration. Unique under `normalizeName`. */
  readonly name: string
  readonly email: string
  readonly emailConfirmed: boolean
  /** PHC string (argon2id), or null: the account has no local password. */
  readonly passwordHash: string | null
  /** Sorted, without duplicates. */
  readonly roles: readonly string[]
  /** Locked by an operator with no end. Unlike a lockout it also ended sessions and chains. */
  readonly disabled: boolean
  /** The account may not sign in before this instant: a lockout after failed passwords, or an operator's lock with an end. */
  readonly lockedUntilMs: number | null
  /** Failed passwords since the last success or lockout. */
  readonly failedAttempts: number
  /** When the attack began that locked the account by failed passwords; null: nothing of that kind, or an operator's lock. */
  readonly lockoutBeganAtMs: number | null
  /** Sessions created at or before this instant are dead (operator lock, new password). */
  readonly sessionsEndedAtMs: number | null
  /** Grants created at or before this instant are dead, and with them their refresh chains (operator lock). */
  readonly grantsEndedAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** Counts up at every change; a change is committed only on the version it was decided on. */
  readonly version: number
}

/** An account at an external provider, bound to one user. (provider, subject) is unique. */
export type ExternalLogin = {
  readonly provider: string
  /** The user's key at the provider. */
  readonly subject: string
  readonly userId: string
  readonly createdAtMs: number
}

/**
 * The form under which user names and e-mail addresses are unique: NFC, then case-folded.
 * Two spellings with the same normal form are the same name.
 */
export function normalizeName(name: string): string {
  // Upper before lower folds the letters whose lower-case form is not unique (ß, final sigma, dotless i's partners), and
  // lower before that the one capital that has no upper-case form of its own (ẞ).
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

/**
 * When something that is made now began: after the end of what was there before, also when that end was set by a machine
 * whose clock is ahead. Otherwise it would begin its life ended.
 */
export function beganAtMs(nowMs: number, endedAtMs: number | null): number {
  return endedAtMs === null ? nowMs : Math.max(nowMs, endedAtMs + 1)
}

/** The end of everything that began until now. Never before the last end, after which things may have begun. */
export function endAtMs(nowMs: number, lastEndMs: number | null): number {
  return lastEndMs === null ? nowMs : Math.max(nowMs, lastEndMs + 1)
}
