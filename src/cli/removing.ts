/** Commands that delete: they ask before, and remove the rows of deleted clients, scopes and roles after. */
import { createInterface } from 'node:readline'
import { Option } from 'commander'
import { Refused } from '../server/refused.ts'
import type { Removal } from '../storage/port/configuration.ts'
import type { Storage } from '../storage/port/storage.ts'
import { visibleLines } from '../text.ts'
import type { CommandContext } from './context.ts'

/** Removes the rows of what a command deleted, because no service may be running. One that runs does the same. */
export async function removeAll({ removals }: Pick<Storage, 'removals'>): Promise<void> {
  await removals.goOn(() => true)
}

/** Says why a name is not free. `taken`: unless its last bearer is still being removed. */
export async function notFree(
  { removals }: Pick<Storage, 'removals'>,
  removal: Removal,
  taken: string,
): Promise<Refused> {
  const { kind, name } = removal
  const isLeaving = (await removals.list()).some((one) => one.kind === kind && one.name === name)
  if (!isLeaving) return new Refused(taken)
  return new Refused(
    `The deleted ${kind} ${name} is still being taken from consents and grants. Try again in a minute.`,
  )
}

export const yesOption = () => new Option('--yes', 'do not ask for confirmation')

/**
 * Resolves when confirmed. `what`: one sentence that names what will be lost. Throws `Refused` if the answer is no, or
 * if there is neither `--yes` nor a terminal.
 */
export async function confirmLoss(context: CommandContext, what: string, yes: boolean): Promise<void> {
  if (yes) return
  if (context.stdin.isTTY !== true) throw new Refused(`${what} Nothing was done. To proceed, add --yes.`)
  if (!(await isYes(context, `${what}\nProceed? [y/N] `))) throw new Refused('Cancelled; nothing was changed.')
}

async function isYes({ stdin, stderr }: CommandContext, prompt: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, terminal: false })
  // Input that ends without a line counts as no.
  const answer = new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('')))
  stderr.write(visibleLines(prompt))
  try {
    return /^y(?:es)?$/i.test((await answer).trim())
  } finally {
    lines.close()
  }
}

/** Formats counts as `2 sessions`, `1 session` in a list: 'a, b and c'. Omits zero counts; undefined: all are zero. */
export function countsOf(counts: readonly (readonly [count: number, one: string, many: string])[]): string | undefined {
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
  const last = parts.pop()
  if (last === undefined) return undefined
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}
