/** The account area's endpoints that a sign-in may call which has to set up a second factor. */
import type { AuditEvents } from '../../audit/entry.ts'
import { type Answer, json } from '../../http/answer.ts'
import { fieldIgnoringCase, readQuery } from '../../http/parameters.ts'
import type { Endpoint, Request } from '../../http/request.ts'
import { refuse } from '../../protocol/refusals/index.ts'
import { isRefusal } from '../../refusal.ts'
import type { Service } from '../../service.ts'
import type { Candidate } from '../../users/lockout.ts'
import type { SecondFactors } from '../../users/second-factor.ts'
import {
  decideEnrolment,
  type HalfSignIn,
  mayEnrol,
  type SecondFactorSignIn,
} from '../../users/second-factor-sign-in.ts'
import type { SignedIn } from '../../users/session.ts'
import type { FactorProof } from '../../users/sign-in-steps.ts'
import { findHalf, onceFor, withSession } from '../half-finished.ts'
import { addressAfter } from '../onward.ts'
import { secondFactorEvents } from '../second-factor-events.ts'
import { answered, type Outcome } from './endpoint.ts'
import { type MemberReaders, type Members, readMembers } from './members.ts'

type Enrolled =
  | {
      readonly outcome: 'signed_in'
      readonly factors: SecondFactors
      /** Returns the answer with the cookies of the session, and `return_url`. */
      readonly answer: (body: object) => Promise<Answer>
    }
  | { readonly outcome: 'wrong_code' | 'paused' | 'ended' }

type Enrolment<Body> = {
  readonly request: Request
  readonly candidate: Candidate
  readonly body: Body
  /** Completes the sign-in with the first proof of the new factor. `events`: what is recorded besides. */
  readonly enter: (proof: FactorProof, events: AuditEvents) => Promise<Enrolled>
}

/**
 * Calls `enrol` for a half-finished sign-in that has to set up a second factor, and `own` for everybody else. A browser
 * in which somebody is signed in says `?step=enrolment` for the former. The half-finished sign-in gives access to these
 * endpoints alone, and only while the person has no second factor.
 */
export function enrolling<Readers extends MemberReaders>(
  service: Service,
  own: Endpoint,
  members: Readers,
  enrol: (enrolment: Enrolment<Members<Readers>>) => Promise<Outcome>,
): Endpoint {
  const { antiforgery, clock, halfSignIns, sessions } = service
  return async (request) => {
    if (halfSignIns.read(request)?.half.purpose !== 'enrolment') {
      // Ran out, or finished in another tab: the key that the page shows is of no use any more.
      if (asksForEnrolment(request)) return answered(service, request, refuse('self_session_missing'))
      return own(request)
    }
    const signedIn = await sessions.current(request)
    if (signedIn !== undefined && !asksForEnrolment(request)) return own(request)
    const forgery = antiforgery.check(request, [], signedIn?.user.id ?? null)
    if (forgery !== undefined) return answered(service, request, forgery)
    const found = await findHalf(service, request)
    if (found === undefined || !mayEnrol(found.half, found.candidate, sessions.rules, clock())) {
      return answered(service, request, refuse('self_session_missing'))
    }
    const read = readMembers(request, members)
    if (isRefusal(read) || 'faults' in read) return answered(service, request, read)
    const enter = (proof: FactorProof, events: AuditEvents) =>
      complete(service, request, found, signedIn, proof, events)
    return answered(service, request, await enrol({ request, candidate: found.candidate, body: read.members, enter }))
  }
}

async function complete(
  service: Service,
  request: Request,
  { half, candidate }: { readonly half: HalfSignIn; readonly candidate: Candidate },
  former: SignedIn | undefined,
  proof: FactorProof,
  more: AuditEvents,
): Promise<Enrolled> {
  const { clock, sessions, storage } = service
  const prepared = sessions.prepare(request, half)
  const decide = (stored: Candidate): SecondFactorSignIn & { readonly events: AuditEvents } => {
    const nowMs = clock()
    const decision = decideEnrolment(stored, half, proof, prepared, { rules: sessions.rules, nowMs })
    const events = secondFactorEvents(service, request, nowMs, stored, half, proof.method, decision)
    return { ...decision, events: decision.outcome === 'signed_in' ? [...events, ...more] : events }
  }
  const decided = await storage.users.completeSignIn(candidate, decide, [onceFor(half)])
  if (decided === undefined || decided === 'spent' || decided.outcome === 'ended') return { outcome: 'ended' }
  if (decided.outcome === 'continues') return { outcome: 'ended' }
  service.metrics.signIn('second_factor', decided.outcome === 'paused' ? 'locked' : decided.outcome)
  if (decided.outcome !== 'signed_in') return decided
  return {
    outcome: 'signed_in',
    factors: decided.factors,
    answer: async (body) => {
      const address = await addressAfter(service, half.userId, half.returnUrl)
      const answer = json({ ...body, return_url: address })
      return withSession(service, request, decided, prepared.cookieValue, former, answer)
    },
  }
}

function asksForEnrolment(request: Request): boolean {
  const query = readQuery(request)
  return !isRefusal(query) && fieldIgnoringCase(query, 'step') === 'enrolment'
}
