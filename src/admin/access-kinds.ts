/** `/sessions`, `/grants` and `/authorizations`, and the same below a person. */

import { authorizationRecord } from '../protocol/client/records.ts'
import { isGrantOpen } from '../protocol/grant/grant.ts'
import type { StoredGrant } from '../storage/port/access-pages.ts'
import { sessionRecord } from '../users/personal-data.ts'
import { isSessionAlive } from '../users/session.ts'
import { isoTime } from '../users/user-record.ts'
import { operationsOf } from './access.ts'
import type { Operation } from './operation.ts'
import { named, nullable, strictObject, time } from './schemas.ts'
import { Type } from './type.ts'

const texts = Type.Array(Type.String())

export const consentSchema = named(
  'Authorization',
  strictObject({
    id: Type.String(),
    user_id: Type.String(),
    client_id: Type.String(),
    scopes: texts,
    by_operator: Type.Boolean({ description: 'Whether an operator stored it; otherwise the person gave it.' }),
    created_at: time(),
  }),
)

export const accessOperations: readonly Operation[] = [
  ...operationsOf({
    path: 'sessions',
    one: 'a session',
    end: 'Ends a session everywhere, at once',
    schema: named(
      'Session',
      strictObject({
        id: Type.String(),
        user_id: Type.String(),
        browser: nullable(Type.String()),
        system: nullable(Type.String()),
        user_agent: Type.String(),
        address: Type.String(),
        methods: texts,
        created_at: time(),
        authenticated_at: time(),
        last_seen_at: time(),
        expires_at: time(),
      }),
    ),
    page: ({ service }, query) => service.storage.accessPages.sessions(query),
    find: ({ service }, id) => service.storage.sessions.find(id),
    isInForce: ({ service, nowMs }, row) => isSessionAlive(row, service.sessions.rules, nowMs),
    ownerOf: ({ session }) => session,
    toRecord: ({ session }) => ({ ...sessionRecord(session), user_id: session.userId }),
    async remove(call, { session }) {
      const event = call.event('sign_out', session, { reason: 'ended_elsewhere' })
      await call.service.storage.sessions.end(session, [event])
      return true
    },
  }),
  ...operationsOf({
    path: 'grants',
    one: 'a grant',
    end: 'Revokes a grant with all its tokens',
    schema: named(
      'Grant',
      strictObject({
        id: Type.String(),
        user_id: Type.String(),
        client_id: Type.String(),
        authorization_id: nullable(Type.String({ description: 'The stored consent that it is based on.' })),
        session_id: nullable(Type.String({ description: 'The session in which it was given.' })),
        scopes: texts,
        resources: texts,
        methods: texts,
        offline_access: Type.Boolean({ description: 'Whether it has refresh tokens.' }),
        sender_constrained: Type.Boolean({ description: 'Whether its refresh tokens are bound to a key.' }),
        authenticated_at: time(),
        created_at: time(),
        last_used_at: time('When tokens were issued last.'),
        expires_at: time(),
      }),
    ),
    page: ({ service }, query) => service.storage.accessPages.grants(query),
    find: ({ service }, id) => service.storage.accessPages.findGrant(id),
    isInForce: ({ nowMs }, row) => isStoredGrantOpen(row, nowMs),
    ownerOf: ({ grant }) => grant,
    clientOf: ({ grant }) => grant.clientId,
    toRecord: grantRecord,
    async remove(call, { grant }) {
      const event = call.event('token_revoked', grant, { grant: grant.id })
      await call.service.storage.grants.revoke(grant.id, call.nowMs, [event])
      return true
    },
  }),
  ...operationsOf({
    path: 'authorizations',
    one: 'a stored consent',
    end: 'Revokes a consent, and ends the tokens that rest on it',
    schema: consentSchema,
    page: ({ service }, query) => service.storage.accessPages.authorizations(query),
    find: ({ service }, id) => service.storage.accessPages.findAuthorization(id),
    isInForce: () => true,
    ownerOf: (authorization) => authorization,
    clientOf: ({ clientId }) => clientId,
    toRecord: authorizationRecord,
    remove(call, { id, userId, clientId }) {
      const event = call.event('consent_revoked', { userId, clientId }, { id })
      return call.service.storage.authorizations.revoke(id, [event])
    },
  }),
]

export const isStoredGrantOpen = (
  { grant, grantsEndedAtMs, authorizationStands }: StoredGrant,
  nowMs: number,
): boolean => authorizationStands && isGrantOpen(grant, grantsEndedAtMs, nowMs)

/** When tokens were issued last, in epoch milliseconds. */
export const lastUseOf = ({ refresh, createdAtMs }: StoredGrant['grant']): number =>
  refresh?.rotatedAtMs[0] ?? createdAtMs

function grantRecord({ grant }: StoredGrant) {
  const { refresh, createdAtMs } = grant
  return {
    id: grant.id,
    user_id: grant.userId,
    client_id: grant.clientId,
    authorization_id: grant.authorizationId,
    session_id: grant.sessionId,
    scopes: grant.scopes,
    resources: grant.resources,
    methods: grant.methods,
    offline_access: refresh !== null,
    sender_constrained: grant.confirmation !== null,
    authenticated_at: isoTime(grant.authenticatedAtMs),
    created_at: isoTime(createdAtMs),
    last_used_at: isoTime(lastUseOf(grant)),
    expires_at: isoTime(grant.expiresAtMs),
  }
}
