/** Texts and addresses of a client in the language of a person (RFC 7591 §2.2). */

import { acceptedLanguages } from '../language-tags.ts'
import type { Client } from './client.ts'
import type { LocalizedMember } from './member-table.ts'

/**
 * Returns the member in the language that an `Accept-Language` header prefers (RFC 9110 §12.5.4), or without a language
 * if the client did not register that one; null: neither.
 */
export function localizedText(
  { name, metadata }: Client,
  member: LocalizedMember,
  acceptLanguage: string,
): string | null {
  const tag = acceptedLanguages(acceptLanguage)[0]?.toLowerCase() ?? ''
  const wanted = [`${member}#${tag}`, `${member}#${tag.replace(/-.*/, '')}`]
  for (const one of wanted) {
    const found = Object.entries(metadata.localized).find(([key]) => key.toLowerCase() === one)
    if (found !== undefined) return found[1]
  }
  return member === 'client_name' ? name : metadata[member]
}
