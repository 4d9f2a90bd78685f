/** In what tokens here differ from those of Keycloak, each difference with the finding of the import that names it. */
import type { ImportFinding } from '../../src/storage/port/imports.ts'
import type { Claims, Json } from './keycloak-tokens.ts'

export type Place = 'id' | 'access' | 'userinfo'
type At = { readonly client: Json; readonly realm: Json; readonly issuer: string }
type Changing = Record<string, Json>

export const isOwnRole = (role: string) => /^(?:default-roles-.*|offline_access|uma_authorization)$/.test(role)
const isOwnClient = (id: string) =>
  /^(?:account|account-console|admin-cli|broker|realm-management|security-admin-console)$/.test(id)

type Difference = {
  readonly finding: (at: At) => Pick<ImportFinding, 'kind' | 'source' | 'member' | 'severity'>
  readonly change: (place: Place, claims: Changing, at: At) => void
}

const ofClient =
  (member: string, severity: ImportFinding['severity']) =>
  ({ client }: At) => ({
    ...{ kind: 'client' as const, source: client.clientId, member, severity },
  })

const keep = (claims: Changing, name: string, values: readonly string[]) => {
  if (values.length === 0) delete claims[name]
  else claims[name] = values
}

const byMappers = (claims: Changing, { client, realm }: At) => {
  const named = new Set(
    [...(client.protocolMappers ?? []), ...realm.clientScopes.flatMap((scope: Json) => scope.protocolMappers ?? [])]
      .filter((one: Json) => one.protocolMapper === 'oidc-audience-mapper')
      .map(({ config }: Json) => config['included.custom.audience'] ?? config['included.client.audience']),
  )
  return (claims.aud ?? []).filter((one: string) => named.has(one))
}

/** In this order: each changes what the ones before it left. */
export const differences: readonly Difference[] = [
  {
    finding: ({ realm }) => ({ kind: 'realm', source: realm.realm, member: 'defaultRole', severity: 'changed' }),
    change(place, claims) {
      if (place !== 'access') return
      if (claims.realm_access !== undefined) {
        const roles = claims.realm_access.roles.filter((role: string) => !isOwnRole(role))
        if (roles.length > 0) claims.realm_access = { roles }
        else delete claims.realm_access
      }
      const own = Object.entries(claims.resource_access ?? {}).filter(([id]) => !isOwnClient(id))
      if (own.length > 0) claims.resource_access = Object.fromEntries(own)
      else delete claims.resource_access
      keep(
        claims,
        'aud',
        (claims.aud ?? []).filter((one: string) => !isOwnClient(one)),
      )
    },
  },
  {
    finding: ofClient('fullScopeAllowed', 'lost'),
    change(place, claims, at) {
      if (place !== 'access') return
      const { [at.client.clientId]: own } = claims.resource_access ?? {}
      if (own === undefined) delete claims.resource_access
      else claims.resource_access = { [at.client.clientId]: own }
      keep(claims, 'aud', byMappers(claims, at))
    },
  },
  {
    finding: ofClient('fullScopeAllowed', 'changed'),
    change(place, claims) {
      if (place === 'access') claims.realm_access = { roles: ['Team Lead', 'auditor', 'employee', 'manager'] }
    },
  },
  ...['shop', 'orders:read'].map((owner) => ({
    finding: () => ({
      ...({ kind: 'mapper', source: `${owner}: aud`, member: 'id.token.claim', severity: 'changed' } as const),
    }),
    change(place: Place, claims: Changing, { client, realm }: At) {
      if (place !== 'id') return
      const mappers =
        (realm.clientScopes.find((one: Json) => one.name === owner) ?? (client.clientId === owner ? client : {}))
          .protocolMappers ?? []
      const named = mappers.map(
        ({ config }: Json) => config['included.custom.audience'] ?? config['included.client.audience'],
      )
      keep(
        claims,
        'aud',
        claims.aud.filter((one: string) => !named.includes(one)),
      )
    },
  })),
  {
    finding: () => ({ kind: 'mapper', source: 'shop: aud', member: 'oidc-audience-mapper', severity: 'changed' }),
    change(place, claims, { client }) {
      if (place === 'access' && client.clientId === 'shop') claims.scope += ' shop-audience'
    },
  },
]

export const keyOf = ({
  kind,
  source,
  member,
  severity,
}: Pick<ImportFinding, 'kind' | 'source' | 'member' | 'severity'>) => `${severity} ${kind} ${source} ${member}`

/** Returns what the token should say here, and the findings that had a part in it. */
export function expectedHere(place: Place, there: Claims, at: At, findings: ReadonlySet<string>) {
  const claims: Changing = structuredClone(there) as Changing
  if (claims.aud !== undefined) claims.aud = [claims.aud].flat()
  const seen: string[] = []
  for (const { finding, change } of differences) {
    const key = keyOf(finding(at))
    if (!findings.has(key)) continue
    const before = JSON.stringify(claims)
    change(place, claims, at)
    if (JSON.stringify(claims) !== before) seen.push(key)
  }
  // RFC 9068 §3: without a resource the token is for the issuer.
  if (place === 'access' && byMappers(claims, at).length === 0) claims.aud = [at.issuer, ...(claims.aud ?? [])]
  return { claims: claims as Claims, seen }
}

/** What tokens have besides: claims of this service, and in more places than there. */
export const added: Readonly<Record<Place, readonly string[]>> = {
  access: ['client_id', 'role', 'cnf'],
  id: ['amr', 'realm_access', 'resource_access'],
  userinfo: ['realm_access', 'resource_access', 'updated_at', 'iss', 'aud'],
}
