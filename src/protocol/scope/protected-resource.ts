/** Metadata of protected resources (RFC 9728). */
import { baseOf, wellKnownPath } from '../discovery/issuer.ts'
import { proofAlgorithms } from '../token/dpop.ts'
import { sampleResource } from './resource.ts'

/** The address of the metadata of the sample API: the well-known path goes in front of the path of the resource (§3.1). */
export function sampleResourceMetadataUri(issuer: string): string {
  return `${baseOf(issuer)}${wellKnownPath(issuer, 'oauth-protected-resource', '/weatherforecast').slice(1)}`
}

/** Returns the metadata of the sample API (§2). */
export function sampleResourceMetadata(issuer: string): Readonly<Record<string, string | boolean | readonly string[]>> {
  return {
    resource: sampleResource(issuer),
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: proofAlgorithms,
    dpop_bound_access_tokens_required: false,
    resource_name: 'Weather forecast',
  }
}
