/** Commands that reports of imports tell to paste. Names in exports are hostile: a shell must not read more in them than a name. */

/**
 * Returns the command as a member; none for words that a shell or the command line could take for something else. `verb`: as it
 * is written, with its options. `words`: from a file.
 */
export function commandOf(verb: string, ...words: readonly unknown[]): { readonly command?: string } {
  const quoted = words.map(quotedWord)
  return quoted.includes(undefined) ? {} : { command: ['latchkey', verb, ...quoted].join(' ') }
}

function quotedWord(word: unknown): string | undefined {
  const text = String(word)
  if (/^[\w@%+:,./][\w@%+=:,./-]*$/.test(text)) return text
  const isUnseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) || !text.isWellFormed()
  return text === '' || text.startsWith('-') || isUnseen ? undefined : `'${text.replaceAll("'", `'\\''`)}'`
}
