/**
 * Returns a text as one word of a POSIX shell, for a command that somebody is told to run. Client ids and user names are chosen by
 * strangers, and may hold every sign that a shell reads.
 */
export function shellWord(text: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
