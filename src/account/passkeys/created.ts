/** New credentials that a browser sends for a challenge of this service. */
import type { Request } from '../../http/request.ts'
import { type Refusal, refuse } from '../../protocol/refusals/index.ts'
import type { Service } from '../../service.ts'
import type { Passkey } from '../../users/passkey.ts'
import { challengeOf, parseCredential, readAttestation } from './credential.ts'
import { relyingPartyOf } from './relying-party.ts'
import { type NewCredential, verifyAttestation } from './verify.ts'

/** A credential that was verified, with its challenge, which the commit uses up. */
export type CreatedCredential = NewCredential & {
  readonly challenge: { readonly id: string; readonly expiresAtMs: number }
}

/** `sent`: as `PublicKeyCredential.toJSON()` returns it, or the JSON text of that. `userId`: whom the challenge was issued for. */
export async function createdCredential(
  service: Service,
  request: Request,
  sent: unknown,
  userId: string,
): Promise<CreatedCredential | Refusal> {
  const attestation = readAttestation(typeof sent === 'string' ? parseCredential(sent) : sent)
  if (attestation === undefined) return refuse('passkey_invalid', '', { rule: 'it is not a credential' })
  const answered = challengeOf(attestation.response.clientDataJSON) ?? ''
  const challenge = service.passkeyChallenges.check(request, answered, 'create', userId)
  if (challenge === undefined) return refuse('passkey_challenge_invalid')
  const verified = await verifyAttestation(
    relyingPartyOf(service),
    attestation,
    answered,
    service.passkeyManufacturers,
    service.clock(),
  )
  return verified === undefined ? refuse('passkey_invalid') : { ...verified, challenge }
}

/** Without the name, which a person chose: entries outlive the account. */
export function passkeyDetails({ id, synced, attested }: Pick<Passkey, 'id' | 'synced' | 'attested'>) {
  return { passkey: id, synced, ...(attested && { attested }) }
}
