/** Client scopes of Keycloak: those of a company come, those of every realm are part of what Latchkey does. */
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import type { ImportFinding } from '../../storage/port/imports.ts'
import { type MemberTable, unkept } from '../members.ts'
import { findingsOf, type SourceRecord } from '../source.ts'
import { mapperRules } from './mappers.ts'
import { listIn, textsIn } from './realm-file.ts'

const builtIn: readonly string[] = [
  ...['acr', 'address', 'basic', 'email', 'microprofile-jwt', 'offline_access', 'organization', 'phone', 'profile'],
  ...['role_list', 'roles', 'saml_organization', 'service_account', 'web-origins', 'AuthnContextClassRef'],
]
/** Those of them that clients may request here as well. */
const shared: readonly string[] = ['address', 'email', 'offline_access', 'phone', 'profile', 'roles']

/** Mappers that scopes of every realm have, by their types; others are a company's own. */
const builtInMappers: Readonly<Record<string, RegExp>> = {
  profile: /^oidc-(?:full-name|usermodel-(?:attribute|property))-mapper$/,
  email: /^oidc-usermodel-(?:attribute|property)-mapper$/,
  phone: /^oidc-usermodel-attribute-mapper$/,
  roles: /^oidc-(?:audience-resolve|usermodel-(?:client|realm)-role)-mapper$/,
  basic: /^oidc-(?:sub|usersessionmodel-note)-mapper$/,
  service_account: /^oidc-usersessionmodel-note-mapper$/,
}

/** Claims of standard scopes. A mapper of another one is a company's own. */
const standardClaims = new Set(
  (
    'name given_name family_name middle_name nickname preferred_username profile picture website gender birthdate zoneinfo ' +
    'locale updated_at email email_verified phone_number phone_number_verified realm_access.roles auth_time client_id ' +
    'clientHost clientAddress'
  ).split(' '),
)

const scopeMembers: MemberTable = {
  nested: ['attributes'],
  members: {
    ...{ id: 'noted', name: 'used', description: 'used', protocol: 'used', protocolMappers: 'used' },
    'attributes.consent.screen.text': 'used',
    'attributes.display.on.consent.screen': {
      reason: 'A scope that is asked for is on the consent page.',
      silent: ['true'],
    },
    'attributes.include.in.token.scope': {
      reason: 'scope in tokens has every scope that was granted.',
      severity: 'changed',
      silent: ['true', 'false'],
    },
    'attributes.gui.order': 'noted',
    'attributes.dynamic.scope.regexp': { reason: 'Scopes with a parameter in their name are not served.' },
    'attributes.is.dynamic.scope': { reason: 'Scopes with a parameter in their name are not served.' },
  },
}

export function keycloakScope(line: number, scope: JsonObject): SourceRecord | undefined {
  const name = String(scope.name)
  if (scope.protocol !== undefined && scope.protocol !== 'openid-connect') {
    if (builtIn.includes(name)) return undefined
    return {
      line,
      fault: `The scope ${name} is of ${scope.protocol}.`,
      of: { kind: 'scope', source: name, member: 'protocol' },
    }
  }
  if (builtIn.includes(name)) return ownMappers(line, name, scope.protocolMappers)
  const { 'consent.screen.text': consentText } = isObject(scope.attributes) ? scope.attributes : {}
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)
  // A text such as ${profileScopeConsentText} names one of Keycloak's own.
  const displayName = typeof consentText === 'string' && !consentText.startsWith('${') ? text(consentText) : null
  const { rules: claims, resources, findings } = mapperRules('scope', name, scope.protocolMappers)
  const record = { name, displayName, description: text(scope.description), resources, claims }
  return { line, scope: record, findings: [...findingsOf('scope', name, unkept(scopeMembers, scope)), ...findings] }
}

/** What a company added to a scope that every realm has. The standard scopes have no rules here. */
function ownMappers(line: number, name: string, mappers: unknown): SourceRecord | undefined {
  const added = listIn(mappers).filter(({ protocolMapper, config }) => {
    const claim = isObject(config) ? config['claim.name'] : undefined
    const isKnown = builtInMappers[name]?.test(String(protocolMapper)) === true || !Object.hasOwn(builtInMappers, name)
    return (
      !isKnown ||
      (Object.hasOwn(builtInMappers, name) &&
        typeof claim === 'string' &&
        !standardClaims.has(claim) &&
        !claim.startsWith('resource_access.'))
    )
  })
  if (added.length === 0) return undefined
  const findings: ImportFinding[] = added.map((mapper) => ({
    ...{ kind: 'mapper', source: `${name}: ${mapper.name}`, member: String(mapper.protocolMapper), severity: 'lost' },
    reason: `The scope ${name} has no rules here: put the claim into a scope of your own, or into the application.`,
  }))
  return { line, noted: true, findings }
}

/** Returns those of the scopes that a client may request here. */
export function requestable(list: unknown): string[] {
  return textsIn(list).filter((scope) => !builtIn.includes(scope) || shared.includes(scope))
}

/** Returns the scopes that a client may request, and those that it has unasked. */
export function permittedScopes(client: JsonObject): JsonObject {
  const byDefault = requestable(client.defaultClientScopes)
  const all = [...new Set([...byDefault, ...requestable(client.optionalClientScopes)])]
  return { scope: all.join(' '), default_scopes: byDefault }
}
