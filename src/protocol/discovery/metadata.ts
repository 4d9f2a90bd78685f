/**
 * The metadata of the authorization server.
 *
 * Belongs here: what the service says of itself (RFC 8414, OpenID Connect Discovery 1.0).
 * Belongs elsewhere: the lists that it states, which come from the registries of grant types and authentication methods.
 */

import { responseModeNames } from '../authorization-request/response-mode.ts'
import { authenticationClasses } from '../claims/authentication-methods.ts'
import { personClaims } from '../claims/standard-claims.ts'
import type { ClientAlgorithm } from '../client/client-metadata.ts'
import { hmacAlgorithms } from '../client/hmac-algorithms.ts'
import { clientAlgorithms, offeredAlgorithms } from '../client/signing-algorithms.ts'
import { clientAuthenticationMethods } from '../client-authentication/index.ts'
import { grantTypes } from '../grant/grant-types.ts'
import { builtInScopes } from '../scope/scope.ts'
import { proofAlgorithms } from '../token/dpop.ts'
import { aliasesAt } from './endpoint-aliases.ts'
import { type AliasPreset, type EndpointAliases, type EndpointName, keycloakPages, namedPath } from './endpoints.ts'
import { baseOf, resourceBelow } from './issuer.ts'

/** Claims that tokens have without any rule. */
const ownClaims: readonly string[] = [
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'azp', 'at_hash', 'sid'],
  ...personClaims,
]

/**
 * Returns the discovery document, with members of RFC 8414 §2 and OpenID Connect Discovery §3. `signingAlgorithms`: those
 * whose key is in the key set. `ruledClaims`: what rules put into id tokens and userinfo.
 */
export function metadataFor(
  settings: {
    readonly issuer: string
    readonly aliases?: EndpointAliases
    readonly endpointAliases?: { readonly preset: AliasPreset }
    readonly postQuantum: boolean
    readonly dynamicRegistration?: 'off' | 'token' | 'open'
    readonly clientIdMetadataDocuments?: boolean
    readonly mtls: { readonly clientCertificateHeader: string | null; readonly address?: string | null }
  },
  registeredScopes: readonly string[] = [],
  signingAlgorithms: readonly ClientAlgorithm[] = [],
  ruledClaims: readonly string[] = [],
): Readonly<Record<string, string | boolean | readonly string[] | Readonly<Record<string, string>>>> {
  const { issuer, mtls } = settings
  const algorithms = offeredAlgorithms(settings.postQuantum, signingAlgorithms)
  const certificates = mtls.clientCertificateHeader !== null
  const authenticationMethods = clientAuthenticationMethods(certificates)
  const assertionAlgorithms = [...clientAlgorithms(settings.postQuantum), ...hmacAlgorithms]
  const { dynamicRegistration: registration = 'off' } = settings
  const at = (name: EndpointName): string => `${baseOf(issuer)}${namedPath(name, settings)}`
  return {
    issuer,
    authorization_endpoint: at('authorization'),
    token_endpoint: at('token'),
    pushed_authorization_request_endpoint: at('pushed_authorization_request'),
    userinfo_endpoint: at('userinfo'),
    end_session_endpoint: at('end_session'),
    revocation_endpoint: at('revocation'),
    device_authorization_endpoint: at('device_authorization'),
    introspection_endpoint: at('introspection'),
    ...(registration === 'off' ? {} : { registration_endpoint: at('registration') }),
    jwks_uri: at('jwks'),
    ...(settings.endpointAliases?.preset === 'keycloak'
      ? { check_session_iframe: resourceBelow(issuer, keycloakPages.loginStatus) }
      : {}),
    grant_types_supported: grantTypes,
    response_types_supported: ['code'],
    response_modes_supported: responseModeNames,
    scopes_supported: [...builtInScopes, ...registeredScopes],
    claims_supported: [...ownClaims, ...ruledClaims.filter((claim) => !ownClaims.includes(claim))],
    id_token_signing_alg_values_supported: algorithms,
    userinfo_signing_alg_values_supported: algorithms,
    authorization_signing_alg_values_supported: algorithms,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: proofAlgorithms,
    subject_types_supported: ['public', 'pairwise'],
    prompt_values_supported: ['login', 'consent', 'select_account', 'none'],
    token_endpoint_auth_methods_supported: authenticationMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: authenticationMethods,
    claims_parameter_supported: true,
    acr_values_supported: authenticationClasses.toReversed(),
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    ...(certificates ? { tls_client_certificate_bound_access_tokens: true } : {}),
    ...(mtls.address ? { mtls_endpoint_aliases: aliasesAt(mtls.address, settings) } : {}),
    introspection_endpoint_auth_methods_supported: authenticationMethods.filter((method) => method !== 'none'),
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_signing_alg_values_supported: algorithms,
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: clientAlgorithms(settings.postQuantum),
    request_uri_parameter_supported: false,
    require_request_uri_registration: false,
    require_pushed_authorization_requests: false,
    require_signed_request_object: false,
    ...(settings.clientIdMetadataDocuments === true ? { client_id_metadata_document_supported: true } : {}),
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  }
}

/** What the console signs in by, so that it need not ask for the metadata first. Its id tokens are signed as the settings say now. */
export function consoleMetadata(settings: Parameters<typeof metadataFor>[0]) {
  const { issuer, authorization_endpoint, token_endpoint, authorization_response_iss_parameter_supported } =
    metadataFor(settings)
  return {
    ...{ issuer, authorization_endpoint, token_endpoint, authorization_response_iss_parameter_supported },
    id_token_signing_alg_values_supported: clientAlgorithms(settings.postQuantum),
  }
}
