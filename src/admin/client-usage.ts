/** What applications are used for: of several at once for their list, and of one by the day. */
import { activitySteps, startOf } from '../audit/activity.ts'
import type { Authorization } from '../protocol/grant/grant.ts'
import type { StoredGrant } from '../storage/port/access-pages.ts'
import type { Storage } from '../storage/port/storage.ts'
import { isoTime } from '../users/user-record.ts'
import { isStoredGrantOpen, lastUseOf } from './access-kinds.ts'
import { unknownClient } from './client-facts.ts'
import { type Operation, operation } from './operation.ts'
import { named, nullable, strictObject, text, time } from './schemas.ts'
import { Type } from './type.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
export const countedSince = nullable(time('The first day that anything is counted of; null: nothing is yet.'))
const lastUsed = nullable(time('When it last got tokens, of the last 401 days that are counted; null: it got none.'))

/** Whole days in UTC up to this one. */
const listedDays = 30
const daysAtMost = 400
/** Returns the start of the first of the `listedDays` days up to now. */
export const usedSinceMs = (nowMs: number): number => startOf('day', nowMs) - (listedDays - 1) * activitySteps.day

/** What an application is used for, as lists have it. */
export const useMembers = {
  last_used: lastUsed,
  tokens: count('Issues of tokens in the last 30 days, refreshes and exchanges among them.'),
  sign_ins: count('Sign-ins of people, here or on a device, in the last 30 days.'),
}

const usesSchema = named(
  'ClientUses',
  strictObject({
    items: Type.Array(strictObject({ client_id: Type.String(), ...useMembers })),
    since: time('The beginning of the first of the 30 days.'),
    counted_since: countedSince,
  }),
)

const usageSchema = named(
  'ClientUsage',
  strictObject({
    since: time('The beginning of the first day.'),
    until: time('The end of the last day.'),
    counted_since: countedSince,
    last_used: lastUsed,
    days: Type.Array(strictObject({ day: time(), sign_ins: Type.Integer(), tokens: Type.Integer() }), {
      description: 'Every day, in UTC.',
    }),
    counts: strictObject({
      consents: count('Stored consents.'),
      grants: count('Grants with a valid refresh token.'),
      exact: Type.Boolean({ description: 'False: there are at least so many.' }),
    }),
  }),
)

const peopleSchema = named(
  'ClientPeople',
  strictObject({
    items: Type.Array(
      strictObject({
        user_id: Type.String(),
        grants: count('Grants that are in force.'),
        consents: count('Stored consents.'),
        last_used_at: nullable(time('When tokens were last issued for one of these grants; null: there is none.')),
      }),
      { description: 'Who used it last comes first.' },
    ),
    complete: Type.Boolean({ description: 'False: more people use it than are looked through.' }),
  }),
)

