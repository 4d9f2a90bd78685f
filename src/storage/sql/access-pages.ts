/** Pages of sessions, grants and consents: of everybody or of one person, ascending by id. */
import type { Client } from '../../protocol/client/client.ts'
import type { Authorization } from '../../protocol/grant/grant.ts'
import type { Session, StoredSession } from '../../users/session.ts'
import type { Engine } from '../engine.ts'
import {
  type AccessOfClient,
  type AccessPage,
  type AccessQuery,
  accessPageRows,
  type SessionsOfPeople,
  type StoredGrant,
  sessionsOfPeopleAtMost,
} from '../port/access-pages.ts'
import { authorizationColumns, toAuthorization } from './authorization-row.ts'
import { consentColumns, doesConsentStand } from './consent-columns.ts'
import { grantColumns, toGrant } from './grant-row.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { sessionColumns, toSession } from './session-row.ts'
import type { Statement } from './statement.ts'
import { listToText } from './tables.ts'
import { toUser, userColumns } from './user-row.ts'

type After = { after: string }
type OfUser = After & { user_id: string }
type OfClient = { client_id: string }
type Ids = { ids: string }

// What a page refers to is read by itself: with a join, a database may prefer to read a whole table.
const sessions = prepare('access-pages.sessions', (db, p: Placeholders<After>, { sql }) =>
  db
    .selectFrom('sessions')
    .select(sessionColumns)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(accessPageRows)),
)
const sessionsOfUser = prepare('access-pages.sessionsOfUser', (db, p: Placeholders<OfUser>, { sql }) =>
  db
    .selectFrom('sessions')
    .select(sessionColumns)
    .where('user_id', '=', p.user_id)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(accessPageRows)),
)
/** In no order: the index has none. */
const sessionsOfPeople = prepare('access-pages.sessionsOfPeople', (db, p: Placeholders<Ids>, { sql, isOneOf }) =>
  db
    .selectFrom('sessions')
    .select(sessionColumns)
    .where(isOneOf('user_id', p.ids))
    .limit(sql.lit(sessionsOfPeopleAtMost + 1)),
)
const grants = prepare('access-pages.grants', (db, p: Placeholders<After>, { sql }) =>
  db.selectFrom('grants').select(grantColumns).where('id', '>', p.after).orderBy('id').limit(sql.lit(accessPageRows)),
)
const grantsOfUser = prepare('access-pages.grantsOfUser', (db, p: Placeholders<OfUser>, { sql }) =>
  db
    .selectFrom('grants')
    .select(grantColumns)
    .where('user_id', '=', p.user_id)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(accessPageRows)),
)
const grant = prepare('access-pages.grant', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('grants').select(grantColumns).where('id', '=', p.id),
)
const authorizations = prepare('access-pages.authorizations', (db, p: Placeholders<After>, { sql }) =>
  db
    .selectFrom('authorizations')
    .select(authorizationColumns)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(accessPageRows)),
)
const authorizationsOfUser = prepare('access-pages.authorizationsOfUser', (db, p: Placeholders<OfUser>, { sql }) =>
  db
    .selectFrom('authorizations')
    .select(authorizationColumns)
    .where('user_id', '=', p.user_id)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(accessPageRows)),
)
const authorization = prepare('access-pages.authorization', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('authorizations').select(authorizationColumns).where('id', '=', p.id),
)
/** In no order: the index has none, and a client can have millions. */
const grantsOfClient = prepare('access-pages.grantsOfClient', (db, p: Placeholders<OfClient>, { sql }) =>
  db.selectFrom('grants').select(grantColumns).where('client_id', '=', p.client_id).limit(sql.lit(accessPageRows)),
)
const authorizationsOfClient = prepare(
  'access-pages.authorizationsOfClient',
  (db, p: Placeholders<OfClient>, { sql }) =>
    db
      .selectFrom('authorizations')
      .select(authorizationColumns)
      .where('client_id', '=', p.client_id)
      .limit(sql.lit(accessPageRows)),
)
const people = prepare('access-pages.people', (db, p: Placeholders<Ids>, { isOneOf }) =>
  db.selectFrom('users').select(userColumns).where(isOneOf('id', p.ids)),
)
const clientsThere = prepare('access-pages.clientsThere', (db, p: Placeholders<Ids>, { sql, isOneOf }) =>
  db.selectFrom('clients').select(['id', 'consent']).where('deleted', '=', sql.lit(0)).where(isOneOf('id', p.ids)),
)
const standing = prepare('access-pages.standing', (db, p: Placeholders<Ids>, { isOneOf }) =>
  db.selectFrom('authorizations').select(consentColumns).where(isOneOf('id', p.ids)),
)

