/**
 * What nothing on this machine can beat: each piece of work alone, without a service around it, on one core.
 *
 *   node bench/limits.ts SECONDS     prints JSON and ends
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newTails } from '../src/audit/chain.ts'
import { type Argon2id, argon2idOf, chooseImplementation } from '../src/secrets/argon2.ts'
import { connect, runBatch } from '../src/storage/sqlite/batch.ts'
import { prepareFile } from '../src/storage/sqlite/engine.ts'

/** `cpuUs` is processor time for one piece, `perSecond` by the clock on the wall; they differ where a disk is waited for. */
export type Piece = { readonly cpuUs: number; readonly perSecond: number }

export type Limits = {
  readonly es256: Piece
  readonly rs256: Piece
  readonly argon2: Piece
  /** Durable rows, so many in a commit. */
  readonly rows: Readonly<Record<'1' | '16' | '64', Piece>>
}

/** Header and claims of an access token are about as long. */
const signingInput = randomBytes(600)

function measure(seconds: number, piecesInRun: number, run: () => void): Piece {
  run()
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  let pieces = 0
  while (performance.now() - startedAt < seconds * 1000) {
    run()
    pieces += piecesInRun
  }
  const { user, system } = process.cpuUsage(cpu)
  return { cpuUs: (user + system) / pieces, perSecond: (pieces / (performance.now() - startedAt)) * 1000 }
}

function signature(seconds: number, key: KeyObject): Piece {
  return measure(seconds, 1, () => sign('sha256', signingInput, { key, dsaEncoding: 'ieee-p1363' }))
}

function password(seconds: number): Piece {
  return passwordBy(argon2idOf(chooseImplementation()), seconds)
}

/** A hash of a new password, by one of the implementations. */
export function passwordBy(argon2id: Argon2id, seconds: number): Piece {
  const request = { message: 'Passw0rd!', nonce: randomBytes(16), memory: 19_456, passes: 2, parallelism: 1 }
  return measure(seconds, 1, () => argon2id({ ...request, tagLength: 32 }))
}

/** Rows as long as a grant's, on ordered keys. */
function durableRows(seconds: number): Limits['rows'] {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  const file = join(folder, 'rows.db')
  prepareFile(file, true)
  const connection = connect(file, 1000)
  try {
    connection.db.exec('create table rows (id text primary key, content text not null) without rowid')
    const text = 'insert into rows (id, content) values (?, ?)'
    const content = 'x'.repeat(500)
    const tails = newTails()
    let next = 0
    const inCommitsOf = (size: number) =>
      measure(seconds, size, () => {
        const batch = Array.from({ length: size }, () => ({
          statements: [{ text, parameters: [String(next++).padStart(36, '0'), content], mustChange: true }],
          drafts: [],
        }))
        for (const outcome of runBatch(connection, batch, tails).outcomes)
          if ('failure' in outcome) throw new Error(outcome.failure.message)
      })
    return { 1: inCommitsOf(1), 16: inCommitsOf(16), 64: inCommitsOf(64) }
  } finally {
    connection.db.close()
    rmSync(folder, { recursive: true })
  }
}

function measurePieces(seconds: number): Limits {
  return {
    es256: signature(seconds, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    rs256: signature(seconds, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    argon2: password(seconds),
    rows: durableRows(seconds),
  }
}

const [seconds = '1'] = process.argv.slice(2)
if (import.meta.main) process.stdout.write(JSON.stringify(measurePieces(Number(seconds))))
