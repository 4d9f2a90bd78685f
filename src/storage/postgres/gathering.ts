/**
 * Works for several requests with one statement. What comes in one turn of the event loop goes together at its end while little of
 * its kind is under way; what comes meanwhile waits for some of that to end, and goes together: one plan, one round trip, and an
 * answer for each. What comes alone waits for no company, and nothing waits long for a statement that is held up.
 */
import type { SpanMark, StorageTracing } from '../../telemetry/tracing.ts'

export type GatheringParts<Work, Answer> = {
  /** What goes together has the same kind. */
  readonly kindOf: (work: Work) => string
  /** Two with the same key are never in one statement. Default: none has a key. */
  readonly keyOf?: (work: Work) => string
  /** Does one by itself. */
  readonly alone: (work: Work) => Promise<Answer>
  /** Does one of several that failed. Default: like any one. */
  readonly again?: (work: Work) => Promise<Answer>
  /** Does several, and resolves to the answer of each. */
  readonly together: (works: readonly Work[]) => Promise<readonly Answer[]>
  /** Whether the failure of several is that of each. Otherwise they are done again one by one. */
  readonly isOfAll: (error: unknown) => boolean
} & GatheringBounds

export type GatheringBounds = {
  /** How many may wait, and for how long. */
  readonly waitingAtMost: number
  readonly waitMs: number
  /** The error of one that may not wait. */
  readonly refusal: (reason: 'full' | 'late') => Error
  /** Milliseconds that never jump. */
  readonly monotonic: () => number
  /** Calls `work` after so many milliseconds. */
  readonly later: (work: () => void, ms: number) => void
  /** Calls `work` at the end of this turn of the event loop. */
  readonly atEndOfTurn: (work: () => void) => void
  /** Absent: nothing is traced. */
  readonly tracing?: StorageTracing | undefined
}

/** Statements of one kind under way at once. With one alone, the database would rest while an answer travels. */
const underWayAtMost = 2
/** What waited so long goes beside those under way, which a lock or a slow connection may hold up. */
export const heldUpAfterMs = 5
/** Statements of one kind under way when they are held up. */
const underWayInAll = 8
/** What one statement works for at most: the last of them is answered with the first. */
const membersAtMost = 64

type Member<Work, Answer> = {
  readonly work: Work
  readonly key: string | undefined
  readonly sinceMs: number
  readonly span: SpanMark | undefined
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}
type Kind<Work, Answer> = {
  waiting: Member<Work, Answer>[]
  underWay: number
  isWatched: boolean
  beginsAtEndOfTurn: boolean
}

export type Gathering<Work, Answer> = {
  run(work: Work): Promise<Answer>
  /** How many wait. */
  waiting(): number
  /** Resolves when what waits now, or is under way, is done. */
  drained(): Promise<void>
}

