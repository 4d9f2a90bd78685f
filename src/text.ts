/** Formats text for terminals and logs: untrusted text made visible, and times. */

/**
 * Escapes control characters and invisible or direction-changing characters as code points: `\u{1b}`. Names, addresses
 * and error texts are untrusted; they must not move a cursor or disguise a line.
 */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  )
}

/** Escapes text of several lines and keeps the line breaks. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** Returns equivalent JSON text with those characters as JSON escapes. */
export function visibleJson(json: string): string {
  // JSON itself escapes C0 controls and lone surrogates. Its own line breaks stay.
  return json.replaceAll(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join(''),
  )
}

const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/** ISO 8601 in UTC. Returns a number outside the range of dates, as a tampered row may hold, unformatted. */
export function isoTime(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `time ${ms}`
}

/** For tables: to the minute. */
export function shortTime(ms: number): string {
  return `${isoTime(ms).slice(0, 16).replace('T', ' ')}Z`
}
