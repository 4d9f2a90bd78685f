/** Which user names look alike (Unicode Technical Standard #39 §4). Has a large table: to be imported where it is needed. */
import { confusables } from './confusables.generated.ts'
import { normalizeName } from './user.ts'

/**
 * The form in which names that look alike are equal (UTS 39 §4), whatever their case. It is compared and never shown.
 * 'Ｐaypa1', 'раураl' in Cyrillic letters and 'paypal' have the same.
 */
export function skeletonOf(name: string): string {
  const visible = name.normalize('NFD').replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, '')
  const look = prototypes()
  const mapped = Array.from(visible, (character) => look.get(character) ?? character).join('')
  return normalizeName(mapped.replaceAll(/\s+/gu, ' ').trim())
}

let table: ReadonlyMap<string, string> | undefined

/** What each character looks like: a character that stands for all of its look-alikes, or several. */
function prototypes(): ReadonlyMap<string, string> {
  table ??= new Map(
    confusables.split('\n').flatMap((entry) => {
      const [prototype = '', sources = ''] = entry.split('\t')
      return Array.from(sources, (source) => [source, prototype] as const)
    }),
  )
  return table
}
