/**
 * How much mail requests may cause. Strangers together: five an hour to an address, over all purposes, and twenty an hour
 * from a network. A browser that the owner of the account signed in with before, a signed-in person and a sign-in whose
 * first factor was proved count for themselves, so that strangers use up nothing of theirs. Notices to the owner of an
 * account do not count. Calls of the admin API have limits of their own for an address. Ten of the mails to an address
 * within a day have a code, and the others a link alone: codes can be guessed, links cannot.
 */
import { createHash } from 'node:crypto'

/** A number of places. */
export type MailLimit = {
  /** Whose limit it is; begins with the kind. */
  readonly key: string
  readonly places: number
  /** How long a place is taken. */
  readonly lastsMs: number
}

/** Who asks for a mail. */
export type MailSender =
  | { readonly by: 'stranger'; readonly network: string }
  /** A browser that the owner of the account signed in with before. */
  | { readonly by: 'browser'; readonly browserId: string }
  /** A person who is signed in and asks about a new address. It may be anybody's, so the person counts over all of them. */
  | { readonly by: 'person'; readonly userId: string }
  /** Whoever proved the first factor. `browserId`: as above; undefined: any other browser. */
  | { readonly by: 'half_sign_in'; readonly userId: string; readonly browserId: string | undefined }

/** How long notices of the same kind to the same person are gathered. */
export const noticeSpanMs = 600_000

export const mailsPerAddress = 5
export const mailsPerNetwork = 20
/** Within a day, and again as many in each browser that the owner signed in with before. Each code has five attempts. */
export const codesPerAddress = 10
export const mailHourMs = 3_600_000
const dayMs = 24 * mailHourMs

/** `to`: the address in its normal form (`normalizeName`). */
export function mailLimits(to: string, sender: MailSender): MailLimit[] {
  const limit = (kind: string, whose: string, places: number) => ({
    key: limitKey(kind, whose),
    places,
    lastsMs: mailHourMs,
  })
  switch (sender.by) {
    case 'stranger':
      return [limit('mail-to', to, mailsPerAddress), limit('mail-from', sender.network, mailsPerNetwork)]
    case 'browser':
      return [limit('mail-known', sender.browserId, mailsPerAddress)]
    case 'person':
      return [limit('mail-person', sender.userId, mailsPerAddress)]
    case 'half_sign_in':
      return [limit('mail-signin', `${sender.userId} ${sender.browserId ?? ''}`, mailsPerAddress)]
  }
}

/**
 * Codes to a new address count for all people who ask about it, because each could be guessing: beyond them a link still
 * arrives.
 */
export function codeLimits(to: string, sender: MailSender): MailLimit[] {
  return [{ key: limitKey(`code-${sender.by}`, codesOf(to, sender)), places: codesPerAddress, lastsMs: dayMs }]
}

function codesOf(to: string, sender: MailSender): string {
  return sender.by === 'browser' ? `${to} ${sender.browserId}` : to
}

/** Within an hour: links to an address, and notices to the owner of one. */
export const mailsOfOperators = { link: 5, notice: 20 } as const

export type OperatorMail = keyof typeof mailsOfOperators

export function operatorLimits(to: string, kind: OperatorMail): MailLimit[] {
  return [{ key: limitKey(`operator-${kind}`, to), places: mailsOfOperators[kind], lastsMs: mailHourMs }]
}

/** Keeps addresses and other long texts out of the table. */
export function limitKey(kind: string, text: string): string {
  return `${kind}:${createHash('sha256').update(text).digest('base64url')}`
}

/** Returns the ids of all places of a limit. */
export function placesOf({ key, places }: MailLimit): string[] {
  return Array.from({ length: places }, (_, at) => `${key}:${at}`)
}

/** Returns a free place of each limit; undefined: one of them has none. `taken`: ids of places. */
export function freePlaces(limits: readonly MailLimit[], taken: readonly string[]): string[] | undefined {
  const free = limits.map((limit) => placesOf(limit).find((place) => !taken.includes(place)))
  return free.every((place) => place !== undefined) ? free : undefined
}
