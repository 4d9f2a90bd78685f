/** The brand that an operator stored: one row, or none. */
import type { AuditEvents } from '../../audit/entry.ts'
import { type BrandMembers, noBrand, type StoredBrand } from '../../protocol/branding/brand.ts'
import type { Engine } from '../engine.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { type BrandingTable, columns } from './tables.ts'

const name = 'brand'

const versionOf = prepare('branding.version', (db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('branding').select('version').where('name', '=', p.name),
)
const row = prepare('branding.row', (db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('branding').select(columns.branding).where('name', '=', p.name),
)
const insert = prepare('branding.insert', (db, p: Placeholders<BrandingTable>) =>
  db
    .insertInto('branding')
    .values(pick(p, columns.branding))
    .onConflict((conflict) => conflict.doNothing()),
)
const update = prepare('branding.update', (db, p: Placeholders<BrandingTable & { decided_on: number }>) =>
  db
    .updateTable('branding')
    .set(pick(p, ['members', 'version', 'updated_at_ms']))
    .where('name', '=', p.name)
    .where('version', '=', p.decided_on),
)

export function sqlBranding(engine: Engine) {
  return {
    /** Returns the version, which every change raises; 0: nothing was stored yet. */
    async version(): Promise<number> {
      return (await engine.read(versionOf({ name })))[0]?.version ?? 0
    },
    find: (): Promise<StoredBrand> => readBrand(engine),
    /** Stores the members if nobody stored others since `before` was read. False: somebody did, and nothing is stored. */
    async change(
      before: Pick<StoredBrand, 'version'>,
      members: BrandMembers,
      nowMs: number,
      events?: AuditEvents,
    ): Promise<boolean> {
      return (await engine.commit([brandStatement(before, members, nowMs)], events)).applied
    },
  }
}

/** Returns what is stored; without a row, members without values. */
export async function readBrand(engine: Engine): Promise<StoredBrand> {
  const [found] = await engine.read(row({ name }))
  if (found === undefined) return { version: 0, members: noBrand }
  // A member that a newer version introduced is none of this one's.
  return { version: found.version, members: { ...noBrand, ...(JSON.parse(found.members) as Partial<BrandMembers>) } }
}

/** Returns the statement that stores the members on exactly the version of `before`. */
export function brandStatement(before: Pick<StoredBrand, 'version'>, members: BrandMembers, nowMs: number): Statement {
  const stored = { name, members: JSON.stringify(members), version: before.version + 1, updated_at_ms: nowMs }
  return mustChange(before.version === 0 ? insert(stored) : update({ ...stored, decided_on: before.version }))
}
