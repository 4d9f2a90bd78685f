/**
 * What a refusal says about the values that it met. Strangers choose those values, so they are cut and made printable
 * here, once, before any log, record or page has them.
 */

export type DetailValue = string | number | boolean | readonly string[]
/** Names are those of `factsOf`; `reason`, `error` and `id` belong to the refusal itself. */
export type Detail = Readonly<Record<string, DetailValue>>
/** As a rule writes it down. What is undefined or null is left out. */
export type Unbounded = Readonly<Record<string, DetailValue | null | undefined>>

/** Characters of one value as it is shown, before the note about the rest. */
const maxLength = 256
/** Values of one list, before the note about the rest. */
const maxItems = 12
/** Bytes of a whole detail as JSON. */
const maxBytes = 2048

/** At most 2048 bytes of JSON text, 256 characters a value, 12 values a list. */
export function boundDetail(detail: Unbounded): Detail {
  const bounded: Record<string, DetailValue> = {}
  for (const [name, value] of Object.entries(detail)) {
    if (value === null || value === undefined) continue
    bounded[name] = typeof value === 'string' ? printable(value) : typeof value === 'object' ? boundList(value) : value
  }
  return fitDetail(bounded, maxBytes)
}

/**
 * At most 256 characters of printable ASCII. Everything else is written as its code point (`\u{202e}`): a log or a
 * terminal must not be steered by what a stranger sent.
 */
export function printable(text: string): string {
  // What was cut before stays as it is, with its note.
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
 * The detail with its longest values and lists cut until its JSON text has at most `bytes`. Values are printable; each
 * that was cut says how long it was. `whole` names members that are never cut. Where even that does not fit, nothing but
 * those and `cut: true` is left.
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

/** Shorter than this a value says nothing. */
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

/** A note about what was cut before stays true. */
function shortenText(text: string, length: number): string {
  const note = /\.\.\. \((\d{1,15}) characters\)$/.exec(text)
  const shown = note === null ? text : text.slice(0, note.index)
  if (shown.length <= length) return text
  return `${cut(shown, length)}... (${note?.[1] ?? text.length} characters)`
}

/** The beginning of a printable text, which ends with no part of a code point. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/\\(?:u(?:\{[0-9a-f]*)?)?$/, '')
}

/** Whole seconds from `thenMs` to `nowMs`, for 'so many seconds ago'. */
export function secondsSince(thenMs: number, nowMs: number): number {
  return Math.floor((nowMs - thenMs) / 1000)
}
