/** The brand as files declare it: one record, not a list. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Judged } from '../problem.ts'
import { noBrand, type StoredBrand } from '../protocol/branding/brand.ts'
import { changeBrand } from '../protocol/branding/brand-changes.ts'
import { isRefusal } from '../refusal.ts'
import type { Declaration, Declarations } from './declaration.ts'
import type { Pair } from './matching.ts'
import { type Shown, shownBrand } from './shown.ts'

/** Returns the declared brand; the stored one if they do not differ. Members that the file leaves out take their defaults. */
function declaredBrand(before: StoredBrand, { members }: Declaration): Judged<StoredBrand> {
  const judged = changeBrand(noBrand, members)
  if (isRefusal(judged)) return judged
  return isDeepStrictEqual(judged, before.members) ? before : { version: before.version + 1, members: judged }
}

/** Returns the brand before and after what files declare of it; nothing: they leave it alone. */
export function brandPairs(
  { records }: Pick<Declarations, 'records'>,
  before: StoredBrand,
  judge: (declaration: Declaration, judged: Judged<StoredBrand>) => StoredBrand | undefined,
): Pair<StoredBrand>[] {
  return records
    .filter(({ kind }) => kind === 'branding')
    .map((one) => ({ before, after: judge(one, declaredBrand(before, one)) }))
}

/** The brand in plans: with the digests of its logos, which are long. */
export function plannedBrand(brand: StoredBrand): Shown {
  return Object.fromEntries(
    Object.entries(shownBrand(brand)).map(([member, value]) => [
      member,
      member.startsWith('logo') ? digestOf(String(value)) : value,
    ]),
  )
}

function digestOf(url: string): string {
  const [type = ''] = url.split(',', 1)
  return `${type},… (sha256:${createHash('sha256').update(url).digest('hex').slice(0, 12)})`
}
