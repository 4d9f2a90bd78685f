/**
 * What came from the environment or from a file of its own is never printed: a plan goes into the log of a pipeline. A record
 * shows such members as their file writes them, and messages name the reference in place of the value.
 */

import type { Change } from './changes.ts'
import { type Declaration, type Declarations, identifiers, type Kind, keyOf } from './declaration.ts'
import type { Impact } from './impact.ts'
import type { Shown } from './shown.ts'

/** In place of a stored value that is replaced by one from a reference: it may have come from there, too. */
export const notShown = '(not shown)'

/** Returns changes and impact as they may be printed. */
export function asWritten(
  changes: readonly Change[],
  impact: Impact,
  { records }: Declarations,
): { readonly changes: readonly Change[]; readonly impact: Impact } {
  const declarations = new Map(records.map((one) => [`${one.kind} ${keyOf(one)}`, one]))
  const find = (kind: Kind, id: string) => declarations.get(`${kind} ${keyOf({ kind, id })}`)
  const nameOf = (kind: Kind, id: string) => find(kind, id)?.writtenId ?? id
  const { people, requests } = impact
  const different = requests.different.map((one) => ({ ...one, client_id: nameOf('clients', one.client_id) }))
  return {
    changes: changes.map((change) => {
      const { takenFrom, kind } = change
      const holders = kind === 'roles' ? 'users' : 'clients'
      const named = takenFrom && { ...takenFrom, names: takenFrom.names.map((name) => nameOf(holders, name)) }
      const declaration = find(kind, change.id)
      const shown = declaration === undefined ? change : changeAsWritten(change, declaration)
      return named === undefined ? shown : { ...shown, takenFrom: named }
    }),
    impact: {
      ...impact,
      people: { ...people, names: people.names.map((name) => nameOf('users', name)) },
      requests: { ...requests, different },
    },
  }
}

function changeAsWritten(change: Change, { kind, written, writtenId }: Declaration): Change {
  const members = Object.keys(written)
  const isUnchanged = (member: string) =>
    JSON.stringify(change.before?.[member]) === JSON.stringify(change.after?.[member])
  const shown = (record: Shown | null, inPlaceOf: (member: string) => unknown): Shown | null => {
    if (record === null) return null
    const replaced = members.filter((member) => Object.hasOwn(record, member))
    const values = replaced.map((member) => [member, inPlaceOf(member)])
    const identifier = kind === 'groups' || kind === 'branding' ? {} : { [identifiers[kind]]: writtenId }
    return { ...record, ...Object.fromEntries(values), ...identifier }
  }
  return {
    ...change,
    // The path of a group has the names of its parents as they are stored.
    id: kind === 'groups' && members.length === 0 ? change.id : writtenId,
    before: shown(change.before, (member) => (isUnchanged(member) ? written[member] : notShown)),
    after: shown(change.after, (member) => written[member]),
  }
}

/** Returns a function that puts the references in place of their values in a message. */
export function withoutValues({ records }: Pick<Declarations, 'records'>): (text: string) => string {
  const spellings = records.flatMap(({ referred }) =>
    referred.flatMap(({ value, reference }) => spellingsOf(value).map((spelling) => ({ spelling, reference }))),
  )
  const references = new Map(spellings.map(({ spelling, reference }) => [spelling.toLowerCase(), reference]))
  const sorted = [...references.keys()].sort((a, b) => b.length - a.length)
  if (sorted.length === 0) return (text) => text
  const pattern = new RegExp(sorted.map(patternOf).join('|'), 'giu')
  return (text) => text.replaceAll(pattern, (found) => references.get(found.toLowerCase()) ?? notShown)
}

/** How messages may spell a value: as it is, in JSON, in an address, or a word of it, such as one of several scopes. */
function spellingsOf(value: string): string[] {
  const words = value.split(/\s+/).filter((word) => word.length > shortAtMost)
  const spelled = [value.trim(), ...words].filter((one) => one !== '')
  const spellings = spelled.flatMap((one) => [
    ...[one, JSON.stringify(one).slice(1, -1)],
    encodeURIComponent(one.toWellFormed()),
  ])
  return [...new Set(spellings)]
}

const shortAtMost = 3

/** A short value is only found on its own, or messages could not be read. */
function patternOf(spelling: string): string {
  const literal = RegExp.escape(spelling)
  return spelling.length > shortAtMost ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`
}
