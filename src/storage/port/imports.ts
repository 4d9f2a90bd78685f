import type { Authorization } from '../../protocol/grant/grant.ts'
import type { PairwiseSubjects } from '../../users/pairwise-subjects.ts'
import type { Passkey } from '../../users/passkey.ts'
import type { SecondFactors } from '../../users/second-factor.ts'
import type { ExternalLogin, User } from '../../users/user.ts'
import type { JudgedOn } from './claim-rules.ts'
import type { RecordChange } from './configuration.ts'

export type ImportProgress = {
  /** Made of the kind and the content of the files. */
  readonly id: string
  readonly kind: string
  /** Records of the files that were dealt with. */
  readonly recordsRead: number
  readonly counts: ImportCounts
  /** For how many people each member of the source was not kept, by its name. */
  readonly notKept: Readonly<Record<string, number>>
  /** Which of these are fields that an attribute could have; absent: none. */
  readonly lost?: readonly LostField[]
  readonly startedAtMs: number
}

/** A field of people in the source that does not come. */
export type LostField = {
  readonly member: string
  /** A whole sentence without values. */
  readonly reason: string
  /** What would let it come. */
  readonly command?: string
  /** Whether somebody has several values of it. */
  readonly isMany?: boolean
  readonly people: number
  /** The user name of the first one. */
  readonly example?: string
}

/** How long after its begin an import that did not end can go on. */
export const importKeptMs = 30 * 86_400_000

export type ImportCounts = Readonly<Record<'read' | 'created' | 'updated' | 'skipped' | 'failed', number>>

export type FindingKind =
  | 'realm'
  | 'client'
  | 'scope'
  | 'mapper'
  | 'provider'
  | 'group'
  | 'role'
  | 'organization'
  | 'person'

/**
 * What becomes of something in a source that does not simply come. `lost`: it does not come. `held`: it comes, and cannot be used
 * until somebody did what `command` or the reason says. `changed`: it comes as something else. `risk`: it comes, and is less safe
 * than what is registered here.
 */
export type FindingSeverity = 'lost' | 'held' | 'changed' | 'risk'

export type ImportFinding = {
  readonly kind: FindingKind
  /** The name that the source has for it: a client id, a user name. */
  readonly source: string
  /** The member of the source; empty: the whole of it. */
  readonly member: string
  readonly severity: FindingSeverity
  /** A whole sentence without secrets. */
  readonly reason: string
  /** What would change it. */
  readonly command?: string
  /** How many people it is true of; absent: one, or it is no person. */
  readonly people?: number
  /** Of sources with tables: the name of the table, and the key of the row. */
  readonly table?: string
  readonly key?: string
}

/** Where a record is in its source: the file, or the table and the key of the row. */
export type SourcePlace = { readonly file?: string; readonly table?: string; readonly key?: string }

/**
 * What is to be said of a record. `record`: its number among all records of the files, from 1. `line`: where it is in its file.
 * `reason`: why it is left out; empty: it came.
 */
export type ImportFailure = {
  readonly record: number
  readonly line: number
  readonly reason: string
  readonly place?: SourcePlace
  /** Whether it is left out because it is stored already. */
  readonly isThere?: true
  readonly findings?: readonly ImportFinding[]
}

/**
 * Where a record came from, with hashes of the values that the source had, by their names. `marks` null: it was deleted here since.
 * `seenAtMs`: when the run began that found it there last; 0: it is leaving with a run that did not find it.
 */
export type ImportOrigin = {
  readonly kind: FindingKind | 'consent'
  /** The kind of the source. */
  readonly origin: string
  /** Identifies it in the source. */
  readonly key: string
  /** Its id here. */
  readonly id: string
  readonly marks: Readonly<Record<string, string>> | null
  readonly seenAtMs: number
}

/** Origins, and people, read at once. */
export const originsAtOnce = 500

export type ImportBatch = {
  readonly before: ImportProgress | undefined
  readonly progress: ImportProgress
  readonly people: readonly ImportedPerson[]
  /** Clients and scopes; absent: none. */
  readonly records?: readonly RecordChange[]
  /** Consents to keep until their person and client are there; absent: none. */
  readonly consents?: readonly ImportedConsent[]
  /** What the records were judged on. */
  readonly judgedOn?: JudgedOn
  readonly failures: readonly ImportFailure[]
  /** Of what the source has, whether or not it changes here; absent: none. */
  readonly origins?: readonly ImportOrigin[]
}

/** A consent of another system. `isByOperator`: an administrator let the person in there. */
export type ImportedConsent = {
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly isByOperator: boolean
}

export type ImportedPerson = {
  readonly user: User
  /** The stored user that changes; undefined: a new one. */
  readonly before: User | undefined
  /** With the version of the stored ones; absent: none, or unchanged. */
  readonly factors?: { readonly next: SecondFactors; readonly before: SecondFactors | undefined }
  /** To add. */
  readonly logins: readonly ExternalLogin[]
  /** To remove; absent: none. */
  readonly unlinks?: readonly Pick<ExternalLogin, 'provider' | 'subject'>[]
  /** Groups to be in, beside those of before; absent: none. */
  readonly groupIds?: readonly string[]
  /** Groups to leave; absent: none. */
  readonly leaves?: readonly string[]
  /** Pairwise subject identifiers to add, by sector; absent: none. Another person has none of them. */
  readonly pairwiseSubjects?: PairwiseSubjects
  /** Consents that an operator stored there, to add; absent: none. Left out where the client does not exist. */
  readonly consents?: readonly Authorization[]
  /** The mark of the password that the source has; absent: it has none, or does not say. Empty: the person has lost it. */
  readonly passwordMark?: string
  /** Passkeys to add; absent: none. Nobody else has the credentials. */
  readonly passkeys?: readonly Passkey[]
  /** Whether the name looks like that of somebody else, who keeps its look. Absent: no. */
  readonly isLookalike?: true
  /** Whether the password hash is to be wrapped later. */
  readonly isWeak: boolean
}
