/** `POST /Account/PasskeyOptions`: the options with which a page asks for a passkey. */
import { json } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { relyingPartyOf, requestOptions } from './passkeys/relying-party.ts'
import { findHalf, isOfSession } from './second-factor.ts'
import { readMembers, text } from './self/members.ts'

const members = { purpose: text(20) }

/**
 * Answers `PublicKeyCredentialRequestOptionsJSON` (WebAuthn §5.5). `purpose` signin: any discoverable passkey;
 * second_factor: one of those of the person whose sign-in was begun in this browser. Demands the anti-forgery header.
 */
export function passkeyOptions(service: Service): Endpoint {
  const { answers, antiforgery, passkeyChallenges, sessions, storage } = service
  const party = relyingPartyOf(service)
  return async (request) => {
    const signedIn = await sessions.current(request)
    const forged = antiforgery.check(request, [], signedIn?.user.id ?? null)
    if (forged !== undefined) return answers.refuseAsProblem(request, forged)
    const read = readMembers(request, members)
    if (isRefusal(read)) return answers.refuseAsProblem(request, read)
    if ('faults' in read) return answers.refuseAsProblem(request, refuse('members_invalid'), read)
    switch (read.members.purpose) {
      case 'signin':
        return json(requestOptions(party, passkeyChallenges.issue(request, 'signin', null)))
      case 'second_factor': {
        const found = await findHalf(service, request)
        if (found === undefined || !isOfSession(found.half, signedIn)) {
          return answers.refuseAsProblem(request, refuse('login_required'), { status: 401 })
        }
        const { userId } = found.half
        const passkeys = await storage.passkeys.list(userId)
        if (passkeys.length === 0) return answers.refuseAsProblem(request, refuse('passkey_unknown'))
        return json(requestOptions(party, passkeyChallenges.issue(request, 'second_factor', userId), passkeys))
      }
      default: {
        const message = 'purpose must be signin or second_factor.'
        const faults = [{ member: 'purpose', code: 'member_invalid', message }]
        return answers.refuseAsProblem(request, refuse('members_invalid', '', { members: ['purpose'] }), { faults })
      }
    }
  }
}
