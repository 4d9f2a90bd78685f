/** `/Account/Self/applications`: what may use a person's account. */
import { auditEvent } from '../../audit/request-events.ts'
import { json } from '../../http/answer.ts'
import type { Endpoint, Request } from '../../http/request.ts'
import { logoUriOf } from '../../protocol/client/client-logo.ts'
import { localizedText } from '../../protocol/client/localized-text.ts'
import { scopesAsTold } from '../../protocol/grant/refresh-token.ts'
import { refuse } from '../../protocol/refusals/index.ts'
import type { Service } from '../../service.ts'
import type { User } from '../../users/user.ts'
import { isoTime } from '../../users/user-record.ts'
import { describeScopes, inWordsOf } from '../contexts.ts'
import { done, selfChange, selfRead } from './endpoint.ts'

/** `GET …/applications`: those with a stored consent or an open grant, most recently used first. */
export function listApplications(service: Service): Endpoint {
  return selfRead(service, async ({ request, signedIn, nowMs }) =>
    json({ items: await applicationsOf(service, request, signedIn.user, nowMs) }),
  )
}

export async function applicationsOf(service: Service, request: Request, user: User, nowMs: number) {
  const { storage } = service
  const inWords = await inWordsOf(service, request)
  const { language } = inWords
  const found = await storage.applications.list(user, nowMs)
  const names = [...new Set(found.flatMap(({ scopes }) => scopes))]
  const registered = names.length === 0 ? [] : await storage.scopes.findMany(names)
  const latest = (application: { readonly createdAtMs: number; readonly lastUsedAtMs: number | null }): number =>
    application.lastUsedAtMs ?? application.createdAtMs
  return found
    .sort((a, b) => latest(b) - latest(a))
    .map(({ client, scopes, createdAtMs, lastUsedAtMs }) => ({
      client_id: client.id,
      name: localizedText(client, 'client_name', language),
      self_registered: client.metadata.registration !== 'operator',
      has_logo: client.metadata.registration === 'operator' && logoUriOf(client, language) !== null,
      scopes,
      scope_descriptions: describeScopes(scopesAsTold(scopes, client), registered, inWords).map((scope) => ({
        name: scope.name,
        display_name: scope.displayName,
        description: scope.description,
      })),
      created_at: isoTime(createdAtMs),
      last_used_at: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs),
    }))
}

/** `DELETE …/applications/CLIENT`: deletes the consents to the client and ends its grants, in one commit. */
export function removeApplication(service: Service): Endpoint {
  return selfChange(service, { recent: false }, async ({ request, signedIn, nowMs }) => {
    const { client: clientId = '' } = request.params
    const parties = { userId: signedIn.user.id, clientId }
    const event = auditEvent(request, nowMs, 'consent_revoked', parties, { reason: 'access_removed' })
    const removed = await service.storage.applications.remove(parties.userId, clientId, nowMs, [event])
    return removed ? done : refuse('self_item_unknown')
  })
}
