/** `latchkey audit verify` and `audit checkpoint`: the proof of the trail, and what to keep of it elsewhere. */
import { hashOfStatement } from '../audit/chain.ts'
import { trailKeeper } from '../audit/keeper.ts'
import { missedText } from '../audit/missed.ts'
import { type Fault, type TrailSource, type Verification, verifyTrail } from '../audit/verify.ts'
import { provenAuditKeys } from '../keys/audit-keys.ts'
import { loadMasterKey } from '../keys/master-key.ts'
import { openKeyRing } from '../keys/ring.ts'
import type { Audit } from '../storage/audit-port.ts'
import { type CommandContext, currentActor, Refused, type Session } from './context.ts'
import { isoTime, record } from './text.ts'

type VerifyOptions = { readonly anchor?: string; readonly trust: readonly string[]; readonly json?: boolean }

/** Rows that are read at once. */
const portion = 2000

/** How often it is verified anew when a server removed old entries meanwhile. */
const attempts = 3

export async function verify(context: CommandContext, session: Session, options: VerifyOptions): Promise<void> {
  const { audit } = session.storage
  for (let attempt = 1; ; attempt += 1) {
    const before = (await audit.lastCheckpoint())?.number
    const found = await verifyTrail(sourceOf(session, options.trust), progressTo(context), options.anchor)
    clearProgress(context)
    const isSettled = (await audit.lastCheckpoint())?.number === before
    if (found.fault !== undefined && !isSettled && attempt < attempts) continue
    if (found.fault === undefined || options.json === true) {
      session.print(verificationJson(found), verificationText(found))
    }
    if (found.fault !== undefined) throw new Refused(faultText(found.fault, found.entries))
    return
  }
}

export async function signNow(context: CommandContext, { settings, storage, print }: Session): Promise<void> {
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
  const advice = `Keep the hash where nobody who can change the database can. Later: latchkey audit verify --anchor ${hash}`
  print({ number, at: isoTime(atMs), hash, statement }, `${text}\n\n${advice}`)
}

function sourceOf({ settings, storage }: Session, trusted: readonly string[]): TrailSource {
  const { audit, keys } = storage
  return {
    async keys() {
      if ((await audit.lastCheckpoint()) === undefined) return []
      const masterKey = await loadMasterKey(settings, false)
      return provenAuditKeys(await keys.list(), masterKey.bytes, trusted)
    },
    async *checkpoints() {
      for (let after = 0; ; ) {
        const rows = await audit.checkpoints(after, portion)
        if (rows.length > 0) yield rows
        if (rows.length < portion) return
        after = rows.at(-1)?.number ?? after
      }
    },
    entries: () => entriesFrom(audit, Number.MIN_SAFE_INTEGER),
    between: (fromMs) => entriesFrom(audit, fromMs),
  }
}

async function* entriesFrom(audit: Audit, fromMs: number) {
  for (let after = { atMs: fromMs, writer: '', seq: 0 }; ; ) {
    const rows = await audit.stored(after, portion)
    if (rows.length > 0) yield rows
    if (rows.length < portion) return
    after = rows.at(-1) ?? after
  }
}

function progressTo({ stderr }: CommandContext): (entries: number) => void {
  return (entries) => {
    if (stderr.isTTY === true) stderr.write(`\r${entries} entries`)
  }
}

function clearProgress({ stderr }: CommandContext): void {
  if (stderr.isTTY === true) stderr.write('\r\u001b[K')
}

function faultText({ kind, entry, checkpoint, what }: Fault, entries: number): string {
  const verbs = { changed: 'was changed', removed: 'was removed', moved: 'was moved', forged: 'is forged' }
  if (entry === undefined) return `The audit trail is not intact: checkpoint ${checkpoint} ${verbs[kind]}: ${what}.`
  const time = entry.atMs === null ? '' : kind === 'removed' ? `after ${isoTime(entry.atMs)}` : isoTime(entry.atMs)
  const name = `entry ${entry.seq} of writer ${entry.writer}${time === '' ? '' : ` (${time})`}`
  return `The audit trail is not intact: ${name} ${verbs[kind]}: ${what}. ${entries} entries before it are in order.`
}

function verificationText(found: Verification): string {
  const missed = missedText(found.missed)
  return `${proofText(found)}${missed === '' ? '' : `\n${missed} See: latchkey audit list --kind not_recorded`}`
}

function proofText({ entries, writers, checkpoints, provenToMs, unproven, fromMs }: Verification): string {
  if (entries === 0 && checkpoints === 0) return 'Nothing has been recorded yet.'
  const since = fromMs === null ? '' : ` from ${isoTime(fromMs)} on`
  const intact = `The audit trail is intact: ${entries} entries of ${writers} writers${since}.`
  if (provenToMs === null)
    return `${intact}\nNo checkpoint was signed yet, so that a trail made anew would look the same.`
  const rest = unproven === 0 ? 'nothing came after it' : `${unproven} entries after it are not signed yet`
  return `${intact}\n${checkpoints} checkpoints are in order; the last one is of ${isoTime(provenToMs)}, and ${rest}.`
}

function verificationJson(found: Verification) {
  const { fault, entries, writers, checkpoints, provenToMs, unproven, fromMs, missed } = found
  const time = (ms: number | null) => (ms === null ? null : isoTime(ms))
  const counts = {
    entries,
    writers,
    checkpoints,
    from: time(fromMs),
    signedTo: time(provenToMs),
    notSigned: unproven,
    missed,
  }
  if (fault === undefined) return { intact: true, ...counts }
  const { entry, ...others } = fault
  const place = entry && { ...entry, atMs: undefined, at: time(entry.atMs) }
  return { intact: false, ...counts, fault: { ...others, ...(place && { entry: place }) } }
}
