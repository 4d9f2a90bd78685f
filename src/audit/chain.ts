/**
 * The hash chain of one writer. Every entry's hash covers the hash before it, so that no entry can be changed, taken out
 * or put in without a break. It takes no key: what proves that a chain was not made anew is the signed checkpoint.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Draft } from './draft.ts'
import type { StoredAuditEntry } from './entry.ts'

/** The end of a writer's chain. */
export type Tail = {
  readonly writer: string
  /** 0: nothing was written yet. */
  readonly seq: number
  readonly atMs: number
  /** Empty before the first entry. */
  readonly hash: string
}

/**
 * What strangers cause by being refused is in chains of its own: there its oldest entries can be removed sooner than
 * those of acts, and nothing is missing in the chains of acts.
 */
export type ChainName = 'acts' | 'refusals'

/** The chains that one process, or one connection, continues. */
export type Tails = Readonly<Record<ChainName, Tail>>

const strangersKinds: ReadonlySet<string> = new Set(['refusal', 'sign_in_failed', 'not_recorded'])

export function chainOf(kind: string): ChainName {
  return strangersKinds.has(kind) ? 'refusals' : 'acts'
}

/** In front of the names of writers of refusals, and greater than every hexadecimal digit. */
export const refusalsMark = 'r'

/** A chain of its own, which nobody else continues: 60 random bits or more name it. */
export function newTail(chain: ChainName): Tail {
  const name = randomBytes(8).toString('hex')
  return { writer: chain === 'refusals' ? `${refusalsMark}${name.slice(1)}` : name, seq: 0, atMs: 0, hash: '' }
}

export function newTails(): Tails {
  return { acts: newTail('acts'), refusals: newTail('refusals') }
}

/** A clock that differs by more than this from the time that an entry gets is told of in the entry. */
const toldFromMs = 60_000

/**
 * The next entry after `tail`. Its time is never before that of the entry before, nor before `floorMs`, the last
 * checkpoint, whatever the clock says; what it said is kept as `clockMs`.
 */
export function append(tail: Tail, draft: Draft, floorMs: number): StoredAuditEntry {
  const atMs = Math.max(draft.atMs, tail.atMs, floorMs)
  const isTold = atMs - draft.atMs > toldFromMs
  const details = isTold ? withDetail(draft.details, 'clockMs', draft.atMs) : draft.details
  const entry = { ...draft, details, atMs, writer: tail.writer, seq: tail.seq + 1 }
  return { ...entry, hash: hashOf(tail.hash, entry) }
}

/** JSON text of details with another member. */
export function withDetail(details: string, name: string, value: string | number | boolean): string {
  const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`
  return details === '{}' ? `{${member}}` : `${details.slice(0, -1)},${member}}`
}

/**
 * SHA-256 over ten lines: the hash before (empty at the first entry), writer, number, time in milliseconds, kind, user, client,
 * trace id, address, details. Of the four that may be absent, `-` is an absent one and `=` stands before the others. No
 * entry is written with a line break in a field, so no two entries have the same ten lines.
 */
export function hashOf(previous: string, entry: Omit<StoredAuditEntry, 'hash'>): string {
  const { writer, seq, atMs, kind, userId, clientId, traceId, address, details } = entry
  const optional = `${line(userId)}\n${line(clientId)}\n${line(traceId)}\n${line(address)}`
  return hash('sha256', `${previous}\n${writer}\n${seq}\n${atMs}\n${kind}\n${optional}\n${details}`, 'base64url')
}

/** SHA-256 of a signed statement, base64url: how the next one refers to it. */
export function hashOfStatement(statement: string): string {
  return hash('sha256', statement, 'base64url')
}

const line = (text: string | null): string => (text === null ? '-' : `=${text}`)
