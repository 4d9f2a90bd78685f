/** What the rules of a shape read about one token response. */
import { sidOfSession } from '../logout/logout-claims.ts'
import type { ClaimPlace } from './claim-rules.ts'
import { namedClaims, type Subject } from './claims.ts'
import { type Holder, toldTo } from './client-roles.ts'
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
  /** The roles of a client that gets a token for itself, as far as the token tells them; absent: it is about a person. */
  readonly account?: Holder
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
  const mayTell = (claim: string): boolean => origin.shown === undefined || origin.shown.includes(claim)
  const told = subject && toldTo(subject, client, audience)
  const ofPerson = told !== undefined && mayTellRoles(client, scopes) && mayTell('role') ? told : nobody
  const { roles, roleClients } = origin.account ?? ofPerson
  const person = told === undefined ? null : shapedPerson(told, mayTell)
  const { allowed_origins: origins = none } = client.metadata
  const held = { roles, roleClients }
  return { place, clientId: client.id, scopes, origins, sid: () => sidOfSession(origin), person, held }
}

function shapedPerson(told: Subject, mayTell: ShapedPerson['mayTell']): ShapedPerson {
  return { username: told.name, mayTell, claims: () => namedClaims(told, personClaims) }
}

const nobody: Holder = { roles: [] }

const none: readonly never[] = []
