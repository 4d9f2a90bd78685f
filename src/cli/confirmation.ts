/** Asks before something is lost for good. */
import { createInterface } from 'node:readline'
import { Option } from 'commander'
import { Refused } from '../server/refused.ts'
import { visibleLines } from '../text.ts'
import type { CommandContext } from './context.ts'

export const yesOption = () => new Option('--yes', 'do not ask: what is named as lost may go')

/**
 * Resolves when `what` may happen. `what`: one sentence that names what is lost. Throws `Refused` when the answer is no,
 * and when there is neither `--yes` nor a terminal to ask at.
 */
export async function confirmLoss(context: CommandContext, what: string, yes: boolean): Promise<void> {
  if (yes) return
  if (context.stdin.isTTY !== true) throw new Refused(`${what} Nothing was done: to go on, add --yes.`)
  if (!(await isYes(context, `${what}\nGo on? [y/N] `))) throw new Refused('Cancelled; nothing was changed.')
}

async function isYes({ stdin, stderr }: CommandContext, prompt: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, terminal: false })
  // An input that ends without a line is a no.
  const answer = new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('')))
  stderr.write(visibleLines(prompt))
  try {
    return /^y(?:es)?$/i.test((await answer).trim())
  } finally {
    lines.close()
  }
}

/** `2 sessions`, `1 session`, in a list: 'a, b and c'. What there is none of is left out; undefined: there is nothing. */
export function countsOf(counts: readonly (readonly [count: number, one: string, many: string])[]): string | undefined {
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
  const last = parts.pop()
  if (last === undefined) return undefined
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}
