/** Reads values of client metadata, and sets them. */
import { type ClientMetadata, defaultClientMetadata } from './client-metadata.ts'
import type { MemberContext, MemberRule, Read } from './member-kinds.ts'
import { type LocalizedMember, metadataTable, recordTable, type SettableMetadata } from './member-table.ts'

export const localizedAtMost = 50

/** Members that may have a language, as in `client_name#de` (RFC 7591 §2.2). */
const localizable: ReadonlyMap<string, MemberRule<string>> = new Map(
  Object.entries({ ...recordTable, ...metadataTable }).flatMap(([member, entry]) =>
    'localized' in entry ? [[member, entry.localized]] : [],
  ),
)
export const localizedMembers = [...localizable.keys()] as readonly LocalizedMember[]

const withTag = /^(\w+)#([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,5})$/

/** Whether there are more members with a language than a client can have, seen before any of them is read. */
export function hasTooManyLanguages(members: readonly string[]): boolean {
  const languages = members.filter((member) => localizable.has(withTag.exec(member)?.[1] ?? ''))
  return languages.length > localizedAtMost
}

/** Splits a member with a language into the rule of its values and its canonical name; undefined: it is none. */
export function localizedMember(member: string): { rule: MemberRule<string>; name: string } | undefined {
  if (!member.includes('#')) return undefined
  const [, base = '', tag = ''] = withTag.exec(member) ?? []
  const rule = localizable.get(base)
  if (rule === undefined) return undefined
  try {
    return { rule, name: `${base}#${Intl.getCanonicalLocales(tag)[0] ?? tag}` }
  } catch {
    return undefined
  }
}

type MetadataRule = MemberRule<ClientMetadata[SettableMetadata]>

export function isMetadataMember(member: string): member is SettableMetadata {
  return Object.hasOwn(metadataTable, member) && 'rule' in metadataTable[member as keyof ClientMetadata]
}

/** Returns the metadata with the member set to the given JSON value; null: to its default. */
export function withMember(
  metadata: ClientMetadata,
  member: SettableMetadata,
  given: unknown,
  context: MemberContext,
): Read<ClientMetadata> {
  if (given === null) return { value: { ...metadata, [member]: defaultClientMetadata[member] } }
  const { rule }: { readonly rule: MetadataRule } = metadataTable[member]
  const read = rule.read(given, context)
  return 'fault' in read ? read : { value: { ...metadata, [member]: read.value } }
}

/** Returns the metadata with the text of one language; null removes it. */
export function withLanguage(
  metadata: ClientMetadata,
  { rule, name }: { readonly rule: MemberRule<string>; readonly name: string },
  given: unknown,
  context: MemberContext,
): Read<ClientMetadata> {
  const { [name]: _replaced, ...others } = metadata.localized
  if (given === null) return { value: { ...metadata, localized: others } }
  const read = rule.read(given, context)
  if ('fault' in read) return read
  if (Object.keys(others).length >= localizedAtMost) return { fault: `is one of more than ${localizedAtMost}` }
  return { value: { ...metadata, localized: { ...others, [name]: read.value } } }
}
