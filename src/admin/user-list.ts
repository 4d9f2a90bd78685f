/** `GET /users`: the list of people, and the search in it. */

import { fewUserRows, type UserRows, userPageRows } from '../storage/port/users.ts'
import { type Givers, giversOf, isGiven } from '../users/effective-roles.ts'
import { isLocked } from '../users/lockout.ts'
import { isNamed, isValued, searchKeys, valueKey, wordKey, wordsOf } from '../users/search.ts'
import { normalizeName, type User } from '../users/user.ts'
import { isoTime } from '../users/user-record.ts'
import { cursorAfter, listedByName, nothingYet, pageOf } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { named, nullable, searchedPageSchema, strictObject, time } from './schemas.ts'
import { Type } from './type.ts'
import { type AttributeFilter, attributeFilters, hasValues } from './user-attributes.ts'
import { userCounts } from './user-counts.ts'
import { recordOf } from './user-facts.ts'
import { type Bounds, boundsOf, isFiltered, type UserListQuery as Query, userListQuery } from './user-list-query.ts'
import { inOrder, rowsInOrder } from './user-orders.ts'
import { userSchema } from './user-schemas.ts'

/**
 * People read for one page. A filter that lets few of them through gives a page with fewer items than its limit, or none,
 * and a cursor to go on with.
 */
const readAtMost = 10 * userPageRows

/**
 * Where the list is; a search finds user names first, then e-mail addresses, then words of full names, then those of values.
 * `after`: the last row shown.
 */
type Position = { readonly by: (typeof ways)[number]; readonly after: string }
/** `order`: nothing is searched for. */
const ways = ['order', 'name', 'email', 'word', 'value'] as const

/** A search in normal form. */
type Search = {
  readonly start: string
  readonly words: readonly string[]
  /** The keys of the longest word, which is looked up in full names and in values; undefined: there is no word. */
  readonly keys: Readonly<Record<'word' | 'value', string>> | undefined
  /** The names of searchable attributes. */
  readonly searchable: readonly string[]
}

/** A person at a place in one of the ways. */
type Row = { readonly user: User; readonly after: string; readonly key?: string }
/** `next`: where these rows end; absent: nothing comes after them in this way. `seen`: as `OrderedRows` has it. */
type Rows = { readonly rows: readonly Row[]; readonly next?: string | undefined; readonly seen?: number }

/** A person as the list has them. */
const listedUser = named(
  'ListedUser',
  strictObject({
    ...userSchema.properties,
    second_factor: Type.Optional(Type.Boolean({ description: 'With `facts`: has an authenticator app or a passkey.' })),
    last_sign_in_at: Type.Optional(
      nullable(time('With `facts`: exact while the session is there, to a day afterwards; null: none is known.')),
    ),
  }),
)
export const userListOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/users',
    permission: 'admin:users:read',
    summary:
      'Lists people, by user name; with a search, those whose user name begins so first, then by address, then by full name, then by searchable attributes. A parameter such as attributes.department finds those with that value of a searchable attribute. A page may be short: next tells whether there is more',
    query: userListQuery,
    status: 200,
    answer: searchedPageSchema(listedUser),
    run: list,
  }),
  userCounts,
]

async function list(call: Call<Query>): Promise<Outcome> {
  const { users } = call.service.storage
  const byId = await listedByName(call, 'id', users.find, (user) => recordOf(call, user))
  if (byId !== undefined) return byId
  const page = pageOf(call)
  if ('faults' in page) return page
  const byAttributes = await attributeFilters(call)
  if ('faults' in byAttributes) return byAttributes
  const bounds = boundsOf(call)
  if ('faults' in bounds) return bounds
  const search = searchOf(call)
  const { role } = call.query
  const givers = role === undefined ? undefined : giversOf(role, call.caller.catalogue)
  const found: User[] = []
  let position: Position | undefined = positionOf(page.after, search)
  let lookedAt = 0
  for (let read = 0; position !== undefined && read < readAtMost; ) {
    const { by }: Position = position
    const atMost = read === 0 && page.limit <= fewUserRows && !isFiltered(call.query) ? fewUserRows : userPageRows
    const { rows, next, seen }: Rows = await rowsAfter(call, position, search, atMost, { givers, byAttributes, bounds })
    read += Math.max(rows.length, atMost)
    lookedAt += seen ?? rows.length
    position = next === undefined ? nextWay(by, search) : { by, after: next }
    for (const { user, after } of await wanted(call, rows, by, { search, givers, bounds })) {
      if (!hasValues(user, byAttributes)) continue
      found.push(user)
      if (found.length === page.limit) return shown(call, found, { by, after }, lookedAt)
    }
  }
  return shown(call, found, position, lookedAt)
}

/** `next`: where the search goes on; undefined: it is at its end. */
async function shown(
  call: Call<Query>,
  found: readonly User[],
  next: Position | undefined,
  lookedAt: number,
): Promise<Outcome> {
  const cursor = next === undefined ? null : cursorAfter(call, `${next.by} ${next.after}`)
  if (found.length === 0 && cursor !== null) return nothingYet(cursor, lookedAt)
  const records = found.map((user) => recordOf(call, user))
  return { body: { items: call.query.facts === true ? await withFacts(call, records) : records, next: cursor } }
}

async function withFacts<Shown extends { readonly id: string }>({ service }: Call, records: readonly Shown[]) {
  if (records.length === 0) return []
  const ids = records.map(({ id }) => id)
  const [having, last] = await Promise.all([
    service.storage.userSearch.withSecondFactor(ids),
    service.storage.userLists.lastSignIns(ids),
  ])
  return records.map((record) => {
    const at = last.get(record.id)
    return { ...record, second_factor: having.has(record.id), last_sign_in_at: at === undefined ? null : isoTime(at) }
  })
}

