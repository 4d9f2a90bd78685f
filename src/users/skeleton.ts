/**
 * Detects user names that look alike (Unicode Technical Standard #39 §4). Contains a large table, so it should be
 * imported lazily.
 */
import { confusables } from './confusables.generated.ts'
import { normalizeName } from './user.ts'

/**
 * Returns the skeleton of a name (UTS 39 §4): equal for names that look alike, ignoring case. For comparison only,
 * never displayed. 'Ｐaypa1', 'раураl' in Cyrillic letters and 'paypal' have the same skeleton.
 */
export function skeletonOf(name: string): string {
  const visible = name.normalize('NFD').replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, '')
  const look = prototypes()
  const mapped = Array.from(visible, (character) => look.get(character) ?? character).join('')
  return normalizeName(mapped.replaceAll(/\s+/gu, ' ').trim())
}

let table: ReadonlyMap<string, string> | undefined

/** Returns the prototype of each confusable character: one or more characters that represent all its look-alikes. */
function prototypes(): ReadonlyMap<string, string> {
  table ??= new Map(
    confusables.split('\n').flatMap((entry) => {
      const [prototype = '', sources = ''] = entry.split('\t')
      return Array.from(sources, (source) => [source, prototype] as const)
    }),
  )
  return table
}
