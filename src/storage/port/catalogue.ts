/** What each process keeps in memory of what is looked up for every person. */
import type { Attribute } from '../../users/attributes.ts'
import type { EffectiveRole, RoleRule, RoleSources } from '../../users/effective-roles.ts'
import type { Group } from '../../users/groups.ts'
import type { User } from '../../users/user.ts'

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
  /** Returns the names of the person's effective roles, ascending. */
  readonly rolesOf: (person: Member) => readonly string[]
  /** The same with where each comes from. */
  readonly effectiveRolesOf: (person: Member) => readonly EffectiveRole[]
}
