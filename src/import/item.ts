/** What becomes of the records of an import. */
import type { AuditEvent } from '../audit/entry.ts'
import type { Problem } from '../problem.ts'
import type { RecordChange } from '../storage/port/configuration.ts'
import type { ImportedPerson } from '../storage/port/imports.ts'
import type { ImportedRecord } from '../users/imported-person.ts'

/** What to do with those who are stored already. */
export type OnConflict = 'skip' | 'update' | 'fail'

/** A person to store, with the record it was made of. */
export type PersonEntry = { readonly person: ImportedPerson; readonly source: ImportedRecord }

/** A client or scope to store, with the standard scopes that come with it. */
export type RegistrationChanges = { readonly records: readonly RecordChange[]; readonly events: readonly AuditEvent[] }

export type RegistrationOutcome =
  | { readonly done: 'created' | 'updated' | 'skipped'; readonly changes?: RegistrationChanges }
  /** Left out, as a whole sentence. */
  | { readonly fault: string }

/** `record`: its number among all records of the files, from 1. */
export type Item = {
  readonly record: number
  readonly line: number
  /** Names of members of the source that have a value and are not kept. */
  readonly notKept?: readonly string[]
} & ({ readonly entry: PersonEntry } | RegistrationOutcome)

export function sentence(problems: readonly Problem[]): string {
  return problems.map(({ message }) => message).join(' ')
}
