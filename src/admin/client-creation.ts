/** `POST /clients`: registers an application, by a template if one is named. */
import type { Judged, Problem, Rejection } from '../problem.ts'
import type { Client } from '../protocol/client/client.ts'
import type { MemberChange } from '../protocol/client/client-members.ts'
import { type RegistrationContext, registerClient } from '../protocol/client/client-registration.ts'
import type { Refusal } from '../protocol/refusals/index.ts'
import type { ChosenTemplate } from '../protocol/templates/index.ts'
import type { Setup } from '../protocol/templates/template.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import { methodIn, mintSecretFor } from '../secrets/sealed-secret.ts'
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
import type { Call, Done, Outcome } from './operation.ts'
import { checkClient } from './permissions.ts'
import { tooLongWith } from './token-lengths.ts'

type Scopes = Refusal | Judged<{ readonly names: readonly string[] }>

/** A registration by a template. */
type Templated = {
  changes(given: readonly MemberChange[]): MemberChange[]
  /** Adds the scopes that are missing, once it is decided that the client can be registered. */
  scopes(call: Call, clientId: string, changes: readonly MemberChange[], judging: RegistrationContext): Promise<Scopes>
  setup(client: Client, issuer: string, secret: string): Setup
}

/** Undefined: no template was asked for. */
async function chosenTemplate(template: unknown, base: unknown): Promise<Judged<Templated> | undefined> {
  if (typeof template !== 'string') {
    return base === undefined ? undefined : asRefusal({ problems: [withoutTemplate] })
  }
  const {
    chooseTemplate,
    missingScopes,
    takenScope,
    templateChanges,
    templateProblems,
    templateScopes,
    templateSetup,
  } = await import('../protocol/templates/index.ts')
  const names = { template: 'template', base: 'base_url' }
  const chosen = chooseTemplate(template, typeof base === 'string' ? base : undefined, names)
  if (isRefusal<ChosenTemplate | Rejection>(chosen)) return chosen
  return {
    changes: (given: readonly MemberChange[]) => templateChanges(chosen, given),

    async scopes(call, clientId, changes, judging) {
      const { storage } = call.service
      const scopes = templateScopes(chosen, clientId, changes, call.nowMs)
      const problems = templateProblems(clientId, scopes)
      if (problems.length > 0) return asRefusal({ problems })
      const names = scopes.map(({ name }) => name)
      const registeredScopes = [...judging.registeredScopes, ...names]
      const judged = registerClient(clientId, changes, { ...judging, registeredScopes }, call.nowMs)
      if (isRefusal<Client | Rejection>(judged)) return judged
      const no = checkClient(call.caller.permissions, judged)
      if (no !== undefined) return no
      // The registration itself says that the id is taken.
      if ((await storage.clients.find(clientId)) !== undefined) return { names }
      const own = chosen.template.takes === 'api' ? [clientId] : []
      if ((await storage.scopes.findMany(own)).length > 0) return asRefusal({ problems: [takenScope(clientId)] })
      for (const scope of missingScopes(scopes, await storage.scopes.findMany(names))) {
        const { name, resources } = scope
        const isAdded = await storage.scopes.create(scope, [call.event('scope_added', {}, { name, resources })])
        if (!isAdded && own.includes(name)) return asRefusal({ problems: [takenScope(name)] })
      }
      return { names }
    },

    setup: (client: Client, issuer: string, secret: string): Setup => templateSetup(chosen, client, issuer, secret),
  }
}

const withoutTemplate = { member: 'base_url', message: 'base_url needs a template.' }

/** The code contains the secret, so the replay of an `Idempotency-Key` leaves it out as well. */
const withSetup = (shown: Done, setup: Setup): Done => ({
  ...shown,
  body: { ...(shown.body as object), setup },
  secrets: [...(shown.secrets ?? []), 'setup'],
})

/** Returns what the rules find in a registration that the schema refused already. */
export async function judgeCreation(call: Call<unknown, ClientBody>): Promise<readonly Problem[]> {
  const { client_id: given, template, base_url, ...members } = call.body
  const chosen = await chosenTemplate(template, base_url)
  if (isRefusal<Templated | Rejection | undefined>(chosen)) return chosen.problems
  const wanted = toChanges(members, {}, 'PUT')
  const changes = chosen?.changes(wanted) ?? wanted
  const judged = registerClient(
    typeof given === 'string' ? given : 'app',
    changes,
    await judgingOf(call, changes, ''),
    call.nowMs,
  )
  return problemsOf(judged)
}

/** Registers a client, by a template if one is named. */
export async function createClient(call: Call<unknown, ClientBody>): Promise<Outcome> {
  const { service, nowMs } = call
  const { client_id: given, template, base_url, ...members } = call.body
  const id = typeof given === 'string' ? given : `app-${Buffer.from(service.random(12)).toString('hex')}`
  const chosen = await chosenTemplate(template, base_url)
  if (isRefusal<Templated | Rejection | undefined>(chosen)) return chosen
  const wanted = toChanges(members, {}, 'PUT')
  const changes = chosen?.changes(wanted) ?? wanted
  const minted = mintSecretFor(methodIn(changes), service.keys, service.random)
  const before = await judgingOf(call, changes, minted.stored)
  const scopes = await chosen?.scopes(call, id, changes, before)
  if (isRefusal<Scopes | undefined>(scopes)) return scopes
  const judging = { ...before, registeredScopes: [...before.registeredScopes, ...(scopes?.names ?? [])] }
  let no: Refusal | Rejection | undefined
  const added = await service.storage.claimRules.addClients(
    async (rules) => {
      const judged = registerClient(id, changes, { ...judging, rules }, nowMs)
      no = isRefusal<Client | Rejection>(judged) ? judged : checkClient(call.caller.permissions, judged)
      no ??= await tooLongWith(call, rules, undefined, judged as Client)
      return no === undefined ? [judged as Client] : []
    },
    (clients) => clients.flatMap((client) => eventsOfAdded(call, client)),
  )
  if (no !== undefined) return no
  const [client] = added
  if (added === 'taken' || client === undefined || typeof client === 'string') {
    return nameTaken(call, { kind: 'client', name: id }, 'client_id', { client: id })
  }
  await publishKeys(service, client)
  const shown = await shownClient(call, client, secretOf(client, minted))
  const setup = chosen?.setup(client, service.settings.oauth.issuer, secretOf(client, minted) ?? '')
  return {
    ...(setup === undefined ? shown : withSetup(shown, setup)),
    location: `/clients/${encodeURIComponent(id)}`,
  }
}