export function sqlAccessPages(engine: Engine) {
  function page<Row>(all: (p: After) => Statement<Row>, ofUser: (p: OfUser) => Statement<Row>, query: AccessQuery) {
    const { userId, after } = query
    return engine.read(userId === undefined ? all({ after }) : ofUser({ after, user_id: userId }))
  }

  async function peopleOf(rows: readonly { readonly userId: string }[]) {
    const ids = listToText([...new Set(rows.map(({ userId }) => userId))])
    const users = rows.length === 0 ? [] : (await engine.read(people({ ids }))).map(toUser)
    return new Map(users.map((user) => [user.id, user]))
  }

  async function standingOf(ids: readonly (string | null)[]) {
    const given = ids.filter((id) => id !== null)
    const rows = given.length === 0 ? [] : await engine.read(standing({ ids: listToText([...new Set(given)]) }))
    return new Map(rows.map((row) => [row.consent_id, row]))
  }

  /** Returns the kind of consent of each client but those that are being removed. */
  async function clientsOf(rows: readonly { readonly clientId: string }[]): Promise<Map<string, Client['consent']>> {
    if (rows.length === 0) return new Map()
    const ids = listToText([...new Set(rows.map(({ clientId }) => clientId))])
    const there = await engine.read(clientsThere({ ids }))
    return new Map(there.map(({ id, consent }) => [id, consent as Client['consent']]))
  }

  /** Leaves out what belongs to clients that are being removed. */
  async function ofClientsThere<Row extends { readonly clientId: string }>(rows: readonly Row[]): Promise<Row[]> {
    const there = await clientsOf(rows)
    return rows.filter(({ clientId }) => there.has(clientId))
  }

  async function withFacts(found: readonly ReturnType<typeof toGrant>[]) {
    const clients = await clientsOf(found)
    const stored = found.filter(({ clientId }) => clients.has(clientId))
    const [users, consents] = await Promise.all([
      peopleOf(stored),
      standingOf(stored.map(({ authorizationId }) => authorizationId)),
    ])
    return stored.flatMap((one) => {
      const user = users.get(one.userId)
      if (user === undefined) return []
      const consent = one.authorizationId === null ? undefined : consents.get(one.authorizationId)
      const authorizationStands = doesConsentStand(clients.get(one.clientId), one.authorizationId, consent)
      return [{ grant: one, grantsEndedAtMs: user.grantsEndedAtMs, authorizationStands }]
    })
  }

  async function withPeople(read: readonly Session[]): Promise<StoredSession[]> {
    const users = await peopleOf(read)
    return read.flatMap((session) => {
      const user = users.get(session.userId)
      return user === undefined ? [] : [{ session, user }]
    })
  }

  return {
    async sessions(query: AccessQuery): Promise<AccessPage<StoredSession>> {
      const read = (await page(sessions, sessionsOfUser, query)).map(toSession)
      return paged(await withPeople(read), read)
    },
    /** Returns the sessions of people, at most `sessionsOfPeopleAtMost` whichever come first. */
    async sessionsOfPeople(userIds: readonly string[]): Promise<SessionsOfPeople> {
      const read = (await engine.read(sessionsOfPeople({ ids: listToText([...new Set(userIds)]) }))).map(toSession)
      const isWhole = read.length <= sessionsOfPeopleAtMost
      return { sessions: await withPeople(read.slice(0, sessionsOfPeopleAtMost)), isWhole }
    },
    async grants(query: AccessQuery): Promise<AccessPage<StoredGrant>> {
      const read = (await page(grants, grantsOfUser, query)).map(toGrant)
      return paged(await withFacts(read), read)
    },
    async authorizations(query: AccessQuery): Promise<AccessPage<Authorization>> {
      const read = (await page(authorizations, authorizationsOfUser, query)).map(toAuthorization)
      return paged(await ofClientsThere(read), read)
    },
    /** Returns the grants and consents of a client, of each at most `accessPageRows` whichever come first. */
    async ofClient(clientId: string): Promise<AccessOfClient> {
      const [given, consents] = await Promise.all([
        engine.read(grantsOfClient({ client_id: clientId })),
        engine.read(authorizationsOfClient({ client_id: clientId })),
      ])
      const isWhole = given.length < accessPageRows && consents.length < accessPageRows
      const [grants, authorizations] = await Promise.all([
        withFacts(given.map(toGrant)),
        ofClientsThere(consents.map(toAuthorization)),
      ])
      return { grants, authorizations, isWhole }
    },
    async findGrant(id: string): Promise<StoredGrant | undefined> {
      return (await withFacts((await engine.read(grant({ id }))).map(toGrant)))[0]
    },
    async findAuthorization(id: string): Promise<Authorization | undefined> {
      return (await ofClientsThere((await engine.read(authorization({ id }))).map(toAuthorization)))[0]
    },
  }
}

function paged<Row>(rows: readonly Row[], read: readonly { readonly id: string }[]): AccessPage<Row> {
  const last = read.at(-1)
  return last === undefined || read.length < accessPageRows ? { rows } : { rows, next: last.id }
}
