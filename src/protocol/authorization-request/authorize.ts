/**
 * Decides the next step of a valid authorization request: sign-in, consent or response (OpenID Connect Core §3.1.2).
 */
import { type AuthenticationClass, meetsClass } from '../claims/authentication-methods.ts'
import type { ClaimsRequest } from '../claims/claims-request.ts'
import { type Client, isSelfRegistered } from '../client/client.ts'
import type { Authorization } from '../grant/grant.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { secondsSince } from '../refusals/refusal-detail.ts'
import type { AuthorizationRequest, IdTokenHint, ResponseTarget } from './authorization-request.ts'
import { isRecentEnough } from './sign-in-age.ts'

/** The user's answer in the request. none: not a consent form; unanswered: the consent form without either button. */
export type ConsentAnswer = 'accept' | 'deny' | 'none' | 'unanswered'

/** The browser's current sign-in. */
export type Authentication = {
  readonly userId: string
  /** `sub` of the person for the client; absent: the id. */
  readonly subject?: string
  readonly authenticatedAtMs: number
  /** Its authentication class; undefined: unknown. */
  readonly acr?: AuthenticationClass | undefined
}

export type AuthorizeStep<SignIn = Authentication> =
  /** Redirects to the login page. `challenge`: an existing sign-in does not suffice, only a new one. */
  | { readonly next: 'login'; readonly challenge: boolean; readonly why?: 'login' | 'max_age' | 'another' }
  /** Redirects to the page on which the person chooses an account; a later sign-in satisfies that as well. */
  | { readonly next: 'choose' }
  /** Asks the signed-in user for a second factor, so that the sign-in meets the class `acr`. */
  | { readonly next: 'second_factor'; readonly acr: string; readonly authentication: SignIn }
  /** Redirects to the page on which the person fills in what is required and missing. */
  | { readonly next: 'complete' }
  | { readonly next: 'consent' }
  /** Issues a code. `store`: stores this consent first. */
  | { readonly next: 'code'; readonly store: boolean; readonly authentication: SignIn }
  | Refusal

/**
 * Decides the next step of a request whose client, redirect URI and parameters are valid. `challengedAtMs`: when this
 * request was sent to the login page with a challenge, if it was.
 */
