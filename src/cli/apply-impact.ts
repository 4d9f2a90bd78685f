/** What the changes of `latchkey apply` mean for people and applications. */

import type { Change, Losers } from '../configuration/changes.ts'
import { addUp, endingsOf, type Impact, namesAtMost, RequestTally } from '../configuration/impact.ts'
import type { Plan, Stored } from '../configuration/plan.ts'
import type { Storage } from '../storage/port/storage.ts'
import { isoTime } from '../text.ts'
import type { CommandContext, Workspace } from './context.ts'

/** How far back the trail is read for the impact: seven days. */
const trailMs = 7 * 86_400_000

/**
 * Returns what the plan means: what it ends, and which recorded requests it decides differently. Returns its changes as
 * well, with the people who lose a role.
 */
export async function impactOf(
  context: CommandContext,
  { storage }: Workspace,
  { changes, after }: Plan,
  stored: Stored,
): Promise<{ readonly impact: Impact; readonly changes: readonly Change[] }> {
  const nowMs = context.clock()
  const affected = []
  const known: Change[] = []
  for (const change of changes) {
    const ended = []
    for (const ending of endingsOf([change])) ended.push(await storage.configuration.affected(ending, nowMs))
    affected.push(...ended)
    const isLost = change.kind === 'roles' && change.action === 'delete'
    known.push(
      isLost
        ? {
            ...change,
            takenFrom: await namesOf(
              storage,
              ended.flatMap(({ people }) => people),
            ),
          }
        : change,
    )
  }
  const { people, ...ended } = addUp(affected)
  const sinceMs = nowMs - trailMs
  const tally = new RequestTally(stored, after)
  const matters = changes.some(({ record }) => record.kind === 'client' || record.kind === 'scope')
  if (matters) await readTrail(context, storage, sinceMs, tally)
  const impact = { ...ended, people: await namesOf(storage, people), requests: tally.result(isoTime(sinceMs)) }
  return { impact, changes: known }
}

/** Returns the names of some of the people, and how many they are. */
async function namesOf({ users }: Storage, ids: readonly string[]): Promise<Losers> {
  const found = await Promise.all(ids.slice(0, namesAtMost).map((id) => users.find(id)))
  return { names: found.filter((user) => user !== undefined).map(({ name }) => name), count: ids.length }
}

async function readTrail(
  context: CommandContext,
  storage: Storage,
  sinceMs: number,
  tally: RequestTally,
): Promise<void> {
  let read = 0
  for (const kind of ['tokens_issued', 'refusal'] as const) {
    let last: Parameters<Storage['audit']['list']>[1]
    for (;;) {
      const entries = await storage.audit.list({ kind, sinceMs }, last, 1000)
      for (const entry of entries) tally.add(entry)
      read += entries.length
      last = entries.at(-1)
      if (entries.length < 1000) break
      if (context.stderr.isTTY === true) context.stderr.write(`\r${read} recorded requests read`)
    }
  }
  if (context.stderr.isTTY === true && read >= 1000) context.stderr.write('\r\u001b[K')
}