export function gathering<Work, Answer>(parts: GatheringParts<Work, Answer>): Gathering<Work, Answer> {
  const { kindOf, keyOf, alone, again = alone, together, isOfAll } = parts
  const { waitingAtMost, waitMs, refusal, monotonic, later, atEndOfTurn, tracing } = parts
  const kinds = new Map<string, Kind<Work, Answer>>()
  const working = new Set<Promise<void>>()
  let waiting = 0

  const settle = (
    { work, resolve, reject }: Member<Work, Answer>,
    one: (work: Work) => Promise<Answer>,
  ): Promise<void> => one(work).then(resolve, reject)

  async function doTogether(members: readonly Member<Work, Answer>[]): Promise<void> {
    const doAll = () => together(members.map(({ work }) => work))
    try {
      const spans = members.flatMap(({ span }) => span ?? [])
      const answers = await (tracing === undefined ? doAll() : tracing.storageBatch(spans, doAll))
      for (const [at, { resolve }] of members.entries()) resolve(answers[at] as Answer)
    } catch (error) {
      // The fault of one of them is not that of the others.
      if (isOfAll(error)) for (const { reject } of members) reject(error)
      else await Promise.all(members.map((member) => settle(member, again)))
    }
  }

  /** Refuses those that have waited longer than they may. */
  function refuseLate({ waiting: queue }: Kind<Work, Answer>): void {
    const sinceMs = monotonic() - waitMs
    for (let [oldest] = queue; oldest !== undefined && oldest.sinceMs < sinceMs; [oldest] = queue) {
      queue.shift()
      waiting -= 1
      oldest.reject(refusal('late'))
    }
  }

  /** Takes those that go together. */
  function next(kind: Kind<Work, Answer>): readonly Member<Work, Answer>[] {
    refuseLate(kind)
    const members = keyOf === undefined ? kind.waiting.splice(0, membersAtMost) : takeDistinct(kind)
    waiting -= members.length
    return members
  }

  async function work(kind: Kind<Work, Answer>, first: readonly Member<Work, Answer>[]): Promise<void> {
    kind.underWay += 1
    for (let members = first; members.length > 0; members = next(kind)) {
      const [only, another] = members
      await (only !== undefined && another === undefined ? settle(only, alone) : doTogether(members))
    }
    kind.underWay -= 1
  }

  function begin(kind: Kind<Work, Answer>, members: readonly Member<Work, Answer>[]): void {
    const one = work(kind, members)
    working.add(one)
    void one.then(() => working.delete(one))
  }

  /** Sends those that wait while little is under way. */
  function beginAll(kind: Kind<Work, Answer>): void {
    kind.beginsAtEndOfTurn = false
    while (kind.underWay < underWayAtMost && kind.waiting.length > 0) begin(kind, next(kind))
    if (kind.waiting.length > 0) watch(kind)
  }

  function beginAtEndOfTurn(kind: Kind<Work, Answer>): void {
    if (kind.beginsAtEndOfTurn) return
    kind.beginsAtEndOfTurn = true
    atEndOfTurn(() => beginAll(kind))
  }

  /** Looks after those that wait as long as there are any. */
  function watch(kind: Kind<Work, Answer>): void {
    if (kind.isWatched) return
    kind.isWatched = true
    later(() => {
      kind.isWatched = false
      refuseLate(kind)
      const [oldest] = kind.waiting
      if (oldest === undefined) return
      const isHeldUp = monotonic() - oldest.sinceMs >= heldUpAfterMs
      if (isHeldUp && kind.underWay < underWayInAll) begin(kind, next(kind))
      if (kind.waiting.length > 0) watch(kind)
    }, heldUpAfterMs)
  }

  return {
    run(given) {
      const name = kindOf(given)
      const kind = kinds.get(name) ?? { waiting: [], underWay: 0, isWatched: false, beginsAtEndOfTurn: false }
      kinds.set(name, kind)
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const goesNext = kind.waiting.length < (underWayAtMost - kind.underWay) * membersAtMost
      if (!goesNext && waiting >= waitingAtMost) {
        reject(refusal('full'))
        return promise
      }
      waiting += 1
      const span = tracing?.spanHere()
      kind.waiting.push({ work: given, key: keyOf?.(given), sinceMs: monotonic(), span, resolve, reject })
      if (goesNext) beginAtEndOfTurn(kind)
      else watch(kind)
      return promise
    },
    waiting: () => waiting,
    async drained() {
      for (const kind of kinds.values()) if (kind.beginsAtEndOfTurn) beginAll(kind)
      await Promise.all(working)
    },
  }
}

/** Takes the first of each key. The others keep their order. */
function takeDistinct<Work, Answer>(kind: Kind<Work, Answer>): readonly Member<Work, Answer>[] {
  const members = new Map<string | undefined, Member<Work, Answer>>()
  const left: Member<Work, Answer>[] = []
  for (const member of kind.waiting) {
    if (members.size < membersAtMost && !members.has(member.key)) members.set(member.key, member)
    else left.push(member)
  }
  kind.waiting = left
  return [...members.values()]
}
