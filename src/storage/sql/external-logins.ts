/** The accounts of people at external providers. */
import type { AuditEvents } from '../../audit/entry.ts'
import { type ExternalLogin, normalizeProvider } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { UsableWays } from '../port/users.ts'
import { mustChange, type Placeholders, pick, prepare, selected } from './prepared.ts'
import { lockSignInWays } from './sign-in-ways.ts'
import type { Statement } from './statement.ts'
import { columns, type ExternalLoginsTable, listToText } from './tables.ts'

const ofUser = prepare('external-logins.ofUser', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('external_logins').select(columns.external_logins).where('user_id', '=', p.user_id),
)
const holder = prepare('external-logins.holder', (db, p: Placeholders<{ provider: string; subject: string }>) =>
  db
    .selectFrom('external_logins')
    .select('user_id')
    .where('provider', '=', p.provider)
    .where('subject', '=', p.subject),
)
const insert = prepare('external-logins.insert', (db, p: Placeholders<ExternalLoginsTable>) =>
  db
    .insertInto('external_logins')
    .values(pick(p, columns.external_logins))
    .onConflict((conflict) => conflict.doNothing()),
)
/** Runs after the person was locked, so that no two commits bind two accounts at one provider. */
const insertOnly = prepare('external-logins.insertOnly', (db, p: Placeholders<ExternalLoginsTable>) =>
  db
    .insertInto('external_logins')
    .columns(columns.external_logins)
    .expression(
      db
        .selectNoFrom(selected(p, columns.external_logins))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('external_logins as others')
                .select('others.user_id')
                .where('others.user_id', '=', p.user_id)
                .where('others.provider', '=', p.provider),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const registrationsOf = prepare('external-logins.registrationsOf', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('external_registrations').select(columns.external_registrations).where('user_id', '=', p.user_id),
)
const registration = prepare(
  'external-logins.registration',
  (db, p: Placeholders<{ provider: string; subject: string }>) =>
    db
      .selectFrom('external_registrations')
      .select('user_id')
      .where('provider', '=', p.provider)
      .where('subject', '=', p.subject),
)
const insertRegistration = prepare('external-logins.insertRegistration', (db, p: Placeholders<ExternalLoginsTable>) =>
  db
    .insertInto('external_registrations')
    .values(pick(p, columns.external_registrations))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Whether or not the person can sign in without it. */
export const deleteLogin = prepare(
  'external-logins.deleteLogin',
  (db, p: Placeholders<{ user_id: string; provider: string; subject: string }>) =>
    db
      .deleteFrom('external_logins')
      .where('user_id', '=', p.user_id)
      .where('provider', '=', p.provider)
      .where('subject', '=', p.subject),
)

type Removal = Placeholders<{ user_id: string; provider: string; providers: string }>

/** `countsPasskeys`: whether people can sign in with passkeys. */
const removal = (name: string, countsPasskeys: boolean) =>
  prepare(name, (db, p: Removal, { isOneOf }) =>
    db
      .deleteFrom('external_logins')
      .where('user_id', '=', p.user_id)
      .where('provider', '=', p.provider)
      .where(({ or, exists, selectFrom }) =>
        or([
          exists(selectFrom('users').select('id').where('id', '=', p.user_id).where('password_hash', 'is not', null)),
          ...(countsPasskeys
            ? [
                exists(
                  selectFrom('passkeys')
                    .select('id')
                    .where('passkeys.user_id', '=', p.user_id)
                    .where('second_factor', '=', 0),
                ),
              ]
            : []),
          exists(
            selectFrom('external_logins as others')
              .select('others.user_id')
              .where('others.user_id', '=', p.user_id)
              .where('others.provider', '!=', p.provider)
              .where(isOneOf('others.provider', p.providers)),
          ),
        ]),
      ),
  )
const remove = removal('external-logins.remove', true)
const removeWithoutPasskeys = removal('external-logins.removeWithoutPasskeys', false)

export function sqlExternalLogins(engine: Engine) {
  const list = async (userId: string): Promise<ExternalLogin[]> => {
    const rows = await engine.read(ofUser({ user_id: userId }))
    return rows.map(toLogin).sort((a, b) => a.createdAtMs - b.createdAtMs || (a.provider < b.provider ? -1 : 1))
  }
  return {
    /** Oldest first. */
    list,
    /**
     * Binds the account at a provider to an existing user. `taken`: it is bound to another user. `another`: the user has
     * another account at this provider. `bound`: it is bound to this user already. `no_user`: there is no such user,
     * or all sessions ended after `endedAtMs`, the end that was read with the session. Only 'linked' stores anything.
     */
    async link(
      login: ExternalLogin,
      events?: AuditEvents,
      endedAtMs?: number | null,
    ): Promise<'linked' | 'taken' | 'another' | 'bound' | 'no_user'> {
      const row = toRow(login)
      const commit = [lockSignInWays(login.userId, endedAtMs), mustChange(insertOnly(row))]
      for (;;) {
        const { applied, changes } = await engine.commit(commit, events)
        if (applied) return 'linked'
        if (changes.length === 0) return 'no_user'
        const [found] = await engine.read(holder({ provider: row.provider, subject: row.subject }))
        if (found !== undefined) return found.user_id === login.userId ? 'bound' : 'taken'
        if ((await list(login.userId)).some(({ provider }) => provider === row.provider)) return 'another'
      }
    },
    /**
     * Removes the user's accounts at a provider, unless the user could not sign in without them: no password, and no passkey
     * and no other provider that is usable. Of two concurrent removals of the last two ways, one is 'last'.
     */
    async unlink(
      userId: string,
      name: string,
      usable: UsableWays,
      events?: AuditEvents,
    ): Promise<'unlinked' | 'last' | 'not_found'> {
      const provider = normalizeProvider(name)
      const removing = usable.passkeys ? remove : removeWithoutPasskeys
      const removed = removing({ user_id: userId, provider, providers: listToText(usable.providers) })
      const commit = [lockSignInWays(userId), mustChange(removed)]
      if ((await engine.commit(commit, events)).applied) return 'unlinked'
      return (await list(userId)).some((one) => one.provider === provider) ? 'last' : 'not_found'
    },
  }
}

/** For a user whom the account at the provider makes in the same commit. Fails the commit if it made one that is still there. */
export function registerLogin(login: ExternalLogin): Statement[] {
  return [mustChange(insertRegistration(toRow(login))), mustChange(insertLogin(login))]
}

/** Returns the accounts at providers that made the user, linked or not. */
export async function findRegistrations(engine: Engine, userId: string): Promise<ExternalLogin[]> {
  return (await engine.read(registrationsOf({ user_id: userId }))).map(toLogin)
}

/** Whether the account at the provider made a user who is still there. */
export async function hasRegistered(engine: Engine, login: ExternalLogin): Promise<boolean> {
  const { provider, subject } = toRow(login)
  return (await engine.read(registration({ provider, subject }))).length > 0
}

/** For a user who is created in the same commit. */
export function insertLogin(login: ExternalLogin): Statement {
  return insert(toRow(login))
}

/** Every name is stored in its normal form, whoever gives it. */
function toRow(login: ExternalLogin): ExternalLoginsTable {
  return {
    provider: normalizeProvider(login.provider),
    subject: login.subject,
    user_id: login.userId,
    created_at_ms: login.createdAtMs,
  }
}

function toLogin(row: ExternalLoginsTable): ExternalLogin {
  return { provider: row.provider, subject: row.subject, userId: row.user_id, createdAtMs: row.created_at_ms }
}
