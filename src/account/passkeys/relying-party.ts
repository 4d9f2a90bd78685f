/**
 * The service as a relying party (WebAuthn §4), and the options that it gives to browsers.
 *
 * Belongs here: messages of WebAuthn: options, credentials and their verification.
 * Belongs elsewhere: rules about passkeys (`users/passkey.ts`), challenges (`browser/`), and the endpoints (`account/`).
 */
import { challengeSeconds } from '../../browser/passkey-challenge.ts'
import type { Service } from '../../service.ts'
import type { Passkey } from '../../users/passkey.ts'
import type { User } from '../../users/user.ts'

export type RelyingParty = {
  /** The host of the issuer. */
  readonly id: string
  readonly name: string
  /** Origins whose pages may use the passkeys: that of the issuer, and the related ones. */
  readonly origins: readonly string[]
}

/** `PublicKeyCredentialDescriptorJSON` (WebAuthn §5.8.3). */
type Descriptor = { readonly type: 'public-key'; readonly id: string; readonly transports?: readonly string[] }

/** COSE algorithms that a new passkey may use, the preferred one first: ES256, EdDSA, RS256. */
export const algorithms = [-7, -8, -257]

export function relyingPartyOf({
  brand,
  settings: { accounts, oauth },
}: Pick<Service, 'brand' | 'settings'>): RelyingParty {
  const { hostname, origin } = new URL(oauth.issuer)
  return {
    id: hostname,
    // As it is when it is asked for: endpoints ask once for all requests.
    get name() {
      return brand.name()
    },
    origins: [origin, ...accounts.passkeyRelatedOrigins],
  }
}

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn §5.5). `passkeys` undefined: any discoverable one. */
export function requestOptions(party: RelyingParty, challenge: string, passkeys: readonly Passkey[] = []) {
  return {
    challenge,
    rpId: party.id,
    timeout: challengeSeconds * 1000,
    // A key that is a second factor alone may have no way to test the person.
    userVerification: passkeys.some(({ isSecondFactor }) => isSecondFactor) ? 'preferred' : 'required',
    allowCredentials: passkeys.map(descriptor),
  }
}

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn §5.4). `passkeys`: those that the person has. */
export function creationOptions(
  party: RelyingParty,
  challenge: string,
  user: Pick<User, 'id' | 'name'>,
  passkeys: readonly Passkey[],
  asksAttestation: boolean,
) {
  return {
    rp: { id: party.id, name: party.name },
    user: { id: userHandle(user.id), name: user.name, displayName: user.name },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeSeconds * 1000,
    excludeCredentials: passkeys.map(descriptor),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: asksAttestation ? 'direct' : 'none',
    extensions: { credProps: true },
  }
}

/** The user handle (WebAuthn §14.6.1), base64url: the id, which says nothing about the person. */
export function userHandle(userId: string): string {
  return Buffer.from(userId).toString('base64url')
}

function descriptor({ credentialId, transports }: Passkey): Descriptor {
  return { type: 'public-key', id: credentialId, ...(transports.length > 0 && { transports }) }
}
