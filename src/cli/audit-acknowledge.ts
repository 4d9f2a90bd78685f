/**
 * `latchkey audit acknowledge`: an operator accepts the faults of the trail, so that later verifications pass over
 * them.
 */
import { checkAcknowledgement, faultOfReason, placeText } from '../audit/acknowledged.ts'
import { latenessMs } from '../audit/checkpoint.ts'
import { trailKeeper } from '../audit/keeper.ts'
import { faultJson, type Verification } from '../audit/verify.ts'
import { openKeyRing } from '../keys/ring.ts'
import { isRefusal } from '../refusal.ts'
import { Refused } from '../server/refused.ts'
import { verifyWith } from './audit-proof.ts'
import { type CommandContext, currentActor, Misused, type Workspace } from './context.ts'

export type AcknowledgeOptions = { readonly reason: string; readonly trust: readonly string[] }

export async function acknowledge(
  context: CommandContext,
  workspace: Workspace,
  { reason, trust }: AcknowledgeOptions,
): Promise<void> {
  const { clock, random, stderr } = context
  const { settings, storage, event, print } = workspace
  const reasonFault = faultOfReason(reason)
  if (reasonFault !== undefined) throw new Misused(`--reason ${reasonFault}.`)
  const isInOrder = ({ gathered }: Verification) => gathered.places.length === 0
  const { gathered } = await verifyWith(context, workspace, trust, { gathers: true }, isInOrder)
  const { places, tails } = gathered
  const signedToMs = (await storage.audit.lastCheckpoint())?.atMs ?? 0
  const isAhead = signedToMs > clock() + latenessMs
  const judged = checkAcknowledgement(places, isAhead)
  if (isRefusal(judged)) throw new Refused(...judged.problems.map(({ message }) => message))
  const warn = (message: string) => stderr.write(`warning: ${message}\n`)
  const keys = await openKeyRing({ storage, settings, clock, random, actor: currentActor(), warn })
  const keeper = trailKeeper({ storage, keys, clock })
  const signed = await keeper.acknowledge({ at: clock(), actor: currentActor(), reason, places }, tails)
  if (signed === undefined) throw new Refused('Other servers signed the trail at each attempt. Try again.')
  const named = places.map(({ fault: found }) => placeText(found))
  const details = { reason, checkpoint: signed.number, places: places.length, first: named[0] ?? null }
  await storage.audit.append([event('gap_acknowledged', {}, details)])
  await keeper.checkpoint()
  const lines = named.map((text) => `Acknowledged: ${text}.`)
  if (isAhead) lines.push('The last checkpoint was in the future. From now on, times follow the clock again.')
  lines.push('latchkey audit verify keeps listing what was acknowledged, and finds every later change.')
  const json = { checkpoint: signed.number, reason, places: places.map(({ fault: found }) => faultJson(found)) }
  print(json, lines.join('\n'))
}
