/** The next step of a checked authorization request, from the facts that this browser brings. */
import type { SetCookie } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import { acrOf } from '../protocol/authentication-methods.ts'
import { type Authentication, type AuthorizeStep, type ConsentAnswer, decideAuthorize } from '../protocol/authorize.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { Service } from '../service.ts'
import type { SignedIn } from '../users/session.ts'
import type { CheckedRequest } from './checked-request.ts'

type Step = AuthorizeStep<Authentication & { readonly signedIn: SignedIn }>

/** `parameters`: those of the HTTP request, by which the marks of this browser are found. */
export function stepFor(
  { chosenAccounts, challenges, clock }: Service,
  request: Request,
  { signedIn, ...checked }: CheckedRequest,
  parameters: Parameters,
  answer: ConsentAnswer,
): Step {
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
  const facts = { authentication, authorization: checked.authorization, challengedAtMs, isChosen, hint: checked.hint }
  return decideAuthorize(checked.request, checked.client, facts, answer, clock())
}

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
