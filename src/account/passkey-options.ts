/** `/Account/PasskeyOptions`: the options with which a page asks for a passkey. */
import { type Answer, json } from '../http/answer.ts'
import { readQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { SignedIn } from '../users/session.ts'
import { findHalf, isOfSession } from './half-finished.ts'
import { relyingPartyOf, requestOptions } from './passkeys/relying-party.ts'
import { readMembers, text } from './self/members.ts'

const members = { purpose: text(20) }

type Purpose = 'signin' | 'second_factor'

/**
 * `POST /Account/PasskeyOptions`: answers `PublicKeyCredentialRequestOptionsJSON` (WebAuthn §5.5). `purpose` signin: any
 * discoverable passkey; second_factor: one of those of the person whose sign-in was begun in this browser. Demands the
 * anti-forgery header.
 */
export function passkeyOptions(service: Service): Endpoint {
  const { answers, antiforgery, sessions } = service
  return async (request) => {
    const signedIn = await sessions.current(request)
    const forged = antiforgery.check(request, [], signedIn?.user.id ?? null)
    if (forged !== undefined) return answers.refuseAsProblem(request, forged)
    const read = readMembers(request, members)
    if (isRefusal(read)) return answers.refuseAsProblem(request, read)
    if ('faults' in read) return answers.refuseAsProblem(request, refuse('members_invalid'), read)
    const { purpose } = read.members
    return isPurpose(purpose) ? answerOptions(service, request, purpose, signedIn) : refusePurpose(service, request)
  }
}

/**
 * `GET /Account/PasskeyOptions?purpose=…`: the same for the pages. It changes nothing, and other sites cannot read it. The
 * browser has an anti-forgery cookie by then, to which the challenge is bound.
 */
export function readPasskeyOptions(service: Service): Endpoint {
  const { answers, passkeyChallenges, sessions } = service
  return async (request) => {
    const query = readQuery(request)
    if (isRefusal(query)) return answers.refuseAsProblem(request, query)
    const purpose = query.find(([name]) => name === 'purpose')?.[1]
    if (!isPurpose(purpose)) return refusePurpose(service, request)
    if (!passkeyChallenges.mayIssue(request)) {
      const rule = 'the anti-forgery cookie is missing'
      return answers.refuseAsProblem(request, refuse('antiforgery_failed', '', { rule }))
    }
    const signedIn = purpose === 'signin' ? undefined : await sessions.current(request)
    return answerOptions(service, request, purpose, signedIn)
  }
}

async function answerOptions(
  service: Service,
  request: Request,
  purpose: Purpose,
  signedIn: SignedIn | undefined,
): Promise<Answer> {
  const { answers, passkeyChallenges, storage } = service
  const party = relyingPartyOf(service)
  if (purpose === 'signin') return json(requestOptions(party, passkeyChallenges.issue(request, purpose, null)))
  const found = await findHalf(service, request)
  if (found === undefined || !isOfSession(found.half, signedIn)) {
    return answers.refuseAsProblem(request, refuse('login_required'), { status: 401 })
  }
  const { userId } = found.half
  const passkeys = await storage.passkeys.list(userId)
  if (passkeys.length === 0) return answers.refuseAsProblem(request, refuse('passkey_unknown'))
  return json(requestOptions(party, passkeyChallenges.issue(request, purpose, userId), passkeys))
}

function isPurpose(purpose: string | undefined): purpose is Purpose {
  return purpose === 'signin' || purpose === 'second_factor'
}

function refusePurpose({ answers }: Service, request: Request): Answer {
  const message = 'purpose must be signin or second_factor.'
  const faults = [{ member: 'purpose', code: 'member_invalid', message }]
  return answers.refuseAsProblem(request, refuse('members_invalid', '', { members: ['purpose'] }), { faults })
}
