/** Stores what a user consented to, in the browser and for a device alike. */
import { auditEvent } from '../audit/request-events.ts'
import type { Request } from '../http/request.ts'
import type { PushedRequest } from '../protocol/authorization-request/pushed-request.ts'
import { type Client, isSelfRegistered } from '../protocol/client/client.ts'
import type { Authorization } from '../protocol/grant/grant.ts'
import { handedOverBy, type Scope, standingConsent } from '../protocol/scope/scope.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'

type Consent = {
  readonly userId: string
  readonly client: Client
  readonly scopes: readonly string[]
  /** At least those of the scopes that are registered. */
  readonly registered: readonly Scope[]
}

/**
 * Returns the stored consent that lets the person into the client; undefined: there is none. `given`: the one for exactly these
 * scopes. Reads nothing unless an operator alone gives people access to the client.
 */
export function consentThatCounts(
  service: Pick<Service, 'storage'>,
  userId: string,
  client: Client,
  asked: {
    readonly given: Authorization | undefined
    readonly scopes: readonly string[]
    readonly registered: readonly Scope[]
  },
): Authorization | undefined | Promise<Authorization | undefined> {
  const { given, scopes, registered } = asked
  switch (client.consent) {
    case 'always':
      return undefined
    case 'external':
      return given?.byOperator === true ? given : operatorConsent(service, userId, client, scopes)
    default:
      return standingConsent(given, scopes, registered)
  }
}

/** Returns a consent that an operator stored for these scopes or more; undefined: there is none. */
export function operatorConsent(
  { storage }: Pick<Service, 'storage'>,
  userId: string,
  { id }: Pick<Client, 'id'>,
  scopes: readonly string[],
): Promise<Authorization | undefined> {
  return storage.authorizations.findByOperator(userId, id, scopes)
}

/** Returns the consent that is to be stored. */
export function newConsent({ clock, random }: Service, { userId, client, scopes, registered }: Consent): Authorization {
  const nowMs = clock()
  const claims = handedOverBy(scopes, registered)
  return {
    id: uuidv7(nowMs, random),
    userId,
    clientId: client.id,
    scopes: [...scopes].sort(),
    ...(claims.length > 0 && { claims }),
    createdAtMs: nowMs,
  }
}

/**
 * Returns the stored consent, which may be an earlier one; 'gone': the user or the client was deleted meanwhile. `pushed`:
 * the pushed request that this completes; 'completed': it was before.
 */
export async function storeConsent(
  { storage }: Service,
  request: Request,
  authorization: Authorization,
  client: Client,
  pushed?: PushedRequest,
): Promise<Authorization | 'gone' | 'completed'> {
  // Clients that registered themselves are removed if they are not used. Before the consent: after it, nothing may fail.
  if (isSelfRegistered(client)) await storage.registrations.keep(client.id)
  const { id, scopes, createdAtMs } = authorization
  const given = auditEvent(request, createdAtMs, 'consent_given', authorization, { id, scopes })
  const completing = pushed && { pushedRequestId: pushed.id, nowMs: createdAtMs }
  return storage.authorizations.store(authorization, [given], completing)
}
