/**
 * Confirmations by mail: a six-digit code for the browser that asked, and a link for any browser. Times are epoch
 * milliseconds.
 */
import { createHash } from 'node:crypto'
import { normalizeName, type User } from './user.ts'
import type { AttributeValues } from './user-attributes.ts'

/**
 * `signin`: a code by mail as second factor. `undo`: takes back a change of the e-mail address. `setup`: the first administrator of a
 * new installation, by a link that its operator reads.
 */
export const confirmationPurposes = ['register', 'email', 'reset', 'invite', 'signin', 'undo', 'setup'] as const

export type ConfirmationPurpose = (typeof confirmationPurposes)[number]

/** What a confirmation stands for. Never contains its code or token. */
export type ConfirmationDetails = {
  /** The address that is confirmed, or that an undo restores. */
  readonly email?: string
  /** The user name of a registration. */
  readonly username?: string
  /** PHC string of a registration's password; absent: none. */
  readonly passwordHash?: string
  /** What was entered in the form for forgotten passwords. */
  readonly entered?: string
  /** An operator handed the link over, having recognised the person. */
  readonly vouched?: boolean
  /** Values of declared fields of a new account. */
  readonly attributes?: AttributeValues
  /** The mail with the link of an invitation; absent: it was handed over. */
  readonly mailId?: string
  /** The roles of an invited user. */
  readonly roles?: readonly string[]
  /** The client that sent an invitation, or made a link for a new password, for itself. */
  readonly sentBy?: string
  /** Local; where the person continues. */
  readonly returnUrl?: string
  /** Of an undo, and of a change of the address that was taken back: since when what was added to the account ends. */
  readonly dropsSinceMs?: number
  /** Of a change of the address that is asked for: the present one, which is nobody else's from the commit of the change on. */
  readonly formerEmail?: string
}

export type Confirmation = {
  /** UUIDv7; the readable first part of the token, and of the browser's cookie. */
  readonly id: string
  readonly purpose: ConfirmationPurpose
  /** Whom it is for: a user id, or a hash of what was entered. The newest of a purpose and subject alone works. */
  readonly subject: string
  /** Null before there is a user, and for requests that concern no one. */
  readonly userId: string | null
  /** SHA-256 of the secret part of the link's token, base64url. */
  readonly tokenHash: string
  /** The code, keyed by the secret of the browser; null: the mail has a link only. */
  readonly codeHash: string | null
  /** SHA-256 of the secret in the browser's cookie, base64url; null: no browser asked. */
  readonly browserHash: string | null
  /** Codes that were tried. */
  readonly attempts: number
  /** When code or link was used, and what it allows was not finished yet; null: not used. */
  readonly confirmedAtMs: number | null
  readonly details: ConfirmationDetails
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** The person who began it; it ends with all their sessions. Absent: nobody who was signed in. */
  readonly begunBy?: string
  /** The session in which it was begun, with which it ends; what an operator hands out stays after a sign-out. Absent: in none. */
  readonly sessionId?: string
}

/** As stored, with its user. */
export type FoundConfirmation = { readonly confirmation: Confirmation; readonly user: User | undefined }

export const maxCodeAttempts = 5

const minuteMs = 60_000
const dayMs = 86_400_000

const lifetimesMs: Readonly<Record<ConfirmationPurpose, number>> = {
  register: dayMs,
  email: dayMs,
  reset: 15 * minuteMs,
  invite: 7 * dayMs,
  signin: 10 * minuteMs,
  undo: 7 * dayMs,
  setup: 30 * minuteMs,
}

/** How long an invitation that nobody used can be read after its end, to be sent again. */
export const invitationKeptMs = 30 * dayMs

/** `opened`: the link was used, and the account is not created yet. */
export type InvitationState = 'waiting' | 'opened' | 'expired'

export function invitationState(
  { confirmedAtMs, expiresAtMs }: Pick<Confirmation, 'confirmedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): InvitationState {
  if (expiresAtMs <= nowMs) return 'expired'
  return confirmedAtMs === null ? 'waiting' : 'opened'
}

/** How long the step after a code or link may take, such as choosing a password. */
const stepMs = 15 * minuteMs

export function confirmationEndsAtMs(purpose: ConfirmationPurpose, nowMs: number): number {
  return nowMs + lifetimesMs[purpose]
}

/** Returns the end of a confirmation whose code or link was used now, and that has a further step. */
export function stepEndsAtMs({ expiresAtMs }: Confirmation, nowMs: number): number {
  return Math.max(expiresAtMs, nowMs + stepMs)
}

