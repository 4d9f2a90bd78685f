/** Decides whether a password can be a new one, wherever it is set. */
import { type Problem, problem } from '../problem.ts'
import { type PasswordError, type PasswordOwner, passwordBytesAtMost, passwordFault } from './password-rules.ts'

/** The lists and the setting that the rule asks. */
export type PasswordLists = {
  readonly minLength: number
  isCommon(password: string): Promise<boolean>
  isBreached(password: string): Promise<boolean>
}

/** Returns why the password is refused; undefined: it can be a new one. Asks other services last. */
export async function newPasswordError(
  password: string,
  owner: PasswordOwner,
  lists: PasswordLists,
): Promise<PasswordError | undefined> {
  const fault = passwordFault(password, owner, lists.minLength)
  if (fault !== undefined) return fault
  if (await lists.isCommon(password)) return 'password_common'
  return (await lists.isBreached(password)) ? 'password_breached' : undefined
}

/** Returns the refusal as a sentence. */
export function passwordProblem(error: PasswordError, password: string, minLength: number): Problem {
  const faults: Readonly<Record<PasswordError, string>> = {
    password_too_short: `must have at least ${minLength} characters (Accounts:Password:MinLength); this one has ${[...password].length}`,
    password_too_long: `must have at most ${passwordBytesAtMost} bytes of valid text`,
    password_similar: "is too much like the user name, the e-mail address or the service's name",
    password_common: 'is one of the most common passwords, which are guessed first',
    password_breached: 'is known from a breach of another service',
  }
  return problem('password', 'The password', faults[error])
}

/**
 * Returns why an operator cannot set the password; undefined: they can. Only the length binds them: they also set passwords
 * that people may not choose.
 */
export function operatorPasswordProblem(
  error: PasswordError | undefined,
  password: string,
  minLength: number,
): Problem | undefined {
  const binds = error === 'password_too_short' || error === 'password_too_long'
  return binds ? passwordProblem(error, password, minLength) : undefined
}
