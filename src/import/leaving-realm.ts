/** A realm as Keycloak imports it: roles, groups, clients and people. */
import { clientPartOf, everyClient } from '../protocol/claims/client-roles.ts'
import { type Client, clientType, consoleClientId } from '../protocol/client/client.ts'
import type { GrantType } from '../protocol/grant/grant-types.ts'
import { childrenOf, type Group, pathOf } from '../users/groups.ts'
import type { Role } from '../users/roles.ts'

export type LeavingRealm = {
  readonly name: string
  readonly roles: readonly Role[]
  readonly groups: ReadonlyMap<string, Group>
  readonly clients: readonly Client[]
  readonly clientIds: ReadonlySet<string>
}

export type Members = Readonly<Record<string, unknown>>

/** Returns everything but the people, as the beginning of the file. `rpId`: the host that passkeys belong to. */
export function realmBeginning(realm: LeavingRealm, rpId: string): string {
  const { name, roles, groups, clients, clientIds: ids } = realm
  const byClient = Map.groupBy(roles, (role) => clientOf(role.name, ids))
  const ofClients = [...byClient].flatMap(([id, list]) =>
    id === undefined ? [] : [[id, list.map((role) => realmRole(role.name.slice(id.length + 1), role, ids))] as const],
  )
  const known = clients.filter(({ id }) => id !== consoleClientId)
  const members = {
    realm: name,
    enabled: true,
    webAuthnPolicyRpId: rpId,
    webAuthnPolicyPasswordlessRpId: rpId,
    defaultRole: { name: everybodys(name), composite: true, clientRole: false },
    roles: {
      realm: [
        realmRole(everybodys(name), { description: null, includes: roles.filter(isDefault).map(nameOf) }, ids),
        ...(byClient.get(undefined) ?? []).map((role) => realmRole(role.name, role, ids)),
      ],
      client: Object.fromEntries(ofClients),
    },
    groups: groupsBelow(null, childrenOf(groups), groups, ids),
    clients: known.map(realmClient),
    ...scopeMappings(known, byClient),
  }
  return `${JSON.stringify(members).slice(0, -1)},"users":[\n`
}

/** The role of everybody there, which includes the roles of everybody here. */
export const everybodys = (realm: string): string => `default-roles-${realm.toLowerCase()}`
const isDefault = (role: Role): boolean => role.isDefault === true
const nameOf = ({ name }: Role): string => name

/** After the people, who are read once. Keycloak lets nobody sign in with an address where several may have one. */
export const realmEnd = (isShared: boolean): string =>
  `\n],"loginWithEmailAllowed":${!isShared},"duplicateEmailsAllowed":${isShared}}\n`

const hasEveryRole = ({ metadata }: Client): boolean => metadata.role_clients.includes(everyClient)

/** What tokens of clients tell that are not told everything: roles of the realm, and those of their role clients. */
function scopeMappings(clients: readonly Client[], byClient: ReadonlyMap<string | undefined, readonly Role[]>) {
  const narrow = clients.filter((client) => !hasEveryRole(client))
  const plain = (byClient.get(undefined) ?? []).map(nameOf)
  const mapped = [...byClient].flatMap(([id, list]) => {
    if (id === undefined) return []
    const roles = list.map((role) => role.name.slice(id.length + 1))
    const told = narrow.filter(({ metadata }) => metadata.role_clients.includes(id))
    return told.length === 0 ? [] : [[id, told.map((client) => ({ client: client.id, roles }))] as const]
  })
  return {
    scopeMappings: plain.length === 0 ? [] : narrow.map((client) => ({ client: client.id, roles: plain })),
    clientScopeMappings: Object.fromEntries(mapped),
  }
}

function clientOf(role: string, ids: ReadonlySet<string>): string | undefined {
  const part = clientPartOf(role)
  return part !== undefined && ids.has(part) ? part : undefined
}

function realmRole(
  name: string,
  { description, includes = [] }: Pick<Role, 'description' | 'includes'>,
  ids: ReadonlySet<string>,
): Members {
  const { realm, client } = namedRoles(includes, ids)
  return {
    name,
    ...(description !== null && { description }),
    composite: includes.length > 0,
    ...(includes.length > 0 && { composites: { realm, client } }),
  }
}

/** Names of roles as Keycloak keeps them: those of the realm, and those of clients by client. */
export function namedRoles(names: readonly string[], ids: ReadonlySet<string>) {
  const byClient = Map.groupBy(names, (name) => clientOf(name, ids))
  const client = [...byClient].flatMap(([id, list]) =>
    id === undefined ? [] : [[id, list.map((name) => name.slice(id.length + 1))] as const],
  )
  return { realm: byClient.get(undefined) ?? [], client: Object.fromEntries(client) }
}

function groupsBelow(
  parentId: string | null,
  children: ReadonlyMap<string | null, readonly Group[]>,
  groups: ReadonlyMap<string, Group>,
  ids: ReadonlySet<string>,
): Members[] {
  return (children.get(parentId) ?? []).map((group) => {
    const { realm, client } = namedRoles(group.roles, ids)
    return {
      id: group.id,
      name: group.name,
      path: pathOf(group, groups),
      attributes: group.description === null ? {} : { description: [group.description] },
      realmRoles: realm,
      clientRoles: client,
      subGroups: groupsBelow(group.id, children, groups, ids),
    }
  })
}

/** Without a secret, of which only a hash is stored: Keycloak makes a new one. */
function realmClient(client: Client): Members {
  const has = (grant: GrantType) => client.grantTypes.includes(grant)
  const isPublic = clientType(client) === 'public'
  return {
    clientId: client.id,
    name: client.name,
    protocol: 'openid-connect',
    enabled: true,
    publicClient: isPublic,
    redirectUris: client.redirectUris,
    standardFlowEnabled: has('authorization_code'),
    implicitFlowEnabled: false,
    directAccessGrantsEnabled: false,
    serviceAccountsEnabled: has('client_credentials'),
    fullScopeAllowed: hasEveryRole(client),
    consentRequired: client.consent !== 'implicit',
    attributes: {
      'post.logout.redirect.uris': client.postLogoutRedirectUris.join('##'),
      'oauth2.device.authorization.grant.enabled': String(has('urn:ietf:params:oauth:grant-type:device_code')),
      'use.refresh.tokens': String(has('refresh_token')),
      ...(client.requirePkce && { 'pkce.code.challenge.method': 'S256' }),
      ...(client.metadata.backchannel_logout_uri !== null && {
        'backchannel.logout.url': client.metadata.backchannel_logout_uri,
      }),
    },
  }
}
