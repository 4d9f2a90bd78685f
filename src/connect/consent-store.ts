/** Stores what a user consented to, in the browser and for a device alike. */
import { auditEvent } from '../audit/request-events.ts'
import type { Request } from '../http/request.ts'
import { type Client, isSelfRegistered } from '../protocol/client.ts'
import type { Authorization } from '../protocol/grant.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'

type Consent = {
  readonly userId: string
  readonly client: Client
  readonly scopes: readonly string[]
}

/** Returns the stored consent; 'gone': the user or the client was deleted meanwhile. */
export async function storeConsent(
  { storage, clock, random }: Service,
  request: Request,
  { userId, client, scopes }: Consent,
): Promise<Authorization | 'gone'> {
  const nowMs = clock()
  const authorization = {
    id: uuidv7(nowMs, random),
    userId,
    clientId: client.id,
    scopes: [...scopes].sort(),
    createdAtMs: nowMs,
  }
  const details = { id: authorization.id, scopes: authorization.scopes }
  const stored = await storage.authorizations.store(authorization, [
    auditEvent(request, nowMs, 'consent_given', authorization, details),
  ])
  // Clients that registered themselves are removed if they are not used.
  if (isSelfRegistered(client)) await storage.registrations.keep(client.id)
  return stored
}
