/**
 * Tells whether an import brings a password that it brought before, although a sign-in or wrapping replaced the stored hash, or
 * the person chose another since. Compares salt and parameters, which every system makes anew with a password, and keeps
 * nothing against which a password could be guessed.
 */
import { createHash } from 'node:crypto'
import { foreignSetting, parseForeign } from './foreign-hash.ts'
import { provesStored } from './password.ts'

/** Returns what is remembered of an accepted hash. */
export function importedMark(hash: string): string {
  return createHash('sha256').update(settingOf(hash)).digest('base64url')
}

/** `remembered`: the mark of the last import; undefined: there was none. */
export function isNewPassword(hash: string, stored: string | null, remembered: string | undefined): boolean {
  if (provesStored(hash, stored)) return false
  if (remembered !== importedMark(hash)) return true
  // A system with one salt for all passwords of a person.
  return stored !== null && settingOf(stored) === settingOf(hash)
}

function settingOf(hash: string): string {
  const foreign = parseForeign(hash)
  return foreign === undefined ? hash.slice(0, hash.lastIndexOf('$')) : foreignSetting(foreign)
}
