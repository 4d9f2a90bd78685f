import { hashSecret, secretMatches } from './opaque.ts'

/** Compares a client secret, as it came, with the stored hash of the registered one, in constant time. */
export function clientSecretMatches(secret: string, secretHash: string): boolean {
  return secretMatches(hashSecret(secret), secretHash)
}
