/**
 * The values that a refusal concerns. Clients choose these values, so they are truncated and made printable once,
 * before any log, record or page contains them.
 */

export type DetailValue = string | number | boolean | readonly string[]
/** Names as in `factsOf`; `reason`, `error` and `id` belong to the refusal itself. */
export type Detail = Readonly<Record<string, DetailValue>>
/** Details as a rule provides them. Undefined and null are omitted. */
export type Unbounded = Readonly<Record<string, DetailValue | null | undefined>>

/** Maximum characters of a displayed value, before the note about the rest. */
const maxLength = 256
/** Maximum items of a list, before the note about the rest. */
const maxItems = 12
/** Maximum bytes of a whole detail as JSON. */
const maxBytes = 2048

/** Limits a detail to 2048 bytes of JSON, 256 characters per value and 12 items per list. */
export function boundDetail(detail: Unbounded): Detail {
  const bounded: Record<string, DetailValue> = {}
  for (const [name, value] of Object.entries(detail)) {
    if (value === null || value === undefined) continue
    bounded[name] = typeof value === 'string' ? printable(value) : typeof value === 'object' ? boundList(value) : value
  }
  return fitDetail(bounded, maxBytes)
}

/**
 * Returns at most 256 characters of printable ASCII. Escapes everything else as its code point (`\u{202e}`), so that
 * untrusted text cannot control a terminal or forge log lines.
 */
export function printable(text: string): string {
  // Leaves text that was already truncated unchanged, with its note.
  if (text.length <= maxLength + longestNote && bounded.test(text)) return text
  const start = text
    .slice(0, maxLength)
    .replace(/[^\x20-\x7e]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
  const shown = cut(start, maxLength)
  return shown.length < start.length || text.length > maxLength ? `${shown}... (${text.length} characters)` : shown
}

const bounded = /^[\x20-\x7e]{0,256}(?:\.\.\. \(\d{1,15} characters\))?$/
const longestNote = 32

function boundList(items: readonly string[]): readonly string[] {
  const shown = items.slice(0, maxItems).map(printable)
  return items.length > maxItems ? [...shown, `... and ${items.length - maxItems} more`] : shown
}

/**
 * Truncates the longest values and lists until the JSON text has at most `bytes`. Values must be printable; a truncated
 * one states its original length. `whole`: members that are never truncated. If that does not suffice, only those and
 * `cut: true` remain.
 */
export function fitDetail(detail: Detail, bytes: number, whole: readonly string[] = []): Detail {
  let fitted = detail
  for (let length = maxLength, items = maxItems; ; length = Math.floor(length * 0.8), items = Math.ceil(items * 0.8)) {
    if (JSON.stringify(fitted).length <= bytes) return fitted
    if (length < shortest) break
    const cutAll = ([name, value]: [string, DetailValue]) => [
      name,
      whole.includes(name) ? value : shorten(value, length, items),
    ]
    fitted = Object.fromEntries(Object.entries(detail).map(cutAll))
  }
  return { ...Object.fromEntries(Object.entries(detail).filter(([name]) => whole.includes(name))), cut: true }
}

/** A shorter value would not be informative. */
const shortest = 12

function shorten(value: DetailValue, length: number, items: number): DetailValue {
  if (typeof value === 'string') return shortenText(value, length)
  if (typeof value !== 'object') return value
  const texts = value.map((text) => shortenText(text, length))
  if (texts.length <= items + 1) return texts
  const rest = /^\.\.\. and (\d+) more$/.exec(texts.at(-1) ?? '')?.[1]
  const count = rest === undefined ? texts.length : texts.length - 1 + Number(rest)
  return [...texts.slice(0, items), `... and ${count - items} more`]
}

/** Keeps the length from an earlier truncation. */
function shortenText(text: string, length: number): string {
  const note = /\.\.\. \((\d{1,15}) characters\)$/.exec(text)
  const shown = note === null ? text : text.slice(0, note.index)
  if (shown.length <= length) return text
  return `${cut(shown, length)}... (${note?.[1] ?? text.length} characters)`
}

/** Returns the start of a printable text without a partial escape at its end. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/\\(?:u(?:\{[0-9a-f]*)?)?$/, '')
}

/** Returns whole seconds from `thenMs` to `nowMs`. */
export function secondsSince(thenMs: number, nowMs: number): number {
  return Math.floor((nowMs - thenMs) / 1000)
}
