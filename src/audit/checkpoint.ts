/**
 * Checkpoints: signed statements that certain entries existed at a certain time. They tie the chains together, and each
 * refers to the one before, so that a copy of one kept elsewhere proves everything before it.
 */
import type { JWK } from 'jose'
import { CompactSign } from 'jose/jws/compact/sign'
import { compactVerify } from 'jose/jws/compact/verify'
import { importJWK } from 'jose/key/import'
import type { SigningKey } from '../keys/key-ring.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import type { Acknowledged } from './acknowledged.ts'

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

/** Distinguishes statements from the service's tokens. Their signing key signs nothing else. */
const type = 'latchkey-audit+jws'

/** Returns a compact JWS (RFC 7515 §3.1). */
export function signStatement(statement: Statement, { algorithm, kid, privateKey }: SigningKey): Promise<string> {
  const content = new TextEncoder().encode(JSON.stringify(statement))
  return new CompactSign(content).setProtectedHeader({ alg: algorithm, kid, typ: type }).sign(privateKey)
}

/** Returns a reader of statements signed with an audit key of `ring`. It returns undefined for an invalid signature. */
export function statementReader(ring: readonly StoredKey[]) {
  const keys = new Map(ring.filter(({ use }) => use === 'audit').map((key) => [key.id, key]))
  const imported = new Map<string, Promise<CryptoKey | Uint8Array>>()
  const keyFor = (kid: string): Promise<CryptoKey | Uint8Array> => {
    const row = keys.get(kid)
    if (row === undefined) throw new Error('no such key')
    const key = imported.get(kid) ?? importJWK(JSON.parse(row.publicJwk ?? '{}') as JWK, row.algorithm)
    imported.set(kid, key)
    return key
  }
  return async (statement: string): Promise<Statement | undefined> => {
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
