import { type Refusal, refuse } from '../refusals/index.ts'
import type { AuthenticationDetail, AuthenticationRegistration, VerificationContext } from './method.ts'

/** A generated secret, sent in the header or in the body (RFC 6749 §2.3.1). Times are epoch milliseconds. */
export type SecretAuthentication = {
  readonly method: 'client_secret'
  /** SHA-256 of the generated 256-bit secret, base64url; or a hash that another system made (`secrets/foreign-hash.ts`). */
  readonly secretHash: string
  /** The secret before the last rotation, while both are valid; null: none. */
  readonly previousSecret: { readonly hash: string; readonly endsAtMs: number } | null
}

export type SecretCredentials = {
  readonly method: 'client_secret_basic' | 'client_secret_post'
  readonly clientId: string
  readonly secret: string
  /** The secret as it was sent, where it may not have been form-encoded. */
  readonly rawSecret?: string
  /** Whether the secret cannot have been form-encoded, and is taken as it was sent. */
  readonly isUnencoded?: boolean
}

export const sharedSecret: AuthenticationRegistration<SecretAuthentication> = {
  register: (before, newSecretHash) =>
    before ?? { method: 'client_secret', secretHash: newSecretHash, previousSecret: null },
  refuseOther: (detail) => refuse('client_secret_missing', 'client_secret', detail),
}

export function verifySecret(
  { secret, rawSecret, isUnencoded = false }: SecretCredentials,
  { secretHash, previousSecret }: SecretAuthentication,
  detail: AuthenticationDetail,
  { secretMatches, nowMs }: VerificationContext,
): Refusal | undefined | Promise<Refusal | undefined> {
  const isOverlapping = previousSecret !== null && nowMs < previousSecret.endsAtMs
  const secrets = rawSecret === undefined ? [secret] : [secret, rawSecret]
  // Compares with every hash, so that the time does not reveal which one matches.
  const matches = [secretHash, ...(isOverlapping ? [previousSecret.hash] : [])].map((hash) =>
    secretMatches(secrets, hash),
  )
  const both =
    rawSecret === undefined ? undefined : 'the secret in the header was compared form-decoded, and as it was sent'
  const rule = isUnencoded ? 'the secret in the header is not form-encoded, and was compared as it was sent' : both
  const wrong = rule === undefined ? detail : { ...detail, rule }
  const outcome = (all: readonly boolean[]): Refusal | undefined =>
    all.includes(true) ? undefined : refuse('client_secret_wrong', 'client_secret', wrong)
  const areReady = matches.every((one) => typeof one === 'boolean')
  return areReady ? outcome(matches) : Promise.all(matches).then(outcome)
}
