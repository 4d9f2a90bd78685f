/** Everything that is stored about one person. */
import type { AuditEntry } from '../../audit/entry.ts'
import { detailsRecord } from '../../audit/record.ts'
import { textToMethods } from '../../protocol/claims/authentication-methods.ts'
import { pathOf } from '../../users/groups.ts'
import type { PersonalData } from '../../users/personal-data.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { sqlAudit } from './audit.ts'
import { sqlAuthorizations } from './authorizations.ts'
import { findRegistrations, sqlExternalLogins } from './external-logins.ts'
import type { keptCatalogue } from './kept-catalogue.ts'
import { sqlBrowsers } from './known-browsers.ts'
import { sqlPasskeys } from './passkeys.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { sqlSecondFactors } from './second-factors.ts'
import { sqlSessions } from './sessions.ts'
import { listToText, textToList } from './tables.ts'

/** Entries of the audit trail that are read at most. */
const entriesAtMost = 10_000

const grants = prepare('personal-data.grants', (db, p: Placeholders<{ user_id: string }>) =>
  db
    .selectFrom('grants')
    .select(['client_id', 'scopes', 'method', 'created_at_ms', 'expires_at_ms', 'revoked_at_ms'])
    .where('user_id', '=', p.user_id),
)
const confirmations = prepare('personal-data.confirmations', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('confirmations').select(['purpose', 'created_at_ms', 'expires_at_ms']).where('user_id', '=', p.user_id),
)
const mails = prepare('personal-data.mails', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('mails').select(['recipient', 'purpose', 'state', 'created_at_ms']).where('user_id', '=', p.user_id),
)

const clientNames = prepare('personal-data.clientNames', (db, p: Placeholders<{ ids: string }>, { sql, isOneOf }) =>
  db.selectFrom('clients').select(['id', 'name']).where('deleted', '=', sql.lit(0)).where(isOneOf('id', p.ids)),
)

export function sqlPersonalData(
  engine: Engine,
  audit: Pick<ReturnType<typeof sqlAudit>, 'activity'>,
  catalogue: Pick<ReturnType<typeof keptCatalogue>, 'now'>,
) {
  /** A page at a time, so that other reads come between. */
  async function activityOf(userId: string): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = []
    for (;;) {
      const page = await audit.activity(userId, entries.at(-1))
      entries.push(...page)
      if (page.length === 0 || entries.length > entriesAtMost) return entries
    }
  }

  return {
    /**
     * Reads what depends on the user, part by part: what changes meanwhile may be missing. At most the last 10,000 entries of
     * the audit trail.
     */
    async read(user: User): Promise<PersonalData> {
      const { id } = user
      const one = { user_id: id }
      const [factors, passkeys, externalLogins, sessions, browsers, consents] = await Promise.all([
        sqlSecondFactors(engine).find(id),
        sqlPasskeys(engine).list(id),
        sqlExternalLogins(engine).list(id),
        sqlSessions(engine).ofUser(id),
        sqlBrowsers(engine).list(id),
        sqlAuthorizations(engine).list(id),
      ])
      const [given, pending, sent, registeredBy] = await Promise.all([
        engine.read(grants(one)),
        engine.read(confirmations(one)),
        engine.read(mails(one)),
        findRegistrations(engine, id),
      ])
      const activity = await activityOf(id)
      const { groups, effectiveRolesOf } = await catalogue.now()
      const memberOf = (user.groupIds ?? []).flatMap((groupId) => groups.get(groupId) ?? [])
      const clientIds = [...consents, ...activity].flatMap(({ clientId }) => clientId ?? [])
      const ids = [...new Set([...clientIds, ...given.map((row) => row.client_id)])]
      const named = ids.length === 0 ? [] : await engine.read(clientNames({ ids: listToText(ids) }))
      return {
        clientNames: new Map(named.map((row) => [row.id, row.name])),
        groups: memberOf.map((group) => pathOf(group, groups)).sort(),
        effectiveRoles: effectiveRolesOf(user),
        ...{ user, factors, passkeys, externalLogins, registeredBy, sessions, browsers, consents },
        grants: given.map((row) => ({
          clientId: row.client_id,
          scopes: textToList(row.scopes),
          methods: textToMethods(row.method),
          createdAtMs: row.created_at_ms,
          expiresAtMs: row.expires_at_ms,
          revokedAtMs: row.revoked_at_ms,
        })),
        confirmations: pending.map((row) => ({
          purpose: row.purpose,
          createdAtMs: row.created_at_ms,
          expiresAtMs: row.expires_at_ms,
        })),
        mails: sent.map((row) => ({
          to: row.recipient,
          purpose: row.purpose,
          state: row.state,
          createdAtMs: row.created_at_ms,
        })),
        activity: activity
          .slice(0, entriesAtMost)
          .map((entry) => ({ ...entry, details: detailsRecord(entry.details) })),
        isCut: activity.length > entriesAtMost,
      }
    },
  }
}
