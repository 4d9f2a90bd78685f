/** Keys of clients, and what they sign (RFC 7523). */
import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import type { Client } from '../../src/protocol/client/client.ts'
import {
  type ClientAlgorithm,
  type ClientMetadata,
  defaultClientMetadata,
} from '../../src/protocol/client/client-metadata.ts'
import { testClient } from './service.ts'

export type ClientKey = {
  readonly algorithm: ClientAlgorithm
  readonly publicJwk: JWK & Record<string, unknown>
  /** Signs the claims as they are. */
  sign(claims: JWTPayload, header?: Readonly<Record<string, unknown>>): Promise<string>
}

export async function clientKey(algorithm: ClientAlgorithm = 'ES256', kid: string = randomUUID()): Promise<ClientKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const publicJwk = { ...(await exportJWK(publicKey)), kid }
  return {
    algorithm,
    publicJwk,
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid, ...header }).sign(privateKey),
  }
}

/** A client that signs with these keys, and acts for itself. */
export function keyClient(id: string, keys: readonly ClientKey[], metadata: Partial<ClientMetadata> = {}): Client {
  return testClient({
    id,
    authentication: { method: 'private_key_jwt' },
    grantTypes: ['client_credentials'],
    redirectUris: [],
    postLogoutRedirectUris: [],
    scopes: ['demo_api'],
    metadata: {
      ...defaultClientMetadata,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: keys.map(({ publicJwk }) => publicJwk) },
      ...metadata,
    },
  })
}

/** The claims of an assertion of this client; undefined members are left out. */
export function assertionClaims(
  clientId: string,
  issuer: string,
  nowMs: number,
  change: Readonly<Record<string, unknown>> = {},
): JWTPayload {
  const now = Math.floor(nowMs / 1000)
  return { iss: clientId, sub: clientId, aud: issuer, jti: randomUUID(), exp: now + 60, ...change }
}

export function assertionFields(assertion: string): Readonly<Record<string, string>> {
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  }
}
