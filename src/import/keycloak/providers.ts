/** Identity providers of a realm: what to set for each, so that people get in through it as before. */
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import type { ImportFinding } from '../../storage/port/imports.ts'
import { type MemberTable, unkept } from '../members.ts'
import { findingsOf } from '../source.ts'
import { listIn } from './realm-file.ts'

/** Issuers of providers that Keycloak has by name. */
const issuers: Readonly<Record<string, string | null>> = {
  ...{ google: 'https://accounts.google.com', microsoft: 'https://login.microsoftonline.com/TENANT/v2.0' },
  ...{ gitlab: 'https://gitlab.com', 'linkedin-openid-connect': 'https://www.linkedin.com/oauth', github: null },
}

const providerMembers: MemberTable = {
  nested: ['config'],
  members: {
    ...{ alias: 'used', internalId: 'noted', providerId: 'used', types: 'noted', updateProfileFirstLoginMode: 'noted' },
    ...{ displayName: 'used', 'config.clientId': 'used', 'config.clientSecret': 'used', 'config.issuer': 'used' },
    ...{ 'config.authorizationUrl': 'used', 'config.tokenUrl': 'used', 'config.userInfoUrl': 'used' },
    ...{
      'config.clientAuthMethod': 'used',
      'config.defaultScope': 'used',
      'config.syncMode': 'noted',
      'config.jwksUrl': 'noted',
    },
    ...{
      'config.useJwksUrl': 'noted',
      'config.validateSignature': 'noted',
      'config.pkceEnabled': 'noted',
      'config.pkceMethod': 'noted',
    },
    ...{ 'config.metadataDescriptorUrl': 'noted', 'config.logoutUrl': 'noted', firstBrokerLoginFlowAlias: 'noted' },
    enabled: { reason: 'It was switched off there: leave it out.', severity: 'risk', silent: [true] },
    trustEmail: {
      reason: 'Addresses count as confirmed where the provider says so (email_verified).',
      severity: 'changed',
    },
    storeToken: { reason: 'Tokens of providers are not kept.', severity: 'lost' },
    addReadTokenRoleOnCreate: { reason: 'Tokens of providers are not kept.', severity: 'lost' },
    linkOnly: { reason: 'Who is not linked may register by it here.', severity: 'risk' },
    hideOnLogin: { reason: 'Every provider has a button.', severity: 'changed' },
    'config.hideOnLoginPage': { reason: 'Every provider has a button.', severity: 'changed' },
    authenticateByDefault: { reason: 'People choose on the sign-in page.', severity: 'changed' },
    postBrokerLoginFlowAlias: { reason: 'Steps after a sign-in by a provider do not come.', severity: 'risk' },
  },
}

export function providerFindings(realm: JsonObject): ImportFinding[] {
  return [
    ...listIn(realm.identityProviders).flatMap(ofProvider),
    ...listIn(realm.identityProviderMappers).map(ofMapper),
  ]
}

function ofProvider(provider: JsonObject): ImportFinding[] {
  const alias = String(provider.alias)
  const type = String(provider.providerId)
  const config = isObject(provider.config) ? provider.config : {}
  const about = { kind: 'provider', source: alias, member: '' } as const
  if (type === 'saml') {
    const reason = `${alias} is a provider of SAML, which Latchkey does not ask. Who signed in by it needs another way, such as a password.`
    return [{ ...about, severity: 'lost', reason }]
  }
  const issuer = config.issuer || issuers[type]
  const lines = [
    ['ClientId', config.clientId],
    // A report has no secrets.
    ['ClientSecret', config.clientSecret === undefined ? undefined : 'SECRET'],
    ['Issuer', issuer],
    ['DisplayName', provider.displayName],
    ['AuthorizationEndpoint', issuer ? undefined : config.authorizationUrl],
    ['TokenEndpoint', issuer ? undefined : config.tokenUrl],
    ['UserInfoEndpoint', issuer ? undefined : config.userInfoUrl],
    ['TokenEndpointAuthMethod', methods[String(config.clientAuthMethod)]],
  ].filter(([, value]) => typeof value === 'string' && value !== '')
  const settings = lines.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`).join(', ')
  const reason =
    `${alias} is set in latchkey.json, with this name in any case, below OAuth:External, and with the address ` +
    `/callback/login/${alias} at the provider.${spelling(alias)} Links of people come, and are found by the name.`
  const command = /^[\w.-]+$/.test(alias) ? { command: `{"OAuth": {"External": {"${alias}": {${settings}}}}}` } : {}
  const more = findingsOf('provider', alias, unkept(providerMembers, provider))
  return [{ ...about, severity: 'held', reason, ...command }, ...more]
}

/** Variables have no dash, so that `_` stands for one in them (`settings/provider-names.ts`). */
function spelling(alias: string): string {
  if (alias.includes('_')) return ' Name it in the file: in the environment alone _ stands for -.'
  if (!alias.includes('-')) return ''
  return ` In the environment _ stands for -, as in OAuth__External__${alias.replaceAll('-', '_')}__ClientSecret.`
}

const methods: Readonly<Record<string, string>> = {
  ...{
    client_secret_post: 'client_secret_post',
    client_secret_basic: 'client_secret_basic',
    private_key_jwt: 'private_key_jwt',
  },
}

function ofMapper({ name, identityProviderAlias, identityProviderMapper }: JsonObject): ImportFinding {
  return {
    ...{
      kind: 'mapper',
      source: `${identityProviderAlias}: ${name}`,
      member: String(identityProviderMapper),
      severity: 'lost',
    },
    reason: `What ${identityProviderAlias} says of people does not become attributes or roles.`,
  }
}
