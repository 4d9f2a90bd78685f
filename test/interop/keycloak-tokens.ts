/**
 * What tokens of a realm of Keycloak said, worked out from its export: the mappers of a client and of its scopes, and the roles that its
 * scope mappings leave. The tokens that were recorded there say whether this is right.
 */
import { createHash } from 'node:crypto'

// biome-ignore lint/suspicious/noExplicitAny: an export can hold anything
export type Json = any
export type Claims = Readonly<Record<string, unknown>>
type Roles = { readonly realm: ReadonlySet<string>; readonly clients: ReadonlyMap<string, ReadonlySet<string>> }

export type Tokens = { readonly id: Claims; readonly access: Claims; readonly userinfo: Claims }

const places = { id: 'id.token.claim', access: 'access.token.claim', userinfo: 'userinfo.token.claim' } as const
type Place = keyof typeof places

export const clientOf = (realm: Json, id: string): Json =>
  realm.clients.find((one: Json) => one.clientId === id) ?? failed(`no client ${id}`)
export const personOf = (realm: Json, username: string): Json =>
  realm.users.find((one: Json) => one.username === username) ?? failed(`nobody is called ${username}`)

function failed(what: string): never {
  throw new Error(what)
}

/** Returns the scopes whose mappers count: those that a client has unasked, and those that were asked for. */
function scopesOf(realm: Json, client: Json, asked: readonly string[]): Json[] {
  const names = [
    ...client.defaultClientScopes,
    ...client.optionalClientScopes.filter((name: string) => asked.includes(name)),
  ]
  return names.map((name) => realm.clientScopes.find((one: Json) => one.name === name) ?? failed(`no scope ${name}`))
}

/** Returns the roles in effect: own ones, those of groups and their parents, and what each includes. */
function rolesOf(realm: Json, person: Json): Roles {
  const found: [string, string][] = []
  const add = (client: string, name: string): void => {
    if (found.some(([one, role]) => one === client && role === name)) return
    found.push([client, name])
    const list = client === '' ? realm.roles.realm : (realm.roles.client[client] ?? [])
    take(list.find((one: Json) => one.name === name)?.composites ?? {})
  }
  const take = ({ realm: plain = [], client = {} }: Json): void => {
    for (const role of plain) add('', role)
    for (const [id, roles] of Object.entries<Json>(client)) for (const role of roles) add(id, role)
  }
  take({ realm: person.realmRoles, client: person.clientRoles })
  for (const path of person.groups ?? []) {
    let list = realm.groups
    for (const name of path.slice(1).split('/')) {
      const group = list.find((one: Json) => one.name === name)
      take({ realm: group.realmRoles, client: group.clientRoles })
      list = group.subGroups ?? []
    }
  }
  const clients = Map.groupBy(
    found.filter(([client]) => client !== ''),
    ([client]) => client,
  )
  return {
    realm: new Set(found.filter(([client]) => client === '').map(([, role]) => role)),
    clients: new Map([...clients].map(([id, roles]) => [id, new Set(roles.map(([, role]) => role))])),
  }
}

/** Returns those that a client without all of them may have in its tokens: its own, and those mapped to it or to its scopes. */
function mapped(realm: Json, client: Json, scopes: readonly Json[], roles: Roles): Roles {
  if (client.fullScopeAllowed) return roles
  const names = new Set(scopes.map((one) => one.name))
  const isHere = (one: Json) => one.client === client.clientId || names.has(one.clientScope)
  const allowed = new Set<string>(realm.scopeMappings.filter(isHere).flatMap((one: Json) => one.roles))
  const ofClients = Object.entries<Json>(realm.clientScopeMappings)
    .flatMap(([id, list]) => list.filter(isHere).flatMap((one: Json) => one.roles.map((role: string) => [id, role])))
    .map(([id, role]) => `${id} ${role}`)
  const own = [...roles.clients].map(([id, all]): [string, Set<string>] => [
    id,
    new Set([...all].filter((role) => id === client.clientId || ofClients.includes(`${id} ${role}`))),
  ])
  return {
    realm: new Set([...roles.realm].filter((role) => allowed.has(role))),
    clients: new Map(own.filter(([, all]) => all.size > 0)),
  }
}

const one = <T>(list: readonly T[]): T | readonly T[] | undefined => (list.length > 1 ? list : list[0])

