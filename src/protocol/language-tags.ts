/** Which of the available languages a person reads best (BCP 47, RFC 4647). */

/** Languages of pages and mails (BCP 47). */
export const languageTags = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'pl', 'tr', 'ja', 'zh-Hans', 'ar'] as const
export type LanguageTag = (typeof languageTags)[number]

/** Ranges that are looked at; more would be work for nothing. */
const rangesAtMost = 20

/**
 * Looks up the first range that has an available tag (RFC 4647 §3.4): each range is shortened from its end until it
 * matches. A range without a script or region also finds the one variant that there is: `zh` finds `zh-Hans`.
 */
export function lookUpLanguage<Tag extends string>(
  ranges: readonly string[],
  available: readonly Tag[],
): Tag | undefined {
  for (const range of ranges.slice(0, rangesAtMost)) {
    for (let wanted = range.toLowerCase(); wanted !== ''; wanted = shortened(wanted)) {
      const exact = available.find((tag) => tag.toLowerCase() === wanted)
      const found = exact ?? available.find((tag) => tag.toLowerCase().startsWith(`${wanted}-`))
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** Without its last subtag, and without a single letter that then ends it. */
function shortened(range: string): string {
  return range.slice(0, Math.max(0, range.lastIndexOf('-'))).replace(/-[^-]$/, '')
}

/** The ranges of an `Accept-Language` header by their weight (RFC 9110 §12.5.4), without `*` and what is refused. */
export function acceptedLanguages(header: string): readonly string[] {
  const weighed = header
    .split(',', rangesAtMost)
    // Trimmed first: with blanks at both ends of the pattern, many blanks would take quadratic time.
    .map((part) => /^([A-Za-z][\w-]*)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/.exec(part.trim()))
    .flatMap((match) => (match?.[1] === undefined ? [] : [{ range: match[1], weight: Number(match[2] ?? 1) }]))
  return weighed
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ range }) => range)
}

/** The ranges of `ui_locales` (OpenID Connect Core §3.1.2.1): separated by blanks, the preferred one first. */
export function uiLocales(value: string): readonly string[] {
  return value.split(' ', rangesAtMost).filter((range) => /^[A-Za-z][\w-]{0,34}$/.test(range))
}
