/** Sealed texts: they pass through a browser, and only this service can read them, under a secret of the key ring. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { KeyRing, SecretUse } from '../keys/key-ring.ts'
import { seal, unsealBytes } from './seal.ts'

/** Begins what is compressed. No text of this service begins with it. */
const compressed = 0
/** The longest text that opens if it is compressed, in bytes. */
export const inflatedAtMost = 256 * 1024

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

/**
 * Does the same with less of it: what is mostly a long address, whose characters are of few kinds. `unsealText` opens both. `text`:
 * at most `inflatedAtMost`.
 */
export function sealCompressed(
  keys: Pick<KeyRing, 'secret'>,
  use: SecretUse,
  label: string,
  text: string,
  random: (bytes: number) => Uint8Array,
): string {
  const secret = keys.secret(use)
  const content = Buffer.concat([Buffer.of(compressed), deflateRawSync(text)])
  return `${secret.id}.${seal(secret.bytes, label, content, random)}`
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
  const content = secret && unsealBytes(secret.bytes, label, value.slice(dot + 1))
  if (content === undefined || content[0] !== compressed) return content?.toString('utf8')
  try {
    return inflateRawSync(content.subarray(1), { maxOutputLength: inflatedAtMost }).toString('utf8')
  } catch {
    return undefined
  }
}
