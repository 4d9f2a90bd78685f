/** `latchkey audit verify` and `audit checkpoint`: verify the trail, and print what to keep of it elsewhere. */
import { type Fault, type Met, placeText } from '../audit/acknowledged.ts'
import { hashOfStatement } from '../audit/chain.ts'
import { trailKeeper } from '../audit/keeper.ts'
import { missedText } from '../audit/missed.ts'
import {
  type Verification,
  type VerificationParts,
  type VerifyOptions as VerifyTrailOptions,
  verificationJson,
  verifySettled,
} from '../audit/verify.ts'
import { provenAuditKeys } from '../keys/audit-keys.ts'
import { loadMasterKey } from '../keys/master-key.ts'
import { openKeyRing } from '../keys/ring.ts'
import { Refused } from '../server/refused.ts'
import { isoTime } from '../text.ts'
import { type CommandContext, currentActor, type Workspace } from './context.ts'
import { record } from './text.ts'

type VerifyOptions = { readonly anchor?: string; readonly trust: readonly string[]; readonly json?: boolean }

export async function verify(context: CommandContext, workspace: Workspace, options: VerifyOptions): Promise<void> {
  const { anchor, trust } = options
  const found = await verifyWith(context, workspace, trust, { anchor })
  if (found.fault === undefined || options.json === true) {
    workspace.print(verificationJson(found), verificationText(found))
  }
  if (found.fault !== undefined) throw new Refused(faultText(found.fault, found.entries))
}

/** `trust`: ids of signing keys accepted although the master key does not decrypt them. */
export async function verifyWith(
  context: CommandContext,
  { settings, storage: { audit, keys } }: Workspace,
  trust: readonly string[],
  options: VerifyTrailOptions,
  isInOrder?: VerificationParts['isInOrder'],
): Promise<Verification> {
  const readKeys = async () => {
    const masterKey = await loadMasterKey(settings, false)
    return provenAuditKeys(await keys.list(), masterKey.bytes, trust)
  }
  const parts = { audit, keys: readKeys, progress: progressTo(context), ...(isInOrder && { isInOrder }) }
  try {
    return await verifySettled(parts, options)
  } finally {
    clearProgress(context)
  }
}

export async function signNow(context: CommandContext, { settings, storage, print }: Workspace): Promise<void> {
  const { clock, random } = context
  const warn = (message: string) => context.stderr.write(`warning: ${message}\n`)
  const keys = await openKeyRing({ storage, settings, clock, random, actor: currentActor(), warn })
  const signed = (await trailKeeper({ storage, keys, clock }).checkpoint()) ?? (await storage.audit.lastCheckpoint())
  if (signed === undefined) throw new Refused('Nothing has been recorded yet.')
  const { number, atMs, statement } = signed
  const hash = hashOfStatement(statement)
  const text = record([
    ['number', String(number)],
    ['signed', isoTime(atMs)],
    ['hash', hash],
    ['statement', statement],
  ])
  const advice = `Keep the hash out of reach of everyone who can change the database. Later, run: latchkey audit verify --anchor ${hash}`
  print({ number, at: isoTime(atMs), hash, statement }, `${text}\n\n${advice}`)
}

function progressTo({ stderr }: CommandContext): (entries: number) => void {
  return (entries) => {
    if (stderr.isTTY === true) stderr.write(`\r${entries} entries`)
  }
}

function clearProgress({ stderr }: CommandContext): void {
  if (stderr.isTTY === true) stderr.write('\r\u001b[K')
}

function faultText(fault: Fault, entries: number): string {
  const rest = fault.entry === undefined ? '' : ` ${entries} entries before it are intact.`
  return `The audit trail is not intact: ${placeText(fault)}.${rest}`
}

function verificationText(found: Verification): string {
  const missed = missedText(found.missed)
  const lines = [
    proofText(found),
    ...acknowledgedLines(found.acknowledged),
    ...(missed === '' ? [] : [`${missed} See: latchkey audit list --kind not_recorded`]),
  ]
  return lines.join('\n')
}

function proofText({
  entries,
  writers,
  checkpoints,
  provenToMs,
  unproven,
  fromMs,
  acknowledged,
}: Verification): string {
  if (entries === 0 && checkpoints === 0) return 'Nothing has been recorded yet.'
  const since = fromMs === null ? '' : ` from ${isoTime(fromMs)} on`
  const but = acknowledged.length === 0 ? '' : `, but for ${placesText(acknowledged.length)} acknowledged`
  const intact = `The audit trail is intact${but}: ${entries} entries of ${writers} writers${since}.`
  if (provenToMs === null) return `${intact}\nNo checkpoint is signed yet, so a rebuilt trail would look the same.`
  const rest = unproven === 0 ? 'nothing was recorded after it' : `${unproven} entries after it are not signed yet`
  return `${intact}\n${checkpoints} checkpoints are valid; the last one is from ${isoTime(provenToMs)}, and ${rest}.`
}

function placesText(count: number): string {
  return count === 1 ? 'one place that was' : `${count} places that were`
}

/** Places listed individually; JSON output has all of them. */
const namedAtMost = 20

function acknowledgedLines(acknowledged: readonly Met[]): string[] {
  const named = acknowledged
    .slice(0, namedAtMost)
    .map(
      ({ fault, at, actor, reason }) =>
        `Acknowledged: ${placeText(fault)}. By ${actor} at ${isoTime(at)}, because: ${reason}`,
    )
  const others = acknowledged.length - named.length
  return others > 0 ? [...named, `Acknowledged: ${others} more.`] : named
}
