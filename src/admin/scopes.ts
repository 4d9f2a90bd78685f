/** `/scopes`: the scopes that clients may request. */

import type { AuditEvent } from '../audit/entry.ts'
import type { Judged, Problem, Rejection } from '../problem.ts'
import { ruleChanges } from '../protocol/claims/known-rules.ts'
import { scopeProblems } from '../protocol/claims/rule-changes.ts'
import { scopeRecord } from '../protocol/client/records.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { readScopeMembers, type ScopeMembers } from '../protocol/scope/scope-members.ts'
import { registerScope } from '../protocol/scope/scope-registration.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import { type RuledChange, ScopeBeingDeleted, type StoredRules } from '../storage/port/claim-rules.ts'
import { changedMembers, mergePatch, nameTaken, problemsOf, readOnlyFaults, withProblems } from './changing.ts'
import { listedFrom } from './list.ts'
import { type Call, type Done, type Faults, type Operation, type Outcome, operation } from './operation.ts'
import { forceQuery, listQuery, pageSchema } from './schemas.ts'
import { newScope, scopeChanges, scopeSchema } from './scope-schemas.ts'
import { roomy } from './token-lengths.ts'
import { etagOf } from './version.ts'

const about = { permission: 'admin:clients' } as const

export const scopeOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/scopes',
    permission: 'admin:clients:read',
    summary: 'Lists the registered scopes, by name',
    query: listQuery({}),
    status: 200,
    answer: pageSchema(scopeSchema),
    async run(call) {
      return listedFrom(call, await call.service.storage.scopes.list(), ({ name }) => name, scopeRecord)
    },
  }),
  operation({
    ...about,
    method: 'POST',
    path: '/scopes',
    summary: 'Registers a scope',
    body: newScope,
    status: 201,
    answer: scopeSchema,
    refusals: [409],
    hasVersion: true,
    judge: async ({ body, nowMs }) => {
      const judged = scopeOf(body, { name: body.name ?? 'scope', createdAtMs: nowMs })
      return problemsOf(judged)
    },
    run: create,
  }),
  operation({
    method: 'GET',
    path: '/scopes/:name',
    permission: 'admin:clients:read',
    summary: 'Returns a scope',
    status: 200,
    answer: scopeSchema,
    refusals: [404],
    hasVersion: true,
    async run({ params, service }) {
      const [scope] = await service.storage.scopes.findMany([params.name ?? ''])
      return scope === undefined ? unknownScope(params.name) : shown(scope)
    },
  }),
  operation({
    ...about,
    method: 'PUT',
    path: '/scopes/:name',
    summary: 'Replaces a scope: members that are left out take their defaults',
    body: scopeChanges,
    status: 200,
    answer: scopeSchema,
    refusals: [404],
    hasVersion: true,
    judge: (call) => judgeChange(call, (scope) => scopeOf(call.body, scope)),
    run: (call) => change(call, (scope) => scopeOf(call.body, scope)),
  }),
  operation({
    ...about,
    method: 'PATCH',
    path: '/scopes/:name',
    summary: 'Changes members of a scope (JSON merge patch)',
    body: scopeChanges,
    status: 200,
    answer: scopeSchema,
    refusals: [404],
    hasVersion: true,
    judge: (call) => judgeChange(call, (scope) => patched(scope, call.body)),
    run: (call) => change(call, (scope) => patched(scope, call.body)),
  }),
  operation({
    ...about,
    method: 'DELETE',
    path: '/scopes/:name',
    summary: 'Deletes a scope',
    query: forceQuery,
    status: 204,
    refusals: [404, 409],
    hasVersion: true,
    run: remove,
  }),
]

async function create(call: Call<unknown, { readonly name: string }>): Promise<Outcome> {
  const { name } = call.body
  const { refused, after } = await added(call).catch((error: unknown): DecidedScope => {
    if (error instanceof ScopeBeingDeleted) return {}
    throw error
  })
  if (refused !== undefined) return refused
  if (after === undefined) return nameTaken(call, { kind: 'scope', name }, 'name', { name })
  return { ...shown(after), location: `/scopes/${encodeURIComponent(name)}` }
}

/** Returns neither a scope nor a refusal where there is one of the name. */
function added(call: Call<unknown, { readonly name: string }>): Promise<DecidedScope> {
  const { body, nowMs, service } = call
  const { name } = body
  return service.storage.claimRules.change(
    // Clients may have kept the name of a scope that was deleted.
    (stored): DecidedScope | Promise<DecidedScope> => {
      if (stored.scopes.some((one) => one.name === name)) return {}
      const after = ruled(scopeOf(body, { name, createdAtMs: nowMs }), undefined, stored)
      if (isRefusal<Scope | Rejection>(after)) return { refused: after }
      return roomy(call, stored, { after, changes: [{ kind: 'scope', before: undefined, after }] })
    },
    ({ after }) => [
      call.event('scope_added', {}, { name, resources: after?.resources ?? [] }),
      ...ruleEvents(call, name, [], after?.claims ?? []),
    ],
  )
}

