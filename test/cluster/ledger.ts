/**
 * What a service under load has acknowledged: written by the journeys, read by the checker. Every time is epoch
 * milliseconds of this machine, taken when the answer had been read whole.
 *
 * Each record has one of three states: it stands, it has ended, or it is in doubt because the answer to the last request
 * about it was lost. A service may decide what is in doubt either way.
 */

export type Person = {
  readonly name: string
  readonly id: string
  readonly atMs: number
  /** The password of the last acknowledged change, and when that was. */
  password: string
  passwordAtMs: number
  /** Passwords that an acknowledged change replaced. */
  readonly former: { readonly password: string; readonly atMs: number }[]
  /** A change to this password was not answered. */
  doubtful?: string
  /** As many wrong passwords as the limit has were answered; the person is locked out for longer than a run takes. */
  lockedAtMs?: number
  /** Wrong passwords that were sent, answered or not. */
  failures: number
}

export type Session = {
  readonly person: Person
  /** The whole header. */
  readonly cookie: string
  readonly atMs: number
  endedAtMs?: number
  inDoubt?: true
}

export type Consent = {
  readonly person: Person
  readonly client: string
  readonly atMs: number
  withdrawnAtMs?: number
  inDoubt?: true
  /** Given while the withdrawal of an earlier one was in doubt. If that one still stood, nothing was stored. */
  isPerhapsRepeated?: true
}

/** One redeemed code, and the refresh tokens that followed. */
export type Chain = {
  readonly person: Person
  readonly client: string
  readonly code: string
  /** Refresh tokens in the order of their answers; the last one is current. */
  readonly tokens: { readonly token: string; readonly atMs: number }[]
  accessToken: string
  endedAtMs?: number
  /** What ended it. */
  endedBy?: 'revocation' | 'withdrawal'
  /** The last refresh was not answered. It may be repeated. */
  refreshInDoubt?: true
  /** The request that would end it was not answered. */
  inDoubt?: true
}

export type Ledger = {
  readonly people: Person[]
  readonly sessions: Session[]
  readonly consents: Consent[]
  readonly chains: Chain[]
  /** When each write was acknowledged, in order. */
  readonly writes: number[]
  /** Answers that no state of the ledger allows, such as a current refresh token that was refused. */
  readonly contradictions: { readonly what: string; readonly atMs: number }[]
  /** Requests without an acknowledgement, by status or by the way the connection ended. */
  readonly failures: Map<string, number>
}

export function newLedger(): Ledger {
  return {
    people: [],
    sessions: [],
    consents: [],
    chains: [],
    writes: [],
    contradictions: [],
    failures: new Map(),
  }
}

/** The longest time without an acknowledged write between two moments, in milliseconds, and when it began. */
export function longestGap(
  { writes }: Ledger,
  fromMs: number,
  toMs: number,
): { readonly ms: number; readonly atMs: number } {
  let longest = { ms: 0, atMs: fromMs }
  let before = fromMs
  for (const atMs of [...writes.filter((atMs) => atMs > fromMs && atMs < toMs), toMs]) {
    if (atMs - before > longest.ms) longest = { ms: atMs - before, atMs: before }
    before = atMs
  }
  return longest
}
