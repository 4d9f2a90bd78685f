/** What `GET /users` can be asked for. */
import type { MemberFault } from '../http/answers.ts'
import { type UserOrder, userOrders } from '../storage/port/users.ts'
import { type Group, pathOf } from '../users/groups.ts'
import { namedRecords } from './list.ts'
import type { Call, Faults } from './operation.ts'
import { instantMs } from './period.ts'
import { listQuery, text } from './schemas.ts'
import { Type } from './type.ts'
import { attributeParameters } from './user-attributes.ts'

const instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', maxLength: 64, description }))
const times = {
  created_after: instant('Those whose account was made then or later.'),
  created_before: instant('Those whose account was made before.'),
  last_sign_in_after: instant('Those who signed in then or later, as far as that is known.'),
  last_sign_in_before: instant('Those of whom no sign-in since is known.'),
}

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
  group: Type.Optional(text(1000, 'Those who are in the group itself: its path or its id.')),
  source: Type.Optional(
    text(
      256,
      'Those who came by an import from there (the name of the source as the import has it), or who made their account with an account at the provider of this name.',
    ),
  ),
  ...times,
  sort: Type.Optional(
    Type.Enum([...userOrders], {
      description:
        'Descending with `-`. Goes with no `search`. Default: `username`, or `-created_at` where a bound of the creation is given.',
    }),
  ),
  facts: Type.Optional(
    Type.Boolean({ default: false, description: 'Adds `second_factor` and `last_sign_in_at` to each person.' }),
  ),
}

export const userListQuery = listQuery(filters)
Object.assign(userListQuery, { patternProperties: { [attributeParameters]: text(4096) } })

export type UserListQuery = {
  readonly id?: readonly string[]
  readonly limit?: number
  readonly cursor?: string
  readonly search?: string
  readonly locked?: boolean
  readonly email_verified?: boolean
  readonly second_factor?: boolean
  readonly role?: string
  readonly group?: string
  readonly source?: string
  readonly sort?: UserOrder
  readonly facts?: boolean
} & { readonly [Name in keyof typeof times]?: string }

/** Whether some of the rows that are read are left out. */
export function isFiltered({ limit, cursor, search, sort, facts, ...others }: UserListQuery): boolean {
  return Object.keys(others).length > 0
}

/** Times in epoch milliseconds, from inclusive, before exclusive. */
export type Bounds = {
  readonly order: UserOrder
  readonly created: { readonly fromMs: number; readonly beforeMs: number }
  readonly lastSignIn: { readonly fromMs: number | undefined; readonly beforeMs: number | undefined }
  /** The id of the group; undefined: in any or none. */
  readonly groupId: string | undefined
}

/** Faults: a time is none, an order goes with no search, or there is no such group. */
export function boundsOf({ query, caller }: Call<UserListQuery>): Bounds | Faults {
  const faults: MemberFault[] = []
  const fault = (member: string, message: string) => faults.push({ member, code: 'member_invalid', message })
  const at = (member: keyof typeof times): number | undefined => {
    const said = query[member]
    const ms = said === undefined ? undefined : instantMs(said)
    if (said !== undefined && ms === undefined)
      fault(member, `${member} must be a time such as 2030-01-31T12:00:00Z; a + in an offset is sent as %2B.`)
    return ms
  }
  const [createdFromMs, createdBeforeMs] = [at('created_after'), at('created_before')]
  const lastSignIn = { fromMs: at('last_sign_in_after'), beforeMs: at('last_sign_in_before') }
  const isSearch = (query.search ?? '') !== ''
  if (query.sort !== undefined && isSearch) fault('sort', 'sort goes with no search.')
  const group = query.group === undefined ? undefined : groupNamed(query.group, caller.catalogue.groups)
  if (query.group !== undefined && group === undefined) fault('group', 'There is no such group.')
  if (faults.length > 0) return { faults }
  const isByTime = !isSearch && (createdFromMs ?? createdBeforeMs) !== undefined
  return {
    order: query.sort ?? (isByTime ? '-created_at' : 'username'),
    created: { fromMs: createdFromMs ?? 0, beforeMs: createdBeforeMs ?? Number.MAX_SAFE_INTEGER },
    lastSignIn,
    groupId: group?.id,
  }
}

function groupNamed(named: string, groups: ReadonlyMap<string, Group>): Group | undefined {
  return groups.get(named) ?? [...groups.values()].find((group) => pathOf(group, groups) === named)
}