/** The tokens of a person at a client; without times, ids and the session. `ofItself`: those that the client had for itself. */
export function tokensThere(
  realm: Json,
  issuer: string,
  clientId: string,
  username: string,
  asked: readonly string[],
  ofItself = false,
): Tokens {
  const client = clientOf(realm, clientId)
  const person = personOf(realm, username)
  const scopes = scopesOf(realm, client, asked)
  const roles = mapped(realm, client, scopes, rolesOf(realm, person))
  const mappers: Json[] = [...(client.protocolMappers ?? []), ...scopes.flatMap((scope) => scope.protocolMappers ?? [])]
  const type = (name: string) => mappers.find((one) => one.protocolMapper === `oidc-${name}-mapper`)
  const salted = type('sha256-pairwise-sub')
  const sub = salted === undefined ? person.id : pairwise(client, person.id, salted.config.pairwiseSubAlgorithmSalt)
  const named = scopes
    .filter(({ attributes }) => attributes['include.in.token.scope'] !== 'false')
    .map(({ name }) => name)
  const make = (place: Place): Claims => {
    const claims: Record<string, unknown> = {}
    const audience: string[] = place === 'id' ? [clientId] : []
    for (const { protocolMapper, config } of mappers) {
      if (config[places[place]] !== 'true') continue
      if (protocolMapper === 'oidc-audience-mapper') {
        audience.push(config['included.custom.audience'] ?? config['included.client.audience'])
      } else if (protocolMapper === 'oidc-audience-resolve-mapper') {
        audience.push(...[...roles.clients.keys()].filter((id) => id !== clientId))
      } else for (const [name, value] of made(protocolMapper, config)) set(claims, name, value)
    }
    const aud = one([...new Set(audience)])
    const own = place === 'userinfo' ? {} : { iss: issuer, typ: place === 'id' ? 'ID' : 'Bearer', azp: clientId }
    const hasSub = place !== 'access' || type('sub') !== undefined
    const scope = place === 'access' ? { scope: [...(ofItself ? [] : ['openid']), ...named].join(' ') } : {}
    return {
      ...claims,
      ...own,
      ...(hasSub && { sub }),
      ...(aud !== undefined && place !== 'userinfo' && { aud }),
      ...scope,
    }
  }
  const fields: Json = { ...person, emailVerified: person.emailVerified === true }
  function made(kind: string, config: Json): [string, unknown][] {
    const name = config['claim.name']
    switch (kind) {
      case 'oidc-usermodel-attribute-mapper':
      case 'oidc-usermodel-property-mapper': {
        const field = config['user.attribute']
        const values = person.attributes?.[field] ?? [fields[field]]
        const value = values.filter((each: unknown) => each !== undefined)
        return value.length === 0 ? [] : [[name, config.multivalued === 'true' ? value : typed(value[0], config)]]
      }
      case 'oidc-full-name-mapper': {
        const names = [person.firstName, person.lastName].filter(Boolean)
        return names.length === 0 ? [] : [['name', names.join(' ')]]
      }
      case 'oidc-acr-mapper':
        return [['acr', '1']]
      case 'oidc-hardcoded-claim-mapper':
        return [[name, typed(config['claim.value'], config)]]
      case 'oidc-group-membership-mapper': {
        const paths: string[] = person.groups ?? []
        return [[name, config['full.path'] === 'true' ? paths : paths.map((path) => path.split('/').at(-1))]]
      }
      case 'oidc-usermodel-realm-role-mapper':
        return roles.realm.size === 0 ? [] : [[name, [...roles.realm]]]
      case 'oidc-usermodel-client-role-mapper':
        return [...roles.clients].map(([id, all]) => [
          name.replace(/\$\{client_id\}/, id.replaceAll('.', '\\.')),
          [...all],
        ])
      case 'oidc-allowed-origins-mapper':
        return client.webOrigins.length === 0 ? [] : [['allowed-origins', originsOf(client)]]
      case 'oidc-usersessionmodel-note-mapper': {
        const notes: Json = ofItself ? { client_id: clientId, clientHost: '127.0.0.1', clientAddress: '127.0.0.1' } : {}
        const value = notes[config['user.session.note']]
        return value === undefined ? [] : [[name, value]]
      }
      default:
        return []
    }
  }
  return { id: make('id'), access: make('access'), userinfo: make('userinfo') }
}

/** A plus sign stands for the origins of the redirect addresses. */
export function originsOf({ webOrigins, redirectUris, rootUrl }: Json): string[] {
  const own = redirectUris.map((uri: string) => new URL(uri.replace('*', ''), rootUrl || undefined).origin)
  return [...new Set<string>(webOrigins.flatMap((one: string) => (one === '+' ? own : [one])))]
}

function typed(value: unknown, config: Json): unknown {
  const label = config['jsonType.label']
  if (label === 'boolean') return value === true || value === 'true'
  return label === 'long' || label === 'int' ? Number(value) : value
}

/** Dots make objects; those of a client id have a backslash before them. */
function set(claims: Record<string, unknown>, name: string, value: unknown): void {
  const path = name.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))
  let at = claims
  for (const part of path.slice(0, -1)) {
    at[part] ??= {}
    at = at[part] as Record<string, unknown>
  }
  at[path.at(-1) ?? ''] = value
}

/** A UUID of version 3 of the sector, the id and the salt. */
function pairwise(client: Json, id: string, salt: string): string {
  const sector = new URL(client.redirectUris[0]).hostname
  const digest = createHash('sha256').update(sector).update(id).update(salt).digest()
  const bytes = createHash('md5').update(digest).digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x30
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Without order and times: texts of scopes and lists are sorted, and what differs each time is left out. */
export function comparable(claims: Claims): Claims {
  const left = ['exp', 'iat', 'jti', 'auth_time', 'sid', 'at_hash', 'nonce', 'grant_id']
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted).sort()
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, each]) => [name, sorted(each)]),
    )
  }
  const entries = Object.entries(claims).filter(([name, value]) => !left.includes(name) && value !== undefined)
  const shown = entries.map(([name, value]): [string, unknown] => {
    if (name === 'scope' && typeof value === 'string') return [name, value.split(' ').sort().join(' ')]
    return [name, name === 'aud' && typeof value === 'string' ? [value] : value]
  })
  return sorted(Object.fromEntries(shown)) as Claims
}
