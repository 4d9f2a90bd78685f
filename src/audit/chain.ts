/**
 * The hash chain of one writer. Each entry's hash covers the previous hash, so an entry cannot be changed, removed or
 * inserted without breaking the chain. The hashes are unkeyed; signed checkpoints prove that the chain was not rebuilt.
 */
import { hash, randomBytes } from 'node:crypto'
import type { AuditKind, Draft, StoredAuditEntry } from './entry.ts'
import { auditKinds, type ChainName } from './kinds.ts'

export type { ChainName } from './kinds.ts'

/** The end of a writer's chain. */
export type Tail = {
  readonly writer: string
  /** 0: nothing was written yet. */
  readonly seq: number
  readonly atMs: number
  /** Empty before the first entry. */
  readonly hash: string
}

/** The chains that one process or connection appends to. */
export type Tails = Readonly<Record<ChainName, Tail>>

/** An entry of a kind that only a newer version knows is an act. */
export function chainOf(kind: string): ChainName {
  return Object.hasOwn(auditKinds, kind) ? auditKinds[kind as AuditKind] : 'acts'
}

/** Prefix of the writers of refusals. Sorts after every hexadecimal digit. */
export const refusalsMark = 'r'

/** Starts a new chain. Its name has at least 60 random bits, so no other process appends to it. */
export function newTail(chain: ChainName): Tail {
  const name = randomBytes(8).toString('hex')
  return { writer: chain === 'refusals' ? `${refusalsMark}${name.slice(1)}` : name, seq: 0, atMs: 0, hash: '' }
}

export function newTails(): Tails {
  return { acts: newTail('acts'), refusals: newTail('refusals') }
}

/** Records the clock's time in the entry if it deviates from the entry's time by more than this. */
const toldFromMs = 60_000

/**
 * Returns the next entry after `tail`. Its time is never before the previous entry or `floorMs`, the last checkpoint,
 * whatever the clock says; a deviating clock is kept as `clockMs`.
 */
export function append(tail: Tail, draft: Draft, floorMs: number): StoredAuditEntry {
  const atMs = Math.max(draft.atMs, tail.atMs, floorMs)
  const isTold = atMs - draft.atMs > toldFromMs
  const details = isTold ? withDetail(draft.details, 'clockMs', draft.atMs) : draft.details
  const entry = { ...draft, details, atMs, writer: tail.writer, seq: tail.seq + 1 }
  return { ...entry, hash: hashOf(tail.hash, entry) }
}

/** Adds a member to the JSON text of details. */
export function withDetail(details: string, name: string, value: string | number | boolean): string {
  const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`
  return details === '{}' ? `{${member}}` : `${details.slice(0, -1)},${member}}`
}

/**
 * SHA-256 over ten lines: previous hash (empty for the first entry), writer, number, time in milliseconds, kind, user,
 * client, trace id, address, details. Of the four nullable fields, null is written as `-` and a value is prefixed with
 * `=`. No field contains a line break, so no two entries have the same ten lines.
 */
export function hashOf(previous: string, entry: Omit<StoredAuditEntry, 'hash'>): string {
  const { writer, seq, atMs, kind, userId, clientId, traceId, address, details } = entry
  const optional = `${line(userId)}\n${line(clientId)}\n${line(traceId)}\n${line(address)}`
  return hash('sha256', `${previous}\n${writer}\n${seq}\n${atMs}\n${kind}\n${optional}\n${details}`, 'base64url')
}

/** SHA-256 of a signed statement, base64url. The next statement refers to it by this hash. */
export function hashOfStatement(statement: string): string {
  return hash('sha256', statement, 'base64url')
}

const line = (text: string | null): string => (text === null ? '-' : `=${text}`)
