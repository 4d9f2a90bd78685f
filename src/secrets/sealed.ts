/** Sealed texts: they pass through a browser, and only this service can read them, under a secret of the key ring. */
import type { KeyRing, SecretUse } from '../keys/key-ring.ts'
import { seal, unseal } from './seal.ts'

/**
 * Returns `<secret id>.<sealed text>`. `label` separates uses: a value sealed for one use does not open for another.
 */
export function sealText(
  keys: Pick<KeyRing, 'secret'>,
  use: SecretUse,
  label: string,
  text: string,
  random: (bytes: number) => Uint8Array,
): string {
  const secret = keys.secret(use)
  return `${secret.id}.${seal(secret.bytes, label, text, random)}`
}

/** Returns the sealed text; undefined for any invalid value. */
export function unsealText(
  keys: Pick<KeyRing, 'secretById'>,
  use: SecretUse,
  label: string,
  value: string,
): string | undefined {
  const dot = value.indexOf('.')
  if (dot < 1) return undefined
  const secret = keys.secretById(use, value.slice(0, dot))
  return secret && unseal(secret.bytes, label, value.slice(dot + 1))
}
