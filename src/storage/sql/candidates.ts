/** Reads users for a sign-in: the user, and the named browser, if any, that signed in as this user before. */
import type { ExpressionBuilder } from 'kysely'
import type { Candidate } from '../../users/lockout.ts'
import { joinedBrowser, type KnownBrowserRow, knownBrowserColumns } from './known-browsers.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { joinedFactors, type SecondFactorRow, secondFactorColumns } from './second-factor-row.ts'
import { manySessions } from './sessions.ts'
import type { Database, Joined } from './tables.ts'
import { toUser, type UserRow, userColumns } from './user-row.ts'

export type CandidateRow = UserRow &
  Joined<KnownBrowserRow & SecondFactorRow> & {
    readonly sessions?: number
    readonly passkeys?: number
    readonly second_keys?: number
    readonly bound_passkeys?: number
    readonly attested_passkeys?: number
  }

/** Counts the user's passkeys within the read of a candidate. */
const passkeyCount = (eb: ExpressionBuilder<Database, 'users'>) =>
  eb
    .selectFrom('passkeys')
    .select((passkeys) => passkeys.fn.countAll<number>().as('count'))
    .whereRef('passkeys.user_id', '=', 'users.id')

/** A user name takes precedence over an identical e-mail address. */
export const candidateByNameOrEmail = prepare(
  'candidates.byNameOrEmail',
  (db, p: Placeholders<{ text: string; browsers: string }>, { sql, isOneOf }) =>
    db
      .selectFrom('users')
      .leftJoin('known_browsers', (on) =>
        on.onRef('known_browsers.user_id', '=', 'users.id').on(isOneOf('known_browsers.id', p.browsers)),
      )
      .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
      .select([...userColumns, ...knownBrowserColumns, ...secondFactorColumns])
      .select((eb) => passkeyCount(eb).as('passkeys'))
      .select((eb) => passkeyCount(eb).where('passkeys.second_factor', '=', 1).as('second_keys'))
      .where((eb) => eb.or([eb('normalized_name', '=', p.text), eb('normalized_email', '=', p.text)]))
      .orderBy((eb) => eb('normalized_name', '=', p.text), 'desc')
      // A literal, because SQLite prepares a statement again on each run if its limit is a parameter.
      .limit(sql.lit(1)),
)
export const candidateByExternalLogin = prepare(
  'candidates.byExternalLogin',
  (db, p: Placeholders<{ provider: string; subject: string; browsers: string }>, { isOneOf }) =>
    db
      .selectFrom('external_logins')
      .innerJoin('users', 'users.id', 'external_logins.user_id')
      .leftJoin('known_browsers', (on) =>
        on.onRef('known_browsers.user_id', '=', 'users.id').on(isOneOf('known_browsers.id', p.browsers)),
      )
      .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
      .select([...userColumns, ...knownBrowserColumns, ...secondFactorColumns])
      .select((eb) => passkeyCount(eb).as('passkeys'))
      .select((eb) => passkeyCount(eb).where('passkeys.second_factor', '=', 1).as('second_keys'))
      .where('provider', '=', p.provider)
      .where('subject', '=', p.subject),
)
export const candidateByUser = prepare(
  'candidates.byUser',
  (db, p: Placeholders<{ id: string; browsers: string }>, { isOneOf }) =>
    db
      .selectFrom('users')
      .leftJoin('known_browsers', (on) =>
        on.onRef('known_browsers.user_id', '=', 'users.id').on(isOneOf('known_browsers.id', p.browsers)),
      )
      .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
      .select([...userColumns, ...knownBrowserColumns, ...secondFactorColumns])
      .select((eb) => passkeyCount(eb).as('passkeys'))
      .select((eb) => passkeyCount(eb).where('passkeys.second_factor', '=', 1).as('second_keys'))
      .select((eb) => passkeyCount(eb).where('passkeys.synced', '=', 0).as('bound_passkeys'))
      .select((eb) =>
        passkeyCount(eb).where('passkeys.synced', '=', 0).where('passkeys.attested', '=', 1).as('attested_passkeys'),
      )
      .where('users.id', '=', p.id),
)
/** Includes the number of sessions. Read after a sign-in failed to commit, which that number may explain. */
export const candidateById = prepare('candidates.byId', (db, p: Placeholders<{ id: string; browser_id: string }>) =>
  db
    .selectFrom('users')
    .leftJoin('known_browsers', (on) =>
      on.onRef('known_browsers.user_id', '=', 'users.id').on('known_browsers.id', '=', p.browser_id),
    )
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .select([...userColumns, ...knownBrowserColumns, ...secondFactorColumns])
    .select((eb) => passkeyCount(eb).as('passkeys'))
    .select((eb) => passkeyCount(eb).where('passkeys.second_factor', '=', 1).as('second_keys'))
    .select((eb) =>
      eb
        .selectFrom('sessions')
        .select((sessions) => sessions.fn.countAll<number>().as('count'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .as('sessions'),
    )
    .where('users.id', '=', p.id),
)

export function toCandidate(row: CandidateRow): Candidate {
  const { sessions = 0, passkeys, second_keys: keys, bound_passkeys: bound, attested_passkeys: attested } = row
  const factors = joinedFactors(row)
  const candidate = {
    user: toUser(row),
    browser: joinedBrowser(row),
    ...(factors && { factors }),
    ...(passkeys && { passkeys: Number(passkeys) }),
    ...(keys && { secondFactorKeys: Number(keys) }),
    ...(bound && { boundPasskeys: Number(bound) }),
    ...(attested && { attestedPasskeys: Number(attested) }),
  }
  return sessions < manySessions ? candidate : { ...candidate, sessions }
}
