/** Passkeys of an import: how records have them, and which of them work here. */
import { maxCredentialIdLength, maxPasskeys, maxUserHandleLength, type Passkey, passkeyName } from './passkey.ts'

/** Without what storage gives it. */
export type ImportedPasskey = Omit<Passkey, 'id' | 'userId' | 'attested' | 'lastUsedAtMs'>

/** What is known of this service, and of keys. */
export type PasskeyRules = {
  /** The host of the issuer. */
  readonly rpId: string
  /** Returns why signatures of the key (base64url) cannot be verified, as the end of a sentence; undefined: they can. */
  readonly keyFault: (publicKey: string) => string | undefined
}

export type LostPasskey = {
  readonly name: string
  readonly isSecondFactor: boolean
  /** A whole sentence. */
  readonly reason: string
}

export type ReadPasskeys = {
  readonly passkeys: readonly ImportedPasskey[]
  readonly lost: readonly LostPasskey[]
}

export const passkeysRule = 'must be a list of at most 100 objects with credential_id and public_key in base64url'
const passkeysAtMost = 100
const publicKeyLengthAtMost = 1024
const unnamed = 'Passkey'

/**
 * Reads objects with `credential_id`, `public_key` (COSE_Key, RFC 9052 §7), `counter`, `name`, `transports`, `synced`,
 * `second_factor`, `aaguid`, `user_handle`, `created_at` and `rp_id`. Each that cannot work here is lost by itself. Undefined: no such list. `rules` undefined:
 * none is taken.
 */
export function readPasskeys(value: unknown, rules: PasskeyRules | undefined, nowMs: number): ReadPasskeys | undefined {
  if (!Array.isArray(value) || value.length > passkeysAtMost) return undefined
  const passkeys: ImportedPasskey[] = []
  const lost: LostPasskey[] = []
  for (const one of value as readonly unknown[]) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return undefined
    const given = one as Readonly<Record<string, unknown>>
    const name = passkeyName(given.name) ?? unnamed
    const isSecondFactor = given.second_factor === true
    const lose = (what: string) => lost.push({ name, isSecondFactor, reason: `The passkey "${name}" ${what}.` })
    const { credential_id: credentialId, public_key: publicKey, rp_id: host, user_handle: userHandle } = given
    const fault = rules === undefined ? 'is not taken from there' : undefined
    if (fault !== undefined) lose(fault)
    else if (!isBase64url(credentialId, maxCredentialIdLength)) lose('has no credential id in base64url')
    else if (!isBase64url(publicKey, publicKeyLengthAtMost)) lose('has a public key that cannot be read')
    else if (typeof host === 'string' && host !== rules?.rpId)
      lose(`belongs to the host ${host}, and this service is at ${rules?.rpId}`)
    else if (userHandle != null && !isHandle(userHandle))
      lose('has a user handle that is not 1 to 64 bytes in base64url')
    else if (!isCounter(given.counter ?? 0)) lose('has a signature counter that is no number')
    else if (passkeys.some((other) => other.credentialId === credentialId)) lose('is there twice')
    else if (passkeys.length >= maxPasskeys) lose(`is more than ${maxPasskeys}`)
    else {
      const unusable = rules?.keyFault(publicKey)
      if (unusable !== undefined) lose(unusable)
      else {
        const aaguid = typeof given.aaguid === 'string' ? given.aaguid.toLowerCase() : ''
        passkeys.push({
          ...{ credentialId, publicKey, name, counter: Number(given.counter ?? 0) },
          // Where it is not known, nobody is told that a device keeps the key.
          synced: given.synced !== false,
          ...(isSecondFactor && { isSecondFactor: true as const }),
          ...(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(aaguid) && { aaguid }),
          ...(isHandle(userHandle) && { userHandle }),
          transports: transportsIn(given.transports),
          createdAtMs: Math.min(nowMs, timeOf(given.created_at) ?? nowMs),
        })
      }
    }
  }
  return { passkeys, lost }
}

/** As a record has it. `rpId`: the host that it belongs to. */
export function passkeyRecord(passkey: ImportedPasskey, rpId: string | undefined) {
  const { credentialId, publicKey, counter, name, transports, synced, isSecondFactor, createdAtMs } = passkey
  const { aaguid, userHandle } = passkey
  return {
    ...{ credential_id: credentialId, public_key: publicKey, counter, name, transports, synced },
    ...(isSecondFactor === true && { second_factor: true }),
    ...(aaguid !== undefined && { aaguid }),
    ...(userHandle !== undefined && { user_handle: userHandle }),
    created_at: new Date(createdAtMs).toISOString(),
    ...(rpId !== undefined && { rp_id: rpId }),
  }
}

function isBase64url(value: unknown, length: number): value is string {
  // The last character of a text has no bits beyond its bytes.
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= length &&
    Buffer.from(value, 'base64url').toString('base64url') === value
  )
}

const isHandle = (value: unknown): value is string =>
  isBase64url(value, 86) && Buffer.from(value, 'base64url').length <= maxUserHandleLength

const isCounter = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff

function transportsIn(value: unknown): readonly string[] {
  const named = Array.isArray(value) ? value.map((one) => String(one).toLowerCase()) : []
  return [...new Set(named.filter((one) => /^[a-z-]{1,20}$/.test(one)))].slice(0, 8)
}

function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
