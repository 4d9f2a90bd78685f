/** Attributes that tests declare. */
import type { Storage } from '../../src/storage/port/storage.ts'
import type { Attribute } from '../../src/users/attributes.ts'

/** Declares texts of these names, with the changes. */
export async function declareAttributes(
  { attributes }: Pick<Storage, 'attributes'>,
  ...declared: readonly (Partial<Attribute> & Pick<Attribute, 'name'>)[]
): Promise<void> {
  for (const change of declared) {
    const after: Attribute = {
      ...{ type: 'text', many: false, choices: [], labels: {}, helps: {}, required: false, editedBy: 'operator' },
      ...{ seenBy: 'person', unique: false, pattern: null, min: null, max: null, searchable: false },
      ...{ createdAtMs: Date.now(), version: 1 },
      ...change,
    }
    await attributes.change(() => ({ changes: [{ name: after.name, after }] }))
  }
}
