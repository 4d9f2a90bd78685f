/** Counts what people of an import lose. What is counted is bounded: the source names it. */
import type { LostField } from '../storage/port/imports.ts'
import type { Item, Lost } from './source.ts'

const nameLengthAtMost = 100
const reasonLengthAtMost = 200
/** Names of members that are counted apart; the others are counted together. */
const namesAtMost = 200
const others = 'others'

/** Stands for the fields that are not counted apart. */
const together = { member: others, reason: `More than ${namesAtMost} fields are not counted apart.` }

/** Returns the names of what one person loses, of which there are no more than are counted apart. */
export const boundedNames = (names: readonly string[]): readonly string[] => bounded(names, others)

export const boundedLost = (lost: readonly Lost[]): readonly Lost[] => bounded(lost, together)

const bounded = <T>(all: readonly T[], rest: T): readonly T[] =>
  all.length > namesAtMost ? [...all.slice(0, namesAtMost), rest] : all

type Counted = Readonly<Record<string, number>>

/** Counts members by their names. */
export function countNotKept(counted: Counted, item: Item): Counted {
  if (!isStored(item) || item.notKept === undefined || item.notKept.length === 0) return counted
  const next = new Map(Object.entries(counted))
  for (const long of new Set(item.notKept)) {
    const short = cut(long, nameLengthAtMost)
    const name = next.has(short) || next.size < namesAtMost ? short : others
    next.set(name, (next.get(name) ?? 0) + 1)
  }
  return Object.fromEntries(next)
}

/** Counts fields by their names and why they are lost. */
export function countLost(counted: readonly LostField[], item: Item): readonly LostField[] {
  if (!isStored(item) || item.lost === undefined || item.lost.length === 0) return counted
  const keyOf = ({ member, reason }: Pick<LostField, 'member' | 'reason'>) => JSON.stringify([member, reason])
  const next = new Map(counted.map((one) => [keyOf(one), one]))
  const ofPerson = new Set<string>()
  for (const { member, reason, ...about } of item.lost) {
    const short = { member: cut(member, nameLengthAtMost), reason: cut(reason, reasonLengthAtMost), ...about }
    const isApart = next.has(keyOf(short)) || next.size < namesAtMost
    const lost = isApart ? short : together
    const key = keyOf(lost)
    const before = next.get(key)
    const people = (before?.people ?? 0) + (ofPerson.has(key) ? 0 : 1)
    ofPerson.add(key)
    const example = before?.example ?? item.of?.source
    next.set(key, { ...lost, ...before, ...(isApart && about), people, ...(example !== undefined && { example }) })
  }
  return [...next.values()]
}

/** Whether the person comes, or came. */
function isStored(item: Item): boolean {
  return 'entry' in item || ('done' in item && item.done !== 'skipped')
}

function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length).toWellFormed() : text.toWellFormed()
}
