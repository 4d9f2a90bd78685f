/** The next step of a checked authorization request, from the facts that this browser brings. */
import type { SetCookie } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import {
  type Authentication,
  type AuthorizeStep,
  type ConsentAnswer,
  decideAuthorize,
  isClassUnmet,
} from '../protocol/authorization-request/authorize.ts'
import { acrOf } from '../protocol/claims/authentication-methods.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { maxReturnUrlLength } from '../users/local-url.ts'
import type { SignedIn } from '../users/session.ts'
import type { CheckedRequest } from './checked-request.ts'
import { lengthOf, returnAddress } from './return-address.ts'
import { reachIn } from './step-up.ts'

type Step = AuthorizeStep<Authentication & { readonly signedIn: SignedIn }>

/** `parameters`: those of the HTTP request, by which the marks of this browser are found. */
export async function stepFor(
  service: Service,
  request: Request,
  { signedIn, ...checked }: CheckedRequest,
  parameters: Parameters,
  answer: ConsentAnswer,
): Promise<Step> {
  const { chosenAccounts, challenges, clock } = service
  const authentication = signedIn && {
    userId: signedIn.user.id,
    authenticatedAtMs: signedIn.session.authenticatedAtMs,
    acr: acrOf(signedIn.session.methods),
    signedIn,
  }
  const isChosen =
    signedIn !== undefined &&
    checked.request.prompt.has('select_account') &&
    chosenAccounts.markedAt(request, choiceOf(parameters, signedIn.user.id)) !== undefined
  const challengedAtMs = challenges.markedAt(request, parameters)
  const { authorization, hint, request: asked } = checked
  // Read only for requests that ask for more than the sign-in has.
  const isUnmet = authentication !== undefined && isClassUnmet(asked.claims, authentication.acr)
  const reach = isUnmet ? await reachIn(service, authentication.signedIn) : undefined
  const facts = { authentication, authorization, challengedAtMs, isChosen, hint, reach }
  const step = decideAuthorize(checked.request, checked.client, facts, answer, clock())
  if (isRefusal(step) || !returning.includes(step.next) || returnAddress(parameters) !== undefined) return step
  const detail = { client: checked.client.id, length: lengthOf(parameters), limit: maxReturnUrlLength }
  return refuse('authorization_request_too_long', '', detail)
}

/** Steps from which the browser comes back with the request as its return address. */
const returning: readonly Exclude<Step, Refusal>['next'][] = ['login', 'choose', 'second_factor']

/** Marks the person as chosen for the request. */
export function markChoice(
  { chosenAccounts }: Service,
  request: Request,
  parameters: Parameters,
  userId: string,
): readonly SetCookie[] {
  return chosenAccounts.mark(request, choiceOf(parameters, userId))
}

/** Removes the mark once the request is answered. */
export function settleChoice(
  { chosenAccounts }: Service,
  request: Request,
  { signedIn }: CheckedRequest,
  parameters: Parameters,
): readonly SetCookie[] {
  return signedIn === undefined ? [] : chosenAccounts.settle(request, choiceOf(parameters, signedIn.user.id))
}

/** A choice counts for one person: whoever signs in afterwards is another. */
function choiceOf(parameters: Parameters, userId: string): Parameters {
  return [...parameters, ['', userId]]
}
