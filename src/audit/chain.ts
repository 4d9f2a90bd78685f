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

/** A chain of its own, which nobody else continues: 64 random bits name it. */
export function newTail(): Tail {
  return { writer: randomBytes(8).toString('hex'), seq: 0, atMs: 0, hash: '' }
}

/** The next entry after `tail`. Within a chain time never runs backwards, whatever the clock does. */
export function append(tail: Tail, draft: Draft): StoredAuditEntry {
  const atMs = Math.max(draft.atMs, tail.atMs)
  const entry = { ...draft, atMs, writer: tail.writer, seq: tail.seq + 1 }
  return { ...entry, hash: hashOf(tail.hash, entry) }
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