function searchOf({ query, caller: { catalogue } }: Call<Query>): Search {
  const typed = query.search ?? ''
  const words = wordsOf(typed)
  const [longest] = words.toSorted((a, b) => wordKey(b).length - wordKey(a).length)
  const keys = longest === undefined ? undefined : { word: wordKey(longest), value: valueKey(longest) }
  const searchable = [...catalogue.attributes.values()].filter((one) => one.searchable).map(({ name }) => name)
  return { start: normalizeName(typed), words, keys, searchable }
}

function positionOf(after: string | undefined, { start }: Search): Position {
  const first = start === '' ? 'order' : 'name'
  if (after === undefined) return { by: first, after: '' }
  const at = after.indexOf(' ')
  const by = start === '' ? undefined : ways.find((way) => way === after.slice(0, at))
  return { by: by ?? first, after: after.slice(at + 1) }
}

function nextWay(by: Position['by'], { keys, searchable }: Search): Position | undefined {
  if (by === 'order' || by === 'value') return undefined
  if (by === 'name') return { by: 'email', after: '' }
  if (keys === undefined) return undefined
  if (by === 'email') return { by: 'word', after: `${keys.word} ` }
  return searchable.length === 0 ? undefined : { by: 'value', after: `${keys.value} ` }
}

type Few = {
  readonly givers: Givers | undefined
  readonly byAttributes: readonly AttributeFilter[]
  readonly bounds: Bounds
}

/** Reads on in one of the ways. */
async function rowsAfter(
  { query, service: { storage } }: Call<Query>,
  { by, after }: Position,
  { start, keys }: Search,
  atMost: UserRows,
  few: Few,
): Promise<Rows> {
  if (by === 'order') {
    const holders = await holdersOf(storage, few)
    return holders === undefined
      ? rowsInOrder(storage, after, atMost, query, few.bounds)
      : inOrder(holders, few.bounds.order, after)
  }
  if (by === 'word' || by === 'value') {
    if (keys === undefined) return { rows: [] }
    const [place = '', userId = ''] = after.split(' ')
    const { found, next } = await storage.userSearch.page(keys[by], { key: place, userId }, atMost)
    const rows = found.map((one) => ({ ...one, after: `${one.key} ${one.user.id}` }))
    return { rows, next: next && `${next.key} ${next.userId}` }
  }
  const users = await storage.users.page(by, start, after, atMost)
  const rows = users.map((user) => ({ user, after: normalizeName(by === 'name' ? user.name : user.email) }))
  return { rows, next: rows.length < atMost ? undefined : rows.at(-1)?.after }
}

/** Returns the people who have the value, the role in effect, or are in the group, if they are few enough to be read at once. */
async function holdersOf(
  { attributes, userSearch }: Call['service']['storage'],
  { givers, byAttributes: [filter], bounds: { groupId } }: Few,
): Promise<User[] | undefined> {
  const found = filter && (await attributes.holders(filter.name, filter.value))
  if (found !== undefined) return [...found]
  if (givers !== undefined) return userSearch.given(givers)
  return groupId === undefined
    ? undefined
    : userSearch.given({ isEverybodys: false, roles: new Set(), groups: new Set([groupId]) })
}

/** Returns the rows that the filters let through, each person in the first of the ways that finds them. */
async function wanted(
  { service, query, nowMs }: Call<Query>,
  rows: readonly Row[],
  by: Position['by'],
  { search, givers, bounds: { created, lastSignIn, groupId } }: Omit<Few, 'byAttributes'> & { readonly search: Search },
): Promise<readonly Row[]> {
  const { locked, email_verified, second_factor, source } = query
  const left = rows.filter((row) => {
    const { user } = row
    if (!isFirst(row, by, search)) return false
    if (locked !== undefined && isLocked(user, nowMs) !== locked) return false
    if (email_verified !== undefined && user.emailConfirmed !== email_verified) return false
    if (user.createdAtMs < created.fromMs || user.createdAtMs >= created.beforeMs) return false
    if (groupId !== undefined && !user.groupIds?.includes(groupId)) return false
    return givers === undefined || isGiven(givers, user.roles, user.groupIds ?? [])
  })
  if (left.length === 0) return left
  const ids = left.map(({ user }) => user.id)
  const having = second_factor === undefined ? undefined : await service.storage.userSearch.withSecondFactor(ids)
  const { fromMs, beforeMs } = lastSignIn
  const last = (fromMs ?? beforeMs) === undefined ? undefined : await service.storage.userLists.lastSignIns(ids)
  const coming = source === undefined ? undefined : await service.storage.userLists.fromSource(ids, source)
  return left.filter(({ user: { id } }) => {
    if (coming?.has(id) === false) return false
    if (having !== undefined && having.has(id) !== second_factor) return false
    const at = last?.get(id) ?? Number.NEGATIVE_INFINITY
    return last === undefined || (at >= (fromMs ?? at) && at < (beforeMs ?? Number.MAX_SAFE_INTEGER))
  })
}

function isFirst({ user, key }: Row, by: Position['by'], search: Search): boolean {
  if (by === 'order' || by === 'name') return true
  if (normalizeName(user.name).startsWith(search.start)) return false
  if (by === 'email') return true
  if (normalizeName(user.email).startsWith(search.start)) return false
  const named = isNamed(user, search.words)
  if (by === 'word' ? !named : named || !isValued(user, search.words, search.searchable)) return false
  const start = search.keys?.[by] ?? ''
  return searchKeys(user).find((one) => one.startsWith(start)) === key
}