const patched = (scope: Scope, patch: object): Judged<Scope> =>
  scopeOf(mergePatch(scopeRecord(scope), patch) as ScopeMembers, scope)

/** Returns what the rule finds in a change that the schema refused already. */
async function judgeChange(
  { service, params }: Call,
  rule: (scope: Scope) => Judged<Scope>,
): Promise<readonly Problem[]> {
  const [scope] = await service.storage.scopes.findMany([params.name ?? ''])
  return scope === undefined ? [] : problemsOf(rule(scope))
}

async function change(call: Call<unknown, object>, rule: (scope: Scope) => Judged<Scope>): Promise<Outcome> {
  const { params, body, service } = call
  const name = params.name ?? ''
  const decided = await service.storage.claimRules.change(
    (stored): DecidedScope | Promise<DecidedScope> => {
      const before = stored.scopes.find((one) => one.name === name)
      if (before === undefined) return { refused: unknownScope(name) }
      const record = scopeRecord(before)
      const stale = call.expects(etagOf(record))
      if (stale !== undefined) return { refused: stale }
      const after = ruled(rule(before), before, stored)
      const readOnly = readOnlyFaults(record, { ...body }, ['name', 'created_at'])
      if (readOnly !== undefined) return { refused: withProblems(readOnly, after) }
      if (isRefusal<Scope | Rejection>(after)) return { refused: after }
      const isSame = JSON.stringify(after) === JSON.stringify(before)
      if (isSame) return { after: before }
      return roomy(call, stored, { before, after, changes: [{ kind: 'scope', before, after }] })
    },
    ({ before, after }) => [
      call.event('scope_changed', {}, { name, ...changedMembers(body) }),
      ...ruleEvents(call, name, before?.claims ?? [], after?.claims ?? []),
    ],
  )
  return decided.refused ?? shown(decided.after as Scope)
}

type DecidedScope = {
  readonly refused?: Refusal | Rejection | Faults
  readonly before?: Scope
  readonly after?: Scope
  readonly changes?: readonly RuledChange[]
}

const ruleEvents = (
  { event }: Pick<Call, 'event'>,
  scope: string,
  before: Scope['claims'],
  after: Scope['claims'],
): AuditEvent[] => ruleChanges(before, after).map(([kind, what]) => event(kind, {}, { scope, ...what }))

/** Judges rules of the scope together with those of everything else that tokens of its clients are made by. */
function ruled(judged: Judged<Scope>, before: Scope | undefined, stored: StoredRules): Judged<Scope> {
  if (isRefusal<Scope | Rejection>(judged)) return judged
  const problems = scopeProblems(before, judged, stored)
  return problems.length === 0 ? judged : asRefusal({ problems })
}

async function remove(call: Call<{ readonly force?: boolean }>): Promise<Outcome> {
  const { params, query, nowMs, service } = call
  const { scopes } = service.storage
  const name = params.name ?? ''
  const [scope] = await scopes.findMany([name])
  if (scope === undefined) return unknownScope(name)
  const stale = call.expects(etagOf(scopeRecord(scope)))
  if (stale !== undefined) return stale
  const users = await scopes.dependents(name, nowMs)
  const isUsed = users.clients.length + users.consents + users.grants > 0
  if (isUsed && query.force !== true)
    return { refusal: refuse('admin_record_in_use', 'scope'), members: { used_by: users } }
  const event = call.event('scope_deleted', {}, { name, ...(isUsed && { takenFrom: [...users.clients] }) })
  return (await scopes.deleteEverywhere(scope, [event])) ? {} : refuse('admin_version_stale', 'If-Match')
}

/** Judges the members of a scope. Those that are left out take their defaults. */
function scopeOf(members: ScopeMembers, { name, createdAtMs }: Pick<Scope, 'name' | 'createdAtMs'>): Judged<Scope> {
  const { scope, problems } = readScopeMembers(members)
  return registerScope({ ...scope, name, createdAtMs }, problems)
}

function shown(scope: Scope): Done {
  const record = scopeRecord(scope)
  return { body: record, etag: etagOf(record) }
}

function unknownScope(name = ''): Refusal {
  return refuse('admin_record_unknown', 'scope', { name })
}
