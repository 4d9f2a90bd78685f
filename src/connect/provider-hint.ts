/** `kc_idp_hint` of the preset `keycloak`: an authorization request that names the external provider at which the person is to sign in. */
import type { AuthorizationRequest } from '../protocol/authorization-request/authorization-request.ts'
import type { ExternalProvider } from '../providers/provider.ts'
import type { Service } from '../service.ts'

/** Returns the provider that the request names; undefined: none that is configured, so that the person chooses. */
export function hintedProvider(
  { providers, settings }: Pick<Service, 'providers' | 'settings'>,
  { providerHint }: Pick<AuthorizationRequest, 'providerHint'>,
): ExternalProvider | undefined {
  if (settings.oauth.endpointAliases.preset !== 'keycloak' || providerHint === null) return undefined
  return providers.find(providerHint)
}
