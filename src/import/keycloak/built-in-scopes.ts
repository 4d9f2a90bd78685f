/** Client scopes that every realm of Keycloak has: which of them clients may request here, and what their mappers are here. */
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import { standardScopes } from '../../protocol/scope/scope-registration.ts'
import type { ImportFinding } from '../../storage/port/imports.ts'
import type { SourceRecord } from '../source.ts'
import { mapperRules } from './mappers.ts'
import { listIn } from './realm-file.ts'

export const builtIn: readonly string[] = [
  ...['acr', 'address', 'basic', 'email', 'microprofile-jwt', 'offline_access', 'organization', 'phone', 'profile'],
  ...['role_list', 'roles', 'saml_organization', 'service_account', 'web-origins', 'AuthnContextClassRef'],
]

/** Those of them that clients may request here as well. */
export const shared: readonly string[] = ['address', 'email', 'offline_access', 'phone', 'profile']

/** Mappers of the scopes without claims of people, by their types. Others are a company's own. */
const known: Readonly<Record<string, RegExp>> = {
  acr: /^oidc-acr-mapper$/,
  'web-origins': /^oidc-allowed-origins-mapper$/,
  roles: /^oidc-(?:audience-resolve|usermodel-(?:client|realm)-role)-mapper$/,
  basic: /^oidc-(?:sub|usersessionmodel-note)-mapper$/,
  service_account: /^oidc-usersessionmodel-note-mapper$/,
  organization: /^oidc-organization-membership-mapper$/,
  'microprofile-jwt': /^oidc-usermodel-(?:attribute|realm-role)-mapper$/,
}

/** What tokens lack that have a scope without claims of people. */
const lacking: Readonly<Record<string, string>> = {
  'microprofile-jwt':
    'Applications that ask for microprofile-jwt get neither upn nor groups. A rule puts each into the tokens of one: ' +
    'latchkey client claim add ID upn --from username --in access_token, and groups --from roles.',
  service_account: 'Tokens of applications for themselves have client_id, and neither clientHost nor clientAddress.',
}

/** What mappers of those scopes set. One that sets something else is a company's own. */
const claimsKnown = new Set(
  'realm_access.roles auth_time client_id clientHost clientAddress organization upn groups'.split(' '),
)

/** Claims of tokens of the shape `keycloak`, by the fields there. The last one follows from changes here. */
const inShape: Readonly<Record<string, string>> = {
  ...{ firstName: 'given_name', lastName: 'family_name', username: 'preferred_username', email: 'email' },
  ...{ emailVerified: 'email_verified', updatedAt: 'updated_at' },
}

/** Returns the rules of a standard scope, or what a company added to another one; undefined: there is nothing to say. */
export function builtInScope(line: number, name: string, mappers: unknown): SourceRecord | undefined {
  const standard = standardScopes.find((one) => one.name === name)
  if (standard !== undefined && shared.includes(name)) {
    const own = listIn(mappers).filter(({ config }) => !isInShape(isObject(config) ? config : {}))
    const { rules: claims, resources, findings } = mapperRules('scope', name, own)
    if (claims.length === 0 && resources.length === 0 && findings.length === 0) return undefined
    return { line, scope: { ...standard, resources, claims, isStandard: true }, findings }
  }
  const added = listIn(mappers).filter(({ protocolMapper, config }) => {
    const claim = isObject(config) ? config['claim.name'] : undefined
    const isOurs = typeof claim !== 'string' || claimsKnown.has(claim) || claim.startsWith('resource_access.')
    return !(isOurs && known[name]?.test(String(protocolMapper)) === true)
  })
  const findings: ImportFinding[] = added.map((mapper) => ({
    ...{ kind: 'mapper', source: `${name}: ${mapper.name}`, member: String(mapper.protocolMapper), severity: 'lost' },
    reason: `The scope ${name} has no rules here: put the claim into a scope of your own, or into the application.`,
  }))
  const lacks = listIn(mappers).length > 0 ? lacking[name] : undefined
  if (lacks !== undefined) {
    findings.push({ kind: 'scope', source: name, member: 'protocolMappers', severity: 'lost', reason: lacks })
  }
  return findings.length === 0 ? undefined : { line, noted: true, findings }
}

/** The name there is that of the mapper for the full name, which has no name of a claim. */
function isInShape(config: JsonObject): boolean {
  const field = String(config['user.attribute'] ?? '')
  return Object.hasOwn(inShape, field) && inShape[field] === config['claim.name']
}