/** Returns a confirmation by link alone, which no browser asked for. */
export function linkConfirmation(
  { id, tokenHash }: Pick<Confirmation, 'id' | 'tokenHash'>,
  about: Pick<Confirmation, 'purpose' | 'subject' | 'userId' | 'details'>,
  nowMs: number,
): Confirmation {
  const expiresAtMs = confirmationEndsAtMs(about.purpose, nowMs)
  const unused = { codeHash: null, browserHash: null, attempts: 0, confirmedAtMs: null }
  return { id, tokenHash, ...about, ...unused, createdAtMs: nowMs, expiresAtMs }
}

/** The id of an `undoneMark`. */
export function undoneId(userId: string): string {
  return `undone:${userId}`
}

/**
 * Returns what remembers that a change of the address was taken back, until the owner chose a new password: whoever made
 * the change may sign in with the old one and add something again. No code and no link belongs to it.
 */
export function undoneMark(
  hashes: Pick<Confirmation, 'tokenHash'>,
  { id, dropsSinceMs }: { readonly id: string; readonly dropsSinceMs: number },
  nowMs: number,
): Confirmation {
  const about = { purpose: 'undo', subject: undoneId(id), userId: id, details: { dropsSinceMs } } as const
  return { ...linkConfirmation({ id: undoneId(id), ...hashes }, about, nowMs), confirmedAtMs: nowMs }
}

/** Returns since when what was added to the account ends with the next reset; undefined: no change was taken back lately. */
export function undoneSince(found: FoundConfirmation | undefined, nowMs: number): number | undefined {
  const mark = found?.confirmation
  return mark !== undefined && nowMs < mark.expiresAtMs ? mark.details.dropsSinceMs : undefined
}

/** Returns a reset that this browser may finish with a new password, because the mailbox was proved otherwise. */
export function provenReset(
  { id, tokenHash }: Pick<Confirmation, 'id' | 'tokenHash'>,
  { userId, browserHash }: { readonly userId: string; readonly browserHash: string },
  nowMs: number,
): Confirmation {
  const reset = linkConfirmation({ id, tokenHash }, { purpose: 'reset', subject: userId, userId, details: {} }, nowMs)
  return { ...reset, browserHash, confirmedAtMs: nowMs }
}

/** Returns the path of a link. The token is in the fragment, which reaches no server and no log. */
export function confirmationLink(purpose: ConfirmationPurpose, token: string): string {
  return `/Account/Confirm?purpose=${purpose}#token=${token}`
}

/** Returns the subject for a name or address as entered, which has a bounded length. */
export function subjectOf(entered: string): string {
  return createHash('sha256').update(normalizeName(entered)).digest('base64url')
}

/** The subject of what strangers ask for about somebody, so that it does not end what the owner or an operator asked for. */
export function strangersSubject(subject: string): string {
  return `strangers:${subject}`
}

/** The subject of what operators ask to confirm, so that it does not end the change of the address that its owner asked for. */
export function operatorsSubject(userId: string): string {
  return `operators:${userId}`
}

export function isConfirmationPurpose(text: string): text is ConfirmationPurpose {
  return (confirmationPurposes as readonly string[]).includes(text)
}

/** Whether its code or link may be used now. */
export function isPending(confirmation: Confirmation, purpose: ConfirmationPurpose, nowMs: number): boolean {
  return confirmation.purpose === purpose && confirmation.confirmedAtMs === null && nowMs < confirmation.expiresAtMs
}

/** Whether the step after its code or link may be taken now. */
export function isConfirmed(confirmation: Confirmation, purpose: ConfirmationPurpose, nowMs: number): boolean {
  return confirmation.purpose === purpose && confirmation.confirmedAtMs !== null && nowMs < confirmation.expiresAtMs
}

/** Returns the six digits that were entered, without the separators people add; undefined: not six digits. */
export function enteredCode(text: string): string | undefined {
  if (text.length > 32) return undefined
  const digits = text.normalize('NFKC').replaceAll(/[\s\-\u2010-\u2015.]/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** Returns a local address as it is kept with a confirmation; undefined: it is the root, or too long. */
export function keptReturnUrl(returnUrl: string): string | undefined {
  return returnUrl === '/' || returnUrl.length > returnUrlLengthAtMost ? undefined : returnUrl
}

/** A longer address is in the browser that asked, and not in the record. */
const returnUrlLengthAtMost = 4096
