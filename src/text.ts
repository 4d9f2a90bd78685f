/** Text for terminals and logs: what strangers sent, made visible, and times. */

/**
 * The text with everything that a terminal obeys, or that changes the direction of text or hides it, written as its code
 * point: `\u{1b}`. Names, addresses and error texts come from strangers; what they send must not move a cursor or
 * disguise a line.
 */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  )
}

/** The same for text of several lines, which stay lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** JSON text of the same meaning, in which those characters are JSON escapes. */
export function visibleJson(json: string): string {
  // JSON itself escapes C0 controls and lone surrogates, and its own line breaks stay.
  return json.replaceAll(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join(''),
  )
}

const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/** ISO 8601 in UTC. A number beyond what a date can be, which a changed row may hold, is shown as it is. */
export function isoTime(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `time ${ms}`
}

/** For tables: to the minute. */
export function shortTime(ms: number): string {
  return `${isoTime(ms).slice(0, 16).replace('T', ' ')}Z`
}
