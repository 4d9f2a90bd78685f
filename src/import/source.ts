/**
 * What a reader makes of a file of another system: records by our own names, each with where it was found. And what becomes
 * of them.
 *
 * Belongs here: a reader for each kind of source, and the run that stores what they read.
 * Belongs elsewhere: which people and clients are accepted (`users/imported-person.ts`, `protocol/`), and the command.
 */
import type { AuditEvent } from '../audit/entry.ts'
import type { Problem } from '../problem.ts'
import type { ClaimRule } from '../protocol/claims/claim-rules.ts'
import type { JudgedOn } from '../storage/port/claim-rules.ts'
import type { RecordChange } from '../storage/port/configuration.ts'
import type {
  FindingKind,
  ImportedConsent,
  ImportedPerson,
  ImportFinding,
  ImportOrigin,
  LostField,
  SourcePlace,
} from '../storage/port/imports.ts'
import type { AttributeRules } from '../users/attribute-changes.ts'
import type { PasskeyRules } from '../users/imported-passkeys.ts'
import type { ImportedRecord, Leniency } from '../users/imported-person.ts'

export type SourceRecord = {
  readonly line: number
  /** Absent: the file is the only one of the import. */
  readonly place?: SourcePlace
  /** What is to be said of it, by name. */
  readonly findings?: readonly ImportFinding[]
} & (
  | {
      readonly person: Readonly<Record<string, unknown>>
      /** Names of members of the source that have a value and are not kept. */
      readonly notKept?: readonly string[]
      /** Why they do not come. They are counted. */
      readonly lost?: readonly Lost[]
      /** What the source allowed; absent: nothing that is not allowed here. */
      readonly leniency?: Leniency
      /** Whether the record is silent about ways to sign in, in a source that says of everybody what they have. */
      readonly isPartial?: true
    }
  | { readonly client: SourceClient }
  | { readonly scope: SourceScope }
  | { readonly role: SourceRole }
  | { readonly group: SourceGroup }
  /** A row that is left out, as a whole sentence, and what it is, where that is known. */
  | { readonly fault: string; readonly of?: FaultOf }
  /** Nothing is made of it: it is there for its findings, and is not counted. */
  | { readonly noted: true; readonly consent?: ImportedConsent }
)

/** What a fault is about. `member`: the member of the source; absent: the whole of it. */
export type FaultOf = {
  readonly kind: FindingKind
  readonly source: string
  readonly member?: string
  /** What to do about it. */
  readonly command?: string
}

/** A member of a person that does not come. People are counted by it. */
export type Lost = Omit<LostField, 'people' | 'example'>

/** What is to be said of a record whose kind and name are known. */
export type Note = Pick<ImportFinding, 'member' | 'severity' | 'reason' | 'command'>

/** Returns what is said of a record. */
export function findingsOf(kind: FindingKind, source: string, notes: readonly Note[]): ImportFinding[] {
  return notes.map((note) => ({ kind, source, ...note }))
}

/** `members`: names and values of RFC 7591. `secret`: its secret, or a hash of it as another system stores it. */
export type SourceClient = {
  readonly id: string
  readonly members: Readonly<Record<string, unknown>>
  /** What the source calls a member, by the name here. Default: the same. */
  readonly names?: Readonly<Record<string, string>>
  readonly secret?: { readonly hash: string } | { readonly text: string }
  /** A secret from before a rotation, which works until then. */
  readonly previousSecret?: { readonly text: string; readonly endsAtMs: number }
}

export type SourceScope = {
  readonly name: string
  readonly displayName: string | null
  readonly description: string | null
  readonly resources: readonly string[]
  /** Rules that put claims into tokens. Absent: none. */
  readonly claims?: readonly ClaimRule[]
  /** One that every installation may have (OpenID Connect Core §5.4): where it is here already, it stays as it is. */
  readonly isStandard?: boolean
}

/** What a person agreed to. */
export type SourceConsent = { readonly clientId: string; readonly scopes: readonly string[] }

/** `name`: of a client's role with its id before a colon. */
export type SourceRole = {
  readonly name: string
  readonly description: string | null
  readonly includes: readonly string[]
  readonly isDefault: boolean
}

/** `path`: its own. `parent`: that of the group it is in; null: none. */
export type SourceGroup = {
  readonly path: string
  readonly name: string
  readonly parent: string | null
  readonly description: string | null
  readonly roles: readonly string[]
}

