/** `/attributes`: fields of people that an operator declares. */
import { loadPatterns } from '../patterns.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { AttributeBeingDeleted, ValuesChanged, ValuesShared } from '../storage/port/attributes.ts'
import {
  attributeMembers,
  attributeRecord,
  changeAttribute,
  changesKind,
  newAttribute,
} from '../users/attribute-record.ts'
import { valueFault } from '../users/attribute-values.ts'
import { type Attribute, countProblems } from '../users/attributes.ts'
import { etagFor, find, remove } from './attribute-deletion.ts'
import { attributeChanges, attributeSchema, newAttributeSchema } from './attribute-schemas.ts'
import { changedMembers, nameTaken, problemsOf, readOnlyFaults, withProblems } from './changing.ts'
import { listedFrom } from './list.ts'
import { type Call, type Done, type Operation, type Outcome, operation, type Refused } from './operation.ts'
import { listQuery, pageSchema, strictObject } from './schemas.ts'
import { Type } from './type.ts'
import { faultsOfProblems } from './validation.ts'

type Members = Readonly<Record<string, unknown>>
const path = '/attributes/:name'
const permission = 'admin:users'

export const attributeOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/attributes',
    permission: 'admin:users:read',
    summary: 'Lists the declared fields of people, by name',
    query: listQuery({}),
    status: 200,
    answer: pageSchema(attributeSchema),
    async run(call) {
      const { known } = await call.service.storage.attributes.all()
      const declared = [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
      return listedFrom(call, declared, ({ name }) => name, attributeRecord)
    },
  }),
  operation({
    method: 'POST',
    path: '/attributes',
    permission,
    summary: 'Declares a field of people',
    body: newAttributeSchema,
    status: 201,
    answer: attributeSchema,
    refusals: [409],
    hasVersion: true,
    judge: async ({ body }) => problemsOf(await declared(body as Members, 0)),
    run: create,
  }),
  operation({
    method: 'GET',
    path,
    permission: 'admin:users:read',
    summary: 'Returns a declared field',
    status: 200,
    answer: attributeSchema,
    refusals: [404],
    hasVersion: true,
    async run(call) {
      const attribute = await find(call)
      return isRefusal(attribute) ? attribute : shown(attribute)
    },
  }),
  operation({
    method: 'PATCH',
    path,
    permission,
    summary: 'Changes the declaration of a field (JSON merge patch)',
    body: attributeChanges,
    status: 200,
    answer: attributeSchema,
    refusals: [404, 409],
    hasVersion: true,
    judge: async (call) => {
      const attribute = await find(call)
      return isRefusal(attribute) ? [] : problemsOf(await changed(attribute, call.body as Members))
    },
    run: (call) => alter(call),
  }),
  operation({
    method: 'DELETE',
    path,
    permission,
    summary: 'Deletes a field with the values that people have',
    query: strictObject({
      with_rules: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Deletes the rules of claims that use it, too. Demands `admin:clients`.',
        }),
      ),
    }),
    status: 204,
    refusals: [404, 409],
    hasVersion: true,
    run: remove,
  }),
]

async function declared({ name, ...members }: Members, nowMs: number) {
  return changeAttribute(newAttribute(String(name ?? ''), nowMs), members, (await loadPatterns()).fault)
}

async function changed(attribute: Attribute, body: Members) {
  const settable = Object.entries(body).filter(([member]) => isSettable(member))
  return changeAttribute(attribute, Object.fromEntries(settable), (await loadPatterns()).fault)
}

const isSettable = (member: string) => Object.hasOwn(attributeMembers, member.replace(/#.*/, ''))

async function create(call: Call): Promise<Outcome> {
  const body = call.body as Members
  const attribute = await declared(body, call.nowMs)
  if (isRefusal(attribute)) return attribute
  const { name } = attribute
  const event = call.event('attribute_added', {}, { name })
  const decided = await refusing(call, () =>
    call.service.storage.attributes.change(
      (known) => {
        if (known.has(name)) return { isTaken: true }
        const problems = countProblems(known.size + 1)
        return problems.length > 0 ? { problems } : { changes: [{ name, after: attribute }] }
      },
      [event],
    ),
  )
  if ('refusal' in decided) return decided
  if ('isTaken' in decided) return nameTaken(call, { kind: 'attribute', name }, 'name', { name })
  if ('problems' in decided) return { faults: faultsOfProblems(decided.problems) }
  return { ...shown(attribute), location: `/attributes/${name}` }
}

/** Checks of values that others change meanwhile. */
const checksAtMost = 3

async function alter(call: Call, checksLeft = checksAtMost): Promise<Outcome> {
  const body = call.body as Members
  const { attributes } = call.service.storage
  const attribute = await find(call)
  if (isRefusal(attribute)) return attribute
  const { name } = attribute
  const stale = call.expects(etagFor(attribute))
  if (stale !== undefined) return stale
  const next = await changed(attribute, body)
  const readOnly = readOnlyFaults(attributeRecord(attribute), body, ['name', 'created_at'])
  if (readOnly !== undefined) return withProblems(readOnly, next)
  if (isRefusal(next)) return next
  if (JSON.stringify(next) === JSON.stringify(attribute)) return shown(attribute)
  let rests: { readonly checked?: number } = {}
  if (changesKind(attribute, next)) {
    const { matches } = await loadPatterns()
    const { people, checked } = await attributes.misfits(
      name,
      (value) => valueFault(next, value, matches) === undefined,
    )
    if (people.length > 0) return unfit(body.type === undefined ? 'many' : 'type', name, people)
    rests = { checked }
  }
  const event = call.event('attribute_changed', {}, { name, ...changedMembers(body) })
  const decided = await refusing(call, () =>
    attributes.change(
      (known) =>
        known.get(name)?.version === attribute.version
          ? { changes: [{ name, after: next, ...rests }] }
          : { isStale: true },
      [event],
    ),
  )
  if ('refusal' in decided) return decided
  if ('isBusy' in decided && checksLeft > 1) return alter(call, checksLeft - 1)
  if ('isStale' in decided || 'isBusy' in decided) return refuse('admin_version_stale', 'If-Match')
  return shown({ ...next, version: attribute.version + 1 })
}

/** Runs a change. Returns the refusal where values of people are in its way. */
async function refusing<T extends object>(
  call: Call,
  change: () => Promise<T>,
): Promise<T | Refused | { readonly isBusy: true }> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof ValuesChanged) return { isBusy: true }
    if (error instanceof ValuesShared) return unfit('unique', error.attribute, error.people)
    if (!(error instanceof AttributeBeingDeleted)) throw error
    return nameTaken(call, { kind: 'attribute', name: error.attribute }, 'name', { name: error.attribute })
  }
}

/** `people`: the first of them. */
function unfit(member: string, name: string, people: readonly string[]): Refused {
  const message = `The values of these people do not fit, perhaps of others, too: ${people.join(', ')}.`
  const errors = [{ path: `/${member}`, message, code: 'values_do_not_fit' }]
  return {
    refusal: refuse('admin_record_in_use', 'attribute', { name }),
    members: { errors, used_by: { users: people } },
  }
}

function shown(attribute: Attribute): Done {
  return { body: attributeRecord(attribute), etag: etagFor(attribute) }
}
