/**
 * What is wrong with something that is to be registered or changed. Rules in `users/` and `protocol/` return problems as
 * values; the command line prints them, and an API answers with them.
 */
export type Problem = {
  /** The member at fault, under its name in JSON: `redirect_uris`, `email`. */
  readonly member: string
  /** One whole sentence for people, without a secret in it. */
  readonly message: string
}

/** What a rule makes of a change: the next state, or everything that is wrong with it. */
export type Judged<T> = { readonly value: T } | { readonly problems: readonly Problem[] }

/** A problem of `member`. `what`: the subject of the sentence; `fault`: the rest of it, without the full stop. */
export function problem(member: string, what: string, fault: string): Problem {
  return { member, message: `${what} ${fault}.` }
}

/** The value when nothing is wrong with it. */
export function judge<T>(value: T, problems: readonly Problem[]): Judged<T> {
  return problems.length === 0 ? { value } : { problems }
}

/** What is wrong with a short line of text, as the end of a sentence; undefined: nothing. Length in code points. */
export function lineFault(text: string, maxLength: number): string | undefined {
  if (text.trim() === '') return 'must not be empty'
  if (text.trim() !== text) return 'must not begin or end with a space'
  // Controls, line separators, and the marks that turn the direction of text and so can disguise a name.
  if (/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text) || !text.isWellFormed()) {
    return 'must not contain control characters'
  }
  return [...text].length > maxLength ? `must have at most ${maxLength} characters` : undefined
}
