/** Clients whose id is the address of their metadata (OAuth Client ID Metadata Documents). */
import { type Judged, judge, problem } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
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
/** How long a client is used on when its document cannot be fetched. In milliseconds. */
const staleAtMostMs = 86_400_000

/**
 * Whether a client id is the address of a document: `https` with a path, no fragment, no user name, and spelled in the
 * only way, so that no two ids name one document.
 */
export function isDocumentId(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > 200 || !URL.canParse(clientId)) return false
  const { href, pathname, username, password } = new URL(clientId)
  return href === clientId && pathname !== '/' && !clientId.includes('#') && username === '' && password === ''
}

export function isFresh({ metadata }: Client, nowMs: number): boolean {
  return nowMs < (metadata.document_fresh_until ?? 0) * 1000
}

/** Whether the client may still be used although its document cannot be fetched. */
export function mayStay({ metadata }: Client, nowMs: number): boolean {
  return nowMs < (metadata.document_fresh_until ?? 0) * 1000 + staleAtMostMs
}

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
