/**
 * Roles that belong to clients: `shop:admin` is one of the client `shop`, and is told to it, to its resources, and in tokens of clients
 * that name it in `role_clients`.
 */
import { type Problem, problem } from '../../problem.ts'

/** The clients among the parts before the colon of roles, with the resources that each names; null: no client of that id is there. */
export type RoleClients = ReadonlyMap<string, readonly string[] | null>

/** Whose roles are told. `roleClients` absent: no role has a colon. */
export type Holder = { readonly roles: readonly string[]; readonly roleClients?: RoleClients }

/** Returns the part before the first colon of a role, which may be the id of a client; undefined: it has none. */
export function clientPartOf(role: string): string | undefined {
  const colon = role.indexOf(':')
  return colon > 0 && colon < role.length - 1 ? role.slice(0, colon) : undefined
}

/** The problem of giving a role that would belong to a client that is not there. */
export const ownerlessProblem = (member: string, role: string): Problem =>
  problem(member, `The client ${clientPartOf(role)}`, `is not there, and the role ${role} would belong to it`)

/** Every client is a role client. */
export const everyClient = '*'

/** Whose tokens tell roles. */
export type ToldClient = { readonly id: string; readonly metadata: { readonly role_clients: readonly string[] } }

/** Whether tokens of the client tell the roles of another one, too. */
const isRoleClient = ({ id, metadata: { role_clients: named } }: ToldClient, other: string): boolean =>
  other !== id && (named.includes(other) || named.includes(everyClient))

/**
 * Returns the ids of the role clients of which somebody has a role, ascending: access tokens of the client are for them as well. Roles of
 * a client that is not there are plain ones.
 */
export function roleClientsFor({ roles, roleClients }: Holder, client: ToldClient): readonly string[] {
  if (roleClients === undefined || client.metadata.role_clients.length === 0) return none
  const owners = roles.map(clientPartOf).filter((part) => part !== undefined && Array.isArray(roleClients.get(part)))
  return [...new Set(owners as string[])].filter((part) => isRoleClient(client, part)).sort()
}

/**
 * Returns the roles that a token of the client may tell: plain ones, those of the client, those of its role clients, and those of clients
 * that name one of the resources. `audience`: what an access token is for, without which it tells none of a role client; null: an id token
 * or userinfo, which are for the client alone.
 */
export function rolesToldTo(
  { roles, roleClients }: Holder,
  client: ToldClient,
  audience: readonly string[] | null,
): readonly string[] {
  if (roleClients === undefined) return roles
  return roles.filter((role) => {
    const part = clientPartOf(role)
    const named = part === undefined ? undefined : roleClients.get(part)
    if (part === undefined || named === undefined || named === null || part === client.id) return true
    if (isRoleClient(client, part) && (audience === null || audience.includes(part))) return true
    return audience !== null && named.some((resource) => audience.includes(resource))
  })
}

/** Returns the person with these roles alone. */
export function toldTo<S extends Holder>(subject: S, client: ToldClient, audience: readonly string[] | null): S {
  if (subject.roleClients === undefined) return subject
  return { ...subject, roles: rolesToldTo(subject, client, audience) }
}

const none: readonly never[] = []
