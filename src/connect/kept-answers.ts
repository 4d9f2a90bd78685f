/** Answers about access tokens, which resource servers and applications ask for again and again. */
import type { Answer } from '../http/answer.ts'
import type { VerifiedAccessToken } from '../tokens/verify.ts'

/** Longer ones are made each time, so that those of all tokens that a process keeps take a few megabytes. */
const keptAtMost = 4096

type Kept = { readonly madeOf: readonly unknown[]; readonly answer: Answer }

/**
 * Keeps the last answer about each token, for as long as the process keeps the verified token. `madeOf`: everything that such an answer is
 * made of beside the token, as it was read for this request. An answer is found only if each of these is the same text, number or object:
 * what was read anew as another object is not known to be the same. So a change is in the next answer on every node.
 */
export function keptAnswers() {
  const kept = new WeakMap<VerifiedAccessToken, Kept>()
  return {
    find(token: VerifiedAccessToken, madeOf: readonly unknown[]): Answer | undefined {
      const known = kept.get(token)
      return known !== undefined && isSame(known.madeOf, madeOf) ? known.answer : undefined
    },
    /** Returns the answer. */
    keep(token: VerifiedAccessToken, madeOf: readonly unknown[], answer: Answer): Answer {
      if (typeof answer.body === 'string' && answer.body.length <= keptAtMost) kept.set(token, { madeOf, answer })
      return answer
    },
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  for (let at = 0; at < other.length; at += 1) if (one[at] !== other[at]) return false
  return one.length === other.length
}
