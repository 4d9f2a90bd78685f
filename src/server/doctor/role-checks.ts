/** The check of `latchkey doctor` for roles that look like those of clients. */
import { type Finding, note } from '../../finding.ts'
import { clientPartOf } from '../../protocol/claims/client-roles.ts'
import type { Storage } from '../../storage/port/storage.ts'

/** Role names in the message. */
const namedAtMost = 10
/** Ids of clients that are looked up. */
const lookedUpAtMost = 1000

/** Names the roles with a colon that belong to no client: they are in everybody's tokens, until a client of that id exists. */
export async function checkRoles(
  storage: Pick<Storage, 'roles' | 'catalogue' | 'userSearch' | 'clients'>,
): Promise<Finding[]> {
  const [described, { groups }, held] = await Promise.all([
    storage.roles.list(),
    storage.catalogue.now(),
    storage.userSearch.heldRoles(),
  ])
  const names = [
    ...described.flatMap(({ name, includes = [] }) => [name, ...includes]),
    ...[...groups.values()].flatMap(({ roles }) => roles),
    ...held,
  ]
  const byClient = Map.groupBy(new Set(names), clientPartOf)
  const plain: string[] = []
  for (const [id, roles] of [...byClient].slice(0, lookedUpAtMost)) {
    if (id !== undefined && (await storage.clients.find(id)) === undefined) plain.push(...roles)
  }
  if (plain.length === 0) return []
  const more = plain.length > namedAtMost ? ` and ${plain.length - namedAtMost} more` : ''
  const list = `${plain.sort().slice(0, namedAtMost).join(', ')}${more}`
  const message = `No client has the id before the colon of ${list}: they are plain roles, in tokens for every application.`
  return [note('roles', message, 'A client of that id makes them its own: only its tokens have them then.')]
}
