/** Checks of `latchkey doctor` about external providers. */

import { type Finding, ok, warning } from '../../finding.ts'
import { spelledProviders } from '../../settings/provider-names.ts'
import type { ExternalProviderSettings, Settings } from '../../settings/settings.ts'

/** Reads the metadata of every provider that has some, and says which ones variables spell in another way. */
export async function checkProviders(
  { oauth, outbound }: Settings,
  clock: () => number,
  deadlineMs = 10_000,
): Promise<Finding[]> {
  const spelled = spelledProviders({ oauth }).map((line) => ok('providers', line))
  const discovered = oauth.external.filter(({ issuer }) => issuer !== null)
  if (discovered.length === 0) return spelled
  const [{ sendBy }, { boundedFetch }, { authMethodOf, isAnnounced }, { providerMetadata }] = await Promise.all([
    import('../../outbound/send.ts'),
    import('../../providers/bounded-fetch.ts'),
    import('../../providers/client-authentication.ts'),
    import('../../providers/metadata.ts'),
  ])
  const read = (provider: ExternalProviderSettings) =>
    providerMetadata(provider, clock)(boundedFetch(deadlineMs, sendBy(outbound)))
  const check = async (provider: ExternalProviderSettings): Promise<Finding> => {
    const { name } = provider
    try {
      const { token_endpoint_auth_methods_supported: supported } = await read(provider)
      const method = authMethodOf(provider, supported)
      if (isAnnounced(method, supported)) return ok('providers', `The provider ${name} answers, and takes ${method}.`)
      const names = supported?.join(', ') ?? 'client_secret_basic'
      const message = `The provider ${name} is sent ${method} at its token endpoint, and announces ${names}.`
      return warning('providers', message, `Set OAuth:External:${name}:TokenEndpointAuthMethod to one that it takes.`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const message = `The metadata of the provider ${name} cannot be read: ${reason}`
      return warning('providers', message, `Check OAuth:External:${name}:Issuer, and the way there.`)
    }
  }
  return [...spelled, ...(await Promise.all(discovered.map(check)))]
}
