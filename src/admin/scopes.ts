/** `/scopes`: the scopes that clients may request. */

import type { TSchema } from 'typebox'
import type { AuditEvent } from '../audit/entry.ts'
import type { Judged, Problem, Rejection } from '../problem.ts'
import { ruleChanges, scopeRuleProblems } from '../protocol/claims/known-rules.ts'
import { scopeRecord } from '../protocol/client/records.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { readScopeMembers, type ScopeMembers } from '../protocol/scope/scope-members.ts'
import { registerScope } from '../protocol/scope/scope-registration.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import {
  changedMembers,
  changing,
  mergePatch,
  nameTaken,
  problemsOf,
  readOnlyFaults,
  withProblems,
} from './changing.ts'
import { listedFrom } from './list.ts'
import { type Call, type Done, type Operation, type Outcome, operation } from './operation.ts'
import { claimRulesSchema, forceQuery, listQuery, named, nullable, pageSchema, text, time } from './schemas.ts'
import { Type } from './type.ts'
import { etagOf } from './version.ts'

const resources = Type.Array(Type.String(), { description: 'Audiences (`aud`) of access tokens with the scope.' })

const purposesInLanguages = (schema: TSchema) => ({
  additionalProperties: false,
  patternProperties: { '^purpose#[A-Za-z0-9-]{2,40}$': schema },
})

const scopeSchema = named(
  'Scope',
  Type.Object(
    {
      name: Type.String(),
      display_name: nullable(Type.String()),
      description: nullable(Type.String()),
      resources,
      claims: claimRulesSchema,
      purpose: nullable(Type.String()),
      created_at: time(),
    },
    purposesInLanguages(Type.String()),
  ),
)

const members = {
  display_name: Type.Optional(nullable(text(200, 'Its name on the consent page.'))),
  description: Type.Optional(nullable(text(1000, 'Its description on the consent page.'))),
  resources: Type.Optional(nullable(resources)),
  claims: Type.Optional(nullable(claimRulesSchema)),
  purpose: Type.Optional(
    nullable(text(1000, 'Why it is asked for, as the consent page says; `purpose#de` in a language.')),
  ),
}
const inLanguages = purposesInLanguages(nullable(text(1000)))
const newScope = named('NewScope', Type.Object({ name: text(100), ...members }, inLanguages))
const scopeChanges = named(
  'ScopeChanges',
  Type.Object({ ...members, name: Type.Optional(Type.String()), created_at: Type.Optional(time()) }, inLanguages),
)

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
    async run(call) {
      const { body, nowMs, service } = call
      const judgeRules = await ruleJudge(service.storage, body.name)
      const scope = judgeRules(scopeOf(body, { name: body.name, createdAtMs: nowMs }))
      if (isRefusal(scope)) return scope
      const event = call.event('scope_added', {}, { name: scope.name, resources: scope.resources })
      if (!(await service.storage.scopes.create(scope, [event]))) {
        return nameTaken(call, { kind: 'scope', name: scope.name }, 'name', { name: scope.name })
      }
      return { ...shown(scope), location: `/scopes/${encodeURIComponent(scope.name)}` }
    },
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
  const judgeRules = await ruleJudge(service.storage, name)
  const events: AuditEvent[] = [call.event('scope_changed', {}, { name, ...changedMembers(body) })]
  const { decide, refused } = changing((scope: Scope) => {
    const record = scopeRecord(scope)
    const stale = call.expects(etagOf(record))
    if (stale !== undefined) return stale
    const next = judgeRules(rule(scope), scope)
    const readOnly = readOnlyFaults(record, { ...body }, ['name', 'created_at'])
    if (readOnly !== undefined) return withProblems(readOnly, next)
    if (isRefusal(next)) return next
    const changes = ruleChanges(scope.claims, next.claims)
    events.splice(1, events.length, ...changes.map(([kind, what]) => call.event(kind, {}, { scope: name, ...what })))
    return JSON.stringify(next) === JSON.stringify(scope) ? scope : next
  })
  const changed = await service.storage.scopes.update(name, decide, events)
  return refused() ?? (changed === undefined ? unknownScope(name) : shown(changed))
}

/**
 * Returns what judges rules of the scope together with those of everything else that tokens of its clients are made by. Rules that the
 * scope has already are not judged again.
 */
async function ruleJudge(
  { catalogue, clients }: Service['storage'],
  name: string,
): Promise<(judged: Judged<Scope>, before?: Scope) => Judged<Scope>> {
  const [known, permitted] = await Promise.all([catalogue.now(), clients.permitted([name])])
  return (judged, before) => {
    if (isRefusal<Scope | Rejection>(judged)) return judged
    const isSame = JSON.stringify(judged.claims) === JSON.stringify(before?.claims ?? [])
    const problems = isSame ? [] : scopeRuleProblems(judged, permitted, known)
    return problems.length === 0 ? judged : asRefusal({ problems })
  }
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
