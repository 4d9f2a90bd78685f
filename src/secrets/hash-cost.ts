/**
 * What checking a stored password hash costs, from its parameters alone: the same file gives the same result on every machine,
 * however busy it is.
 */
import { type ForeignHash, parseForeign } from './foreign-hash.ts'
import { ownParameters, type Pace, workOf } from './hash-work.ts'

/** Milliseconds of the reference machine, an idle core of a usual server: for each unit of `workOf`. */
const msPerUnit: Readonly<Record<Pace, number>> = {
  /** A round of PBKDF2. */
  sha1: 0.000_15,
  sha256: 0.000_15,
  sha512: 0.000_4,
  /** A block of 128 bytes. */
  scrypt: 0.000_3,
  /** A KiB in one pass. */
  argon2: 0.000_8,
  /** An expansion of the key. */
  bcrypt: 0.075,
}

/** Returns the time of one check on the reference machine in milliseconds; 0 for what is no hash. */
export function referenceCostMs(stored: string): number {
  const work = workOf(stored)
  return work === undefined ? 0 : work.units * msPerUnit[work.pace]
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
