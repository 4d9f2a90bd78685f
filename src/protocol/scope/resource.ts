/** Resource indicators (RFC 8707): for which APIs a token is meant. */
import { resourceBelow } from '../discovery/issuer.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { isResourceUri } from './resource-name.ts'

/** Values of `resource` in one request. */
export const maxResources = 20

/** The identifier of the sample API. Every client may ask for it. */
export function sampleResource(issuer: string): string {
  return resourceBelow(issuer, 'weatherforecast')
}

/**
 * Returns the audiences of a token. `requested`: the values of `resource`; without any, the token is meant for all of
 * `granted`. Refuses a resource that is neither among them nor the sample API (RFC 8707 §2), and one that is no URI: it
 * cannot be asked for, and a token for what was asked for is for nothing else.
 */
export function chooseResources(
  requested: readonly string[],
  granted: readonly string[],
  issuer: string,
  clientId: string,
): readonly string[] | Refusal {
  if (requested.length === 0) return granted
  const permitted = [...granted.filter(isResourceUri), sampleResource(issuer)]
  const unknown = requested.filter((resource) => !permitted.includes(resource))
  if (unknown.length > 0) {
    return refuse('resource_unknown', 'resource', { client: clientId, requested: unknown, permitted })
  }
  return [...new Set(requested)].sort()
}
