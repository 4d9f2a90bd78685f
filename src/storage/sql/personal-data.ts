import type { AuditEntry } from '../../audit/entry.ts'
import { detailsRecord } from '../../audit/record.ts'
import { textToMethods } from '../../protocol/claims/authentication-methods.ts'
import type { Engine } from '../engine.ts'
import type { PersonalDataStore } from '../port/personal-data.ts'
import type { Storage } from '../port/storage.ts'
import { findRegistrations } from './external-logins.ts'
import { type Placeholders, prepare } from './prepared.ts'
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

type Parts = Pick<
  Storage,
  'secondFactors' | 'passkeys' | 'externalLogins' | 'sessions' | 'knownBrowsers' | 'authorizations' | 'audit'
>

export function sqlPersonalData(engine: Engine, parts: Parts): PersonalDataStore {
  /** A page at a time, so that other reads come between. */
  async function activityOf(userId: string): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = []
    for (;;) {
      const page = await parts.audit.activity(userId, entries.at(-1))
      entries.push(...page)
      if (page.length === 0 || entries.length > entriesAtMost) return entries
    }
  }

  return {
    async read(user) {
      const { id } = user
      const one = { user_id: id }
      const [factors, passkeys, externalLogins, sessions, browsers, consents] = await Promise.all([
        parts.secondFactors.find(id),
        parts.passkeys.list(id),
        parts.externalLogins.list(id),
        parts.sessions.ofUser(id),
        parts.knownBrowsers.list(id),
        parts.authorizations.list(id),
      ])
      const [given, pending, sent, registeredBy] = await Promise.all([
        engine.read(grants(one)),
        engine.read(confirmations(one)),
        engine.read(mails(one)),
        findRegistrations(engine, id),
      ])
      const activity = await activityOf(id)
      const clientIds = [...consents, ...activity].flatMap(({ clientId }) => clientId ?? [])
      const ids = [...new Set([...clientIds, ...given.map((row) => row.client_id)])]
      const named = ids.length === 0 ? [] : await engine.read(clientNames({ ids: listToText(ids) }))
      return {
        clientNames: new Map(named.map((row) => [row.id, row.name])),
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
