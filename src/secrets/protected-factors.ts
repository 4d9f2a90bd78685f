/** How second factors of an import are stored. */
import type { KeyRing } from '../keys/key-ring.ts'
import { protectRecoveryCode } from './recovery-codes.ts'
import { type CodeForm, sealTotpSecret, withForm } from './totp.ts'

export function factorProtection(keys: KeyRing, userId: string, random: (bytes: number) => Uint8Array) {
  return {
    app: (secret: string, form?: CodeForm) =>
      sealTotpSecret(keys, form === undefined ? secret : withForm(secret, form), random),
    code: (code: string) => protectRecoveryCode(keys, userId, code, random),
  }
}
