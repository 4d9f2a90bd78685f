/** The clients that roles belong to, as each process keeps them with the catalogue. */
import { clientPartOf, type RoleClients } from '../../protocol/claims/client-roles.ts'
import { textToMetadata } from '../../protocol/client/client-metadata.ts'
import { rememberedOf } from '../../users/remembered.ts'
import type { Engine } from '../engine.ts'
import { type Placeholders, prepare } from './prepared.ts'

/** More are read again when they are next met, so that the memory is bounded. */
const keptAtMost = 10_000

const byId = prepare(
  'role-clients.byId',
  (db, p: Placeholders<{ id: string }>, { sql }) =>
    db.selectFrom('clients').select('metadata').where('id', '=', p.id).where('deleted', '=', sql.lit(0)),
  { id: 'text' },
)

/**
 * Returns a function that finds the clients of roles: undefined where no role has a colon, at once where each was met before, and
 * otherwise after a statement for each that was not. Whether an id is that of a client is kept for as long as the catalogue has
 * its version, which every operator's new client raises, every deleted one, and every change of what a client names as its resources.
 */
export function clientsOfRoles(engine: Engine) {
  let kept: ReadonlyMap<string, readonly string[] | null> = new Map()
  return (roles: readonly string[]): undefined | RoleClients | Promise<RoleClients> => {
    const parts = partsOf(roles)
    if (parts.length === 0) return undefined
    const known = kept
    const unknown = [...new Set(parts)].filter((part) => !known.has(part))
    if (unknown.length === 0) return known
    return readAll(engine, unknown).then((found) => {
      // A map that somebody was given stays as it is.
      kept = new Map([...(kept.size + found.length > keptAtMost ? [] : kept), ...found])
      const met = parts.filter((part) => known.has(part)).map((part) => [part, known.get(part) ?? null] as const)
      return new Map([...met, ...found])
    })
  }
}

const partsOf = rememberedOf((roles: readonly string[]) => roles.map(clientPartOf).filter((part) => part !== undefined))

function readAll(engine: Engine, ids: readonly string[]) {
  return Promise.all(
    ids.map(async (id) => {
      const [row] = await engine.read(byId({ id }))
      return [id, row === undefined ? null : textToMetadata(row.metadata).resources] as const
    }),
  )
}
