/** Passkeys: public-key credentials of a person (WebAuthn Level 3), and when they sign in. */
import type { Candidate } from './lockout.ts'

/** Times are epoch milliseconds. */
export type Passkey = {
  /** UUIDv7; names the passkey in the account area. */
  readonly id: string
  readonly userId: string
  /** As the authenticator names it, base64url. Unique. */
  readonly credentialId: string
  /** COSE_Key (RFC 9052 §7), base64url. */
  readonly publicKey: string
  /** The signature counter of the last use (WebAuthn §6.1.1). 0: the authenticator keeps none. */
  readonly counter: number
  readonly name: string
  /** Whether the authenticator may copy it to other devices (backup eligibility). */
  readonly synced: boolean
  /** Whether its attestation led to a manufacturer of `Accounts:PasskeyManufacturers` when it was added. */
  readonly attested: boolean
  /**
   * Whether it is a second factor alone, as another system had it: it signs nobody in without a password, and does not need a
   * local test of the person. Absent: no.
   */
  readonly isSecondFactor?: true
  /** The model of its authenticator (WebAuthn §6.5.1), as another system kept it. Absent: not known. */
  readonly aaguid?: string
  /**
   * What the authenticator calls the person (WebAuthn §5.4.3), base64url, as another system named them there. Absent: the id. It finds
   * nobody: the credential id does, and this must agree.
   */
  readonly userHandle?: string
  /** How browsers reach the authenticator (WebAuthn §5.8.4). */
  readonly transports: readonly string[]
  readonly createdAtMs: number
  readonly lastUsedAtMs: number | null
}

/** A person that a credential id names, and the passkey. */
export type PasskeyCandidate = Candidate & { readonly passkey: Passkey }

/** What a verified assertion says. */
export type Assertion = {
  readonly counter: number
  readonly backupEligible: boolean
  /** Whether the authenticator tested the person. */
  readonly userVerified: boolean
}

/** Maximum per person. */
export const maxPasskeys = 20

/** A credential id has at most 1,023 bytes (WebAuthn §5.8.3); this many characters of base64url. */
export const maxCredentialIdLength = 1364

/** In bytes (WebAuthn §5.4.3). */
export const maxUserHandleLength = 64

/** Code points. */
const maxNameLength = 100

/** Returns the name as stored; undefined: empty, too long, or with control characters. */
export function passkeyName(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const name = text.trim().normalize('NFC')
  return name === '' || [...name].length > maxNameLength || /\p{Cc}|\p{Cs}/u.test(name) ? undefined : name
}

/**
 * Whether the signature counter did not move on (WebAuthn §7.2 step 22): somebody else may have a copy of the private
 * key. Authenticators without a counter always send 0.
 */
export function counterWentBack(stored: number, received: number): boolean {
  return (stored > 0 || received > 0) && received <= stored
}

/** Returns the passkey after a use; undefined: its counter went back. A passkey that was synced once stays so. */
export function useOf(passkey: Passkey, { counter, backupEligible }: Assertion, nowMs: number): Passkey | undefined {
  if (counterWentBack(passkey.counter, counter)) return undefined
  return { ...passkey, counter, synced: passkey.synced || backupEligible, lastUsedAtMs: nowMs }
}

/**
 * Returns the authentication methods of a sign-in by passkey (RFC 8176): possession of the key, which a device keeps to
 * itself or software copies, and a local test of the person (`userVerified`). `needsAttestation`: that a device keeps the key counts if its
 * manufacturer says so, and not by the word of the authenticator.
 */
export function passkeyMethods(
  { synced, attested }: Pick<Passkey, 'synced' | 'attested'>,
  needsAttestation: boolean,
  userVerified = true,
): readonly string[] {
  return [synced || (needsAttestation && !attested) ? 'swk' : 'hwk', ...(userVerified ? ['user'] : []), 'mfa']
}
