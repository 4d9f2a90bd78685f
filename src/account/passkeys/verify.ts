/** Verifies assertions and new credentials (WebAuthn §7). The library is imported with the first of them. */
import type { X509Certificate } from 'node:crypto'
import { onDemand } from '../../on-demand.ts'
import { isUsableKey } from '../../secrets/cose-key.ts'
import type { Assertion, Passkey } from '../../users/passkey.ts'
import { isAttested } from './attestation.ts'
import type { AssertionJson, AttestationJson } from './credential.ts'
import { algorithms, type RelyingParty, userHandle } from './relying-party.ts'

/** What a new credential tells of itself. */
export type NewCredential = Pick<
  Passkey,
  'credentialId' | 'publicKey' | 'counter' | 'synced' | 'attested' | 'transports'
>

const library = onDemand(async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
}))

/** Stands for the key of an unknown credential, which takes the time of a known one. */
const decoy: Pick<Passkey, 'publicKey' | 'userId'> = {
  publicKey: 'pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  userId: '',
}

/**
 * Verifies an assertion for a challenge that was checked before. `passkey`: the one that the credential id names;
 * undefined: there is none. Returns undefined for whatever does not prove possession of the key, by a verified person (but for a
 * key that is a second factor alone), on a page of this service. The counter is left to the caller.
 */
export async function verifyAssertion(
  party: RelyingParty,
  assertion: AssertionJson,
  challenge: string,
  passkey: Pick<Passkey, 'publicKey' | 'userId' | 'isSecondFactor' | 'userHandle'> | undefined,
): Promise<Assertion | undefined> {
  const { publicKey, userId } = passkey ?? decoy
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion,
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: passkey?.isSecondFactor !== true,
      // The counter 0 switches the comparison off.
      credential: { id: assertion.id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    })
    const handle = assertion.response.userHandle
    const expected = passkey?.userHandle ?? userHandle(userId)
    if (!verified || passkey === undefined || (handle !== undefined && handle !== expected)) return undefined
    const { newCounter, credentialDeviceType, userVerified } = authenticationInfo
    return { counter: newCounter, backupEligible: credentialDeviceType === 'multiDevice', userVerified }
  } catch {
    // The library throws for every fault of the input.
    return undefined
  }
}

/**
 * Verifies a new credential for a challenge that was checked before; undefined: not made by a verified person on a page
 * of this service, or its key is not usable. `manufacturers` null: the attestation statement is dropped unread, because none
 * was asked for.
 */
export async function verifyAttestation(
  party: RelyingParty,
  attestation: AttestationJson,
  challenge: string,
  manufacturers: readonly X509Certificate[] | null,
  nowMs: number,
): Promise<NewCredential | undefined> {
  const { decodeAttestationObject, decodeCredentialPublicKey, isoCBOR, verifyRegistrationResponse } = await library()
  try {
    const sent = new Uint8Array(Buffer.from(attestation.response.attestationObject, 'base64url'))
    const authData = decodeAttestationObject(sent).get('authData')
    const bare: Parameters<typeof isoCBOR.encode>[0] = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...attestation,
        response: {
          clientDataJSON: attestation.response.clientDataJSON,
          attestationObject: Buffer.from(isoCBOR.encode(bare)).toString('base64url'),
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return undefined
    const { credential, credentialDeviceType } = registrationInfo
    if (credential.id !== attestation.id || !isUsableKey(decodeCredentialPublicKey(credential.publicKey))) {
      return undefined
    }
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      synced: credentialDeviceType === 'multiDevice',
      attested: manufacturers !== null && (await isAttested(party, attestation, challenge, manufacturers, nowMs)),
      transports: attestation.response.transports,
    }
  } catch {
    return undefined
  }
}
