/** `POST /clients`: registers an application, by a template if one is named. */
import type { Judged, Problem, Rejection } from '../problem.ts'
import type { Client } from '../protocol/client/client.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { type Registration, registrationOf } from '../protocol/templates/registration.ts'
import type { Setup } from '../protocol/templates/template.ts'
import { isRefusal } from '../refusal.ts'
import { methodIn, mintSecretFor } from '../secrets/sealed-secret.ts'
import { ScopeBeingDeleted } from '../storage/port/claim-rules.ts'
import { nameTaken, problemsOf } from './changing.ts'
import {
  type ClientBody,
  eventsOfAdded,
  judgingOf,
  publishKeys,
  secretOf,
  shownClient,
  toChanges,
} from './client-facts.ts'
import type { Call, Done, Outcome, Refused } from './operation.ts'
import { checkClient } from './permissions.ts'
import { tooLongWith } from './token-lengths.ts'

/** `clientId`: for a body without one. A template or an address that is no text was refused by the schema. */
function asked({ body, nowMs }: Call<unknown, ClientBody>, clientId: string): Promise<Judged<Registration>> {
  const { client_id, template, base_url, ...members } = body
  return registrationOf({
    clientId: textOf(client_id) ?? clientId,
    given: toChanges(members, {}, 'PUT'),
    template: textOf(template),
    base: textOf(base_url),
    names: { template: 'template', base: 'base_url' },
    nowMs,
  })
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The code contains the secret, so the replay of an `Idempotency-Key` leaves it out as well. */
const withSetup = (shown: Done, setup: Setup): Done => ({
  ...shown,
  body: { ...(shown.body as object), setup },
  secrets: [...(shown.secrets ?? []), 'setup'],
})

/** Returns what the rules find in a registration that the schema refused already. */
export async function judgeCreation(call: Call<unknown, ClientBody>): Promise<readonly Problem[]> {
  const registration = await asked(call, 'app')
  if (isRefusal<Registration | Rejection>(registration)) return registration.problems
  return problemsOf(registration.judge(await judgingOf(call, registration.changes, ''), registration.scopes))
}

/** Registers a client and the scopes that its template needs, all in one commit. */
export async function createClient(call: Call<unknown, ClientBody>): Promise<Outcome> {
  const { service, body } = call
  const id = textOf(body.client_id) ?? `app-${Buffer.from(service.random(12)).toString('hex')}`
  const registration = await asked(call, id)
  if (isRefusal<Registration | Rejection>(registration)) return registration
  const minted = mintSecretFor(methodIn(registration.changes), service.keys, service.random)
  const judging = await judgingOf(call, registration.changes, minted.stored)
  let no: Refusal | Rejection | undefined
  const added = await service.storage.claimRules
    .addClients(
      async (rules, missing) => {
        const isTaken = (await service.storage.clients.find(id)) !== undefined
        const judged = registration.judge({ ...judging, rules }, missing, isTaken)
        no = isRefusal<Client | Rejection>(judged) ? judged : checkClient(call.caller.permissions, judged)
        no ??= await tooLongWith(call, rules, undefined, judged as Client)
        return no === undefined ? [judged as Client] : []
      },
      (clients, missing) => [
        ...missing.map(({ name, resources }: Scope) => call.event('scope_added', {}, { name, resources })),
        ...clients.flatMap((client) => eventsOfAdded(call, client)),
      ],
      registration.scopes,
    )
    .catch((error: unknown) => scopeIsLeaving(error))
  if (no !== undefined) return no
  if (typeof added === 'object' && 'refusal' in added) return added
  const [client] = added
  if (added === 'taken' || client === undefined || typeof client === 'string') {
    return nameTaken(call, { kind: 'client', name: id }, 'client_id', { client: id })
  }
  await publishKeys(service, client)
  const shown = await shownClient(call, client, secretOf(client, minted))
  const setup = registration.setup?.(
    client,
    service.settings.oauth.issuer,
    secretOf(client, minted) ?? '',
    service.random(32),
  )
  return {
    ...(setup === undefined ? shown : withSetup(shown, setup)),
    location: `/clients/${encodeURIComponent(id)}`,
  }
}

/** Returns the refusal of a template whose scope is still being removed. Throws every other error. */
function scopeIsLeaving(error: unknown): Refused {
  if (!(error instanceof ScopeBeingDeleted)) throw error
  const errors = [{ path: '/scope', message: error.message, code: 'being_deleted' }]
  return { refusal: refuse('admin_removal_under_way', 'scope', { name: error.scope }), members: { errors } }
}
