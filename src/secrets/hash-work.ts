/** What checking a stored password hash computes, from its parameters. */
import { type ForeignHash, parseForeign, parseSetting, wrappedMark } from './foreign-hash.ts'

/** Algorithms. Each has a speed of its own on a machine. */
export type Pace = 'sha1' | 'sha256' | 'sha512' | 'scrypt' | 'argon2' | 'bcrypt'

export type Work = { readonly pace: Pace; readonly units: number }

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 }

/**
 * Returns what one check computes: units of the same algorithm compare. Undefined: no hash. Of a wrapped one what Argon2id
 * adds is left out, which every check of a foreign hash has.
 */
export function workOf(stored: string): Work | undefined {
  const own = ownParameters(stored)
  if (own !== undefined) return { pace: 'argon2', units: own.memory * own.passes }
  const foreign = stored.startsWith(wrappedMark)
    ? parseSetting(stored.slice(wrappedMark.length, stored.lastIndexOf(':')))
    : parseForeign(stored)
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

export function ownParameters(stored: string): { readonly memory: number; readonly passes: number } | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(stored)
  return match === null ? undefined : { memory: Number(match[1]), passes: Number(match[2]) }
}
