/** The JSON that the sign-out page displays. */
import { checkEndSession } from '../connect/logout.ts'
import { json } from '../http/answer.ts'
import { readQuery } from '../http/parameters.ts'
import type { Endpoint } from '../http/request.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'

/** `GET /Account/LogoutContext?<end-session request>`: returns `{ client, user }`, each null if absent. */
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
