/** Judges clients and scopes of another system, by the rules of `client add` and `scope add`. */
import type { AuditDetails, AuditEvent, AuditKind } from '../audit/entry.ts'
import type { Problem, Rejection } from '../problem.ts'
import { isSame, type KnownRules } from '../protocol/claims/known-rules.ts'
import { scopeProblems } from '../protocol/claims/rule-changes.ts'
import { type Client, clientType, consoleClientId } from '../protocol/client/client.ts'
import type { MemberChange } from '../protocol/client/client-members.ts'
import {
  changeClient,
  type RegistrationContext,
  registerClient,
  scopesToLookUp,
} from '../protocol/client/client-registration.ts'
import { signingSecretFault } from '../protocol/client-authentication/client-secret-jwt.ts'
import { isAdminScope } from '../protocol/scope/admin-scopes.ts'
import { builtInScopes, type Scope, withoutRules } from '../protocol/scope/scope.ts'
import { registerScope, standardScopes } from '../protocol/scope/scope-registration.ts'
import { isRefusal } from '../refusal.ts'
import { storedSecret } from '../secrets/client-secrets.ts'
import type { JudgedOn } from '../storage/port/claim-rules.ts'
import type { RecordChange } from '../storage/port/configuration.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { JudgedHash } from '../users/imported-person.ts'
import { fitting, fittingClaims, ruleToAdd } from './fitting.ts'
import { rolesAndGroups } from './roles-and-groups.ts'
import {
  type Fault,
  type Note,
  type OnConflict,
  type RegistrationOutcome,
  type SourceClient,
  type SourceRecord,
  type SourceScope,
  sentence,
} from './source.ts'

export type RegistrationsContext = {
  readonly storage: Pick<
    Storage,
    'clients' | 'clientReferences' | 'scopes' | 'claimRules' | 'roles' | 'groups' | 'catalogue'
  >
  readonly random: (bytes: number) => Uint8Array
  readonly onConflict: OnConflict
  readonly isDryRun: boolean
  /** Whether a file may change applications that have administrative scopes. */
  readonly allowAdmin: boolean
  readonly nowMs: number
  readonly facts: Omit<RegistrationContext, 'registeredScopes' | 'newSecretHash' | 'rules' | 'nowMs'>
  /** As for password hashes. */
  readonly judgeHash: (text: string) => JudgedHash
  /** Seals a secret that signs (`client_secret_jwt`). */
  readonly seal: (secret: string) => Promise<string>
  readonly event: (kind: AuditKind, parties: { readonly clientId?: string }, details: AuditDetails) => AuditEvent
}

/** What is registered before people. */
export type Registered = Extract<
  SourceRecord,
  { client: unknown } | { scope: unknown } | { role: unknown } | { group: unknown }
>

type Stored = { readonly record: RecordChange; readonly event: AuditEvent }

