/** Texts that travel through a browser and that only this service can read, under a secret of the key ring. */
import type { KeyRing, SecretUse } from '../keys/key-ring.ts'
import { seal, unseal } from './seal.ts'

/** `<secret id>.<sealed text>`. `label` names the use: a value that was sealed for one use does not open for another. */
export function sealText(
  keys: KeyRing,
  use: SecretUse,
  label: string,
  text: string,
  random: (bytes: number) => Uint8Array,
): string {
  const secret = keys.secret(use)
  return `${secret.id}.${seal(secret.bytes, label, text, random)}`
}

/** The text that was sealed; undefined for anything else, whatever is wrong with it. */
export function unsealText(keys: KeyRing, use: SecretUse, label: string, value: string): string | undefined {
  const dot = value.indexOf('.')
  if (dot < 1) return undefined
  const secret = keys.secretById(use, value.slice(0, dot))
  return secret && unseal(secret.bytes, label, value.slice(dot + 1))
}
