/** `/Account/Self/totp/:id`: one of several authenticator apps of the signed-in person. */
import { json } from '../../http/answer.ts'
import type { Endpoint } from '../../http/request.ts'
import { refuse } from '../../protocol/refusals/index.ts'
import { appId } from '../../secrets/app-id.ts'
import type { Service } from '../../service.ts'
import type { FactorChange } from '../../storage/port/users.ts'
import type { Candidate } from '../../users/lockout.ts'
import { passkeyName } from '../../users/passkey.ts'
import { appsOf, withApps } from '../../users/second-factor.ts'
import { withNotice } from '../notices.ts'
import { done, fault, selfChange } from './endpoint.ts'
import { text } from './members.ts'
import { changed, switchingOff } from './second-factors.ts'
import { describeFactors } from './sign-in-ways.ts'

/** In UTF-16 code units, before it is trimmed. */
const longestName = 1000
const nameFault = fault('name', 'name_invalid', 'The name must have 1 to 100 characters, and no control characters.')

/** `DELETE …/totp/:id`. The last app is switched off, with what depends on it. */
export function deleteApp(service: Service): Endpoint {
  return selfChange(service, { recent: true }, async (visit) => {
    const { request, signedIn, nowMs } = visit
    const off = switchingOff(service, visit)
    const event = changed(request, nowMs, signedIn.user, 'totp_removed')
    const told = withNotice(service, request, event, signedIn.user, { purpose: 'app_removed', data: {} })
    const decide = (stored: Candidate): FactorChange => {
      const apps = appsOf(stored.factors)
      const rest = apps.filter((app) => appId(app) !== request.params.id)
      if (stored.factors === undefined || rest.length === apps.length) return {}
      return rest.length === 0 ? off(stored) : { factors: withApps(stored.factors, rest), events: [told] }
    }
    const decided = await service.storage.secondFactors.change(signedIn.user.id, decide)
    return decided?.factors === undefined ? refuse('app_unknown') : done
  })
}

/** `PATCH …/totp/:id`: `name`. Answers what is switched on. */
export function renameApp(service: Service): Endpoint {
  const members = { name: text(longestName) }
  return selfChange(service, { recent: false, members }, async ({ request, signedIn, body }) => {
    const name = passkeyName(body.name)
    if (name === undefined) return nameFault
    const decided = await service.storage.secondFactors.change(signedIn.user.id, ({ factors }): FactorChange => {
      const apps = appsOf(factors)
      if (factors === undefined || !apps.some((app) => appId(app) === request.params.id)) return {}
      const named = apps.map((app) => (appId(app) === request.params.id ? { ...app, name } : app))
      return { factors: withApps(factors, named) }
    })
    return decided?.factors === undefined ? refuse('app_unknown') : json(describeFactors(decided.factors))
  })
}
