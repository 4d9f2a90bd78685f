/** Explains a refusal: what happened, why, and how to fix it, with the values it concerns. */

import type { RefusalEntry } from './entry.ts'
import { describe, type RefusalReason, refusals } from './index.ts'
import type { Detail } from './refusal-detail.ts'

/** The value is a list if several values were received or registered. */
export type Fact = readonly [label: string, value: string | readonly string[]]

export type Explanation = {
  /** The name of the rule in the catalogue. */
  readonly rule: RefusalReason
  readonly id: string
  readonly error: string
  readonly what: string
  readonly why: string
  readonly fix: string
  readonly source: string
  /** What was received, what is registered, and how they differ. */
  readonly facts: readonly Fact[]
}

/** `reason` may come from a record of another version. Returns undefined if this version has no such rule. */
export function explain(reason: string, detail: Detail = {}): Explanation | undefined {
  if (!isReason(reason)) return undefined
  const entry: RefusalEntry = refusals[reason]
  const { error, id, why, fix, source } = entry
  const { parameter } = detail
  const what = describe(entry, typeof parameter === 'string' ? parameter : undefined)
  return { rule: reason, id, error, what, why, fix, source, facts: factsOf(detail) }
}

/** Returns every entry of the catalogue with this number, such as `ID2052`. */
export function explainId(id: string): readonly Explanation[] {
  return (Object.keys(refusals) as RefusalReason[])
    .filter((reason) => refusals[reason].id === id)
    .map((reason) => explain(reason))
    .filter((one) => one !== undefined)
}

/**
 * Returns label and value of each member, in order. `expiredSecondsAgo: 75` becomes 'expired: 75 seconds ago',
 * `leewaySeconds: 30` becomes 'leeway: 30 seconds', and an empty list 'none'.
 */
export function factsOf(detail: Detail): Fact[] {
  return Object.entries(detail).map(([name, value]): Fact => {
    const ago = /^(.+)SecondsAgo$/.exec(name)?.[1]
    if (ago !== undefined) return [inWords(ago), `${value} seconds ago`]
    const span = /^(.+)Seconds$/.exec(name)?.[1]
    if (span !== undefined) return [inWords(span), `${value} seconds`]
    if (typeof value === 'boolean') return [inWords(name), value ? 'yes' : 'no']
    if (typeof value === 'number') return [inWords(name), String(value)]
    return [inWords(name), value.length === 0 ? 'none' : value]
  })
}

/** `issuedTo` becomes 'issued to'. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function isReason(reason: string): reason is RefusalReason {
  return Object.hasOwn(refusals, reason)
}
