/** The groups of a person, and the version of the catalogue that says what these give: read with the person. */
import type { ExpressionBuilder } from 'kysely'
import { rememberedText } from '../../users/remembered.ts'
import type { Database } from './tables.ts'

/** No id has a line break. */
const separator = '\n'

export type Memberships = { readonly u_group_ids: string | null }

/** The ids of the groups that the selected user is in directly; null: none. */
export function memberships(eb: Pick<ExpressionBuilder<Database, 'users' | 'group_members'>, 'selectFrom'>) {
  return eb
    .selectFrom('group_members')
    .select(({ fn, val }) => fn<string | null>('string_agg', ['group_members.group_id', val(separator)]).as('ids'))
    .whereRef('group_members.user_id', '=', 'users.id')
    .as('u_group_ids')
}

type GroupIds = { readonly groupIds?: readonly string[] }

const inNone: GroupIds = {}
const read = rememberedText((ids): GroupIds => ({ groupIds: ids.split(separator).sort() }))

/** Absent unless the person is in a group. */
export function groupIdsOf({ u_group_ids: ids }: Partial<Memberships>): GroupIds {
  return ids === null || ids === undefined ? inNone : read(ids)
}

export type CatalogueRow = { readonly catalogue_version: number | null }

/** The version of the catalogue; null: nothing of it was changed yet. */
export function catalogueVersion(eb: Pick<ExpressionBuilder<Database, 'catalogue'>, 'selectFrom'>) {
  return eb.selectFrom('catalogue').select('version').where('name', '=', 'catalogue').as('catalogue_version')
}
