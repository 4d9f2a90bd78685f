/** What other systems keep of passkeys: public keys and attestations. Imports the library at once: loaded on demand. */
import { decodeAttestationObject, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { isUsableKey } from './cose-key.ts'

/** Returns why signatures of the key cannot be verified, as the end of a sentence; undefined: they can. `publicKey`: base64url. */
export function publicKeyFault(publicKey: string): string | undefined {
  try {
    const key = decodeCredentialPublicKey(new Uint8Array(Buffer.from(publicKey, 'base64url')))
    if (!(key instanceof Map)) return 'has a public key that cannot be read'
    return isUsableKey(key) ? undefined : 'has a public key of a kind or size that is not checked here'
  } catch {
    return 'has a public key that cannot be read'
  }
}

/** What an attestation object (WebAuthn §6.5) says of a passkey; undefined: it is none. */
export function attestedFacts(
  attestationObject: Uint8Array,
): { readonly rpIdHash: Buffer; readonly aaguid: string } | undefined {
  try {
    const authData = decodeAttestationObject(new Uint8Array(attestationObject)).get('authData')
    if (authData.length < 53) return undefined
    const model = Buffer.from(authData.subarray(37, 53)).toString('hex')
    const aaguid = model.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    return { rpIdHash: Buffer.from(authData.subarray(0, 32)), aaguid }
  } catch {
    return undefined
  }
}
