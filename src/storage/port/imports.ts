/** People from another system, stored in batches, and how far an import came. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { SecondFactors } from '../../users/second-factor.ts'
import type { ExternalLogin, User } from '../../users/user.ts'
import type { RecordChange } from './configuration.ts'

export type Imports = {
  /** Returns an import that did not end; undefined: there is none. */
  find(id: string): Promise<ImportProgress | undefined>
  /** Returns what an import that did not end left out, in the order of the file. */
  failures(id: string): Promise<readonly ImportFailure[]>
  /**
   * Stores people or records, what was left out, and how far the import is, all or nothing. `before`: the progress that the
   * batch was made on; undefined: the import begins. 'overtaken': another process goes on with the import. 'refused': the
   * person at this index conflicts with someone stored, or changed meanwhile; -1: one of the records did.
   */
  store(
    batch: ImportBatch,
    events?: AuditEvents,
  ): Promise<{ readonly outcome: 'stored' | 'overtaken' } | { readonly outcome: 'refused'; readonly at: number }>
  /** Returns the mark of the password that the last import brought for a person; undefined: none did. */
  passwordMark(userId: string): Promise<string | undefined>
  /** Forgets an import with what it left out. */
  end(id: string): Promise<void>
}

export type ImportProgress = {
  /** Made of the kind and the content of the files. */
  readonly id: string
  readonly kind: string
  /** Records of the files that were dealt with. */
  readonly recordsRead: number
  readonly counts: ImportCounts
  /** For how many people each member of the source was not kept, by its name. */
  readonly notKept: Readonly<Record<string, number>>
  readonly startedAtMs: number
}

/** How long after its begin an import that did not end can go on. */
export const importKeptMs = 30 * 86_400_000

export type ImportCounts = Readonly<Record<'read' | 'created' | 'updated' | 'skipped' | 'failed', number>>

/** `record`: its number among all records of the files, from 1. `line`: where it is in its file. */
export type ImportFailure = { readonly record: number; readonly line: number; readonly reason: string }

export type ImportBatch = {
  readonly before: ImportProgress | undefined
  readonly progress: ImportProgress
  readonly people: readonly ImportedPerson[]
  /** Clients and scopes; absent: none. */
  readonly records?: readonly RecordChange[]
  readonly failures: readonly ImportFailure[]
}

export type ImportedPerson = {
  readonly user: User
  /** The stored user that changes; undefined: a new one. */
  readonly before: User | undefined
  /** With the version of the stored ones; absent: none, or unchanged. */
  readonly factors?: { readonly next: SecondFactors; readonly before: SecondFactors | undefined }
  /** To add. */
  readonly logins: readonly ExternalLogin[]
  /** The mark of the password that the source has; absent: it has none. */
  readonly passwordMark?: string
  /** Whether the password hash is to be wrapped later. */
  readonly isWeak: boolean
}
