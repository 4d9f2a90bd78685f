/** The people of a realm that stand for clients which act for themselves: they are part of the client here. */
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import { defaultRolesOf, type RealmFacts, rolesOf, type ServiceAccount } from './facts.ts'
import { listIn, textsIn } from './realm-file.ts'

type Realm = Pick<RealmFacts, 'realm' | 'ownClients'>

/** `accounts`: the people with a `serviceAccountClientId`. Returns them by its value. */
export function serviceAccountsOf(accounts: readonly JsonObject[], facts: Realm): RealmFacts['serviceAccounts'] {
  if (accounts.length === 0) return new Map()
  const clients = new Map(listIn(facts.realm.clients).map((client) => [String(client.clientId), client]))
  const withIncluded = includedIn(facts)
  return new Map(
    accounts.map((account): [string, ServiceAccount] => {
      const clientId = String(account.serviceAccountClientId)
      const client = clients.get(clientId)
      const given = [...rolesOf(account, facts.ownClients), ...everybodys(account, facts), ...ofGroups(account, facts)]
      const mapped = client?.fullScopeAllowed === false ? withIncluded(mappedRoles(client, facts)) : undefined
      const told =
        mapped === undefined ? given : [...withIncluded(given)].filter((role) => isTold(role, clientId, mapped))
      return [
        clientId,
        { id: String(account.id), roles: [...new Set(told)].sort(), isDisabled: account.enabled === false },
      ]
    }),
  )
}

/** There a client's own roles are in its tokens whatever is mapped to it. */
const isTold = (role: string, clientId: string, mapped: ReadonlySet<string>): boolean =>
  mapped.has(role) || role.startsWith(`${clientId}:`)

/** Roles of everybody are nobody's own there, and belong to people alone here. */
function everybodys({ realmRoles }: JsonObject, facts: Realm): readonly string[] {
  const { defaultRole } = facts.realm
  const name = isObject(defaultRole) ? String(defaultRole.name) : undefined
  return name !== undefined && textsIn(realmRoles).includes(name) ? defaultRolesOf(facts) : []
}

/** Roles of groups, and of those that they are in. */
function ofGroups({ groups }: JsonObject, { realm, ownClients }: Realm): readonly string[] {
  const paths = textsIn(groups)
  if (paths.length === 0) return []
  const walk = (list: readonly JsonObject[], parent: string, above: readonly string[]): readonly string[] =>
    list.flatMap((group) => {
      const path = `${parent}/${group.name}`
      const roles = [...above, ...rolesOf(group, ownClients)]
      return [...(paths.includes(path) ? roles : []), ...walk(listIn(group.subGroups), path, roles)]
    })
  return walk(listIn(realm.groups), '', [])
}

/** Returns the roles that are mapped to the client, or to scopes that it always has. */
function mappedRoles(client: JsonObject, { realm, ownClients }: Realm): readonly string[] {
  const scopes = textsIn(client.defaultClientScopes)
  const isOf = (one: JsonObject) => one.client === client.clientId || scopes.includes(String(one.clientScope))
  const rolesIn = (list: unknown) =>
    listIn(list)
      .filter(isOf)
      .flatMap(({ roles }) => textsIn(roles))
  const ofClients = isObject(realm.clientScopeMappings) ? Object.entries(realm.clientScopeMappings) : []
  const clientRoles = Object.fromEntries(ofClients.map(([of, list]) => [of, rolesIn(list)]))
  return rolesOf({ realmRoles: rolesIn(realm.scopeMappings), clientRoles }, ownClients)
}

/** Returns a function that adds to roles what they include. */
function includedIn({ realm, ownClients }: Realm): (roles: readonly string[]) => ReadonlySet<string> {
  const { realm: plain, client } = isObject(realm.roles) ? realm.roles : ({} as JsonObject)
  const ofClients = Object.entries(isObject(client) ? client : {})
  const all = [
    ...listIn(plain).map((role) => ({ role, name: String(role.name) })),
    ...ofClients.flatMap(([id, list]) => listIn(list).map((role) => ({ role, name: `${id}:${role.name}` }))),
  ]
  const included = new Map(
    all.map(({ role: { composites }, name }) => {
      const parts = isObject(composites) ? { realmRoles: composites.realm, clientRoles: composites.client } : {}
      return [name, rolesOf(parts, ownClients)]
    }),
  )
  return (roles) => {
    const found = new Set(roles)
    // What is added meanwhile is met as well.
    for (const role of found) for (const one of included.get(role) ?? []) found.add(one)
    return found
  }
}
