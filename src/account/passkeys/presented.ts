/** Passkeys that people present, to sign in or as a second factor: reads, finds and verifies them. */
import type { AuditDetails, AuditEvents } from '../../audit/entry.ts'
import { type AuditParties, auditEvent } from '../../audit/request-events.ts'
import type { ChallengePurpose } from '../../browser/passkey-challenge.ts'
import type { Request } from '../../http/request.ts'
import { uuidv7 } from '../../secrets/opaque.ts'
import type { Service } from '../../service.ts'
import type { SpentValue } from '../../storage/port/grants.ts'
import { type Passkey, type PasskeyCandidate, useOf } from '../../users/passkey.ts'
import { withNotice } from '../notices.ts'
import { challengeOf, parseCredential, readAssertion } from './credential.ts'
import { relyingPartyOf } from './relying-party.ts'
import { verifyAssertion } from './verify.ts'

export type ProvenPasskey = {
  readonly outcome: 'proven'
  readonly candidate: PasskeyCandidate
  /** Its next state. */
  readonly passkey: Passkey
  /** Whether the authenticator tested the person: always, but for one that is a second factor alone. */
  readonly userVerified: boolean
  /** To use up with the sign-in. */
  readonly challenge: SpentValue
}

export type RefusedPasskey = {
  readonly outcome: 'refused'
  readonly reason:
    | 'credential_invalid'
    | 'challenge_invalid'
    | 'challenge_used'
    | 'not_verified'
    | 'counter_back'
    | 'locked'
    | 'not_allowed'
  /** Absent: there is none to use up. */
  readonly challenge?: SpentValue
  /** Whose passkey it is, if the signature is good. */
  readonly userId?: string
  /** Present if its counter went back. */
  readonly copied?: PasskeyCandidate
}

export type Presented = ProvenPasskey | RefusedPasskey

/**
 * Verifies an assertion. `userId` null: of whoever the passkey names, who must then be named by the authenticator as well
 * (WebAuthn §7.2 step 6).
 */
export async function presentPasskey(
  service: Service,
  request: Request,
  credential: string,
  purpose: ChallengePurpose,
  userId: string | null,
): Promise<Presented> {
  const { clock, device, passkeyChallenges, storage } = service
  const refused = (reason: RefusedPasskey['reason'], more: Omit<RefusedPasskey, 'outcome' | 'reason'> = {}) =>
    ({ outcome: 'refused', reason, ...more }) as const
  const assertion = readAssertion(parseCredential(credential))
  if (assertion === undefined) return refused('credential_invalid')
  const answered = challengeOf(assertion.response.clientDataJSON) ?? ''
  const challenge = passkeyChallenges.check(request, answered, purpose, userId)
  if (challenge === undefined) return refused('challenge_invalid')
  const candidate = await storage.passkeys.findForSignIn(assertion.id, device.browserIds(request))
  const isTheirs =
    userId === null
      ? // A second factor alone signs nobody in.
        assertion.response.userHandle !== undefined && candidate?.passkey.isSecondFactor !== true
      : candidate?.user.id === userId
  const known = isTheirs ? candidate : undefined
  const verified = await verifyAssertion(relyingPartyOf(service), assertion, answered, known?.passkey)
  if (verified === undefined || known === undefined) return refused('not_verified', { challenge })
  const passkey = useOf(known.passkey, verified, clock())
  if (passkey !== undefined)
    return { outcome: 'proven', candidate: known, passkey, userVerified: verified.userVerified, challenge }
  return refused('counter_back', { challenge, userId: known.user.id, copied: known })
}

/** Records a refused passkey and uses up its challenge, with one write. Tells the owner of a counter that went back. */
export async function refusePasskey(service: Service, request: Request, refused: RefusedPasskey): Promise<void> {
  const { clock, random, storage } = service
  const { reason, challenge, userId, copied } = refused
  const details = copied === undefined ? {} : { passkey: copied.passkey.id }
  const failed = failedPasskey(service, request, { userId }, reason, details)
  const events: AuditEvents = [
    copied === undefined
      ? failed
      : withNotice(service, request, failed, copied.user, {
          purpose: 'passkey_refused',
          data: { added: { atMs: copied.passkey.createdAtMs } },
        }),
  ]
  const nowMs = clock()
  // A challenge that was used before records nothing.
  if (challenge !== undefined && (await storage.spentValues.spend(challenge.id, challenge.expiresAtMs, events))) return
  await storage.spentValues.spend(`sign-in:${uuidv7(nowMs, random)}`, nowMs, events)
}

export function failedPasskey(
  { clock }: Service,
  request: Request,
  parties: AuditParties,
  reason: string,
  details: AuditDetails = {},
) {
  return auditEvent(request, clock(), 'sign_in_failed', parties, { method: 'passkey', reason, ...details })
}
