/** Schemas of groups. */
import { named, nullable, strictObject, text, time } from './schemas.ts'
import { Type } from './type.ts'

const roles = Type.Array(Type.String(), {
  maxItems: 1000,
  description: 'Roles that its members have, and those of the groups in it.',
})
export const fixed = { id: Type.String(), path: Type.String(), created_at: time() }
const members = {
  parent: Type.Optional(nullable(text(2000, 'The group that it is in, by path or id; null: none.'))),
  description: Type.Optional(nullable(text(1000))),
  roles: Type.Optional(roles),
}
export const groupSchema = named(
  'Group',
  strictObject({
    ...fixed,
    name: Type.String(),
    parent: nullable(Type.String()),
    description: nullable(Type.String()),
    roles,
  }),
)
export const newGroup = named('NewGroup', strictObject({ name: text(100), ...members }))
/** They may come back as they were read. */
const asRead = {
  id: Type.Optional(fixed.id),
  path: Type.Optional(fixed.path),
  created_at: Type.Optional(fixed.created_at),
}
export const groupChanges = named(
  'GroupChanges',
  strictObject({ ...members, name: Type.Optional(text(100)), ...asRead }),
)
export const groupReplacement = named('GroupReplacement', strictObject({ ...members, name: text(100), ...asRead }))
