/** The kinds of stored password hashes that differ from those which are made today: imported ones, and older ones of ours. */
import type { Engine } from '../engine.ts'
import { kindCountedTo, type PasswordKind } from '../port/users.ts'
import { type Placeholders, prepare } from './prepared.ts'

/** Bounds the look-ups of `list`. One system has one or few. */
const kindsAtMost = 100
/** Sorts after every other character. */
const last = '\u{10ffff}'

const firstAfter = prepare('password-kinds.after', (db, p: Placeholders<{ after: string }>, { sql, byBytes }) =>
  db
    .selectFrom('users')
    .select('password_hash')
    .where(isOther(sql))
    .where(byBytes('password_hash'), '>', p.after)
    .orderBy(byBytes('password_hash'))
    .limit(sql.lit(1)),
)
const count = prepare(
  'password-kinds.count',
  (db, p: Placeholders<{ beginning: string; end: string }>, { sql, byBytes }) =>
    db
      .selectFrom(
        db
          .selectFrom('users')
          .select('users.id')
          .where(isOther(sql))
          .where(byBytes('password_hash'), '>=', p.beginning)
          .where(byBytes('password_hash'), '<', p.end)
          .limit(sql.lit(kindCountedTo + 1))
          .as('some'),
      )
      .select((eb) => eb.fn.countAll<number>().as('rows')),
)

/** As in the index (migration 0068), so that it is used. */
function isOther(sql: typeof import('kysely').sql) {
  return sql<boolean>`password_hash not like '$argon2id$v=19$m=19456,t=2,p=1$%'`
}

export function sqlPasswordKinds(engine: Engine) {
  return {
    /** Returns the kinds that people have, at most 100. Takes a look-up for each. */
    async list(): Promise<readonly PasswordKind[]> {
      const kinds: PasswordKind[] = []
      let after = ''
      while (kinds.length < kindsAtMost) {
        const [row] = await engine.read(firstAfter({ after }))
        if (row?.password_hash == null) break
        const beginning = beginningOf(row.password_hash)
        kinds.push({ beginning, sample: row.password_hash })
        after = beginning + last
      }
      return kinds
    },
    /** Returns how many people have a hash that begins with `beginning`, at most one more than `kindCountedTo`. */
    async count(beginning: string): Promise<number> {
      const [row] = await engine.read(count({ beginning, end: beginning + last }))
      return Number(row?.rows ?? 0)
    },
  }
}

/** Up to the salt: of bcrypt, of a PHC string, and of one that is wrapped. */
const upToSalt = /^(?:wrapped:)?(?:\$2[aby]\$\d\d\$|\$[^$]+\$(?:v=\d+\$)?[^$]*\$)/

function beginningOf(hash: string): string {
  return upToSalt.exec(hash)?.[0] ?? hash.slice(0, 8)
}
