/** Secrets of authenticator apps, sealed under a secret of the key ring. */
import type { KeyRing } from '../keys/key-ring.ts'
import { sealText, unsealText } from './sealed.ts'

const sealLabel = 'latchkey authenticator app v1'

/** Seals the secret of an authenticator app for storage. */
export function sealTotpSecret(keys: KeyRing, secret: string, random: (bytes: number) => Uint8Array): string {
  return sealText(keys, 'factor', sealLabel, secret, random)
}

/** Returns the secret; undefined: nothing that was sealed. */
export function unsealTotpSecret(keys: KeyRing, sealed: string): string | undefined {
  return unsealText(keys, 'factor', sealLabel, sealed)
}
