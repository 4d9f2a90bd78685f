/** The half-finished sign-in of a browser, and how it ends: with a session, or where it began. */
import { type Answer, redirect, withCookies } from '../http/answer.ts'
import { withQuery } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import type { Service } from '../service.ts'
import { localUrlOrRoot } from '../users/local-url.ts'
import type { Candidate } from '../users/lockout.ts'
import { type HalfSignIn, halfSignInMs, isHalfAlive, type SecondFactorSignIn } from '../users/second-factor-sign-in.ts'
import type { SignedIn } from '../users/session.ts'

/** Attaches the cookies of the session to the answer, and ends the half-finished sign-in in the browser. */
export async function withSession(
  service: Service,
  request: Request,
  decided: SecondFactorSignIn & { readonly outcome: 'signed_in' },
  cookieValue: string,
  former: SignedIn | undefined,
  answer: Answer,
): Promise<Answer> {
  const { session } = decided
  request.log.info({ signIn: { outcome: 'signed_in', user: session.userId, methods: session.methods } }, 'signed in')
  const entered = await service.sessions.start(request, { ...decided, cookieValue }, former)
  return withCookies(answer, [...service.halfSignIns.remove(request), ...entered])
}

/** The half-finished sign-in of this browser with its user as stored, while it counts. */
export async function findHalf(
  service: Service,
  request: Request,
): Promise<{ readonly half: HalfSignIn; readonly candidate: Candidate } | undefined> {
  const { clock, device, halfSignIns, sessions, storage } = service
  const read = halfSignIns.read(request)
  if (read === undefined || read.expired) return undefined
  const { half } = read
  const candidate = await storage.users.findForSignIn({ userId: half.userId }, device.browserIds(request))
  if (candidate === undefined || !isHalfAlive(half, candidate, sessions.rules, clock())) return undefined
  return { half, candidate }
}

/** Whether the session to which the factor is to be added is that of the browser. */
export function isOfSession(half: HalfSignIn, signedIn: SignedIn | undefined): boolean {
  return half.sessionId === null || half.sessionId === signedIn?.session.id
}

/** What is spent with the session, so that the sign-in becomes one once. */
export function onceFor({ id, startedAtMs }: HalfSignIn) {
  return { id: `half:${id}`, expiresAtMs: startedAtMs + halfSignInMs }
}

/**
 * The sign-in counts no more: leads back to where it began. That is the request itself when there is a session, and
 * otherwise the login page.
 */
export function startAgain(service: Service, request: Request, sentReturnUrl: string): Answer {
  const half = service.halfSignIns.read(request)?.half
  const returnUrl = localUrlOrRoot(half?.returnUrl ?? sentReturnUrl)
  const address =
    half !== undefined && half.sessionId !== null
      ? returnUrl
      : withQuery(service.settings.oauth.loginPageUrl, [
          ['ReturnUrl', returnUrl],
          ['error', 'sign_in_expired'],
        ])
  return withCookies(redirect(address), service.halfSignIns.remove(request))
}