/** What readers need to know of passkeys. */
export type PasskeyFacts = {
  readonly rules: PasskeyRules
  /** What an attestation object says; undefined: it is none. */
  readonly attested: (object: Uint8Array) => { readonly rpIdHash: Uint8Array; readonly aaguid: string } | undefined
  /** The host that an operator names as that of the former system. */
  readonly host?: string
}

export type ReaderOptions = {
  /** Absent: none comes. */
  readonly passkeys?: PasskeyFacts
  /** The parameters of Firebase's hashes, as its console shows them. */
  readonly hashParameters?: unknown
  /** The declared fields of people, which fields of the source become. Default: none. */
  readonly attributes?: AttributeRules
  /** Of sources with tables: the name of the table or file that is meant, by the framework's; empty: there is none. */
  readonly tables?: ReadonlyMap<string, string>
  /** Of ASP.NET Core Identity: columns, and their value for people who could not sign in there. */
  readonly disabledIf?: readonly (readonly [column: string, value: string])[]
  /** Of ASP.NET Core Identity: columns, and the claim that each is here. */
  readonly claimColumns?: readonly (readonly [column: string, claim: string])[]
  /** Of a file with several realms. */
  readonly realm?: string
  /** What wildcards stood for, by client id. */
  readonly redirects?: ReadonlyMap<string, readonly string[]>
  readonly allowsWildcards?: boolean
  /** Opens a file, and may open it again where another process holds it. Default: once. */
  readonly opening?: <T>(open: () => Promise<T>) => Promise<T>
}

export type Reader = (files: readonly string[], options: ReaderOptions) => AsyncIterable<SourceRecord>

/** A source that cannot be read at all. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource'
}

/** Another process writes to the file at this moment. */
export class HeldSource extends UnreadableSource {
  constructor(file: string) {
    super(
      `${file} is locked by another process, probably the former service, which is writing to it. Stop the service, or copy the file with the files beside it, and give the same command again.`,
    )
  }
}

/** The fault of a row in another encoding. */
export const notUtf8 = 'The row is not valid UTF-8.'

/** Returns the object without members that are undefined, null or empty texts. */
export function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}

/** Whether there is anything to keep. */
export function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** Returns the value of a text; undefined: it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What to do with those who are stored already. */
export type OnConflict = 'skip' | 'update' | 'fail'

/** A person to store, with the record it was made of. */
export type PersonEntry = {
  readonly person: ImportedPerson
  readonly source: ImportedRecord
  readonly leniency?: Leniency
  /** Whether the record is silent about ways to sign in, in a source that says of everybody what they have. */
  readonly isPartial?: true
}

/** A client or scope to store, with the standard scopes that come with it. */
export type RegistrationChanges = {
  readonly records: readonly RecordChange[]
  readonly events: readonly AuditEvent[]
  readonly judgedOn: JudgedOn
}

/** `notes`: what the rules changed of it. `noted`: it is here, and is not counted. */
export type RegistrationOutcome =
  | {
      readonly done: 'created' | 'updated' | 'skipped' | 'noted'
      readonly changes?: RegistrationChanges
      readonly notes?: readonly Note[]
      readonly origin?: ImportOrigin
    }
  | Fault

/** Left out, as a whole sentence. `isThere`: because it is stored already. `member`: of the source. */
export type Fault = { readonly fault: string; readonly isThere?: true; readonly member?: string }

/** `record`: its number among all records of the files, from 1. */
export type Item = {
  readonly record: number
  readonly line: number
  readonly place?: SourcePlace
  readonly findings?: readonly ImportFinding[]
  /** What it is, and its name in the source; absent: not known. */
  readonly of?: FaultOf
  /** Names of members of the source that have a value and are not kept. */
  readonly notKept?: readonly string[]
  readonly lost?: readonly Lost[]
  /** What the source has, whether or not it changes here; absent: not remembered. */
  readonly origin?: ImportOrigin
  /** The item as it was judged, before it was decided what changes. Absent: this one. */
  readonly from?: Item
} & (
  | { readonly entry: PersonEntry }
  | RegistrationOutcome
  | { readonly done: 'noted'; readonly consent?: ImportedConsent }
)

export function sentence(problems: readonly Problem[]): string {
  return problems.map(({ message }) => message).join(' ')
}
