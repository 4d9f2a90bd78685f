/** Scripts whose letters take another shape beside each other (Unicode Standard, section 9.2 and on). */
const joining =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]$/u

/** ZERO WIDTH NON-JOINER, U+200C. */
const apart = '\u200c'

/**
 * Returns the first letters of the first and the last word, or ''; of a username or an address one letter. Letters that would join are
 * kept apart.
 */
export function initialsOf(name: string, language: string): string {
  const words = name.split(/\s+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const letters = [words[0], ...words.slice(1).slice(-1)].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join(letters.every((letter) => joining.test(letter)) ? apart : '').toLocaleUpperCase(language)
}