/** Returns a function that judges a client or scope, and returns what to store. */
export function registrations(context: RegistrationsContext) {
  const { storage, onConflict, isDryRun, nowMs, event } = context
  /** Scopes of this file, which a dry run does not store. */
  const seen = new Set<string>()
  const seenClients = new Set<string>()

  async function scope({
    name,
    displayName,
    description,
    resources,
    claims: brought = [],
    isStandard = false,
  }: SourceScope): Promise<RegistrationOutcome> {
    const isBuiltIn = builtInScopes.includes(name) || isAdminScope(name)
    if (isBuiltIn) return { done: 'skipped' }
    const judged = registerScope({ name, displayName, description, resources, ...withoutRules, createdAtMs: nowMs })
    if (isRefusal<Scope | Rejection>(judged)) return { fault: sentence(judged.problems) }
    seen.add(name)
    const judgedOn = await storage.claimRules.judging()
    const stored = judgedOn.rules.stored.scopes.find((one) => one.name === name)
    const { purposes, localized, accessTokenType, createdAtMs } = stored ?? judged
    const isLeft = stored !== undefined && onConflict !== 'update'
    const missing = isStandard ? brought.filter((rule) => !stored?.claims.some((one) => isSame(one, rule))) : brought
    // It is everybody's, and was here before: an operator adds to it.
    if (isStandard && isLeft) return { done: 'noted', notes: missing.map((rule) => ruleToAdd(name, rule)) }
    const given = isStandard && stored !== undefined ? [...stored.claims, ...missing] : brought
    const texts = isStandard && stored !== undefined ? stored : judged
    const beside = { purposes, localized, accessTokenType, createdAtMs }
    const withClaims = (claims: Scope['claims']) => ({ ...texts, claims, ...beside })
    const judge = (claims: Scope['claims']) => ruleProblemsOf(stored, withClaims(claims), judgedOn)
    const fit = isLeft ? { claims: [], notes: [] } : await fittingClaims(given, judge)
    const after = withClaims(given.length > 0 ? fit.claims : (stored ?? judged).claims)
    const problems = isLeft ? [] : await judge(after.claims)
    if (problems.length > 0) return { fault: sentence(problems) }
    if (stored === undefined) return stores('created', [addedScope(after)], judgedOn, fit.notes)
    const changed = { kind: 'scope', before: stored, after } as const
    return existing(`There is a scope called ${name} already.`, () =>
      stores('updated', [{ record: changed, event: event('scope_changed', {}, { name }) }], judgedOn, fit.notes),
    )
  }

  /** Clients may have had a scope of the name before. They are read only where it has rules, or leads to some. */
  async function ruleProblemsOf(
    before: Scope | undefined,
    after: Scope,
    { rules: { stored } }: JudgedOn,
  ): Promise<Problem[]> {
    const isRuled = after.claims.length > 0 || after.resources.some((resource) => stored.resources.has(resource))
    return isRuled ? scopeProblems(before, after, { ...stored, clients: await storage.clients.list() }) : []
  }

  function addedScope(after: Scope): Stored {
    const { name, resources } = after
    return { record: { kind: 'scope', before: undefined, after }, event: event('scope_added', {}, { name, resources }) }
  }

  async function client(source: SourceClient): Promise<RegistrationOutcome> {
    const { id, members, secret, previousSecret } = source
    if (id === consoleClientId) return { fault: `${id} is the console of this service, which no file changes.` }
    const isSigning = members.token_endpoint_auth_method === 'client_secret_jwt'
    const short = isSigning && secret !== undefined && 'text' in secret ? signingSecretFault(secret.text) : undefined
    if (short !== undefined) return { fault: `The secret of ${id} ${short}.` }
    const newSecretHash =
      secret === undefined
        ? ''
        : 'text' in secret
          ? isSigning
            ? await context.seal(secret.text)
            : storedSecret(secret.text)
          : judgedHash(secret.hash)
    if (typeof newSecretHash !== 'string') return newSecretHash
    const standard = await missingStandardScopes(members.scope)
    const changesOf = (given: SourceClient['members']): MemberChange[] =>
      Object.entries(given).map(([member, value]) => ({ member, operation: 'set', value }))
    const judgedOn = await storage.claimRules.judging()
    const judging = await contextOf(changesOf(members), newSecretHash, standard, judgedOn.rules)
    const found = await storage.clients.find(id)
    const fit = fitting(source, (given) => {
      const changes = changesOf(given)
      return found === undefined ? registerClient(id, changes, judging, nowMs) : changeClient(found, changes, judging)
    })
    if ('fault' in fit) return fit
    const { notes } = fit
    const judged = withPrevious(fit.client, previousSecret)
    for (const { name } of standard) seen.add(name)
    seenClients.add(id)
    const scopes = standard.map(addedScope)
    if (found === undefined) {
      const { consent, redirectUris } = judged
      const details = { type: clientType(judged), consent, scopes: judged.scopes, redirectUris }
      const record = { kind: 'client', before: undefined, after: judged } as const
      return stores(
        'created',
        [...scopes, { record, event: event('client_added', { clientId: id }, details) }],
        judgedOn,
        notes,
      )
    }
    const after = withSecret(judged, newSecretHash)
    const details = { change: 'imported', members: Object.keys(members) }
    const changed = event('client_changed', { clientId: id }, details)
    return existing(`There is a client with the id ${id} already.`, () => {
      // Whoever wrote the file may know the secret in it.
      if (!context.allowAdmin && found.scopes.some(isAdminScope)) {
        return { fault: `${id} has administrative scopes and is changed with --allow-admin only.` }
      }
      const record = { kind: 'client', before: found, after } as const
      return stores('updated', [...scopes, { record, event: changed }], judgedOn, notes)
    })
  }

  /** Returns those that are asked for and not stored: other systems have the standard scopes built in. */
  async function missingStandardScopes(scope: unknown): Promise<Scope[]> {
    const asked = typeof scope === 'string' ? scope.split(' ') : []
    const standard = standardScopes.filter(({ name }) => asked.includes(name))
    const stored = await storage.scopes.findMany(standard.map(({ name }) => name))
    return standard
      .filter(({ name }) => !stored.some((one) => one.name === name))
      .map((one) => ({ ...one, resources: [], ...withoutRules, createdAtMs: nowMs }))
  }

  /** A secret from before a rotation that is still valid there. */
  function withPrevious(next: Client, previous: SourceClient['previousSecret']): Client {
    const { authentication } = next
    if (previous === undefined || previous.endsAtMs <= nowMs || authentication.method !== 'client_secret') return next
    const previousSecret = { hash: storedSecret(previous.text), endsAtMs: previous.endsAtMs }
    return { ...next, authentication: { ...authentication, previousSecret } }
  }

  function withSecret(next: Client, secretHash: string): Client {
    const { authentication } = next
    if (authentication.method !== 'client_secret' || secretHash === '') return next
    return { ...next, authentication: { ...authentication, secretHash } }
  }

  function stores(
    done: 'created' | 'updated',
    all: readonly Stored[],
    judgedOn: JudgedOn,
    notes: readonly Note[] = [],
  ): RegistrationOutcome {
    const records = all.map(({ record }) => record)
    return { done, notes, changes: { records, events: all.map(({ event: one }) => one), judgedOn } }
  }

  function judgedHash(text: string): string | Fault {
    const judged = context.judgeHash(text)
    if ('stored' in judged) return judged.stored
    return { fault: `The hash of the secret ${'fault' in judged ? judged.fault : judged.tooDear}.` }
  }

  async function contextOf(
    changes: readonly MemberChange[],
    newSecretHash: string,
    added: readonly Scope[],
    rules: KnownRules,
  ): Promise<RegistrationContext> {
    const registered = await storage.scopes.findMany(scopesToLookUp(changes))
    const names = [...registered, ...added].map(({ name }) => name)
    const registeredScopes = isDryRun ? [...names, ...seen] : names
    // Clients and roles come in any order.
    const { idHolders = [], administratorRoles } = await storage.clientReferences.factsFor(changes)
    const guarded = context.allowAdmin ? new Set<string>() : administratorRoles
    const references = { idHolders, ...(guarded && { administratorRoles: guarded }) }
    return { ...context.facts, ...references, rules, registeredScopes, newSecretHash, nowMs }
  }

  function existing(reason: string, update: () => RegistrationOutcome): RegistrationOutcome {
    if (onConflict === 'fail') return { fault: reason, isThere: true }
    return onConflict === 'skip' ? { done: 'skipped' } : update()
  }

  const structure = rolesAndGroups(context, (id) => seenClients.has(id))

  return {
    groupAt: structure.groupAt,
    register: (record: Registered): Promise<RegistrationOutcome> =>
      'client' in record ? client(record.client) : 'scope' in record ? scope(record.scope) : structure.register(record),
  }
}
