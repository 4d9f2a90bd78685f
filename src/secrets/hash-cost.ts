/** Estimates what checking a stored password hash costs on this machine. */
import { randomBytes } from 'node:crypto'
import { deriveForeign } from './foreign-derive.ts'
import { type ForeignHash, parseForeign } from './foreign-hash.ts'

/** The algorithms whose speed is measured, each once, by a hash that takes a few milliseconds. */
type Pace = 'sha1' | 'sha256' | 'sha512' | 'scrypt' | 'argon2' | 'bcrypt'

/**
 * Returns a function that returns the time of one check in milliseconds, from the parameters of the hash; 0 for what is
 * no hash. Measures the speed of each algorithm when it is first asked for, on the calling thread.
 */
export function hashCosts(): (stored: string) => number {
  const paces = new Map<Pace, number>()
  const msPerUnit = (pace: Pace): number => {
    const known = paces.get(pace) ?? measure(pace)
    paces.set(pace, known)
    return known
  }
  return (stored) => {
    const work = workOf(stored)
    return work === undefined ? 0 : work.units * msPerUnit(work.pace)
  }
}

/** In bytes. What OWASP and RFC 9106 recommend for sign-ins takes half of it; several are checked at once. */
const memoryAtMost = 256 * 1024 * 1024

/** Whether one check of a stored hash takes more memory than a service can spare. Computes nothing. */
export function isTooLarge(stored: string): boolean {
  const own = ownParameters(stored)
  if (own !== undefined) return own.memory * 1024 > memoryAtMost
  const foreign = parseForeign(stored)
  return foreign !== undefined && memoryOf(foreign) > memoryAtMost
}

function memoryOf(one: ForeignHash): number {
  switch (one.kind) {
    case 'scrypt':
      return 128 * one.r * (2 ** one.logN + one.p)
    case 'firebase':
      return 128 * one.r * 2 ** one.logN
    case 'argon2i':
    case 'argon2d':
      return one.memory * 1024
    default:
      return 0
  }
}

function ownParameters(stored: string): { readonly memory: number; readonly passes: number } | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(stored)
  return match === null ? undefined : { memory: Number(match[1]), passes: Number(match[2]) }
}

type Work = { readonly pace: Pace; readonly units: number }

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 }

function workOf(stored: string): Work | undefined {
  const own = ownParameters(stored)
  if (own !== undefined) return { pace: 'argon2', units: own.memory * own.passes }
  const foreign = parseForeign(stored)
  return foreign && workOfForeign(foreign)
}

function workOfForeign(one: ForeignHash): Work {
  switch (one.kind) {
    case 'pbkdf2':
      return { pace: one.digest, units: one.rounds * Math.ceil(one.hash.length / digestBytes[one.digest]) }
    case 'scrypt':
      return { pace: 'scrypt', units: 2 ** one.logN * one.r * one.p }
    case 'firebase':
      return { pace: 'scrypt', units: 2 ** one.logN * one.r }
    case 'bcrypt':
      return { pace: 'bcrypt', units: 2 ** one.cost }
    default:
      return { pace: 'argon2', units: one.memory * one.passes }
  }
}

/** The least of three: other work of the machine only adds. */
function measure(pace: Pace): number {
  const sample = sampleOf(pace)
  const times = Array.from({ length: 3 }, () => {
    const startMs = performance.now()
    deriveForeign(sample, 'password')
    return performance.now() - startMs
  })
  return Math.min(...times) / workOfForeign(sample).units
}

function sampleOf(pace: Pace): ForeignHash {
  const common = { salt: randomBytes(16), hash: new Uint8Array(20) }
  switch (pace) {
    case 'scrypt':
      return { kind: 'scrypt', logN: 11, r: 8, p: 1, ...common }
    case 'argon2':
      return { kind: 'argon2i', memory: 4096, passes: 1, parallelism: 1, ...common }
    case 'bcrypt':
      return { kind: 'bcrypt', cost: 6, salt: Buffer.from(`$2b$06$${'.'.repeat(22)}`), hash: new Uint8Array(31) }
    default:
      return { kind: 'pbkdf2', digest: pace, rounds: 5000, ...common }
  }
}
