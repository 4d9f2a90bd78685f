/** What a document says about a client. Apart from `client-document.ts`, because few requests need the rules of registration. */
import { type Judged, judge, problem } from '../../problem.ts'
import { isRefusal } from '../../refusal.ts'
import type { Client } from './client.ts'
import type { MemberChange } from './client-members.ts'
import type { RegistrationContext } from './client-registration.ts'
import {
  type DynamicPolicy,
  type MetadataDocument,
  registerDynamically,
  updateDynamically,
} from './dynamic-registration.ts'

/** Bounds how long a change of the document can stay unnoticed, whatever its headers say. In milliseconds. */
const freshAtMostMs = 86_400_000
const freshAtLeastMs = 300_000

/**
 * Returns the client that a document describes. `before`: the client of an earlier version. `freshUntilMs`: how long the
 * response may be used according to its headers, in epoch milliseconds.
 */
export function clientOfDocument(
  document: MetadataDocument,
  changes: readonly MemberChange[],
  policy: DynamicPolicy,
  context: RegistrationContext,
  { id, before, freshUntilMs, nowMs }: Described,
): Judged<Client> {
  const problems = []
  // Otherwise a document could speak for an address of another owner.
  if (document.client_id !== id) problems.push(problem('client_id', 'client_id', 'must be the address of the document'))
  if ('client_secret' in document) problems.push(problem('client_secret', 'client_secret', 'must not be published'))
  const judged =
    before === undefined
      ? registerDynamically(id, changes, policy, context, nowMs)
      : updateDynamically(before, changes, policy, context)
  if (isRefusal(judged)) return judge(judged as never, [...problems, ...judged.problems])
  const untilMs = Math.min(Math.max(freshUntilMs, nowMs + freshAtLeastMs), nowMs + freshAtMostMs)
  const metadata = { ...judged.metadata, document_fresh_until: Math.floor(untilMs / 1000) }
  return judge({ ...judged, metadata }, problems)
}

type Described = {
  readonly id: string
  readonly before: Client | undefined
  readonly freshUntilMs: number
  readonly nowMs: number
}
