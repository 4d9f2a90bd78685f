/** Writes records as files that can be applied again. */
import { stringify } from 'yaml'
import { identifiers, type Kind, kinds } from './declaration.ts'
import type { Shown } from './shown.ts'

/** The records of some kinds, in the order in which they are written. */
export type Documents = { readonly [K in Kind]?: readonly Shown[] }

/** Returns what a file has, ready for YAML or JSON. A kind without records is an empty list: the file is about it. */
export function toFile(documents: Documents): Documents {
  const content = kinds.flatMap((kind) => {
    const records = documents[kind]
    return records === undefined ? [] : [[kind, records.map((record) => escaped(identifiedFirst(kind, record)))]]
  })
  return Object.fromEntries(content)
}

export function toYaml(documents: Documents): string {
  // Lines are not folded: addresses can be searched for.
  return stringify(toFile(documents), { lineWidth: 0, aliasDuplicateObjects: false })
}

function identifiedFirst(kind: Kind, record: Shown): Shown {
  const identifier = identifiers[kind]
  const { [identifier]: id, ...rest } = record
  return { [identifier]: id, ...rest }
}

/** Keeps texts that look like references as they are. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (Array.isArray(value)) return value.map(escaped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, escaped(item)]))
}
