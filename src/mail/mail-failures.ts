/** Why a mail was not sent, as one of a few kinds that can be said in any language. */

/** What the sender itself notes, besides what the mail server answered. */
export const ownFailures = {
  too_late: 'it could not be sent in time',
  interrupted: 'the last attempt was interrupted',
  unreadable: 'its content cannot be decrypted',
} as const

export const mailFailures = [
  'too_late',
  'interrupted',
  'unreadable',
  'credentials',
  'refused',
  'deferred',
  'certificate',
  'unreachable',
  'other',
] as const

export type MailFailure = (typeof mailFailures)[number]

/** In their order: an answer to the sign-in is an answer of the mail server, too. Codes are those of RFC 5321 §4.2. */
const told: readonly (readonly [MailFailure, RegExp])[] = [
  ['credentials', /invalid login|missing credentials|\b53[045]\b/i],
  ['unreachable', /\b(?:econn|enotfound|eai_again|ehostunreach|enetunreach|etimedout)/i],
  ['refused', /(?:^|\D)5\d\d(?:[ -]|$)|address of the recipient is not valid/],
  ['deferred', /(?:^|\D)4\d\d(?:[ -]|$)/],
  ['certificate', /certificate|\btls\b|\bssl\b|starttls/i],
  ['unreachable', /timeout|timed out|greeting|socket|aborted/i],
]

/** Returns the kind of what was noted of the last attempt; null: nothing was. */
export function failureOf(error: string | null): MailFailure | null {
  if (error === null) return null
  const own = Object.entries(ownFailures).find(([, text]) => text === error)
  if (own !== undefined) return own[0] as MailFailure
  return told.find(([, pattern]) => pattern.test(error))?.[0] ?? 'other'
}
