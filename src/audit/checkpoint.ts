/**
 * Checkpoints: signed statements that certain entries were there at a certain time. They tie the chains together, and each
 * refers to the one before it, so that whoever keeps a copy of one outside can prove everything up to it.
 */
import type { JWK } from 'jose'
import { CompactSign } from 'jose/jws/compact/sign'
import { compactVerify } from 'jose/jws/compact/verify'
import { importJWK } from 'jose/key/import'
import type { SigningKey } from '../keys/key-ring.ts'
import type { StoredKey } from '../storage/port/port.ts'
import type { Acknowledged } from './acknowledged.ts'

/** An entry, by its writer's name and its number. */
export type Attested = { readonly writer: string; readonly seq: number; readonly hash: string }

export type Statement = {
  readonly number: number
  /** Epoch milliseconds. */
  readonly at: number
  /** By the clock of who signed: up to then the end of every chain is in this statement or an earlier one. Epoch milliseconds. */
  readonly reach: number
  /** SHA-256 of the statement before, base64url; null in the first one. */
  readonly previous: string | null
  /** The last entry of every chain that grew since the statement before. */
  readonly tails: readonly Attested[]
  /** The last entry of every chain of which the beginning is removed from here on: it has become too old. */
  readonly cuts?: readonly Attested[]
  /** Places that an operator accepts as they are. */
  readonly acknowledged?: Acknowledged
}

/** Told apart from every token of this service by its type, and by a key that signs nothing else. */
const type = 'latchkey-audit+jws'

/** A compact JWS (RFC 7515 §3.1). */
export function signStatement(statement: Statement, { algorithm, kid, privateKey }: SigningKey): Promise<string> {
  const content = new TextEncoder().encode(JSON.stringify(statement))
  return new CompactSign(content).setProtectedHeader({ alg: algorithm, kid, typ: type }).sign(privateKey)
}

/** Reads statements that were signed with an audit key of `ring`; undefined: it was not, or was changed. */
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

/** What a statement says, its signature unchecked; undefined: it cannot be read. */
export function contentOf(statement: string): Statement | undefined {
  try {
    return JSON.parse(Buffer.from(statement.split('.')[1] ?? '', 'base64url').toString()) as Statement
  } catch {
    return undefined
  }
}
