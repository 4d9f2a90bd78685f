/**
 * Finds a trace id or an ID code in what was pasted: by itself, in the address of an error, or in the text of an error
 * page. A trace id comes first, because it says more.
 */
export function valueIn(pasted: string): string | undefined {
  const text = decoded(pasted.trim())
  const trace = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/i.exec(text)?.[0]
  if (trace !== undefined) return trace.toLowerCase()
  const digits = /^\d{4}$/.exec(text)?.[0] ?? /\bID(\d{4})\b/i.exec(text)?.[1]
  return digits && `ID${digits}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
