/** Roles of a realm and of its clients, and its groups. */
import { clientPartOf } from '../../protocol/claims/client-roles.ts'
import { isObject } from '../../protocol/json-value.ts'
import { type MemberTable, unkept } from '../members.ts'
import { findingsOf, type Note, type SourceRecord } from '../source.ts'
import { defaultRolesOf, isOwnRole, type RealmFacts, rolesOf } from './facts.ts'
import { listIn } from './realm-file.ts'

const roleMembers: MemberTable = {
  members: {
    ...{ id: 'noted', name: 'used', description: 'used', composite: 'noted', composites: 'used', clientRole: 'noted' },
    ...{ containerId: 'noted', scopeParamRequired: 'noted' },
    attributes: { reason: 'Roles have no attributes.' },
  },
}

const groupMembers: MemberTable = {
  members: {
    ...{ id: 'noted', name: 'used', path: 'noted', parentId: 'noted', subGroups: 'used', subGroupCount: 'noted' },
    ...{ realmRoles: 'used', clientRoles: 'used', description: 'used', access: 'noted' },
    attributes: { reason: 'Groups have no attributes: give them to the members, as attributes of people.' },
  },
}

/** A text such as ${role_view-profile} names one of Keycloak's own. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' && !value.startsWith('${') ? value.trim() : null
}

export function* realmRoles(facts: RealmFacts): Generator<SourceRecord> {
  const { realm, ownClients } = facts
  const roles = isObject(realm.roles) ? realm.roles : {}
  const everybodys = new Set(defaultRolesOf(facts))
  const ofClients = Object.entries(isObject(roles.client) ? roles.client : {}).filter(([id]) => !ownClients.has(id))
  const clients = new Set(listIn(realm.clients).map(({ clientId }) => clientId))
  const all = [
    ...listIn(roles.realm).map((role) => ({ role, name: String(role.name), owner: clientPartOf(String(role.name)) })),
    ...ofClients.flatMap(([id, list]) => listIn(list).map((role) => ({ role, name: `${id}:${role.name}` }))),
  ]
  for (const { role, name, ...of } of all) {
    if (isOwnRole(name)) continue
    const composites = isObject(role.composites) ? role.composites : {}
    const includes = rolesOf({ realmRoles: composites.realm, clientRoles: composites.client }, ownClients)
    const record = { name, description: textOf(role.description), includes, isDefault: everybodys.has(name) }
    const owner = 'owner' in of && clients.has(of.owner) ? String(of.owner) : undefined
    const notes = [...unkept(roleMembers, role), ...(owner === undefined ? [] : [sharedName(name, owner)])]
    yield { line: 1, role: record, findings: findingsOf('role', name, notes) }
  }
}

/** There, roles of the realm and those of applications had names of their own. */
function sharedName(name: string, client: string): Note {
  const own = name.slice(client.length + 1)
  const reason = `The role ${name} of the realm is called like the role ${own} of the application ${client}, and is that here: whoever had either has both.`
  return { member: 'name', severity: 'risk', reason }
}

type GroupFacts = Pick<RealmFacts, 'realm' | 'ownClients'>

export function* realmGroups(
  facts: GroupFacts,
  list = listIn(facts.realm.groups),
  parent: string | null = null,
): Generator<SourceRecord> {
  for (const group of list) {
    const name = String(group.name)
    const path = `${parent ?? ''}/${name}`
    const record = {
      path,
      name,
      parent,
      description: textOf(group.description),
      roles: rolesOf(group, facts.ownClients),
    }
    yield { line: 1, group: record, findings: findingsOf('group', path, unkept(groupMembers, group)) }
    yield* realmGroups(facts, listIn(group.subGroups), path)
  }
}
