import { shownClaim } from '../authorization-request/compact-jws.ts'
import { hmacAlgorithms, secretBytesAtLeast } from '../client/hmac-algorithms.ts'
import { refuse } from '../refusals/index.ts'
import type { SecretAuthentication } from './client-secret.ts'
import type { AuthenticationRegistration, ClientAuthenticationMethod } from './method.ts'
import { type AssertionCredentials, judgeClaims } from './private-key-jwt.ts'

/** Begins what is stored of a secret that is kept sealed (`secrets/sealed-secret.ts`). */
const sealedPrefix = 'sealed:'

/** Why a secret cannot be used with any of the algorithms, as the end of a sentence; undefined: it can. */
export function signingSecretFault(secret: string): string | undefined {
  const bytes = Buffer.byteLength(secret)
  return bytes >= secretBytesAtLeast.HS256
    ? undefined
    : `has ${bytes} bytes, and HS256 needs ${secretBytesAtLeast.HS256} at least (RFC 7518 §3.2)`
}

/** An assertion that the client's secret signed (RFC 7523 §2.2, OpenID Connect Core §9, §10.1). */
export const clientSecretJwt: ClientAuthenticationMethod<AssertionCredentials, SecretAuthentication> = {
  registeredAs: 'client_secret',
  // Read with the other assertions: the algorithm tells them apart.
  read: () => undefined,
  verify({ assertion, algorithm: received, claims }, { secretHash, previousSecret }, detail, context) {
    const registered: string | null = context.metadata.token_endpoint_auth_signing_alg
    const permitted = hmacAlgorithms.filter((one) => registered === null || one === registered)
    const algorithm = permitted.find((one) => one === received)
    if (algorithm === undefined) {
      const shown = { received: shownClaim(received), permitted }
      return refuse('client_assertion_algorithm', 'client_assertion', { ...detail, ...shown })
    }
    const refusal = judgeClaims(claims, detail, context)
    if (refusal !== undefined) return refusal
    const isOverlapping = previousSecret !== null && context.nowMs < previousSecret.endsAtMs
    const faults = [secretHash, ...(isOverlapping ? [previousSecret.hash] : [])].map((stored) =>
      context.macFault(assertion, algorithm, secretBytesAtLeast[algorithm], stored),
    )
    return faults.includes(undefined)
      ? undefined
      : refuse('client_assertion_signature', 'client_assertion', { ...detail, rule: faults[0] ?? '' })
  },
}

/** Its registration: the secret is made anew for a client that had another method, because a hash cannot be turned back. */
export const sealedSecret: AuthenticationRegistration<SecretAuthentication> = {
  register: (before, newSecret) => before ?? { method: 'client_secret', secretHash: newSecret, previousSecret: null },
  refuseOther: (detail) =>
    refuse('client_method_unregistered', '', { ...detail, registeredMethod: 'client_secret_jwt' }),
}

/** Whether a stored secret is sealed, and not a hash. */
export function isSealed(stored: string): boolean {
  return stored.startsWith(sealedPrefix)
}
