/** `/resources`: what resources put into access tokens for them. */
import type { Rejection } from '../problem.ts'
import { inAccessTokens, ruleChanges } from '../protocol/claims/known-rules.ts'
import { identifierProblems, type Resource, resourceRecord } from '../protocol/claims/resource-rules.ts'
import { resourceProblems } from '../protocol/claims/rule-changes.ts'
import { readRules } from '../protocol/claims/rule-reading.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { asRefusal } from '../refusal.ts'
import type { RuledChange, StoredRules } from '../storage/port/claim-rules.ts'
import { readOnlyFaults } from './changing.ts'
import { listedFrom } from './list.ts'
import { type Call, type Done, type Faults, type Operation, type Outcome, operation } from './operation.ts'
import { claimRulesSchema, listQuery, named, nullable, pageSchema, strictObject } from './schemas.ts'
import { roomy } from './token-lengths.ts'
import { Type } from './type.ts'
import { etagOf } from './version.ts'

const resourceSchema = named(
  'Resource',
  strictObject({ identifier: Type.String({ description: 'As scopes name it.' }), claims: claimRulesSchema }),
)
const resourceChanges = named(
  'ResourceChanges',
  strictObject({
    identifier: Type.Optional(Type.String()),
    claims: Type.Optional(nullable(claimRulesSchema)),
  }),
)
type Changes = { readonly identifier?: string; readonly claims?: unknown }

export const resourceOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/resources',
    permission: 'admin:clients:read',
    summary: 'Lists the resources that put claims into access tokens, by identifier',
    query: listQuery({}),
    status: 200,
    answer: pageSchema(resourceSchema),
    async run(call) {
      const { known } = await call.service.storage.resources.all()
      return listedFrom(call, [...known.values()], ({ identifier }) => identifier, resourceRecord)
    },
  }),
  operation({
    method: 'GET',
    path: '/resources/:identifier',
    permission: 'admin:clients:read',
    summary:
      'Returns what a resource puts into access tokens. Its identifier is one segment of the path, percent-encoded',
    status: 200,
    answer: resourceSchema,
    refusals: [404],
    hasVersion: true,
    async run({ params, service }) {
      const identifier = params.identifier ?? ''
      if (identifierProblems(identifier).length > 0) return unknown(identifier)
      return shown((await service.storage.resources.all()).known.get(identifier) ?? unruled(identifier))
    },
  }),
  operation({
    method: 'PATCH',
    path: '/resources/:identifier',
    permission: 'admin:clients',
    summary: 'Changes what a resource puts into access tokens (JSON merge patch)',
    body: resourceChanges,
    status: 200,
    answer: resourceSchema,
    refusals: [404],
    hasVersion: true,
    run: change,
  }),
]

const unruled = (identifier: string): Resource => ({ identifier, claims: [], version: 0 })

async function change(call: Call<unknown, Changes>): Promise<Outcome> {
  const { params, body, service } = call
  const identifier = params.identifier ?? ''
  if (identifierProblems(identifier).length > 0) return unknown(identifier)
  const decide = (stored: StoredRules): Decided | Promise<Decided> => {
    const known = stored.resources.get(identifier)
    const before = known ?? unruled(identifier)
    const refused = call.expects(etagOf(resourceRecord(before), before.version))
    const readOnly = readOnlyFaults(resourceRecord(before), { ...body }, ['identifier'])
    if (refused !== undefined || readOnly !== undefined) return { refused: refused ?? readOnly }
    const read = readRules('claims' in body ? (body.claims ?? []) : before.claims, inAccessTokens)
    if ('fault' in read) return { refused: rejected(`claims ${read.fault}.`) }
    const after = { ...before, claims: read.value }
    const problems = resourceProblems(after, stored)
    if (problems.length > 0) return { refused: asRefusal({ problems }) }
    if (ruleChanges(before.claims, after.claims).length === 0) return { after: before }
    const isBare = after.claims.length === 0
    return roomy(call, stored, {
      before,
      after: { ...after, version: isBare ? 0 : before.version + 1 },
      changes: [{ kind: 'resource', before: known, after: isBare ? undefined : after }],
    })
  }
  const decided = await service.storage.claimRules.change(decide, ({ before, after }) =>
    ruleChanges(before?.claims ?? [], after?.claims ?? []).map(([kind, what]) =>
      call.event(kind, {}, { resource: identifier, ...what }),
    ),
  )
  const { refused, after = unruled(identifier) } = decided
  return refused ?? shown(after)
}

type Decided = {
  readonly refused?: Refusal | Rejection | Faults | undefined
  readonly before?: Resource
  readonly after?: Resource
  readonly changes?: readonly RuledChange[]
}

const rejected = (message: string): Rejection => asRefusal({ problems: [{ member: 'claims', message }] })

function shown(resource: Resource): Done {
  const record = resourceRecord(resource)
  return { body: record, etag: etagOf(record, resource.version) }
}

const unknown = (identifier: string): Refusal => refuse('admin_record_unknown', 'resource', { identifier })
