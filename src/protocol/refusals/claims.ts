/** Refusals about what tokens say of people. */
import type { RefusalEntry } from './entry.ts'

export const claimRefusals = {
  admin_attribute_used: {
    error: 'in_use',
    id: 'ID9622',
    description: 'Rules of claims use the {name}.',
    parameters: 'attribute',
    why: 'Tokens would no longer have what these rules put into them. The member used_by names the rules.',
    fix: 'Remove the rules first, or add with_rules=true to the query, which deletes them with the attribute.',
    source: 'RFC 9110 §15.5.10',
  },
} as const satisfies Record<string, RefusalEntry>
