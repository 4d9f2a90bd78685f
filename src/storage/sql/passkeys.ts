/** Passkeys in storage. */
import type { AuditEvents } from '../../audit/entry.ts'
import { maxPasskeys, type Passkey, type PasskeyCandidate } from '../../users/passkey.ts'
import type { Engine } from '../engine.ts'
import type { SpentValue } from '../port/grants.ts'
import type { UsableWays } from '../port/users.ts'
import { type CandidateRow, toCandidate } from './candidates.ts'
import { knownBrowserColumns } from './known-browsers.ts'
import { endWithLastFactor } from './last-factor.ts'
import { mustChange, type Placeholders, pick, prepare, selected } from './prepared.ts'
import { lockSignInWays } from './sign-in-ways.ts'
import { spending } from './spent-values.ts'
import type { Statement } from './statement.ts'
import { columns, listToText, type PasskeysTable, type Prefixed, prefixed, textToList } from './tables.ts'
import { userColumns } from './user-row.ts'

type PasskeyRow = Prefixed<'p', PasskeysTable>
const passkeyColumns = prefixed('passkeys', 'p', columns.passkeys)

const ofUser = prepare('passkeys.ofUser', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('passkeys').select(passkeyColumns).where('user_id', '=', p.user_id),
)
const candidateByCredential = prepare(
  'passkeys.candidate',
  (db, p: Placeholders<{ credential_id: string; browsers: string }>, { isOneOf }) =>
    db
      .selectFrom('passkeys')
      .innerJoin('users', 'users.id', 'passkeys.user_id')
      .leftJoin('known_browsers', (on) =>
        on.onRef('known_browsers.user_id', '=', 'users.id').on(isOneOf('known_browsers.id', p.browsers)),
      )
      .select([...passkeyColumns, ...userColumns, ...knownBrowserColumns])
      .where('passkeys.credential_id', '=', p.credential_id),
)
/** Counts after the person was locked, so that no two commits see the same number. */
const insert = prepare('passkeys.insert', (db, p: Placeholders<PasskeysTable>, { sql }) =>
  db
    .insertInto('passkeys')
    .columns(columns.passkeys)
    .expression(
      db
        .selectNoFrom(selected(p, columns.passkeys))
        .where(
          sql<boolean>`(select count(*) from passkeys where passkeys.user_id = ${p.user_id}) < ${sql.lit(maxPasskeys)}`,
        ),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
type Use = Pick<PasskeysTable, 'id' | 'counter' | 'synced' | 'last_used_at_ms'> & { decided_on: number }
const use = prepare('passkeys.use', (db, p: Placeholders<Use>) =>
  db
    .updateTable('passkeys')
    .set(pick(p, ['counter', 'synced', 'last_used_at_ms']))
    .where('id', '=', p.id)
    .where('counter', '=', p.decided_on),
)
const rename = prepare('passkeys.rename', (db, p: Placeholders<Pick<PasskeysTable, 'id' | 'user_id' | 'name'>>) =>
  db
    .updateTable('passkeys')
    .set(pick(p, ['name']))
    .where('id', '=', p.id)
    .where('user_id', '=', p.user_id),
)
type Removal = Placeholders<{ id: string; user_id: string; providers: string }>
const remove = prepare('passkeys.remove', (db, p: Removal, { isOneOf }) =>
  db
    .deleteFrom('passkeys')
    .where('id', '=', p.id)
    .where('user_id', '=', p.user_id)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('users').select('id').where('id', '=', p.user_id).where('password_hash', 'is not', null)),
        exists(
          selectFrom('external_logins')
            .select('user_id')
            .where('user_id', '=', p.user_id)
            .where(isOneOf('external_logins.provider', p.providers)),
        ),
        exists(
          selectFrom('passkeys as others')
            .select('id')
            .where('others.user_id', '=', p.user_id)
            .where('others.id', '!=', p.id)
            .where('others.second_factor', '=', 0),
        ),
        // One that signs nobody in is no way to sign in.
        exists(
          selectFrom('passkeys as own').select('id').where('own.id', '=', p.id).where('own.second_factor', '=', 1),
        ),
      ]),
    ),
)

const removeSecond = prepare('passkeys.removeSecond', (db, p: Placeholders<{ user_id: string }>) =>
  db.deleteFrom('passkeys').where('user_id', '=', p.user_id).where('second_factor', '=', 1),
)
const owners = prepare('passkeys.owners', (db, p: Placeholders<{ ids: string }>, { isOneOf }) =>
  db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select(['credential_id', 'user_id', 'users.name as user_name'])
    .where(isOneOf('credential_id', p.ids)),
)