export function decideAuthorize<SignIn extends Authentication>(
  request: AuthorizationRequest,
  client: Client,
  facts: {
    readonly authentication: SignIn | undefined
    readonly authorization: Authorization | undefined
    readonly challengedAtMs: number | undefined
    /** Whether this person was chosen for the request (`prompt=select_account`). */
    readonly isChosen?: boolean
    readonly hint: IdTokenHint | undefined
    /** The class that the user can reach with a second factor; undefined: none, or it is not needed. */
    readonly reach?: AuthenticationClass | undefined
    /** Whether the person has yet to fill in a required field. Absent: no. */
    readonly isIncomplete?: boolean
  },
  answer: ConsentAnswer,
  nowMs: number,
): AuthorizeStep<SignIn> {
  const silent = request.prompt.has('none')
  if (facts.authentication === undefined) {
    const rule = 'prompt=none, and no user is signed in at this browser'
    if (silent) return refuse('login_required', '', { client: client.id, rule })
    return { next: 'login', challenge: demandsFreshSignIn(request) }
  }
  if (silent && request.idTokenHint !== null && facts.hint === undefined) {
    const rule = 'prompt=none, and the id_token_hint cannot be verified'
    return refuse('login_required', 'id_token_hint', { client: client.id, rule })
  }
  // Denying needs no fresh sign-in, because it reveals nothing.
  if (answer === 'deny') return refuse('consent_denied', '', { client: client.id })
  if (!satisfiesRequest(request, facts.authentication, facts.challengedAtMs, nowMs)) {
    if (silent) {
      const signedInSecondsAgo = secondsSince(facts.authentication.authenticatedAtMs, nowMs)
      const rule = 'prompt=none, and the sign-in is older than max_age'
      const detail = { client: client.id, rule, maxAgeSeconds: request.maxAgeSeconds, signedInSecondsAgo }
      return refuse('login_required', '', detail)
    }
    const isOld = !request.prompt.has('login') && request.maxAgeSeconds !== 0
    return { next: 'login', challenge: true, why: isOld ? 'max_age' : 'login' }
  }
  const unsuitable = unsuitableSignIn(request, client, facts.authentication, facts.hint)
  if (unsuitable !== undefined) {
    // The visitor may sign in in another way once. If that does not help, the request is refused instead of asking again
    // endlessly.
    const { challengedAtMs, authentication } = facts
    const askedBefore = challengedAtMs !== undefined && authentication.authenticatedAtMs > challengedAtMs
    return silent || askedBefore || !unsuitable.canImprove
      ? unsuitable.refusal
      : { next: 'login', challenge: true, why: 'another' }
  }
  if (!isChosen(request, facts)) return { next: 'choose' }
  const asked = classToReach(request.claims, facts.authentication.acr, facts.reach)
  if (asked !== undefined && !silent) return { next: 'second_factor', acr: asked, authentication: facts.authentication }
  if (request.claims.requiredAcr !== null && isClassUnmet(request.claims, facts.authentication.acr)) {
    return requireClass(request, client, request.claims.requiredAcr, facts)
  }
  if (facts.isIncomplete === true) {
    if (!silent) return { next: 'complete' }
    const rule = 'prompt=none, and a required field of the person has no value'
    return refuse('person_incomplete', '', { client: client.id, rule })
  }
  if (client.consent === 'external') {
    // Whatever `prompt` and the person say: nobody is asked.
    if (facts.authorization !== undefined) return { next: 'code', store: false, authentication: facts.authentication }
    const rule = 'consent=external, and no operator stored a consent for these scopes'
    return refuse('consent_of_operator_missing', '', { client: client.id, rule, requested: request.scopes })
  }
  if (answer === 'accept') {
    return { next: 'code', store: client.consent !== 'always', authentication: facts.authentication }
  }
  // The form was submitted by Enter or a script, which is neither yes nor no, so it is shown again.
  if (answer === 'unanswered') return { next: 'consent' }
  if (client.consent === 'implicit') return { next: 'code', store: false, authentication: facts.authentication }
  if (facts.authorization !== undefined && !request.prompt.has('consent'))
    return { next: 'code', store: false, authentication: facts.authentication }
  if (silent) {
    const rule =
      client.consent === 'always'
        ? 'prompt=none, and the client has consent=always'
        : 'prompt=none, and no consent to exactly these scopes is stored'
    const detail = { client: client.id, rule, requested: request.scopes }
    return refuse('consent_required', '', detail)
  }
  return { next: 'consent' }
}

/**
 * Returns what the client learns of a refusal. One that anybody registered learns without the person only that they must
 * sign in: not whether somebody is signed in at this browser, who that is not, or what was consented to.
 */
export function refusalFor(refusal: Refusal, { client, isSilent }: ResponseTarget): Refusal {
  const isAboutPerson = personal.includes(refusal.error)
  return isSilent && isAboutPerson && isSelfRegistered(client)
    ? refuse('login_required', '', { ...refusal.detail, client: client.id })
    : refusal
}

/** Errors that depend on who is signed in (OpenID Connect Core §3.1.2.6). */
const personal: readonly Refusal['error'][] = ['login_required', 'consent_required', 'interaction_required']

/**
 * Returns why a sign-in cannot answer the request, however recent it is: another user is meant (OpenID Connect Core
 * §3.1.2.2, §5.5.1). `canImprove`: another sign-in may help.
 */
function unsuitableSignIn(
  request: AuthorizationRequest,
  client: Client,
  { userId, subject = userId }: Authentication,
  hint: IdTokenHint | undefined,
): { readonly refusal: Refusal; readonly canImprove: boolean } | undefined {
  const rule = request.prompt.has('none')
    ? 'prompt=none, and another person is signed in'
    : 'another person is signed in'
  // A hint that was issued to the client while it was public has the id. No client can sign one.
  if (hint !== undefined && hint.subject !== subject && hint.subject !== userId) {
    const detail = { client: client.id, rule, named: hint.subject, signedIn: userId }
    return { refusal: refuse('hint_names_another', '', detail), canImprove: true }
  }
  const { subjects } = request.claims
  if (subjects !== null && !subjects.includes(subject)) {
    const detail = { client: client.id, rule, named: subjects, signedIn: userId }
    return { refusal: refuse('claims_name_another', '', detail), canImprove: subjects.length > 0 }
  }
  return undefined
}