export const clientUsageOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/client-usage',
    permission: 'admin:clients:read',
    summary: 'Says of applications when each last got tokens, and how many in the last 30 days',
    query: strictObject({
      client_id: Type.Array(text(256), {
        minItems: 1,
        maxItems: 100,
        description: 'These applications; several may be named. One that nothing is counted of has zeros.',
      }),
    }),
    status: 200,
    answer: usesSchema,
    async run({ query, nowMs, service: { storage } }) {
      const ids = [...new Set(query.client_id)]
      const sinceMs = usedSinceMs(nowMs)
      const [uses, countedMs] = await Promise.all([usesOf(storage, ids, nowMs), storage.clientActivity.countedSince()])
      const items = uses.map((use, at) => ({ client_id: ids[at], ...use }))
      return { body: { items, since: isoTime(sinceMs), counted_since: timeOf(countedMs) } }
    },
  }),
  operation({
    method: 'GET',
    path: '/clients/:client_id/usage',
    permission: 'admin:clients:read',
    summary: 'Counts sign-ins and tokens of an application by the day, its consents and grants',
    query: strictObject({
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: daysAtMost, default: listedDays })),
    }),
    status: 200,
    answer: usageSchema,
    refusals: [404],
    async run({ params, query: { days = listedDays }, nowMs, service: { storage } }) {
      const id = params.client_id ?? ''
      if ((await storage.clients.find(id)) === undefined) return unknownClient(id)
      const beforeMs = startOf('day', nowMs) + activitySteps.day
      const fromMs = beforeMs - days * activitySteps.day
      const [rows, [use], countedMs, { isExact, ...counts }] = await Promise.all([
        storage.clientActivity.byDay(id, fromMs, beforeMs),
        storage.clientActivity.ofClients([id], fromMs),
        storage.clientActivity.countedSince(),
        storage.clients.fewDependents(id, nowMs),
      ])
      const byDay = new Map(rows.map((row) => [row.startsAtMs, row]))
      const all = Array.from({ length: days }, (_, at) => fromMs + at * activitySteps.day)
      return {
        body: {
          since: isoTime(fromMs),
          until: isoTime(beforeMs),
          counted_since: timeOf(countedMs),
          last_used: timeOf(use?.lastAtMs),
          days: all.map((ms) => {
            const row = byDay.get(ms)
            return { day: isoTime(ms), sign_ins: row?.signIns ?? 0, tokens: row?.tokens ?? 0 }
          }),
          counts: { ...counts, exact: isExact },
        },
      }
    },
  }),
  operation({
    method: 'GET',
    path: '/clients/:client_id/people',
    permission: 'admin:users:read',
    summary: 'Lists people with a grant or a consent for an application, of at most 500 grants and 500 consents',
    query: strictObject({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    }),
    status: 200,
    answer: peopleSchema,
    refusals: [404],
    async run({ params, query: { limit = 50 }, nowMs, service: { storage } }) {
      const id = params.client_id ?? ''
      if ((await storage.clients.find(id)) === undefined) return unknownClient(id)
      const { grants, authorizations, isWhole } = await storage.accessPages.ofClient(id)
      const people = peopleOf(
        grants.filter((one) => isStoredGrantOpen(one, nowMs)),
        authorizations,
      )
      return { body: { items: people.slice(0, limit), complete: isWhole && people.length <= limit } }
    },
  }),
]

/** Returns the members `useMembers` of each of these clients, in their order. */
export async function usesOf(
  { clientActivity }: Pick<Storage, 'clientActivity'>,
  ids: readonly string[],
  nowMs: number,
) {
  const found = await clientActivity.ofClients(ids, usedSinceMs(nowMs))
  const byId = new Map(found.map((one) => [one.clientId, one]))
  return ids.map((id) => {
    const use = byId.get(id)
    return { last_used: timeOf(use?.lastAtMs), tokens: use?.tokens ?? 0, sign_ins: use?.signIns ?? 0 }
  })
}

function peopleOf(grants: readonly StoredGrant[], authorizations: readonly Authorization[]) {
  const people = new Map<string, { grants: number; consents: number; lastMs: number }>()
  const of = (userId: string) => people.get(userId) ?? { grants: 0, consents: 0, lastMs: 0 }
  for (const { grant } of grants) {
    const { grants, lastMs, ...others } = of(grant.userId)
    people.set(grant.userId, { ...others, grants: grants + 1, lastMs: Math.max(lastMs, lastUseOf(grant)) })
  }
  for (const { userId } of authorizations) {
    const known = of(userId)
    people.set(userId, { ...known, consents: known.consents + 1 })
  }
  return [...people]
    .sort(([one, a], [other, b]) => b.lastMs - a.lastMs || (one < other ? -1 : 1))
    .map(([user_id, { grants, consents, lastMs }]) => ({
      user_id,
      grants,
      consents,
      last_used_at: timeOf(lastMs === 0 ? undefined : lastMs),
    }))
}

export const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : isoTime(ms))
