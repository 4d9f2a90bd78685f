/** What the rules of a shape read about one token response. */
import { sidOfSession } from '../logout/logout-claims.ts'
import type { ClaimPlace } from './claim-rules.ts'
import { namedClaims, type Subject } from './claims.ts'
import { toldTo } from './client-roles.ts'
import type { RuledClient } from './known-rules.ts'
import { mayTellRoles } from './role-audience.ts'
import type { ShapedPerson, ShapeFacts } from './shapes.ts'
import { personClaims } from './standard-claims.ts'

/** What tokens are issued for. */
export type TokenOrigin = {
  /** The session of the grant; null: there is none. */
  readonly sessionId: string | null
  /** Of an exchanged token: the claims about the person that the first one shows; absent: it is no exchanged token. */
  readonly shown?: readonly string[] | undefined
}

export const noOrigin: TokenOrigin = { sessionId: null }

/** Returns the facts for one place. `audience`: what the token in that place is for; null: the client alone. `subject` undefined: it is about no person. */
export function shapeFacts(
  place: ClaimPlace,
  client: Pick<RuledClient, 'id' | 'metadata'>,
  scopes: readonly string[],
  audience: readonly string[] | null,
  subject: Subject | undefined,
  origin: TokenOrigin,
): ShapeFacts {
  const mayHaveRoles = mayTellRoles(client, scopes)
  const person = subject === undefined ? null : shapedPerson(toldTo(subject, client, audience), origin, mayHaveRoles)
  const { allowed_origins: origins = none } = client.metadata
  return { place, clientId: client.id, scopes, origins, sid: () => sidOfSession(origin), person }
}

function shapedPerson(told: Subject, { shown }: TokenOrigin, mayHaveRoles: boolean): ShapedPerson {
  const { name: username, roleClients } = told
  const mayTell = (claim: string): boolean => shown === undefined || shown.includes(claim)
  const roles = mayHaveRoles && mayTell('role') ? told.roles : none
  return { username, roles, roleClients, mayTell, claims: () => namedClaims(told, personClaims) }
}

const none: readonly never[] = []
