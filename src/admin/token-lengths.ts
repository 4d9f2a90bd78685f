/** Refuses rules for which an access token of the largest person would have no room. */
import type { Rejection } from '../problem.ts'
import { type LengthRecords, lengthProblems } from '../protocol/claims/token-length.ts'
import type { Client } from '../protocol/client/client.ts'
import { asRefusal } from '../refusal.ts'
import type { JudgingRules, RuledChange } from '../storage/port/claim-rules.ts'
import type { Call } from './operation.ts'

/** Returns a refusal if rules that the changes add would make the token of somebody too long. */
async function tooLongFor(
  call: Pick<Call, 'service'>,
  stored: LengthRecords,
  changes: readonly RuledChange[] = [],
): Promise<Rejection | undefined> {
  const { storage, settings } = call.service
  const { issuer, accessTokenAlgorithm: algorithm } = settings.oauth
  const problems = lengthProblems(await storage.claimRules.longerBy(stored, changes, { issuer, algorithm }, call))
  return problems.length === 0 ? undefined : asRefusal({ problems })
}

/** The same of a client. `before` undefined: it is new. */
export const tooLongWith = (
  call: Pick<Call, 'service'>,
  { stored }: JudgingRules,
  before: Client | undefined,
  after: Client,
): Promise<Rejection | undefined> =>
  tooLongFor(call, { ...stored, clients: before === undefined ? [] : [before] }, [{ kind: 'client', before, after }])

/** Returns what was decided, or in its place the refusal of its changes. */
export async function roomy<Result extends { readonly refused?: unknown; readonly changes?: readonly RuledChange[] }>(
  call: Pick<Call, 'service'>,
  stored: LengthRecords,
  decided: Result,
): Promise<Result | { readonly refused: Rejection }> {
  const refused = await tooLongFor(call, stored, decided.changes)
  return refused === undefined ? decided : { refused }
}
