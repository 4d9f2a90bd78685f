/**
 * Checkpoints: signed statements that certain entries existed at a certain time. They tie the chains together, and each
 * refers to the one before, so that a copy of one kept elsewhere proves everything before it.
 */
import type { JWK } from 'jose'
import { CompactSign } from 'jose/jws/compact/sign'
import { compactVerify } from 'jose/jws/compact/verify'
import { importJWK } from 'jose/key/import'
import type { SigningKey } from '../keys/key-ring.ts'
import type { AuditCheckpoint } from '../storage/port/audit.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import type { Acknowledged, Fault } from './acknowledged.ts'
import { hashOfStatement } from './chain.ts'

/** An entry, identified by writer and number. */
export type Attested = { readonly writer: string; readonly seq: number; readonly hash: string }

/** Stands for the checkpoints from number `from` to number `to`. Times are epoch milliseconds. */
export type Summary = {
  readonly from: number
  readonly to: number
  /** The hash of the statement before them; null: they begin with the first one. */
  readonly previous: string | null
  /** Of their statements, in order, one after the other: each has 43 characters. */
  readonly hashes: string
  /** The `reach` of the last one. */
  readonly reach: number
  /** The least `reach` of them. */
  readonly least: number
  readonly tails: readonly Attested[]
  readonly cuts: readonly Attested[]
}

export type Statement = {
  readonly number: number
  /** In epoch milliseconds. */
  readonly at: number
  /**
   * The signer's clock, in epoch milliseconds. The end of every chain up to then is in this statement or an earlier
   * one.
   */
  readonly reach: number
  /** SHA-256 of the previous statement, base64url; null in the first one. */
  readonly previous: string | null
  /** The last entry of every chain that grew since the previous statement. */
  readonly tails: readonly Attested[]
  /** The last removed entry of every chain whose beginning is removed, because of its age or size. */
  readonly cuts?: readonly Attested[]
  /** Faults that an operator accepts. */
  readonly acknowledged?: Acknowledged
  /** What stands for old checkpoints that are removed. */
  readonly summaries?: readonly Summary[]
}

/**
 * How far behind a checkpoint an entry may legitimately appear, because of commits in progress and slow clocks. An
 * older entry that no checkpoint covers was inserted later.
 */
export const latenessMs = 5 * 60_000

/** Distinguishes statements from the service's tokens. Their signing key signs nothing else. */
const type = 'latchkey-audit+jws'

/** Returns a compact JWS (RFC 7515 §3.1). */
export function signStatement(statement: Statement, { algorithm, kid, privateKey }: SigningKey): Promise<string> {
  const content = new TextEncoder().encode(JSON.stringify(statement))
  return new CompactSign(content).setProtectedHeader({ alg: algorithm, kid, typ: type }).sign(privateKey)
}

/** Returns the content of a statement; undefined: this service did not sign it. */
export type StatementReader = (statement: string) => Promise<Statement | undefined>

/** Returns a reader of statements signed with an audit key of `ring`. */
export function statementReader(ring: readonly StoredKey[]): StatementReader {
  const keys = new Map(ring.filter(({ use }) => use === 'audit').map((key) => [key.id, key]))
  const imported = new Map<string, Promise<CryptoKey | Uint8Array>>()
  const keyFor = (kid: string): Promise<CryptoKey | Uint8Array> => {
    const row = keys.get(kid)
    if (row === undefined) throw new Error('no such key')
    const key = imported.get(kid) ?? importJWK(JSON.parse(row.publicJwk ?? '{}') as JWK, row.algorithm)
    imported.set(kid, key)
    return key
  }
  return async (statement) => {
    try {
      const { payload, protectedHeader } = await compactVerify(statement, ({ kid }) => keyFor(kid ?? ''), {
        algorithms: ['ES256'],
      })
      return protectedHeader.typ === type ? (JSON.parse(new TextDecoder().decode(payload)) as Statement) : undefined
    } catch {
      return undefined
    }
  }
}

/** Returns the content of a statement without checking its signature; undefined: not readable. */
export function contentOf(statement: string): Statement | undefined {
  try {
    return JSON.parse(Buffer.from(statement.split('.')[1] ?? '', 'base64url').toString()) as Statement
  } catch {
    return undefined
  }
}

/** Whether a statement says something of those before it that a reader needs to know when it comes to them. */
export function saysOfOthers(statement: Statement | undefined): boolean {
  return statement?.acknowledged !== undefined || statement?.summaries !== undefined
}

/** A checkpoint that another follows: its number (0: there is none), and the hash of its statement. */
export type Link = { readonly number: number; readonly hash: string | null }

export function linkOf({ number, statement }: AuditCheckpoint): Link {
  return { number, hash: hashOfStatement(statement) }
}

/** Returns what is wrong with a checkpoint that should follow `before`. `said`: its content; undefined: not readable. */
export function linkFault({ number, atMs }: AuditCheckpoint, said: Statement | undefined, before: Link) {
  const fault = (kind: Fault['kind'], what: string, checkpoint = number): Fault => ({ kind, checkpoint, what })
  if (number !== before.number + 1) return fault('removed', 'it is missing', before.number + 1)
  if (said === undefined) return fault('forged', 'its signature is not one of this service')
  if (said.number !== number || said.at !== atMs) return fault('changed', 'its row differs from what was signed')
  return said.previous === before.hash ? undefined : fault('forged', 'it does not follow the one before it')
}

const hashLength = 43

/** Returns the hash of the last statement that the summary stands for. */
export function lastHashOf({ hashes }: Summary): string {
  return hashes.slice(-hashLength)
}

/** Whether the summary stands for a statement with this hash. */
export function standsFor({ hashes }: Summary, hash: string | undefined): boolean {
  if (hash === undefined || hash.length !== hashLength) return false
  for (let at = hashes.indexOf(hash); at >= 0; at = hashes.indexOf(hash, at + 1)) if (at % hashLength === 0) return true
  return false
}

/** Finds summaries, which are in checkpoints that come long after those that they stand for. */
export class Summaries {
  #ascending: Summary[] = []
  #isSorted = true

  add(summaries: readonly Summary[]): void {
    for (const summary of summaries) this.#ascending.push(summary)
    this.#isSorted = false
  }

  /** Returns the summary of the checkpoint after `number`, if the statement of that number has this hash. */
  after(number: number, hash: string | null): Summary | undefined {
    if (!this.#isSorted) this.#ascending.sort((a, b) => a.from - b.from || a.to - b.to)
    this.#isSorted = true
    let [low, high] = [0, this.#ascending.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ascending[middle]?.from ?? 0) <= number + 1) low = middle + 1
      else high = middle
    }
    const found = this.#ascending[low - 1]
    if (found === undefined || found.to <= number) return undefined
    const at = (number - found.from) * hashLength
    const before = found.from === number + 1 ? found.previous : found.hashes.slice(at, at + hashLength)
    return before === hash ? found : undefined
  }
}
