/** `GET /users`: the list of people, and the search in it. */

import { fewUserRows, type UserRows, userPageRows } from '../storage/port/users.ts'
import { type Givers, giversOf, isGiven } from '../users/effective-roles.ts'
import { isLocked } from '../users/lockout.ts'
import { isNamed, isValued, searchKeys, valueKey, wordKey, wordsOf } from '../users/search.ts'
import { normalizeName, type User } from '../users/user.ts'
import { cursorAfter, listedByName, namedRecords, pageOf } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { listQuery, pageSchema, text } from './schemas.ts'
import { Type } from './type.ts'
import { type AttributeFilter, attributeFilters, attributeParameters, hasValues } from './user-attributes.ts'
import { recordOf } from './user-facts.ts'
import { userSchema } from './user-schemas.ts'

const filters = {
  id: namedRecords,
  search: Type.Optional(
    text(
      200,
      'The beginning of the user name, of the e-mail address, of a word of the full name, or of a word of the value of a searchable attribute. Several words: each begins a word of the full name, or each one of such a value.',
    ),
  ),
  locked: Type.Optional(Type.Boolean({ description: 'Those who are locked now, or are not.' })),
  email_verified: Type.Optional(Type.Boolean()),
  second_factor: Type.Optional(
    Type.Boolean({ description: 'Those who have an authenticator app or a passkey, or have neither.' }),
  ),
  role: Type.Optional(
    text(100, 'Those who have the role in effect: as an own one, by a group, by another role, or as everybody.'),
  ),
}

const query = listQuery(filters)
Object.assign(query, { patternProperties: { [attributeParameters]: text(4096) } })

type Query = {
  readonly id?: readonly string[]
  readonly limit?: number
  readonly cursor?: string
  readonly search?: string
  readonly locked?: boolean
  readonly email_verified?: boolean
  readonly second_factor?: boolean
  readonly role?: string
}

/**
 * People read for one page. A filter that lets few of them through gives a page with fewer items than its limit, or none,
 * and a cursor to go on with.
 */
const readAtMost = 10 * userPageRows

/**
 * Where the search is: user names first, then e-mail addresses, then words of full names, then those of values. `after`: the last
 * row shown.
 */
type Position = { readonly by: (typeof ways)[number]; readonly after: string }
const ways = ['name', 'email', 'word', 'value'] as const

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
/** `next`: where these rows end; absent: nothing comes after them in this way. */
type Rows = { readonly rows: readonly Row[]; readonly next?: string | undefined }

export const userListOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/users',
    permission: 'admin:users:read',
    summary:
      'Lists people, by user name; with a search, those whose user name begins so first, then by address, then by full name, then by searchable attributes. A parameter such as attributes.department finds those with that value of a searchable attribute. A page may be short: next tells whether there is more',
    query,
    status: 200,
    answer: pageSchema(userSchema),
    run: list,
  }),
]

async function list(call: Call<Query>): Promise<Outcome> {
  const { users } = call.service.storage
  const byId = await listedByName(call, 'id', users.find, (user) => recordOf(call, user))
  if (byId !== undefined) return byId
  const page = pageOf(call)
  if ('faults' in page) return page
  const byAttributes = await attributeFilters(call)
  if ('faults' in byAttributes) return byAttributes
  const search = searchOf(call)
  const { role } = call.query
  const givers = role === undefined ? undefined : giversOf(role, call.caller.catalogue)
  const found: User[] = []
  let position: Position | undefined = positionOf(page.after)
  for (let read = 0; position !== undefined && read < readAtMost; ) {
    const { by }: Position = position
    const atMost = read === 0 && page.limit <= fewUserRows && !isFiltered(call.query) ? fewUserRows : userPageRows
    const { rows, next }: Rows = await rowsAfter(call, position, search, atMost, { givers, byAttributes })
    read += Math.max(rows.length, atMost)
    position = next === undefined ? nextWay(by, search) : { by, after: next }
    for (const { user, after } of await wanted(call, rows, by, { search, givers })) {
      if (!hasValues(user, byAttributes)) continue
      found.push(user)
      if (found.length === page.limit) return shown(call, found, { by, after })
    }
  }
  return shown(call, found, position)
}

/** Whether some of the rows that are read are left out. */
function isFiltered({ limit: _, cursor: __, search: ___, ...filters }: Query): boolean {
  return Object.keys(filters).length > 0
}

/** `next`: where the search goes on; undefined: it is at its end. */
function shown(call: Call<Query>, found: readonly User[], next: Position | undefined): Outcome {
  const cursor = next === undefined ? null : cursorAfter(call, `${next.by} ${next.after}`)
  return { body: { items: found.map((user) => recordOf(call, user)), next: cursor } }
}

