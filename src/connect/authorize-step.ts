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
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { subjectFor } from '../tokens/subject.ts'
import { maxReturnUrlLength } from '../users/local-url.ts'
import { isIncomplete } from '../users/own-attributes.ts'
import type { RequestingSession, SignedIn } from '../users/session.ts'
import type { User } from '../users/user.ts'
import { boundedAddress, lengthOf, pageAddressAtMost, returnAddress } from './bounded-address.ts'
import type { CheckedRequest } from './checked-request.ts'
import { reachIn } from './step-up.ts'

type Step = AuthorizeStep<Authentication & { readonly signedIn: SignedIn<RequestingSession> }>

/** `parameters`: those of the HTTP request, by which the marks of this browser are found. */
export async function stepFor(
  service: Service,
  request: Request,
  { signedIn, ...checked }: CheckedRequest,
  parameters: Parameters,
  answer: ConsentAnswer,
): Promise<Step> {
  const { chosenAccounts, challenges, clock, settings } = service
  const authentication = signedIn && {
    userId: signedIn.user.id,
    subject: subjectFor(service.keys, checked.client, signedIn.user),
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
  const lacks = signedIn !== undefined && (await lacksFields(service, signedIn.user, checked.catalogueVersion))
  const facts = { authentication, authorization, challengedAtMs, isChosen, hint, reach, isIncomplete: lacks }
  const step = decideAuthorize(checked.request, checked.client, facts, answer, clock())
  if (isRefusal(step) || step.next === 'code') return step
  // From the others the browser comes back with the request as its return address.
  const [address, limit] =
    step.next === 'consent'
      ? [boundedAddress(settings.oauth.consentPageUrl, parameters, pageAddressAtMost), pageAddressAtMost]
      : [returnAddress(parameters), maxReturnUrlLength]
  if (address !== undefined) return step
  const detail = { client: checked.client.id, length: lengthOf(parameters), limit }
  return refuse('authorization_request_too_long', '', detail)
}

/** Whether the person has yet to fill in a field that an operator declared. */
async function lacksFields(
  { catalogue }: Service,
  { attributes }: Pick<User, 'attributes'>,
  version: number,
): Promise<boolean> {
  const known = catalogue.at(version)
  return isIncomplete(attributes, (known instanceof Promise ? await known : known).attributes)
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

/** Removes what this browser keeps of a request once it is answered. */
export function settleMarks(
  { challenges, chosenAccounts, openedRequests }: Service,
  request: Request,
  { signedIn, mark }: CheckedRequest,
  parameters: Parameters,
): readonly SetCookie[] {
  return [
    ...challenges.settle(request, parameters),
    ...(signedIn === undefined ? [] : chosenAccounts.settle(request, choiceOf(parameters, signedIn.user.id))),
    ...(mark === undefined ? [] : openedRequests.settle(request, mark)),
  ]
}

/** A choice counts for one person: whoever signs in afterwards is another. */
function choiceOf(parameters: Parameters, userId: string): Parameters {
  return [...parameters, ['', userId]]
}
