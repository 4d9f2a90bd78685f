/**
 * Pairwise subject identifiers that an import brought (OpenID Connect Core §8.1), by the sector that each is for, as `sectorOf` a client
 * names it. They come before those that are computed.
 */
import { rememberedText } from './remembered.ts'

export type PairwiseSubjects = Readonly<Record<string, string>>

const none: { readonly pairwiseSubjects?: PairwiseSubjects } = {}

/** Returns the member of a person; absent: there are none, as of nearly everybody. */
export const textToPairwise = (text: string | null | undefined): { readonly pairwiseSubjects?: PairwiseSubjects } =>
  text === null || text === undefined ? none : read(text)

const read = rememberedText((text) => ({ pairwiseSubjects: JSON.parse(text) as PairwiseSubjects }))

/** Returns what is stored; null: there are none. The same identifiers give the same text. */
export function pairwiseToText(subjects: PairwiseSubjects): string | null {
  const entries = Object.entries(subjects).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries))
}
