/**
 * What a new password must be, as far as it shows without lists and requests. The pages import this file to judge while
 * a password is typed, so it imports nothing.
 */

/** Error codes of the forms, and of the account area's JSON. */
export type PasswordError =
  | 'password_too_short'
  | 'password_too_long'
  | 'password_similar'
  | 'password_common'
  | 'password_breached'

/** UTF-8 bytes. Longer passwords are refused before any work. */
export const passwordBytesAtMost = 1024

/** What a password may have beyond a name and still count as too like it. */
const othersAtMost = 3

/** What a password must not be like. Empty texts are ignored. */
export type PasswordOwner = {
  readonly username: string
  readonly email: string
  /** The name of the service (`Brand:Name`). */
  readonly service: string
}

/** Returns why the password cannot be a new one; undefined: nothing of what shows here. Length counts code points. */
export function passwordFault(password: string, owner: PasswordOwner, minLength: number): PasswordError | undefined {
  const fault = passwordLengthFault(password, minLength)
  if (fault !== undefined) return fault
  return isLike(password, owner) ? 'password_similar' : undefined
}

export function passwordLengthFault(password: string, minLength: number): PasswordError | undefined {
  // Four bytes are the most that a code point takes, and one code unit at least one byte.
  if (password.length > passwordBytesAtMost || !password.isWellFormed()) return 'password_too_long'
  if ([...password].length < minLength) return 'password_too_short'
  const isLong = new TextEncoder().encode(password).length > passwordBytesAtMost
  return isLong ? 'password_too_long' : undefined
}

/** Whether it is the user name, the address, what precedes its @, or the service's name, with few other characters. */
function isLike(password: string, { username, email, service }: PasswordOwner): boolean {
  const [local = ''] = email.split('@', 1)
  const typed = [...folded(password)]
  return [username, email, local, service].some((name) => {
    const letters = [...folded(name)]
    const others = typed.length - letters.length
    return letters.length > 0 && others >= 0 && others <= othersAtMost && containsInOrder(typed, letters)
  })
}

function containsInOrder(typed: readonly string[], letters: readonly string[]): boolean {
  let found = 0
  for (const letter of typed) if (letter === letters[found]) found += 1
  return found === letters.length
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase()
}
