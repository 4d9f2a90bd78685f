/**
 * What becomes of the members of a source: a table for each noun. A member with a value other than its default that is in no
 * table is a finding by itself, so that nothing that a later version of a source adds is lost without a word.
 */
import { isObject, type JsonObject } from '../protocol/json-value.ts'
import type { FindingSeverity } from '../storage/port/imports.ts'
import { isGiven, type Note } from './source.ts'
import { noPlace } from './source-table.ts'

/**
 * `used`: it has an effect here, and what reads it says what does not come of it. `noted`: the system's own note, such as an id,
 * which means nothing elsewhere. Otherwise it does not come, for a reason, unless its value is one of `silent`, by which nothing
 * changes.
 */
export type MemberRule =
  | 'used'
  | 'noted'
  | {
      readonly reason: string
      readonly severity?: FindingSeverity
      readonly silent?: readonly unknown[]
      /** What would bring it. */
      readonly command?: string
    }

export type MemberTable = {
  readonly members: Readonly<Record<string, MemberRule>>
  /** Members whose own members are in the table, each as `attributes.pkce.code.challenge.method`. */
  readonly nested?: readonly string[]
}

/** Returns what is to be said of a record. Absent, empty and false values are silent, and so are those that a rule names. */
export function unkept({ members, nested = [] }: MemberTable, record: JsonObject): Note[] {
  return flat(record, nested).flatMap(([member, value]) => {
    const rule: MemberRule | undefined = Object.hasOwn(members, member) ? members[member] : undefined
    if (rule === 'used' || rule === 'noted' || isSilent(rule, value)) return []
    const { reason = noPlace, severity = 'lost', command } = rule ?? {}
    return [{ member, severity, reason: `${member}: ${reason}`, ...(command !== undefined && { command }) }]
  })
}

function isSilent(rule: Exclude<MemberRule, string> | undefined, value: unknown): boolean {
  if (rule?.silent === undefined) return !isGiven(value) || value === 'false'
  return (
    value === undefined || value === null || rule.silent.some((one) => JSON.stringify(one) === JSON.stringify(value))
  )
}

function flat(record: JsonObject, nested: readonly string[]): (readonly [string, unknown])[] {
  return Object.entries(record).flatMap(([member, value]) =>
    nested.includes(member) && isObject(value)
      ? Object.entries(value).map(([name, one]) => [`${member}.${name}`, one] as const)
      : [[member, value] as const],
  )
}
