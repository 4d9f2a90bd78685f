/** `/users/{id}/overview` and `/session-counts`: what a help desk looks at first of one person, and how many sessions a lock of several would end. */
import type { AuditDetails } from '../audit/entry.ts'
import { isRefusal } from '../refusal.ts'
import { appsOf } from '../users/second-factor.ts'
import { isSessionAlive } from '../users/session.ts'
import { isoTime } from '../users/user-record.ts'
import { isStoredGrantOpen } from './access-kinds.ts'
import { type Call, type Operation, operation } from './operation.ts'
import { named, nullable, strictObject, text, time } from './schemas.ts'
import { Type } from './type.ts'
import { personOf } from './user-facts.ts'

const atLeast = strictObject({
  count: Type.Integer({ minimum: 0 }),
  exact: Type.Boolean({ description: 'False: there may be more.' }),
})
const count = (description: string) => Type.Integer({ minimum: 0, description })

/** Sessions and grants are counted up to the length of a page: `accessPageRows`. */
const overviewSchema = named(
  'UserOverview',
  strictObject({
    password: nullable(
      strictObject({
        changed_at: nullable(time('When it was last set or reset; null: the audit trail does not tell.')),
      }),
    ),
    passkeys: count('Passkeys with which the person can sign in.'),
    second_factor_keys: count('Security keys that are a second factor alone.'),
    authenticator_apps: Type.Array(strictObject({ name: nullable(Type.String()), created_at: time() }), {
      description: 'Authenticator apps, oldest first.',
    }),
    recovery_codes: count('Recovery codes that were not used.'),
    external_logins: count('Accounts at providers with which the person can sign in.'),
    sessions: count('Sessions that are in force, at most 500.'),
    applications: count('Applications with access to the account now, of at most 500 grants.'),
    authorizations: count('Consents that are stored, at most 500.'),
    last_sign_in: nullable(
      strictObject({
        at: time(),
        address: nullable(Type.String()),
        browser: nullable(
          Type.String({ description: 'Null: it was not recognised, or an earlier version wrote the entry.' }),
        ),
        system: nullable(Type.String()),
      }),
    ),
  }),
)

export const userOverviewOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/users/:id/overview',
    permission: 'admin:users:read',
    summary: 'Returns how a person signs in, when they did so last, and what a lock or a deletion would end',
    status: 200,
    answer: overviewSchema,
    refusals: [404],
    async run(call) {
      const user = await personOf(call)
      return isRefusal(user) ? user : { body: await overviewOf(call, user.id, user.passwordHash !== null) }
    },
  }),
  operation({
    method: 'GET',
    path: '/session-counts',
    permission: 'admin:users:read',
    summary: 'Counts the sessions of several people that are in force, which a lock would end',
    query: strictObject({
      user_id: Type.Array(text(256), {
        minItems: 1,
        maxItems: 100,
        description: 'These people; several may be named. One who does not exist has no session.',
      }),
    }),
    status: 200,
    answer: named('SessionCounts', strictObject({ sessions: atLeast })),
    async run({ query, nowMs, service: { storage, sessions } }) {
      const { sessions: found, isWhole } = await storage.accessPages.sessionsOfPeople(query.user_id)
      const count = found.filter((row) => isSessionAlive(row, sessions.rules, nowMs)).length
      return { body: { sessions: { count, exact: isWhole } } }
    },
  }),
]

async function overviewOf({ service, nowMs }: Call, userId: string, hasPassword: boolean) {
  const { storage } = service
  const query = { userId, after: '' }
  const [factors, passkeys, logins, sessionPage, grantPage, consents, signIn, password] = await Promise.all([
    storage.secondFactors.find(userId),
    storage.passkeys.list(userId),
    storage.externalLogins.list(userId),
    storage.accessPages.sessions(query),
    storage.accessPages.grants(query),
    storage.accessPages.authorizations(query),
    storage.audit.last(userId, 'signIn'),
    storage.audit.last(userId, 'password'),
  ])
  const sessions = sessionPage.rows.filter((row) => isSessionAlive(row, service.sessions.rules, nowMs))
  const grants = grantPage.rows.filter((row) => isStoredGrantOpen(row, nowMs))
  return {
    password: hasPassword ? { changed_at: password === undefined ? null : isoTime(password.atMs) } : null,
    passkeys: passkeys.filter(({ isSecondFactor }) => isSecondFactor !== true).length,
    second_factor_keys: passkeys.filter(({ isSecondFactor }) => isSecondFactor === true).length,
    authenticator_apps: appsOf(factors).map(({ name, sinceMs }) => ({
      name: name ?? null,
      created_at: isoTime(sinceMs),
    })),
    recovery_codes: factors?.recoveryHashes.length ?? 0,
    external_logins: logins.length,
    sessions: sessions.length,
    applications: new Set(grants.map(({ grant }) => grant.clientId)).size,
    authorizations: consents.rows.length,
    last_sign_in:
      signIn === undefined ? null : { at: isoTime(signIn.atMs), address: signIn.address, ...agentOf(signIn.details) },
  }
}

/** What the entry of a sign-in says of the browser; null: it was not recognised, or the entry is of an earlier version. */
function agentOf({ browser, system }: AuditDetails) {
  return { browser: typeof browser === 'string' ? browser : null, system: typeof system === 'string' ? system : null }
}
