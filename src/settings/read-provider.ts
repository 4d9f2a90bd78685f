/** Reads the settings of one external provider. */
import { type ExternalProviderSettings, type ProviderParts, propertyOf } from './settings.ts'
import { type ProviderPart, providerTable, type Setting } from './table.ts'
import type { Written, WrittenProvider } from './written.ts'

/** Returns the value of a setting, or its default. Records faults. */
export type Read = (name: string, setting: Setting<unknown>, value: Written | undefined) => unknown

/** Reads a provider; none if it has no client id. Checks its parts in either case. */
export function readProvider(
  { name, parts }: WrittenProvider,
  read: Read,
  problems: string[],
): ExternalProviderSettings[] {
  const prefix = `OAuth:External:${name}`
  const values = Object.keys(providerTable).map((part) => [
    propertyOf(part),
    read(`${prefix}:${part}`, providerTable[part as ProviderPart], parts.get(part)),
  ])
  const { clientId, clientSecret, ...others } = Object.fromEntries(values) as ProviderParts
  if (clientId === null) return []
  // The name is a segment of the redirect URI.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    problems.push(`${prefix} must have a name of letters, digits, ".", "_" and "-", at most 64 of them.`)
  }
  const endpoints = [others.authorizationEndpoint, others.tokenEndpoint, others.userInfoEndpoint]
  const isFound = others.issuer !== null || endpoints.every((endpoint) => endpoint !== null)
  if (!isFound && name.toLowerCase() !== 'github' && !parts.has('Issuer')) {
    problems.push(
      `${prefix}:Issuer must be set: only GitHub is known by its name. For a provider without OpenID Connect discovery ` +
        'set AuthorizationEndpoint, TokenEndpoint and UserInfoEndpoint instead.',
    )
  }
  const provider = { ...others, name, clientId, clientSecret: clientSecret ?? '' }
  const fault = authenticationFault(provider)
  if (fault !== undefined) problems.push(`${prefix}:${fault}`)
  return [provider]
}

/** Returns what the authentication method lacks, beginning with a part of the provider; undefined: nothing. */
function authenticationFault(provider: ExternalProviderSettings): string | undefined {
  const { clientSecret, tokenEndpointAuthMethod: method } = provider
  const needsSecret = method === 'client_secret_basic' || method === 'client_secret_post'
  return needsSecret && clientSecret === ''
    ? `ClientSecret must be set when TokenEndpointAuthMethod is ${method}.`
    : undefined
}
