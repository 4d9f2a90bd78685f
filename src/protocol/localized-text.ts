/** Texts and addresses of a client in the language of a person (RFC 7591 §2.2). */
import type { Client } from './client.ts'

const languagesAtMost = 20

/**
 * Returns the member in the language that an `Accept-Language` header prefers (RFC 9110 §12.5.4), or without a language
 * if the client did not register that one; null: neither.
 */
export function localizedText(
  { name, metadata }: Client,
  member: 'client_name' | 'client_uri' | 'logo_uri' | 'policy_uri' | 'tos_uri',
  acceptLanguage: string,
): string | null {
  const tag = preferredLanguage(acceptLanguage)
  const wanted = [`${member}#${tag}`, `${member}#${tag.replace(/-.*/, '')}`]
  for (const one of wanted) {
    const found = Object.entries(metadata.localized).find(([key]) => key.toLowerCase() === one)
    if (found !== undefined) return found[1]
  }
  return member === 'client_name' ? name : metadata[member]
}

/** Returns the tag with the highest weight in lower case; empty: none. */
function preferredLanguage(acceptLanguage: string): string {
  const weighed = acceptLanguage
    .split(',', languagesAtMost)
    // Trimmed first: with blanks at both ends of the pattern, many blanks would take quadratic time.
    .map((part) => /^([A-Za-z][\w-]*)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/.exec(part.trim()))
    .flatMap((match) =>
      match?.[1] === undefined ? [] : [{ tag: match[1].toLowerCase(), weight: Number(match[2] ?? 1) }],
    )
  return weighed.sort((a, b) => b.weight - a.weight)[0]?.tag ?? ''
}