function searchOf({ query, caller: { catalogue } }: Call<Query>): Search {
  const typed = query.search ?? ''
  const words = wordsOf(typed)
  const [longest] = words.toSorted((a, b) => wordKey(b).length - wordKey(a).length)
  const keys = longest === undefined ? undefined : { word: wordKey(longest), value: valueKey(longest) }
  const searchable = [...catalogue.attributes.values()].filter((one) => one.searchable).map(({ name }) => name)
  return { start: normalizeName(typed), words, keys, searchable }
}

function positionOf(after: string | undefined): Position {
  if (after === undefined) return { by: 'name', after: '' }
  const at = after.indexOf(' ')
  return { by: ways.find((way) => way === after.slice(0, at)) ?? 'name', after: after.slice(at + 1) }
}

function nextWay(by: Position['by'], { start, keys, searchable }: Search): Position | undefined {
  if (start === '' || by === 'value') return undefined
  if (by === 'name') return { by: 'email', after: '' }
  if (keys === undefined) return undefined
  if (by === 'email') return { by: 'word', after: `${keys.word} ` }
  return searchable.length === 0 ? undefined : { by: 'value', after: `${keys.value} ` }
}

/** Reads on in one of the ways. */
async function rowsAfter(
  { service: { storage } }: Call<Query>,
  { by, after }: Position,
  { start, keys }: Search,
  atMost: UserRows,
  few: { readonly givers: Givers | undefined; readonly byAttributes: readonly AttributeFilter[] },
): Promise<Rows> {
  if (by === 'word' || by === 'value') {
    if (keys === undefined) return { rows: [] }
    const [place = '', userId = ''] = after.split(' ')
    const { found, next } = await storage.userSearch.page(keys[by], { key: place, userId }, atMost)
    const rows = found.map((one) => ({ ...one, after: `${one.key} ${one.user.id}` }))
    return { rows, next: next && `${next.key} ${next.userId}` }
  }
  const holders = start === '' ? await holdersOf(storage, few) : undefined
  const users = holders ?? (await storage.users.page(by, start, after, atMost))
  const rows = users.map((user) => ({ user, after: normalizeName(by === 'name' ? user.name : user.email) }))
  if (holders === undefined) return { rows, next: rows.length < atMost ? undefined : rows.at(-1)?.after }
  // As the database sorts them.
  rows.sort((a, b) => Buffer.compare(Buffer.from(a.after), Buffer.from(b.after)))
  return { rows: rows.filter((row) => Buffer.compare(Buffer.from(row.after), Buffer.from(after)) > 0) }
}

/** Returns the people who have the value, or the role in effect, if they are few enough to be read at once. */
async function holdersOf(
  { attributes, userSearch }: Call['service']['storage'],
  { givers, byAttributes: [filter] }: Parameters<typeof rowsAfter>[4],
): Promise<User[] | undefined> {
  const found = filter && (await attributes.holders(filter.name, filter.value))
  if (found !== undefined) return [...found]
  return givers && userSearch.given(givers)
}

/** Returns the rows that the filters let through, each person in the first of the ways that finds them. */
async function wanted(
  { service, query, nowMs }: Call<Query>,
  rows: readonly Row[],
  by: Position['by'],
  { search, givers }: { readonly search: Search; readonly givers: Givers | undefined },
): Promise<readonly Row[]> {
  const { locked, email_verified, second_factor } = query
  const left = rows.filter((row) => {
    const { user } = row
    if (!isFirst(row, by, search)) return false
    if (locked !== undefined && isLocked(user, nowMs) !== locked) return false
    if (email_verified !== undefined && user.emailConfirmed !== email_verified) return false
    return givers === undefined || isGiven(givers, user.roles, user.groupIds ?? [])
  })
  if (second_factor === undefined || left.length === 0) return left
  const having = await service.storage.userSearch.withSecondFactor(left.map(({ user }) => user.id))
  return left.filter(({ user }) => having.has(user.id) === second_factor)
}

function isFirst({ user, key }: Row, by: Position['by'], search: Search): boolean {
  if (by === 'name') return true
  if (normalizeName(user.name).startsWith(search.start)) return false
  if (by === 'email') return true
  if (normalizeName(user.email).startsWith(search.start)) return false
  const named = isNamed(user, search.words)
  if (by === 'word' ? !named : named || !isValued(user, search.words, search.searchable)) return false
  const start = search.keys?.[by] ?? ''
  return searchKeys(user).find((one) => one.startsWith(start)) === key
}
