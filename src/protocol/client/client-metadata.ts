/** Client metadata beyond the basic registration, by the names of RFC 7591 §2 and of the standards that extend it. */
import { type ClientMetadata, metadataTable } from './member-table.ts'

export type { JwkSet } from './jwk-set.ts'
export type { ClientMetadata } from './member-table.ts'
export type { ClientAlgorithm } from './signing-algorithms.ts'

/** The metadata of a client that registers none of it: the behaviour that the specification describes. */
export const defaultClientMetadata: ClientMetadata = Object.freeze(
  Object.fromEntries(Object.entries(metadataTable).map(([member, { default: value }]) => [member, value])),
) as ClientMetadata

/** Returns those members that a replacement of the client by itself, or by an operator, leaves as they are. */
export function keptMetadata(metadata: ClientMetadata, by: 'client' | 'operator'): Partial<ClientMetadata> {
  const kept = Object.entries(metadataTable).filter(([, entry]) =>
    'keptBy' in entry
      ? (entry.keptBy as readonly string[]).includes(by)
      : 'setBy' in entry && entry.setBy === 'operator' && by === 'client',
  )
  return Object.fromEntries(kept.map(([member]) => [member, metadata[member as keyof ClientMetadata]]))
}

/** Returns the members that differ from the defaults. */
export function differingMetadata(metadata: ClientMetadata): Partial<ClientMetadata> {
  if (metadata === defaultClientMetadata) return {}
  const defaults: Readonly<Record<string, unknown>> = defaultClientMetadata
  const differing = Object.entries(metadata).filter(
    ([member, value]) => JSON.stringify(value) !== JSON.stringify(defaults[member]),
  )
  return Object.fromEntries(differing)
}

/** Returns the members that differ from the defaults, for storage; null: none. */
export function metadataToText(metadata: ClientMetadata): string | null {
  const differing = differingMetadata(metadata)
  return Object.keys(differing).length === 0 ? null : JSON.stringify(differing)
}

/**
 * Keeps members that only a newer version knows. Cached by the text, because nearly every request reads that of the same
 * few clients.
 */
export function textToMetadata(text: string | null): ClientMetadata {
  if (text === null) return defaultClientMetadata
  const known = parsed.get(text)
  if (known !== undefined) return known
  const metadata: ClientMetadata = Object.freeze({ ...defaultClientMetadata, ...JSON.parse(text) })
  if (text.length > rememberedLength) return metadata
  if (parsed.size >= rememberedTexts) parsed.clear()
  parsed.set(text, metadata)
  return metadata
}

const parsed = new Map<string, ClientMetadata>()
const rememberedTexts = 250
/** Longer ones are mostly keys, and would take the memory of many others. */
const rememberedLength = 4000
