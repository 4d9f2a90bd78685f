/** Measures the tokens of a change once, however often it is decided. */
import { createHash } from 'node:crypto'
import type { Issuing, LengthRecords, LongToken } from '../../protocol/claims/token-length.ts'
import { addressesBy } from '../../protocol/client/client.ts'
import type { RecordChange } from '../port/configuration.ts'

type LongerBy = (
  before: LengthRecords,
  changes: readonly RecordChange[],
  issuing: Issuing,
) => Promise<LongToken | undefined>

/**
 * Returns the same that remembers its last answer `during` a request or command, for as long as that lives. Clients that no operator
 * registered do not count: their tokens are not measured when they register, either, and who registers again and again must not make
 * the change of an operator read all people again and again, and so come too late each time.
 */
export function measuredOnce(longerBy: LongerBy) {
  const answers = new WeakMap<object, { readonly of: string; readonly found: Promise<LongToken | undefined> }>()
  return (
    before: LengthRecords,
    changes: readonly RecordChange[],
    issuing: Issuing,
    during: object = {},
  ): Promise<LongToken | undefined> => {
    const of = digestOf(before, changes, issuing)
    const known = answers.get(during)
    if (known?.of === of) return known.found
    const found = longerBy(before, changes, issuing)
    answers.set(during, { of, found })
    return found
  }
}

function digestOf(
  { scopes, resources, clients }: LengthRecords,
  changes: readonly RecordChange[],
  issuing: Issuing,
): string {
  const registered = clients.filter(({ metadata }) => addressesBy(metadata) === 'operator')
  const inputs = [scopes, [...resources.values()], registered, changes, issuing]
  return createHash('sha256').update(JSON.stringify(inputs)).digest('base64url')
}
