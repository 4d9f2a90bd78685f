/** Stores consents of another system once both the person and the client are there, whichever import came first. */
import type { AuditDetails, AuditEvent, AuditKind } from '../audit/entry.ts'
import type { Client } from '../protocol/client/client.ts'
import type { Authorization } from '../protocol/grant/grant.ts'
import { handedOverBy, isPermitted, type Scope } from '../protocol/scope/scope.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { ImportedConsent } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Patience } from './patience.ts'

export type ConsentsContext = {
  readonly storage: Pick<Storage, 'imports' | 'clients' | 'scopes'>
  /** Waits for a commit that is not answered, and makes it again: a consent that was stored all the same is not kept any more. */
  readonly patience: Patience
  readonly nowMs: number
  readonly random: (bytes: number) => Uint8Array
  readonly event: (
    kind: AuditKind,
    parties: { readonly userId?: string; readonly clientId?: string },
    details: AuditDetails,
  ) => AuditEvent
}

export async function settleConsents(context: ConsentsContext): Promise<void> {
  const { storage, patience, nowMs, event } = context
  for (;;) {
    const ready = await storage.imports.readyConsents(nowMs)
    for (const kept of ready) {
      const stored = await authorizationOf(kept, context)
      const { userId, clientId } = kept
      const details = { id: stored?.id ?? '', scopes: stored?.scopes ?? [] }
      const events = stored === undefined ? [] : [event('consent_given', { userId, clientId }, details)]
      await patience.ask(() => storage.imports.settleConsent(kept, stored, events))
    }
    if (ready.length === 0) return
  }
}

export function permittedOf(
  given: readonly string[],
  client: Client | undefined,
  registered: readonly Scope[],
): readonly string[] {
  return client === undefined ? [] : given.filter((scope) => isPermitted(scope, client, registered))
}

/** With the scopes that the client may have here; undefined: none is left. */
async function authorizationOf(
  { userId, clientId, scopes: given, isByOperator }: ImportedConsent,
  { storage, nowMs, random }: ConsentsContext,
): Promise<Authorization | undefined> {
  const [client, registered] = await Promise.all([storage.clients.find(clientId), storage.scopes.findMany(given)])
  const scopes = permittedOf(given, client, registered)
  if (scopes.length === 0) return undefined
  const claims = handedOverBy(scopes, registered)
  return {
    ...{ id: uuidv7(nowMs, random), userId, clientId, scopes: [...scopes].sort(), createdAtMs: nowMs },
    ...(claims.length > 0 && { claims }),
    ...(isByOperator && { byOperator: true as const }),
  }
}
