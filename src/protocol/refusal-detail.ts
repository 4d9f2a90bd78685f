/**
 * What a refusal says about the values that it met. Strangers choose those values, so they are cut and made printable
 * here, once, before any log, record or page has them.
 */

export type DetailValue = string | number | boolean | readonly string[]
/** Names are those of `factsOf`; `reason`, `error` and `id` belong to the refusal itself. */
export type Detail = Readonly<Record<string, DetailValue>>
/** As a rule writes it down. What is undefined or null is left out. */
export type Unbounded = Readonly<Record<string, DetailValue | null | undefined>>

/** Characters of one value, before the note about the rest. */
const maxLength = 256
/** Values of one list, before the note about the rest. */
const maxItems = 12

export function boundDetail(detail: Unbounded): Detail {
  const bounded: Record<string, DetailValue> = {}
  for (const [name, value] of Object.entries(detail)) {
    if (value === null || value === undefined) continue
    bounded[name] = typeof value === 'string' ? printable(value) : typeof value === 'object' ? boundList(value) : value
  }
  return bounded
}

/**
 * At most 256 characters of printable ASCII. Everything else is written as its code point (`\u{202e}`): a log or a
 * terminal must not be steered by what a stranger sent.
 */
export function printable(text: string): string {
  const shown = text
    .slice(0, maxLength)
    .replace(/[^\x20-\x7e]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
  return text.length > maxLength ? `${shown}... (${text.length} characters)` : shown
}

function boundList(items: readonly string[]): readonly string[] {
  const shown = items.slice(0, maxItems).map(printable)
  return items.length > maxItems ? [...shown, `... and ${items.length - maxItems} more`] : shown
}

/** Whole seconds from `thenMs` to `nowMs`, for 'so many seconds ago'. */
export function secondsSince(thenMs: number, nowMs: number): number {
  return Math.floor((nowMs - thenMs) / 1000)
}
