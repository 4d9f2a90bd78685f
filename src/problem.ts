/**
 * Problems with a record that is to be registered or changed. Rules in `users/` and `protocol/` return them as values;
 * the command line prints them, and an API answers with them.
 */
import { type AnyRefusal, asRefusal } from './refusal.ts'

export type Problem = {
  /** The faulty member by its name in JSON: `redirect_uris`, `email`. */
  readonly member: string
  /** A full sentence for people, without secrets. */
  readonly message: string
}

/** The result of a rule: the next state, or all problems. */
export type Judged<T> = T | Rejection

/** The refusal of a registration or change, with all its problems. */
export type Rejection = AnyRefusal & { readonly problems: readonly Problem[] }

/**
 * Returns a problem of `member`. `what`: the subject of the sentence; `fault`: the rest of it, without the full stop.
 */
export function problem(member: string, what: string, fault: string): Problem {
  return { member, message: `${what} ${fault}.` }
}

/** Returns the value if there are no problems. */
export function judge<T>(value: T, problems: readonly Problem[]): Judged<T> {
  return problems.length === 0 ? value : asRefusal({ problems })
}

/**
 * Returns why a member cannot be set; undefined: it can. `fixed`: members that exist but cannot be set, each with the
 * rest of the sentence. `owner`: the record, such as 'a client'.
 */
export function memberProblem(
  member: string,
  settable: readonly string[],
  fixed: ReadonlyMap<string, string>,
  owner: string,
): Problem | undefined {
  if (settable.includes(member)) return undefined
  const known = settable.join(', ')
  return problem(member, member, fixed.get(member) ?? `is not a member of ${owner}. These can be set: ${known}`)
}

/**
 * Returns why a name cannot be the last segment of an address, as the end of a sentence; undefined: it can. `.` and `..`
 * are removed from paths (RFC 3986 §5.2.4), and the console makes records at `new`.
 */
export function addressFault(name: string): string | undefined {
  return ['.', '..', 'new'].includes(name) ? 'must not be ".", ".." or "new", which addresses use' : undefined
}

/**
 * Returns the fault of a short line of text, as the end of a sentence; undefined: none. The length is counted in code
 * points.
 */
export function lineFault(text: string, maxLength: number): string | undefined {
  if (text.trim() === '') return 'must not be empty'
  if (text.trim() !== text) return 'must not begin or end with a space'
  // Controls, line separators, and direction marks, which can disguise a name.
  if (/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text) || !text.isWellFormed()) {
    return 'must not contain control characters'
  }
  return [...text].length > maxLength ? `must have at most ${maxLength} characters` : undefined
}
