/** Reads the settings of one external provider. */
import { type ExternalProviderSettings, type ProviderParts, propertyOf } from './settings.ts'
import { type ProviderPart, parameterSetting, providerTable, type Setting } from './table.ts'
import type { Written, WrittenProvider } from './written.ts'

/** Returns the value of a setting, or its default. Records faults. */
export type Read = (name: string, setting: Setting<unknown>, value: Written | undefined) => unknown

/** Reads a provider; none if it has no client id. Checks its parts in either case. */
export function readProvider(
  { name, variable, parts, parameters: writtenParameters }: WrittenProvider,
  read: Read,
  problems: string[],
): ExternalProviderSettings[] {
  const prefix = `OAuth:External:${name}`
  const values = Object.keys(providerTable).map((part) => [
    propertyOf(part),
    read(`${prefix}:${part}`, providerTable[part as ProviderPart], parts.get(part)),
  ])
  const { clientId, clientSecret, ...others } = Object.fromEntries(values) as ProviderParts
  const parameters = [...writtenParameters].map(([parameter, value]) => {
    const setting = `${prefix}:Parameters:${parameter}`
    if (ofTheFlow.has(parameter))
      problems.push(`${setting} (${value.where}) cannot be set: the sign-in sets it itself.`)
    return [parameter, read(setting, parameterSetting, value)]
  })
  if (clientId === null) return []
  // The name is a segment of the redirect URI.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    problems.push(`${prefix} must have a name of letters, digits, ".", "_" and "-", at most 64 of them.`)
  }
  const isGitHub = name.toLowerCase() === 'github'
  const endpoints = [others.authorizationEndpoint, others.tokenEndpoint, others.userInfoEndpoint]
  const isFound = others.issuer !== null || endpoints.every((endpoint) => endpoint !== null)
  if (!isFound && !isGitHub && !parts.has('Issuer')) {
    problems.push(
      `${prefix}:Issuer must be set: only GitHub is known by its name. For a provider without OpenID Connect discovery ` +
        'set AuthorizationEndpoint, TokenEndpoint and UserInfoEndpoint instead.',
    )
  }
  // Scopes of OpenID Connect mean nothing elsewhere.
  const ownScopes = isGitHub ? ['read:user', 'user:email'] : []
  const provider = {
    ...others,
    name,
    ...(variable !== undefined && { variable }),
    clientId,
    clientSecret: clientSecret ?? '',
    scopes: others.issuer === null && !parts.has('Scopes') ? ownScopes : others.scopes,
    parameters: Object.fromEntries(parameters),
  }
  problems.push(...faultsOf(provider).map((fault) => `${prefix}:${fault}`))
  return [provider]
}

/** Parameters that the flow sets, and those by which a client authenticates, which are nobody else's business. */
const ofTheFlow: ReadonlySet<string> = new Set(
  (
    'client_id redirect_uri response_type scope state nonce code_challenge code_challenge_method request request_uri ' +
    'client_secret client_assertion client_assertion_type'
  ).split(' '),
)

/** Returns what does not go together, each beginning with a part of the provider. */
function faultsOf(provider: ExternalProviderSettings): string[] {
  const { clientSecret, issuer, tokenEndpointAuthMethod: method, subjectClaim, pushedRequests } = provider
  const faults: string[] = []
  if ((method === 'client_secret_basic' || method === 'client_secret_post') && clientSecret === '') {
    faults.push(`ClientSecret must be set when TokenEndpointAuthMethod is ${method}.`)
  }
  if (issuer === null && method === 'private_key_jwt') {
    faults.push('TokenEndpointAuthMethod must not be private_key_jwt without Issuer, for which assertions are made.')
  }
  if (issuer === null && subjectClaim !== 'sub') {
    faults.push('SubjectClaim must not be set without Issuer: only OpenID Connect has id tokens.')
  }
  if (issuer === null && pushedRequests === 'always') {
    faults.push('PushedRequests must not be always without Issuer: the metadata names the endpoint for them.')
  }
  return faults
}
