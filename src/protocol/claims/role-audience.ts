/** What access tokens are for: resources, and the clients whose roles they tell. */
import { type Holder, roleClientsFor, type ToldClient } from './client-roles.ts'
import { hasScopesAlone, type RuledClient } from './known-rules.ts'

/** Whether tokens of the client may tell roles. One that registered itself learns them by their scope, whatever an operator set. */
export const mayTellRoles = (client: Pick<RuledClient, 'metadata'>, scopes: readonly string[]): boolean =>
  !hasScopesAlone(client) || scopes.includes('roles')

type Audience = readonly string[]

/** Returns the role clients that a token of the client with these scopes is for. */
export const toldRoleClients = (
  holder: Holder,
  client: ToldClient & Pick<RuledClient, 'metadata'>,
  scopes: readonly string[],
): Audience => (mayTellRoles(client, scopes) ? roleClientsFor(holder, client) : none)

/** Returns the audience of an access token: what the scopes lead to, or else the issuer (RFC 9068 §3), and role clients. */
export const audienceOf = (
  resources: Audience,
  issuer: string,
  holder: Holder,
  client: ToldClient & Pick<RuledClient, 'metadata'>,
  scopes: readonly string[],
): Audience => joined(resources, issuer, toldRoleClients(holder, client, scopes))

/** The same of a token that a client gets for itself. Its roles are those that an operator gave it. */
export const accountAudience = (resources: Audience, issuer: string, account: Holder, client: ToldClient): Audience =>
  joined(resources, issuer, roleClientsFor(account, client))

function joined(resources: Audience, issuer: string, others: Audience): Audience {
  const own = resources.length === 0 ? [issuer] : resources
  return others.length === 0 ? own : [...own, ...others.filter((id) => !own.includes(id))]
}

const none: readonly never[] = []
