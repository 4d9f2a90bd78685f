/**
 * The form in which a batch travels to the writer thread: one array of plain values, and each SQL text once. Copying it
 * between threads costs a fraction of what copying the objects of a batch costs.
 */
import type { Draft } from '../../audit/entry.ts'
import type { MailRow } from '../mail-rows.ts'
import type { Value } from '../sql/statement.ts'
import type { Commit } from './batch.ts'

export type Packed = {
  readonly texts: readonly string[]
  /**
   * For each commit the number of its statements; for each of them the index of its text, whether it must change
   * something (1 or 0), the number of its parameters, and these; then the number of drafts, and their members.
   */
  readonly values: readonly Value[]
  /** The mails of the few commits that have any, with the index of the commit. */
  readonly mails: readonly (readonly [at: number, mails: readonly MailRow[]])[]
}

type Travelling = 'statements' | 'drafts' | 'mails'
// A new member of a commit does not compile until it travels too.
true satisfies Exclude<keyof Commit, Travelling> extends never ? true : false

export function pack(batch: readonly Commit[]): Packed {
  const texts: string[] = []
  const places = new Map<string, number>()
  const values: Value[] = []
  const posts: [number, readonly MailRow[]][] = []
  for (const [at, { statements, drafts, mails }] of batch.entries()) {
    if (mails !== undefined) posts.push([at, mails])
    values.push(statements.length)
    for (const { text, mustChange, parameters } of statements) {
      let place = places.get(text)
      if (place === undefined) {
        place = texts.push(text) - 1
        places.set(text, place)
      }
      values.push(place, mustChange ? 1 : 0, parameters.length)
      for (const parameter of parameters) values.push(parameter)
    }
    values.push(drafts.length)
    for (const { atMs, kind, userId, clientId, traceId, address, details } of drafts) {
      values.push(atMs, kind, userId, clientId, traceId, address, details)
    }
  }
  return { texts, values, mails: posts }
}

const draftMembers = 7

export function unpack({ texts, values, mails }: Packed): Commit[] {
  const batch: Commit[] = []
  let at = 0
  // `pack` put a number there.
  const next = (): number => values[at++] as number
  while (at < values.length) {
    const statements = []
    for (let left = next(); left > 0; left -= 1) {
      const text = texts[next()] as string
      const mustChange = next() === 1
      const end = next() + at
      statements.push({ text, mustChange, parameters: values.slice(at, end) })
      at = end
    }
    const drafts: Draft[] = []
    for (let left = next(); left > 0; left -= 1, at += draftMembers) drafts.push(draftAt(values, at))
    batch.push({ statements, drafts })
  }
  for (const [index, rows] of mails) batch[index] = { ...(batch[index] as Commit), mails: rows }
  return batch
}

/** The members as `pack` put them in order. */
function draftAt(values: readonly Value[], at: number): Draft {
  return {
    atMs: values[at] as number,
    kind: values[at + 1] as string,
    userId: values[at + 2] as string | null,
    clientId: values[at + 3] as string | null,
    traceId: values[at + 4] as string | null,
    address: values[at + 5] as string | null,
    details: values[at + 6] as string,
  }
}
