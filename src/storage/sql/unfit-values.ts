/** Finds the people of a batch whose new values cannot be stored. */
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { ValueRefused } from '../port/attributes.ts'
import { changedNames, isFitting, keysFor } from './attribute-values.ts'
import { readAttributes } from './attributes.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { listToText, textToList } from './tables.ts'

type Asked = { attribute: string; keys: string }

const holders = prepare('unfit-values.holders', (db, p: Placeholders<Asked>, { isOneOf }) =>
  db
    .selectFrom('attribute_values')
    .select(['user_id', 'value'])
    .where('attribute', '=', p.attribute)
    .where(isOneOf('value', p.keys))
    .where('is_unique', '=', 1),
)

type Changed = { readonly user: User; readonly before: User | undefined }

/** Returns why, by the index of the person. Of people with the same unique value all but the first are there. One reading of each attribute. */
export async function unfitValues(
  engine: Engine,
  people: readonly Changed[],
): Promise<ReadonlyMap<number, ValueRefused>> {
  const unfit = new Map<number, ValueRefused>()
  const declared = await readAttributes(engine)
  const asked = new Map<string, { readonly at: number; readonly userId: string; readonly keys: readonly string[] }[]>()
  for (const [at, { user, before }] of people.entries()) {
    for (const name of changedNames(before, user)) {
      const value = user.attributes[name]
      if (value === undefined) continue
      const attribute = declared.get(name)
      if (attribute === undefined) unfit.set(at, new ValueRefused(name, 'undeclared'))
      else if (!isFitting(JSON.stringify(attribute), value)) unfit.set(at, new ValueRefused(name, 'unfit'))
      else if (attribute.unique) {
        const one = { at, userId: user.id, keys: textToList(keysFor(value)) }
        asked.set(name, [...(asked.get(name) ?? []), one])
      }
    }
  }
  for (const [attribute, ones] of asked) {
    const keys = listToText(ones.flatMap((one) => one.keys))
    const holderOf = new Map((await engine.read(holders({ attribute, keys }))).map((row) => [row.value, row.user_id]))
    for (const { at, userId, keys } of ones) {
      if (unfit.has(at)) continue
      if (keys.some((key) => (holderOf.get(key) ?? userId) !== userId))
        unfit.set(at, new ValueRefused(attribute, 'taken'))
      else for (const key of keys) holderOf.set(key, userId)
    }
  }
  return unfit
}