export function sqlPasskeys(engine: Engine) {
  const list = async (userId: string): Promise<Passkey[]> => {
    const rows = await engine.read(ofUser({ user_id: userId }))
    return rows.map(toPasskey).sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
  }
  const find = async (userId: string, id: string) => (await list(userId)).find((one) => one.id === id)
  return {
    /** The passkeys of a person, ascending by creation. */
    list,
    /** Who has the credentials, by their ids. Absent: nobody. */
    async owners(
      credentialIds: readonly string[],
    ): Promise<ReadonlyMap<string, { readonly userId: string; readonly name: string }>> {
      if (credentialIds.length === 0) return new Map()
      const rows = await engine.read(owners({ ids: listToText(credentialIds) }))
      return new Map(rows.map((row) => [row.credential_id, { userId: row.user_id, name: row.user_name }]))
    },
    /**
     * Reads the passkey with its person, and the given browser that signed in as this person before, in one round trip.
     */
    async findForSignIn(credentialId: string, browserIds: readonly string[]): Promise<PasskeyCandidate | undefined> {
      const statement = candidateByCredential({ credential_id: credentialId, browsers: listToText(browserIds) })
      const [row] = (await engine.read(statement)) as (CandidateRow & PasskeyRow)[]
      // The person has this one at least.
      return row && { ...toCandidate(row), passkeys: 1, passkey: toPasskey(row) }
    },
    /**
     * Stores a passkey and uses up its challenge. `taken`: the credential is registered already; `too_many`: the person
     * has `maxPasskeys`, however many arrive at once; `spent`: the challenge was used before; `no_user`: the person was
     * deleted, or all sessions ended after `endedAtMs`, the end that was read with the session. Only 'added' stores
     * anything.
     */
    async add(
      passkey: Passkey,
      challenge: SpentValue,
      events?: AuditEvents,
      endedAtMs?: number | null,
    ): Promise<'added' | 'taken' | 'too_many' | 'spent' | 'no_user'> {
      const locking = lockSignInWays(passkey.userId, endedAtMs)
      const statements = [...spending([challenge]), locking, mustChange(insert(toRow(passkey)))]
      const { applied, changes } = await engine.commit(statements, events)
      if (applied) return 'added'
      if (changes.length < 2) return changes.length === 0 ? 'spent' : 'no_user'
      return (await list(passkey.userId)).length < maxPasskeys ? 'taken' : 'too_many'
    },
    /** Returns the passkey as it is now; undefined: the person has none of that id. */
    async rename(userId: string, id: string, name: string): Promise<Passkey | undefined> {
      const { applied } = await engine.commit([mustChange(rename({ id, user_id: userId, name }))])
      return applied ? find(userId, id) : undefined
    },
    /**
     * Removes a passkey, unless the person could not sign in without it: no password, no external login at a provider that
     * is usable, no other passkey. Of two concurrent removals of the last two ways, one is 'last'.
     */
    async remove(
      userId: string,
      id: string,
      { providers }: Pick<UsableWays, 'providers'>,
      events?: AuditEvents,
    ): Promise<'removed' | 'last' | 'not_found'> {
      const removed = remove({ id, user_id: userId, providers: listToText(providers) })
      const statements = [lockSignInWays(userId), mustChange(removed), ...endWithLastFactor(userId)]
      if ((await engine.commit(statements, events)).applied) return 'removed'
      return (await find(userId, id)) === undefined ? 'not_found' : 'last'
    },
  }
}

/** Follows a change of the person in its commit. */
export function removeKeys(userId: string): Statement {
  return removeSecond({ user_id: userId })
}

/**
 * Stores a passkey of somebody whom the same commit creates or imports. The commit rolls back if the credential is registered
 * already, or the person has `maxPasskeys`.
 */
export const storeFirst = (passkey: Passkey): Statement => mustChange(insert(toRow(passkey)))

/** Stores a use of the passkey `before`. The commit rolls back if it was used or removed meanwhile. */
export function storeUse(passkey: Passkey, before: Passkey): Statement {
  const { id, counter, synced, last_used_at_ms } = toRow(passkey)
  return mustChange(use({ id, counter, synced, last_used_at_ms, decided_on: before.counter }))
}

function toRow(passkey: Passkey): PasskeysTable {
  return {
    id: passkey.id,
    user_id: passkey.userId,
    credential_id: passkey.credentialId,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    name: passkey.name,
    synced: Number(passkey.synced),
    attested: Number(passkey.attested),
    second_factor: Number(passkey.isSecondFactor === true),
    aaguid: passkey.aaguid ?? null,
    user_handle: passkey.userHandle ?? null,
    transports: listToText(passkey.transports),
    created_at_ms: passkey.createdAtMs,
    last_used_at_ms: passkey.lastUsedAtMs,
  }
}

function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.p_id,
    userId: row.p_user_id,
    credentialId: row.p_credential_id,
    publicKey: row.p_public_key,
    counter: row.p_counter,
    name: row.p_name,
    synced: row.p_synced === 1,
    attested: row.p_attested === 1,
    ...(row.p_second_factor === 1 && { isSecondFactor: true }),
    ...(row.p_aaguid !== null && { aaguid: row.p_aaguid }),
    ...(row.p_user_handle !== null && { userHandle: row.p_user_handle }),
    transports: textToList(row.p_transports),
    createdAtMs: row.p_created_at_ms,
    lastUsedAtMs: row.p_last_used_at_ms,
  }
}
