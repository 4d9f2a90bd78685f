/** Configuration that is applied as a whole. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { Scope } from '../../protocol/scope/scope.ts'
import type { Role } from '../../users/roles.ts'
import type { User } from '../../users/user.ts'

/** Absent `before`: the record is new. Absent `after`: it is deleted, with what depends on it. */
type Change<Kind extends string, Record> = {
  readonly kind: Kind
  readonly before: Record | undefined
  readonly after: Record | undefined
}

export type RecordChange =
  | Change<'scope', Scope>
  | Change<'role', Role>
  | Change<'client', Client>
  | Change<'user', User>

/** What a change ends. */
export type Ending =
  /** Consents of a client: all, or those with one of these scopes. `grants`: whether its grants end, too. */
  | {
      readonly of: 'client'
      readonly id: string
      readonly consents: 'all' | readonly string[]
      readonly grants: boolean
    }
  /** Consents and grants with the scope. */
  | { readonly of: 'scope'; readonly name: string }
  /** Nothing but the role itself, of everybody who has it. */
  | { readonly of: 'role'; readonly name: string }
  /** A person's sessions and, if the account is deleted, consents and grants. */
  | { readonly of: 'user'; readonly id: string; readonly isDeleted: boolean }

/** Ids. */
export type Affected = {
  readonly consents: readonly string[]
  /** Those with a valid refresh token. */
  readonly grants: readonly string[]
  readonly sessions: readonly string[]
  /** The users whose they are. */
  readonly people: readonly string[]
}

export type Configuration = {
  /** Returns what is valid at `nowMs` and would end. Reads whole tables, which is acceptable for an operator's command. */
  affected(ending: Ending, nowMs: number): Promise<Affected>
  /**
   * Applies all changes in one commit, each on exactly the record that it was decided on. Returns false, and changes
   * nothing, if one of the records is another by now, or if a new name or address is taken. Rejects with
   * `LastAdministrator` if nobody could administer the service afterwards who could before. A deleted scope or role is taken
   * from everybody who has it.
   */
  apply(changes: readonly RecordChange[], nowMs: number, events?: AuditEvents): Promise<boolean>
}
