/** What happens next with a good authorization request: sign in, ask for consent, answer (OpenID Connect Core §3.1.2). */
import type { AuthorizationRequest, IdTokenHint } from './authorization-request.ts'
import type { Client } from './client.ts'
import type { Authorization } from './grant.ts'
import { secondsSince } from './refusal-detail.ts'
import { type Refusal, refuse } from './refusals/index.ts'

/**
 * The person's answer that came with the request. none: a request on its way in; unanswered: the consent form without
 * either button.
 */
export type ConsentAnswer = 'accept' | 'deny' | 'none' | 'unanswered'

/** The sign-in that the browser can show. */
export type Authentication = { readonly userId: string; readonly authenticatedAtMs: number }

export type AuthorizeStep =
  /** Send the browser to the login page. `challenge`: even a standing sign-in is not enough, only one from now on. */
  | { readonly next: 'login'; readonly challenge: boolean }
  | { readonly next: 'consent' }
  /** Issue a code; `store`: remember this consent first. */
  | { readonly next: 'code'; readonly store: boolean }
  | { readonly next: 'refuse'; readonly refusal: Refusal }

/**
 * Decides the next step of a request whose client, address and parameters are known to be good.
 * `challengedAtMs`: when this very request was sent to the login page with a challenge, if it was.
 */
export function decideAuthorize(
  request: AuthorizationRequest,
  client: Client,
  facts: {
    readonly authentication: Authentication | undefined
    readonly authorization: Authorization | undefined
    readonly challengedAtMs: number | undefined
    readonly hint: IdTokenHint | undefined
  },
  answer: ConsentAnswer,
  nowMs: number,
): AuthorizeStep {
  const silent = request.prompt.has('none')
  if (facts.authentication === undefined) {
    const rule = 'prompt=none, and nobody is signed in at this browser'
    if (silent) return { next: 'refuse', refusal: refuse('login_required', '', { client: client.id, rule }) }
    return { next: 'login', challenge: demandsFreshSignIn(request) }
  }
  // A 'no' needs no fresh sign-in: it gives nothing away.
  if (answer === 'deny') return { next: 'refuse', refusal: refuse('consent_denied', '', { client: client.id }) }
  if (!satisfiesRequest(request, facts.authentication, facts.challengedAtMs, nowMs)) {
    if (silent) {
      const signedInSecondsAgo = secondsSince(facts.authentication.authenticatedAtMs, nowMs)
      const rule = 'prompt=none, and the sign-in is older than max_age'
      const detail = { client: client.id, rule, maxAgeSeconds: request.maxAgeSeconds, signedInSecondsAgo }
      return { next: 'refuse', refusal: refuse('login_required', '', detail) }
    }
    return { next: 'login', challenge: true }
  }
  if (facts.hint !== undefined && facts.hint.subject !== facts.authentication.userId) {
    // OpenID Connect Core §3.1.2.2: never an answer for another person than the hint names. The visitor may sign in as
    // that person once; who then still is somebody else is told so, instead of being asked for ever.
    const { challengedAtMs, authentication } = facts
    const askedBefore = challengedAtMs !== undefined && authentication.authenticatedAtMs > challengedAtMs
    if (!silent && !askedBefore) return { next: 'login', challenge: true }
    const rule = silent ? 'prompt=none, and another person is signed in' : 'another person signed in after being asked'
    const detail = { client: client.id, rule, named: facts.hint.subject, signedIn: authentication.userId }
    return { next: 'refuse', refusal: refuse('hint_names_another', '', detail) }
  }
  if (answer === 'accept') return { next: 'code', store: true }
  // The form was posted by Enter or a script: neither yes nor no, so the question is asked again.
  if (answer === 'unanswered') return { next: 'consent' }
  if (client.consent === 'implicit') return { next: 'code', store: false }
  if (facts.authorization !== undefined && !request.prompt.has('consent')) return { next: 'code', store: false }
  if (silent) {
    const rule = 'prompt=none, and no consent to exactly these scopes is stored'
    const detail = { client: client.id, rule, requested: request.scopes }
    return { next: 'refuse', refusal: refuse('consent_required', '', detail) }
  }
  return { next: 'consent' }
}

/** Whether a standing sign-in may not be enough, so that the one which follows must be known for its time. */
function demandsFreshSignIn(request: AuthorizationRequest): boolean {
  return request.prompt.has('login') || request.prompt.has('select_account') || request.maxAgeSeconds !== null
}

/**
 * Whether the sign-in meets `prompt` and `max_age` (OpenID Connect Core §3.1.2.1). A sign-in after the challenge for
 * this request always does: coming back from the login page without signing in proves nothing, and a slow reader of
 * the consent page is not asked twice.
 */
function satisfiesRequest(
  request: AuthorizationRequest,
  authentication: Authentication,
  challengedAtMs: number | undefined,
  nowMs: number,
): boolean {
  if (challengedAtMs !== undefined && authentication.authenticatedAtMs > challengedAtMs) return true
  if (request.prompt.has('login') || request.prompt.has('select_account') || request.maxAgeSeconds === 0) return false
  if (request.maxAgeSeconds === null) return true
  // Strictly older is too old; a sign-in of exactly that age still counts.
  return nowMs - authentication.authenticatedAtMs <= request.maxAgeSeconds * 1000
}
