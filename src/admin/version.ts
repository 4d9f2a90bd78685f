/** Versions of records: ETags (RFC 9110 §8.8.3) and conditions on them (§13.1.1). */
import { createHash } from 'node:crypto'

/**
 * Returns the strong ETag of a record, without quotes. `version`: of what the record does not show, such as a secret.
 */
export function etagOf(record: unknown, version = 0): string {
  return createHash('sha256')
    .update(JSON.stringify([version, record]))
    .digest('base64url')
    .slice(0, 27)
}

/** The condition of `If-Match`: any version, or one of these, without quotes. */
export type Condition = { readonly any: true } | { readonly etags: readonly string[] }

const tag = String.raw`(?:W/)?"[\x21\x23-\x7e]*"`
/** The form of `If-Match`. */
export const conditionPattern = String.raw`^\s*(?:\*|${tag}(?:\s*,\s*${tag})*)\s*$`
const wellFormed = new RegExp(conditionPattern)

/** Returns the condition; undefined: the header is malformed. A weak tag matches no version (RFC 9110 §13.1.1). */
export function readCondition(header: string): Condition | undefined {
  if (header.trim() === '*') return { any: true }
  if (header.length > 4096 || !wellFormed.test(header)) return undefined
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? []
  return { etags: tags.filter((tag) => !tag.startsWith('W/')).map((tag) => tag.slice(1, -1)) }
}

export function meets(condition: Condition, etag: string): boolean {
  return 'any' in condition || condition.etags.includes(etag)
}
