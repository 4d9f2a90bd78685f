import { lineFault } from '../problem.ts'

/** The longest address that mail can be sent to (RFC 5321 §4.5.3.1.3: the path without brackets). */
const maxLength = 254

/**
 * Whether `text` has the form of an e-mail address: a single `@` inside it, and no character that is invalid or
 * invisible in an address line. An invisible character would allow a look-alike of another user's address. Does not
 * check that the address receives mail.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > maxLength || !text.isWellFormed()) return false
  const at = text.indexOf('@')
  if (at < 1 || at === text.length - 1 || text.includes('@', at + 1)) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern excludes them
  return !/[\s\u0000-\u001f\u007f-\u009f\p{Cf}<>()[\],;:"\\]/u.test(text)
}

/** Returns the fault of an e-mail address, as the end of a sentence; undefined: none. */
export function emailFault(email: string): string | undefined {
  return lineFault(email, maxLength) ?? (isEmailAddress(email) ? undefined : 'must look like name@host')
}
