/** The deletion of a declared field of people, and what it has in common with the other operations. */
import type { Rejection } from '../problem.ts'
import { attributeDeletion } from '../protocol/claims/attribute-deletion.ts'
import { ruleChanges } from '../protocol/claims/known-rules.ts'
import { namesOf, type RuledOwner } from '../protocol/claims/rule-changes.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { RuledChange } from '../storage/port/claim-rules.ts'
import { attributeRecord } from '../users/attribute-record.ts'
import type { Attribute } from '../users/attributes.ts'
import type { Call, Outcome, Refused } from './operation.ts'
import { checkClient, checkPermission } from './permissions.ts'
import { etagOf } from './version.ts'

export const etagFor = (attribute: Attribute) => etagOf(attributeRecord(attribute), attribute.version)

export async function find({ params, service }: Call): Promise<Attribute | Refusal> {
  return (await service.storage.attributes.all()).known.get(params.name ?? '') ?? unknown(params.name)
}

function unknown(name = ''): Refusal {
  return refuse('admin_record_unknown', 'attribute', { name })
}

type Decided = {
  readonly no?: Refusal | Refused
  readonly uses?: readonly RuledOwner[]
  readonly changes?: readonly RuledChange[]
}

export async function remove(call: Call<{ readonly with_rules?: boolean }>): Promise<Outcome> {
  const { storage } = call.service
  const attribute = await find(call)
  if (isRefusal<Attribute | Rejection | Refusal>(attribute)) return attribute
  const { name } = attribute
  const people = await storage.attributes.count(name)
  const decided = await storage.claimRules.change(
    (stored): Decided => {
      const current = stored.attributes.get(name)
      if (current === undefined) return { no: unknown(name) }
      const stale = call.expects(etagFor(current))
      if (stale !== undefined) return { no: stale }
      const { uses, changes = [] } = attributeDeletion(name, stored)
      const no = uses.length === 0 ? undefined : refusedFor(call, name, uses, changes)
      return no === undefined ? { uses, changes } : { no }
    },
    ({ uses = [] }) => [call.event('attribute_deleted', {}, { name, people }), ...eventsOf(call, uses)],
  )
  return decided.no ?? {}
}

/** Rules belong to those who may change applications. */
function refusedFor(
  call: Call<{ readonly with_rules?: boolean }>,
  name: string,
  uses: readonly RuledOwner[],
  changes: readonly RuledChange[],
): Refusal | Refused | undefined {
  if (call.query.with_rules !== true) return used(name, uses)
  const clients = changes.flatMap(({ kind, before }) => (kind === 'client' && before !== undefined ? [before] : []))
  return (
    checkPermission(call.caller, 'admin:clients') ??
    clients.map((client) => checkClient(call.caller.permissions, client)).find((one) => one !== undefined)
  )
}

function used(name: string, uses: readonly RuledOwner[]): Refused {
  const refusal = refuse('admin_attribute_used', 'attribute', { name })
  const rules = namesOf(uses)
  const detail = `${refusal.description.replace(/\.$/, '')}: ${rules.join(', ')}.`
  return { refusal, members: { detail, used_by: { count: rules.length, rules } } }
}

function eventsOf({ event }: Call, uses: readonly RuledOwner[]) {
  return uses.flatMap(({ kind, id, claims }) =>
    ruleChanges(claims, []).map(([what, rule]) =>
      kind === 'client' ? event(what, { clientId: id }, rule) : event(what, {}, { [kind]: id, ...rule }),
    ),
  )
}
