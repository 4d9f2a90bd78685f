/**
 * How much mail requests may cause: five an hour to an address, over all purposes, and twenty an hour from the network of
 * a client. Notices to the owner of an account do not count. Calls of the admin API have limits of their own for
 * an address, so that neither they nor strangers use up the mails of the other. Ten of the mails to an address within a day have a code, and
 * the others a link alone: codes can be guessed, links cannot.
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

export const mailsPerAddress = 5
export const mailsPerNetwork = 20
/** Within a day, and again as many in each browser that the owner signed in with before. Each code has five attempts. */
export const codesPerAddress = 10
export const mailHourMs = 3_600_000
const dayMs = 24 * mailHourMs

/** `to`: the address in its normal form (`normalizeName`). `network`: that of the client, or what counts in its place. */
export function mailLimits(to: string, network: string): MailLimit[] {
  return [
    { key: keyOf('mail-to', to), places: mailsPerAddress, lastsMs: mailHourMs },
    { key: keyOf('mail-from', network), places: mailsPerNetwork, lastsMs: mailHourMs },
  ]
}

/** `browserId`: a browser that the owner of the address signed in with before; undefined: a stranger. */
export function codeLimits(to: string, browserId: string | undefined): MailLimit[] {
  const whose = browserId === undefined ? to : `${to} ${browserId}`
  return [{ key: keyOf('code-to', whose), places: codesPerAddress, lastsMs: dayMs }]
}

/** Within an hour: links to an address, and notices to the owner of one. */
export const mailsOfOperators = { link: 5, notice: 20 } as const

export type OperatorMail = keyof typeof mailsOfOperators

export function operatorLimits(to: string, kind: OperatorMail): MailLimit[] {
  return [{ key: keyOf(`operator-${kind}`, to), places: mailsOfOperators[kind], lastsMs: mailHourMs }]
}

function keyOf(kind: string, text: string): string {
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
