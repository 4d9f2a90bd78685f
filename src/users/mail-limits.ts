/**
 * How much mail requests may cause: five an hour to an address, over all purposes, and twenty an hour from the network of
 * a client. Notices to the owner of an account do not count.
 */
import { createHash } from 'node:crypto'

/** A number of places, each of which is taken for an hour. */
export type MailLimit = {
  /** Whose limit it is; begins with the kind. */
  readonly key: string
  readonly places: number
}

export const mailsPerAddress = 5
export const mailsPerNetwork = 20
export const mailHourMs = 3_600_000

/** `to`: the address in its normal form (`normalizeName`). `network`: that of the client. */
export function mailLimits(to: string, network: string): MailLimit[] {
  const keyOf = (kind: string, text: string) => `${kind}:${createHash('sha256').update(text).digest('base64url')}`
  return [
    { key: keyOf('mail-to', to), places: mailsPerAddress },
    { key: keyOf('mail-from', network), places: mailsPerNetwork },
  ]
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
