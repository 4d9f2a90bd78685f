/** What a realm says that its clients, scopes and people depend on. */
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import { listIn, textsIn } from './realm-file.ts'

/** The person that stands for a client which acts for itself. */
export type ServiceAccount = { readonly id: string; readonly roles: readonly string[]; readonly isDisabled: boolean }

export type RealmFacts = {
  readonly realm: JsonObject
  /** By client id. */
  readonly serviceAccounts: ReadonlyMap<string, ServiceAccount>
  /** Addresses that an operator gave in place of wildcards, by client id. */
  readonly redirects: ReadonlyMap<string, readonly string[]>
  readonly allowsWildcards: boolean
  /** The clients of the realm that are Keycloak's own. */
  readonly ownClients: ReadonlySet<string>
}

const ownClientIds = ['account', 'account-console', 'admin-cli', 'broker', 'realm-management', 'security-admin-console']

/** Clients that every realm has, and in the first one those that stand for other realms. */
export function isOwnClient({ clientId, attributes }: JsonObject): boolean {
  return ownClientIds.includes(String(clientId)) || (isObject(attributes) && attributes.realm_client === 'true')
}

/** Roles that every realm has. They do not come: here they mean nothing. */
export function isOwnRole(role: string): boolean {
  return role === 'offline_access' || role === 'uma_authorization' || role.startsWith('default-roles-')
}

/** Returns roles by the names that they have here: those of a client with its id before a colon. */
export function rolesOf(
  { realmRoles, clientRoles }: { readonly realmRoles?: unknown; readonly clientRoles?: unknown },
  ownClients: ReadonlySet<string>,
): string[] {
  const ofClients = Object.entries(isObject(clientRoles) ? clientRoles : {})
    .filter(([client]) => !ownClients.has(client))
    .flatMap(([client, roles]) => textsIn(roles).map((role) => `${client}:${role}`))
  return [...textsIn(realmRoles).filter((role) => !isOwnRole(role)), ...ofClients]
}

/** Returns the roles that everybody has by the realm's default role. */
export function defaultRolesOf({ realm, ownClients }: Pick<RealmFacts, 'realm' | 'ownClients'>): string[] {
  const name = isObject(realm.defaultRole) ? realm.defaultRole.name : undefined
  const roles = isObject(realm.roles) ? listIn(realm.roles.realm) : []
  const composites = roles.find((one) => one.name === name)?.composites
  // Before version 13, the realm had lists of them.
  if (!isObject(composites)) return textsIn(realm.defaultRoles).filter((role) => !isOwnRole(role))
  return rolesOf({ realmRoles: composites.realm, clientRoles: composites.client }, ownClients)
}

/** Returns the others whose roles a client without all of them may have in its tokens. */
export function mappedClients(realm: JsonObject, client: string): string[] {
  const all = Object.entries(isObject(realm.clientScopeMappings) ? realm.clientScopeMappings : {})
  const isMapped = ([of, list]: (typeof all)[number]) =>
    of !== client && listIn(list).some((one) => one.client === client)
  return all.filter(isMapped).map(([of]) => of)
}
