/**
 * The one way into an account: every sign-in goes through here, whatever proved it. It ends with a session, or continues
 * with a second factor on the page `/Account/SecondFactor`.
 */
import type { AuditEvents } from '../audit/entry.ts'
import { type Answer, withCookies } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import type { LocalUrl } from '../users/local-url.ts'
import type { Candidate } from '../users/lockout.ts'
import type { HalfSignIn } from '../users/second-factor-sign-in.ts'
import type { SignedIn } from '../users/session.ts'
import { decideEntry, type HalfSignedIn, type PreparedSignIn, type SignedInNow } from '../users/sign-in.ts'
import type { FirstFactor } from '../users/sign-in-steps.ts'
import { continueWith } from './continuing.ts'
import { withBrowserNotice } from './notices.ts'
import { goOnward } from './onward.ts'
import { entryEvents } from './sign-in-events.ts'

/** What a sign-in proved, and where it leads. */
export type Arrival = {
  /** RFC 8176 values, or the name of an external provider. */
  readonly methods: readonly string[]
  readonly persistent: boolean
  /** The password was set in this sign-in by a reset by mail. */
  readonly byMail?: boolean
  /** An operator vouches for the person in place of a second factor that did not come with an import. */
  readonly standIn?: boolean | undefined
  /** The account was registered in this browser just now, which is no news to its owner. */
  readonly isRegistration?: boolean
  /** The browser's previous sign-in. */
  readonly former: SignedIn | undefined
  readonly returnUrl: LocalUrl
}

export type Prepared = PreparedSignIn & { readonly cookieValue: string }

/** Signs in a user whose first factor was proved: decides on the user as stored, commits and answers. */
export async function enter(
  service: Service,
  request: Request,
  candidate: Candidate,
  arrival: Arrival & { readonly first: FirstFactor },
): Promise<
  | { readonly outcome: SignedInNow['outcome'] | HalfSignedIn['outcome']; readonly answer: Answer }
  /** undefined: the user was deleted. */
  | { readonly outcome: 'locked' | 'not_allowed' | 'needs_help' | undefined }
> {
  const { sessions, storage } = service
  const prepared = sessions.prepare(request, { ...arrival, userId: candidate.user.id })
  const decide = (stored: Candidate) => {
    const nowMs = service.clock()
    const entry = decideEntry(stored, arrival, prepared, sessions.rules, nowMs)
    const events: AuditEvents = entryEvents(
      service,
      request,
      nowMs,
      stored.user,
      arrival.methods,
      entry,
      arrival.returnUrl,
    )
    const told = withBrowserNotice(service, request, stored, prepared, entry, events)
    return { ...entry, events: arrival.isRegistration === true ? events : told }
  }
  const decided = await storage.users.recordSignIn(candidate, decide)
  if (decided === undefined) return { outcome: undefined }
  if (decided.outcome === 'locked' || decided.outcome === 'not_allowed' || decided.outcome === 'needs_help') {
    return { outcome: decided.outcome }
  }
  return { outcome: decided.outcome, answer: await answerEntry(service, request, decided, prepared, arrival) }
}

/** Answers a committed sign-in: with the session, or on the way to the second factor. */
export async function answerEntry(
  service: Service,
  request: Request,
  decided: SignedInNow | HalfSignedIn,
  prepared: Prepared,
  { methods, persistent, byMail = false, standIn, former, returnUrl }: Arrival,
): Promise<Answer> {
  const { userId } = prepared.session
  request.log.info({ signIn: { outcome: decided.outcome, user: userId, methods } }, 'signed in')
  if (decided.outcome === 'signed_in') {
    const entered = await service.sessions.start(request, { ...decided, cookieValue: prepared.cookieValue }, former)
    return withCookies(await goOnward(service, userId, returnUrl), entered)
  }
  const nowMs = service.clock()
  const half: HalfSignIn = {
    id: uuidv7(nowMs, service.random),
    userId,
    purpose: 'sign_in',
    methods,
    authenticatedAtMs: prepared.session.authenticatedAtMs,
    startedAtMs: decided.startedAtMs,
    persistent,
    byMail,
    sessionId: null,
    acr: null,
    returnUrl,
    ...(standIn === true && { standIn }),
  }
  return continueWith(service, request, half, decided.outcome)
}
