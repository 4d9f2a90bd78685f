/** `latchkey audit verify` and `audit checkpoint`: verify the trail, and print what to keep of it elsewhere. */
import { hashOfStatement } from '../audit/chain.ts'
import { trailKeeper } from '../audit/keeper.ts'
import {
  type TrailSource,
  type Verification,
  type VerifyOptions as VerifyTrailOptions,
  verifyTrail,
} from '../audit/verify.ts'
import { provenAuditKeys } from '../keys/audit-keys.ts'
import { loadMasterKey } from '../keys/master-key.ts'
import { openKeyRing } from '../keys/ring.ts'
import { Refused } from '../server/refused.ts'
import type { Audit } from '../storage/port/audit.ts'
import { isoTime } from '../text.ts'
import { faultText, verificationJson, verificationText } from './audit-text.ts'
import { type CommandContext, currentActor, type Workspace } from './context.ts'
import { record } from './text.ts'

type VerifyOptions = { readonly anchor?: string; readonly trust: readonly string[]; readonly json?: boolean }

/** Rows read at once. */
const portion = 2000

/** Attempts at a verification while servers remove old entries. */
const attempts = 3

export async function verify(context: CommandContext, workspace: Workspace, options: VerifyOptions): Promise<void> {
  const { anchor, trust } = options
  const found = await verifySettled(context, workspace, trust, { anchor }, ({ fault }) => fault === undefined)
  if (found.fault === undefined || options.json === true) {
    workspace.print(verificationJson(found), verificationText(found))
  }
  if (found.fault !== undefined) throw new Refused(faultText(found.fault, found.entries))
}

/**
 * Verifies again after a fault if servers have signed meanwhile, because they may have removed entries during the read.
 */
export async function verifySettled(
  context: CommandContext,
  workspace: Workspace,
  trust: readonly string[],
  options: VerifyTrailOptions,
  isInOrder: (found: Verification) => boolean,
): Promise<Verification> {
  const { audit } = workspace.storage
  for (let attempt = 1; ; attempt += 1) {
    const before = (await audit.lastCheckpoint())?.number
    const found = await verifyTrail(sourceOf(workspace, trust), progressTo(context), options)
    clearProgress(context)
    const isSettled = (await audit.lastCheckpoint())?.number === before
    if (isInOrder(found) || isSettled || attempt === attempts) return found
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

function sourceOf({ settings, storage }: Workspace, trusted: readonly string[]): TrailSource {
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
