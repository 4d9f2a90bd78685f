import { lineFault } from '../problem.ts'

/** The longest address that mail can be sent to (RFC 5321 §4.5.3.1.3, the path without its brackets). */
const maxLength = 254

/**
 * Whether `text` has the form of an e-mail address: one `@`, neither first nor last, and nothing that cannot stand in
 * an address line or cannot be seen there: a character without a shape would make a look-alike of somebody's address.
 * Whether mail arrives is another question, which only mail can answer.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > maxLength || !text.isWellFormed()) return false
  const at = text.indexOf('@')
  if (at < 1 || at === text.length - 1 || text.includes('@', at + 1)) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\s\u0000-\u001f\u007f-\u009f\p{Cf}<>()[\],;:"\\]/u.test(text)
}

/** What is wrong with an e-mail address, as the end of a sentence; undefined: nothing. */
export function emailFault(email: string): string | undefined {
  return lineFault(email, maxLength) ?? (isEmailAddress(email) ? undefined : 'must look like name@host')
}