/**
 * Whether the sign-in lacks the class that the request prefers or requires, so that it matters which one the user can
 * reach.
 */
export function isClassUnmet(
  { requiredAcr, preferredAcr }: ClaimsRequest,
  acr: AuthenticationClass | undefined,
): boolean {
  if (requiredAcr !== null) return !requiredAcr.some((required) => meetsClass(acr, required))
  const [first] = preferredAcr
  return first !== undefined && !meetsClass(acr, first)
}

/**
 * Returns the class that a second factor has to reach; undefined: none is asked for, or the user cannot reach any.
 * Of preferred classes it is the first that can be met; without a second factor, if the sign-in meets it already.
 */
function classToReach(
  claims: ClaimsRequest,
  acr: AuthenticationClass | undefined,
  reach: AuthenticationClass | undefined,
): string | undefined {
  if (!isClassUnmet(claims, acr)) return undefined
  const listed = claims.requiredAcr ?? claims.preferredAcr
  const first = listed.find((asked) => meetsClass(acr, asked) || meetsClass(reach, asked))
  return first === undefined || meetsClass(acr, first) ? undefined : first
}

/** Refuses a request for a class that the user cannot reach, or sends to the login page once if that may help. */
function requireClass(
  request: AuthorizationRequest,
  client: Client,
  requiredAcr: readonly string[],
  facts: { readonly authentication: Authentication | undefined; readonly challengedAtMs: number | undefined },
): Refusal | { readonly next: 'login'; readonly challenge: true; readonly why: 'another' } {
  const { acr, authenticatedAtMs = 0 } = facts.authentication ?? {}
  const detail = { client: client.id, required: requiredAcr, reached: acr ?? 'none' }
  if (request.prompt.has('none')) return refuse('acr_needs_interaction', '', detail)
  // A sign-in at an external provider has no class; one with a password or passkey has.
  const canImprove = acr === undefined && requiredAcr.some((required) => meetsClass('1', required))
  const askedBefore = facts.challengedAtMs !== undefined && authenticatedAtMs > facts.challengedAtMs
  return canImprove && !askedBefore
    ? { next: 'login', challenge: true, why: 'another' }
    : refuse('acr_unmet', '', detail)
}

/** Whether an existing sign-in may not suffice, so that the time of the next one must be known. */
function demandsFreshSignIn(request: AuthorizationRequest): boolean {
  return request.prompt.has('login') || request.prompt.has('select_account') || request.maxAgeSeconds !== null
}

/** Whether the sign-in satisfies `prompt` and `max_age` (OpenID Connect Core §3.1.2.1). */
function satisfiesRequest(
  request: AuthorizationRequest,
  authentication: Authentication,
  challengedAtMs: number | undefined,
  nowMs: number,
): boolean {
  // `prompt=login` asks for a new sign-in, whatever the age of the last one.
  const maxAgeSeconds = request.prompt.has('login') ? 0 : request.maxAgeSeconds
  return isRecentEnough(authentication, maxAgeSeconds, challengedAtMs, nowMs)
}

/** Whether the person chose this account, as `prompt=select_account` demands, or signed in to it for this request. */
function isChosen(
  request: AuthorizationRequest,
  facts: {
    readonly authentication: Authentication | undefined
    readonly challengedAtMs: number | undefined
    readonly isChosen?: boolean
  },
): boolean {
  if (!request.prompt.has('select_account') || facts.isChosen === true) return true
  const { authentication, challengedAtMs } = facts
  return (
    authentication !== undefined && challengedAtMs !== undefined && authentication.authenticatedAtMs > challengedAtMs
  )
}
