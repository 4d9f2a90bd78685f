/** What is applied as a whole, what that ends, and what is still to be removed. */
import type { StoredBrand } from '../../protocol/branding/brand.ts'
import type { Resource } from '../../protocol/claims/resource-rules.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { Scope } from '../../protocol/scope/scope.ts'
import type { Attribute } from '../../users/attributes.ts'
import type { Group } from '../../users/groups.ts'
import type { Role } from '../../users/roles.ts'
import type { User } from '../../users/user.ts'

/** Absent `before`: the record is new. Absent `after`: it is deleted, with what depends on it. */
type Change<Kind extends string, Record> = {
  readonly kind: Kind
  readonly before: Record | undefined
  readonly after: Record | undefined
}

export type RecordChange =
  /** `checked`: the check of its values that the change rests on (`AttributeChange`). */
  | (Change<'attribute', Attribute> & { readonly checked?: number })
  | Change<'scope', Scope>
  | Change<'resource', Resource>
  | Change<'role', Role>
  | Change<'group', Group>
  | Change<'client', Client>
  | Change<'user', User>
  /** A record that was never stored has the version 0, and none is deleted. */
  | Change<'brand', StoredBrand>

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

/**
 * Deleted clients, groups, scopes, roles and attributes that rows still have. Their deletion is one small commit, and holds from then
 * on; the rows follow in small commits. Until they have, the id or name cannot be given anew.
 */
export type Removal = { readonly kind: 'client' | 'group' | 'scope' | 'role' | 'attribute'; readonly name: string }
