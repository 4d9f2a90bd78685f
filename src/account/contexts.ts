/** The JSON that the pages show: who is signed in, what a consent or a sign-out is about. */
import { checkRequest } from '../connect/authorize.ts'
import { checkEndSession } from '../connect/logout.ts'
import { json } from '../http/answer.ts'
import { readQuery } from '../http/parameters.ts'
import type { Endpoint } from '../http/request.ts'
import { isRefusal, refuse } from '../protocol/refusals/index.ts'
import type { Service } from '../service.ts'

/** `GET /Account/Session`: `{ user: { name } | null }`. */
export function sessionContext(service: Service): Endpoint {
  return async (request) => {
    const signedIn = await service.sessions.current(request)
    return json({ user: signedIn === undefined ? null : { name: signedIn.user.name } })
  }
}

/**
 * `GET /Account/ConsentContext?<the authorization request>`: `{ client, scopes, user }` of a request that the server
 * checked itself, or the protocol error; 401 `login_required` when nobody is signed in any more.
 */
export function consentContext(service: Service): Endpoint {
  const { answers } = service
  return async (request) => {
    const parameters = readQuery(request)
    if (isRefusal(parameters)) return answers.refuseAsJson(request, parameters)
    const checked = await checkRequest(service, request, parameters)
    if ('refusal' in checked) return answers.refuseAsJson(request, checked.refusal)
    if (checked.signedIn === undefined) return answers.refuseAsJson(request, refuse('login_required'), 401)
    const { client, scopes, signedIn } = checked
    const described = checked.request.scopes.map((name) => {
      const scope = scopes.find((candidate) => candidate.name === name)
      return { name, displayName: scope?.displayName ?? null, description: scope?.description ?? null }
    })
    return json({
      client: { id: client.id, name: client.name },
      scopes: described,
      user: { name: signedIn.user.name },
    })
  }
}

/** `GET /Account/LogoutContext?<the end-session request>`: `{ client, user }`, each null when there is none. */
export function logoutContext(service: Service): Endpoint {
  const { answers } = service
  return async (request) => {
    const parameters = readQuery(request)
    if (isRefusal(parameters)) return answers.refuseAsJson(request, parameters)
    const checked = await checkEndSession(service, parameters)
    if (isRefusal(checked)) return answers.refuseAsJson(request, checked)
    const { client } = checked
    const signedIn = await service.sessions.current(request)
    return json({
      client: client === undefined ? null : { id: client.id, name: client.name },
      user: signedIn === undefined ? null : { name: signedIn.user.name },
    })
  }
}
