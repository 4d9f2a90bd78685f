/** Where a browser goes after a sign-in. */
import { type Answer, redirect } from '../http/answer.ts'
import { withQuery } from '../http/parameters.ts'
import type { Service } from '../service.ts'
import { localUrlOrRoot } from '../users/local-url.ts'
import { isIncomplete } from '../users/own-attributes.ts'

/** Asks for missing fields itself, by the rules of its request. */
const authorizationRequest = /^\/connect\/authorize(?:\?|$)/i

/**
 * Returns the address, or before it the page on which the person fills in what operators require. Reads the person only where
 * operators require something of people.
 */
export async function addressAfter(
  { catalogue, storage }: Pick<Service, 'catalogue' | 'storage'>,
  userId: string,
  returnUrl: string,
): Promise<string> {
  const next = localUrlOrRoot(returnUrl)
  if (authorizationRequest.test(next)) return next
  const { attributes } = await catalogue.now()
  if (!isIncomplete({}, attributes)) return next
  const user = await storage.users.find(userId)
  const lacks = user !== undefined && isIncomplete(user.attributes, attributes)
  return lacks ? withQuery('/Account/Complete', [['ReturnUrl', next]]) : next
}

/** Answers a sign-in that became a session. */
export async function goOnward(service: Service, userId: string, returnUrl: string): Promise<Answer> {
  return redirect(await addressAfter(service, userId, returnUrl))
}
