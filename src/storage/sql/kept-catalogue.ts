/** Keeps the catalogue in memory of the process, and reads it again when its version is another. */
import type { Subject } from '../../protocol/claims/claims.ts'
import type { RoleClients } from '../../protocol/claims/client-roles.ts'
import { basisOf } from '../../protocol/claims/issued-claims.ts'
import { effectiveRoleNames, effectiveRoles, withoutDefaults } from '../../users/effective-roles.ts'
import { groupPaths } from '../../users/groups.ts'
import { remembered } from '../../users/remembered.ts'
import { type Described, subjectOf } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { Catalogue } from '../port/catalogue.ts'
import { readAttributes } from './attributes.ts'
import { readVersion } from './catalogue.ts'
import { readGroups } from './group-rows.ts'
import { readResources } from './resources.ts'
import { clientsOfRoles } from './role-clients.ts'
import { readRoleRules } from './role-rules.ts'
import { readScopeRules } from './scopes.ts'

export function keptCatalogue(engine: Engine) {
  let kept: Catalogue | undefined
  let reading: { readonly version: number; readonly catalogue: Promise<Catalogue> } | undefined

  /** What is newer than the version is read again with the next one. */
  async function readAt(version: number): Promise<Catalogue> {
    const [attributes, groups, roles, scopes, resources] = await Promise.all([
      readAttributes(engine),
      readGroups(engine),
      readRoleRules(engine),
      readScopeRules(engine),
      readResources(engine),
    ])
    const namesOf = effectiveRoleNames({ groups, roles })
    const pathsOf = remembered((groupIds) => groupPaths(groupIds, groups))
    const rolesOf: Catalogue['rolesOf'] = (person) => namesOf(person.roles, person.groupIds ?? none)
    const clientsOf = clientsOfRoles(engine)
    const described = (person: Described, held: readonly string[], roleClients?: RoleClients): Subject => {
      const subject = { ...subjectOf({ ...person, roles: held }), ...(roleClients && { roleClients }) }
      const { createdAtMs, attributes, groupIds = none } = person
      const paths = () => pathsOf(groupIds, none)
      return { ...subject, basis: basisOf(subject, { createdAtMs, attributes, groups: paths }, { scopes, resources }) }
    }
    const describe: Catalogue['describe'] = (person) => {
      const held = rolesOf(person)
      const clients = clientsOf(held)
      return clients instanceof Promise
        ? clients.then((found) => described(person, held, found))
        : described(person, held, clients)
    }
    const namesOfAccount = effectiveRoleNames({ groups: new Map(), roles: withoutDefaults(roles) })
    const holderOf: Catalogue['holderOf'] = (own) => {
      if (own.length === 0) return { roles: own }
      const held = namesOfAccount(own, none)
      const clients = clientsOf(held)
      const holding = (roleClients?: RoleClients) => ({ roles: held, ...(roleClients && { roleClients }) })
      return clients instanceof Promise ? clients.then(holding) : holding(clients)
    }
    return {
      ...{ version, attributes, groups, roles, scopes, resources, rolesOf, describe, holderOf },
      effectiveRolesOf: (person) => effectiveRoles(person.roles, person.groupIds ?? [], { groups, roles }),
    }
  }

  function at(version: number): Catalogue | Promise<Catalogue> {
    if (kept?.version === version) return kept
    if (reading?.version === version) return reading.catalogue
    const catalogue = readAt(version).then(
      (read) => {
        kept = read
        if (reading?.version === version) reading = undefined
        return read
      },
      (error: unknown) => {
        if (reading?.version === version) reading = undefined
        throw error
      },
    )
    reading = { version, catalogue }
    return catalogue
  }

  return {
    /**
     * Returns the catalogue at once if the process has it in this version, which was read with the person; otherwise reads it, once for
     * all who wait. Never older than the version.
     */
    at,
    /** The catalogue that the process has in memory, which may be older than the stored one; undefined: none was read yet. */
    kept: (): Catalogue | undefined => kept,
    /** The catalogue as it is now: reads its version first. For commands and pages. */
    now: async (): Promise<Catalogue> => at(await readVersion(engine)),
  }
}

const none: readonly never[] = []
