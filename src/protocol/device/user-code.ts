/**
 * User codes of the device authorization grant (RFC 8628 §6.1): eight consonants in two groups. Without vowels they
 * form no words.
 */

/** The characters of a user code. */
export const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ'
export const userCodeLength = 8

/** Longer input is no user code, however it is grouped. */
const inputAtMost = 64

/** Returns the eight letters of a user code as typed; case, dashes and blanks are ignored. Undefined: not a user code. */
export function readUserCode(typed: string): string | undefined {
  if (typed.length > inputAtMost) return undefined
  const letters = typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase()
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(letters) ? letters : undefined
}

/** Returns the code as devices and pages show it: `BCDF-GHJK`. */
export function showUserCode(letters: string): string {
  return `${letters.slice(0, userCodeLength / 2)}-${letters.slice(userCodeLength / 2)}`
}
