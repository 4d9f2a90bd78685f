/** Roles that belong to clients: `shop:admin` is one of the client `shop`, and is told to it and to its resources alone. */

/** The clients among the parts before the colon of roles, with the resources that each names; null: no client of that id is there. */
export type RoleClients = ReadonlyMap<string, readonly string[] | null>

/** Whose roles are told. `roleClients` absent: no role has a colon. */
type Holder = { readonly roles: readonly string[]; readonly roleClients?: RoleClients }

/** Returns the part before the first colon of a role, which may be the id of a client; undefined: it has none. */
export function clientPartOf(role: string): string | undefined {
  const colon = role.indexOf(':')
  return colon > 0 && colon < role.length - 1 ? role.slice(0, colon) : undefined
}

/**
 * Returns the roles that a token of the client may tell: plain ones, those of the client, and those of clients that name one of the
 * resources. `resources`: what the token is for; of an id token and of userinfo none.
 */
export function rolesToldTo(
  { roles, roleClients }: Holder,
  clientId: string,
  resources: readonly string[],
): readonly string[] {
  if (roleClients === undefined) return roles
  return roles.filter((role) => {
    const part = clientPartOf(role)
    const named = part === undefined ? undefined : roleClients.get(part)
    if (named === undefined || named === null || part === clientId) return true
    return named.some((resource) => resources.includes(resource))
  })
}

/** Returns the person with these roles alone. */
export function toldTo<S extends Holder>(subject: S, clientId: string, resources: readonly string[]): S {
  if (subject.roleClients === undefined) return subject
  return { ...subject, roles: rolesToldTo(subject, clientId, resources) }
}
