/** `GET /Account/Self/export`: everything that is stored about a person, in one file. */
import { auditEvent } from '../../audit/request-events.ts'
import { json, withHeaders } from '../../http/answer.ts'
import type { Endpoint } from '../../http/request.ts'
import type { Service } from '../../service.ts'
import { personalDataRecord } from '../../users/personal-data.ts'
import { selfRead } from './endpoint.ts'

/** Records that it was exported, so that the owner of an account sees a thief's export. */
export function exportData(service: Service): Endpoint {
  const { settings, storage } = service
  return selfRead(
    service,
    async ({ request, signedIn, nowMs }) => {
      const { user } = signedIn
      await storage.audit.append([auditEvent(request, nowMs, 'data_exported', { userId: user.id })])
      const record = personalDataRecord(await storage.personalData.read(user), settings.oauth.issuer, nowMs)
      const file = { ...json(record), body: `${JSON.stringify(record, null, 2)}\n` }
      return withHeaders(file, { 'content-disposition': 'attachment; filename="account.json"' })
    },
    { recent: true, recorded: true },
  )
}
