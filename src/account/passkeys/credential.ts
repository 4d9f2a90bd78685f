/** Reads credentials as browsers send them (`PublicKeyCredential.toJSON()`, WebAuthn §5.1), within bounds. */
import { isObject } from '../../protocol/json-value.ts'
import { maxCredentialIdLength } from '../../users/passkey.ts'

/** `AuthenticationResponseJSON`, as far as it is verified. All texts but the type are base64url. */
export type AssertionJson = {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string
  }
  readonly clientExtensionResults: Readonly<Record<string, never>>
}

/** `RegistrationResponseJSON`, as far as it is verified. */
export type AttestationJson = {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports: readonly string[]
  }
  readonly clientExtensionResults: Readonly<Record<string, never>>
}

/** Of the JSON text of a credential, in characters. */
export const maxCredentialLength = 48 * 1024
const maxClientDataLength = 8192
const maxAuthenticatorDataLength = 8192
const maxSignatureLength = 2048
/** A user handle has at most 64 bytes. */
const maxUserHandleLength = 88
/** Holds a certificate chain, which some authenticators send unasked. */
const maxAttestationLength = 32 * 1024
const maxTransports = 8

type Members = Readonly<Record<string, unknown>>

/** Returns an assertion; undefined: not one, or beyond the bounds. */
export function readAssertion(credential: unknown): AssertionJson | undefined {
  const read = readCredential(credential)
  if (read === undefined) return undefined
  const { id, response } = read
  const { userHandle } = response
  const clientDataJSON = bytes(response.clientDataJSON, maxClientDataLength)
  const authenticatorData = bytes(response.authenticatorData, maxAuthenticatorDataLength)
  const signature = bytes(response.signature, maxSignatureLength)
  if (clientDataJSON === undefined || authenticatorData === undefined || signature === undefined) return undefined
  const handle = userHandle == null || userHandle === '' ? '' : bytes(userHandle, maxUserHandleLength)
  if (handle === undefined) return undefined
  return {
    ...credentialOf(id),
    response: { clientDataJSON, authenticatorData, signature, ...(handle !== '' && { userHandle: handle }) },
  }
}

/** Returns a new credential; undefined: not one, or beyond the bounds. */
export function readAttestation(credential: unknown): AttestationJson | undefined {
  const read = readCredential(credential)
  if (read === undefined) return undefined
  const { id, response } = read
  const clientDataJSON = bytes(response.clientDataJSON, maxClientDataLength)
  const attestationObject = bytes(response.attestationObject, maxAttestationLength)
  if (clientDataJSON === undefined || attestationObject === undefined) return undefined
  const transports = Array.isArray(response.transports) ? response.transports.slice(0, maxTransports) : []
  const named = transports.filter((one): one is string => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one))
  return { ...credentialOf(id), response: { clientDataJSON, attestationObject, transports: [...new Set(named)] } }
}

/** Parses the JSON text of a form field. */
export function parseCredential(text: string): unknown {
  if (text.length > maxCredentialLength) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the challenge that the browser says it answered, not verified yet; undefined: no client data, or of a frame
 * within another origin (WebAuthn §5.8.1).
 */
export function challengeOf(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    if (!isObject(data) || data.crossOrigin === true || data.topOrigin !== undefined) return undefined
    return typeof data.challenge === 'string' ? data.challenge : undefined
  } catch {
    return undefined
  }
}

function readCredential(value: unknown): { readonly id: string; readonly response: Members } | undefined {
  if (!isObject(value) || !isObject(value.response)) return undefined
  const id = bytes(value.id, maxCredentialIdLength)
  if (id === undefined || value.rawId !== id || value.type !== 'public-key') return undefined
  return { id, response: value.response }
}

function credentialOf(id: string) {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const
}

/** Returns the text if it is base64url of that length at most. */
function bytes(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string' || value.length > maxLength) return undefined
  return /^[A-Za-z0-9_-]+$/.test(value) ? value : undefined
}
