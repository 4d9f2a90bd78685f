/** Mappers of Keycloak as rules of claims (claims and groups, section 3). */
import type { ClaimForm, ClaimPlace, ClaimRule } from '../../protocol/claims/claim-rules.ts'
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import type { ImportFinding } from '../../storage/port/imports.ts'
import { jsonOf } from '../source.ts'
import { audienceOf, audienceType } from './audience.ts'
import { listIn } from './realm-file.ts'

export type MapperRules = {
  readonly rules: readonly ClaimRule[]
  /** What access tokens are for. */
  readonly resources: readonly string[]
  readonly isPairwise: boolean
  readonly findings: readonly ImportFinding[]
}

/** Standard claims by the names that fields of people have there. */
const standard: Readonly<Record<string, string>> = {
  ...{ email: 'email', firstName: 'given_name', lastName: 'family_name', emailVerified: 'email_verified' },
  ...{ middleName: 'middle_name', nickname: 'nickname', profile: 'profile', picture: 'picture', website: 'website' },
  ...{ gender: 'gender', birthdate: 'birthdate', zoneinfo: 'zoneinfo', locale: 'locale', updatedAt: 'updated_at' },
  ...{ phoneNumber: 'phone_number', phoneNumberVerified: 'phone_number_verified' },
}

/** Those whose effect the shape of the tokens has. */
const inShape =
  /^oidc-(?:audience-resolve|allowed-origins|full-name|sub|acr|session-state|nonce-backwards-compatible|amr|client-scope-evaluation)-?mapper$/

/** `owner`: the scope or client that has them. */
export function mapperRules(ownerKind: 'client' | 'scope', owner: string, mappers: unknown): MapperRules {
  const rules: ClaimRule[] = []
  const resources: string[] = []
  const findings: ImportFinding[] = []
  let isPairwise = false
  for (const mapper of listIn(mappers)) {
    const type = String(mapper.protocolMapper)
    const config = isObject(mapper.config) ? mapper.config : {}
    const source = `${owner}: ${mapper.name}`
    const lost = (reason: string) => findings.push({ kind: 'mapper', source, member: type, severity: 'lost', reason })
    if (type === 'oidc-sha256-pairwise-sub-mapper') isPairwise = true
    else if (type === audienceType) {
      const named = audienceOf(config)
      const changed = (member: string, reason: string) =>
        findings.push({ kind: 'mapper', source, member, severity: 'changed', reason })
      if (named === undefined) lost('It names no audience.')
      else if (config['access.token.claim'] === 'true') {
        resources.push(named)
        if (ownerKind === 'client') {
          const scope = `${owner}-audience`
          changed(type, `${named} is in aud by a scope that it has unasked, ${scope}, which scope of its tokens names.`)
        }
      }
      if (named !== undefined && config['id.token.claim'] === 'true') {
        changed('id.token.claim', `${named} is not in aud of id tokens, which are for the application alone.`)
      }
    } else if (!inShape.test(type)) {
      const rule = ruleOf(type, config)
      if ('reason' in rule) lost(rule.reason)
      else rules.push(rule)
    }
  }
  return { rules, resources, isPairwise, findings }
}

const addressType = 'oidc-address-mapper'

type Unfit = { readonly reason: string }

function ruleOf(type: string, config: JsonObject): ClaimRule | Unfit {
  const claim = type === addressType ? 'address' : config['claim.name']
  const from = sourceOf(type, config)
  if (typeof from !== 'string') return from
  if (typeof claim !== 'string' || claim === '') return { reason: 'It has no name of a claim.' }
  const places = placesOf(config)
  if (places.length === 0) return { reason: 'It puts its claim nowhere.' }
  return { claim, from, in: places, as: formOf(type, config) }
}

function sourceOf(type: string, config: JsonObject): string | Unfit {
  const field = String(config['user.attribute'] ?? '')
  switch (type) {
    case 'oidc-usermodel-attribute-mapper':
    case 'oidc-usermodel-property-mapper':
      if (field === 'username') return 'username'
      if (field === 'id') return 'id'
      return Object.hasOwn(standard, field) ? `claim:${standard[field]}` : `attribute:${attributeName(field)}`
    case addressType:
      return 'claim:address'
    case 'oidc-group-membership-mapper':
      return config['full.path'] === 'false' ? 'groups:names' : 'groups'
    case 'oidc-usermodel-realm-role-mapper':
      if (config['usermodel.realmRoleMapping.rolePrefix']) return { reason: 'Roles get no prefix here.' }
      return 'roles'
    case 'oidc-usermodel-client-role-mapper': {
      const client = config['usermodel.clientRoleMapping.clientId']
      if (config['usermodel.clientRoleMapping.rolePrefix']) return { reason: 'Roles get no prefix here.' }
      return client ? `roles:${client}` : { reason: 'A rule has the roles of one client: name it.' }
    }
    case 'oidc-hardcoded-claim-mapper': {
      const text = String(config['claim.value'] ?? '')
      const value = config['jsonType.label'] === 'String' ? text : jsonOf(text)
      return `constant:${JSON.stringify(value ?? text)}`
    }
    default:
      return { reason: `Latchkey has no rule for what ${type} does.` }
  }
}

/** Attributes are declared by names of small letters. */
function attributeName(field: string): string {
  return field
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
}

function placesOf(config: JsonObject): ClaimPlace[] {
  const isOn = (name: string) => config[name] === 'true'
  return [
    ...(isOn('id.token.claim') ? (['id_token'] as const) : []),
    ...(isOn('access.token.claim') ? (['access_token'] as const) : []),
    ...(isOn('userinfo.token.claim') ? (['userinfo'] as const) : []),
    ...(isOn('introspection.token.claim') && !isOn('access.token.claim') ? (['introspection'] as const) : []),
  ]
}

function formOf(type: string, config: JsonObject): ClaimForm {
  if (type === 'oidc-hardcoded-claim-mapper' || type === addressType || config.multivalued === 'true') return 'auto'
  if (/group|role/.test(type)) return 'list'
  return config['jsonType.label'] === 'JSON' ? 'json' : 'first'
}
