/** What each process keeps in memory of what is looked up for every person. */
import type { Subject } from '../../protocol/claims/claims.ts'
import type { Holder } from '../../protocol/claims/client-roles.ts'
import type { ScopeRules } from '../../protocol/claims/known-rules.ts'
import type { Resource } from '../../protocol/claims/resource-rules.ts'
import type { Attribute } from '../../users/attributes.ts'
import type { EffectiveRole, RoleRule, RoleSources } from '../../users/effective-roles.ts'
import type { Group } from '../../users/groups.ts'
import type { Described, User } from '../../users/user.ts'

/** Whose roles are asked for. */
export type Member = Pick<User, 'roles' | 'groupIds'>

/** As it was at one version, which every change of it raises. Its size is bounded by how many of each there may be. */
export type Catalogue = RoleSources & {
  readonly version: number
  /** By name, in the order of their declaration. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** By id. */
  readonly groups: ReadonlyMap<string, Group>
  /** By name: those that include others, and those that everybody has. */
  readonly roles: ReadonlyMap<string, RoleRule>
  /** By name: those with rules or a type of access tokens. */
  readonly scopes: ReadonlyMap<string, ScopeRules>
  /** By identifier: those with rules. */
  readonly resources: ReadonlyMap<string, Resource>
  /** Returns the names of the person's effective roles, ascending. */
  readonly rolesOf: (person: Member) => readonly string[]
  /**
   * Returns the person as tokens tell of it: with effective roles, and what rules read. A promise only for roles with the id of a
   * client that was not met before.
   */
  readonly describe: (person: Described) => Subject | Promise<Subject>
  /**
   * Returns a service account with these roles, as tokens tell them: with those that they include, but none that everybody has, and the
   * clients that some belong to.
   */
  readonly holderOf: (roles: readonly string[]) => Holder | Promise<Holder>
  /** Returns the effective roles of a person with where each comes from. */
  readonly effectiveRolesOf: (person: Member) => readonly EffectiveRole[]
}
