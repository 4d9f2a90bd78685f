/**
 * Works through an outbox in the database: records that wait for an attempt, of which any process may begin the next one.
 * The record decides who does (`claim`), so `attempt` begins with that.
 */
import type { Logger } from 'pino'

/** Attempts at the same time, in all lanes that have the share. */
export type Share = { readonly name: string; readonly atOnce: number }

export type Outbox = {
  /** Begins the attempts that are due, as far as there is room. Does not wait for them. */
  look(): Promise<void>
  /** Resolves when no attempt is under way. Begins no further ones. */
  stop(): Promise<void>
  /** Sends everything that is due and resolves when nothing is left. */
  drain(): Promise<void>
}

/** Reads in a row that find nothing but records whose lanes are full. */
const roundsAtMost = 20

export function outbox<Item extends { readonly id: string }>(work: {
  /** Returns records that are due, a bounded number, without those of the recipients in `except`. */
  due(except: readonly string[]): Promise<readonly Item[]>
  /** The lane of a record, such as the host that it goes to, its recipient, and the share of several lanes that it needs. */
  placeOf(item: Item): { readonly lane: string; readonly recipient: string; readonly share?: Share }
  attempt(item: Item): Promise<void>
  /** Attempts at the same time in this process, and in one lane among them. */
  readonly atOnce: number
  readonly perLane: number
  readonly log: Pick<Logger, 'warn'>
  /** What the log says of an attempt that ends with an error. */
  readonly failure: string
}): Outbox {
  const { due, placeOf, attempt, atOnce, perLane, log, failure } = work
  const underWay = new Map<string, Promise<void>>()
  const busy = new Map<string, number>()
  let looking: Promise<void> | undefined
  /** Somebody asked for a look while another one was under way, which may have read before. */
  let isAskedAgain = false
  let isStopping = false

  function count(names: readonly string[], change: 1 | -1): void {
    for (const name of names) {
      const now = (busy.get(name) ?? 0) + change
      if (now === 0) busy.delete(name)
      else busy.set(name, now)
    }
  }

  const isFull = (name: string, most: number): boolean => (busy.get(name) ?? 0) >= most

  /** `names`: what the attempt takes a place in. */
  function begin(item: Item, names: readonly string[]): void {
    count(names, 1)
    const work = attempt(item)
      .then(() => true)
      .catch((error: Error) => {
        log.warn({ reason: error.message }, failure)
        return false
      })
      .then((hasEnded) => {
        underWay.delete(item.id)
        count(names, -1)
        // Others may have waited for the room. After a failure of the database, the next regular look is soon enough.
        if (hasEnded && !isStopping) void look().catch(() => {})
      })
    underWay.set(item.id, work)
  }

  async function beginDue(): Promise<void> {
    const except = new Set<string>()
    for (let round = 0; round < roundsAtMost; round += 1) {
      const items = await due([...except])
      let hasMoved = false
      for (const item of items) {
        if (isStopping || underWay.size >= atOnce) return
        if (underWay.has(item.id)) continue
        const { lane, recipient, share } = placeOf(item)
        if (isFull(lane, perLane) || (share !== undefined && isFull(share.name, share.atOnce))) {
          hasMoved ||= !except.has(recipient)
          except.add(recipient)
          continue
        }
        begin(item, share === undefined ? [lane] : [lane, share.name])
        hasMoved = true
      }
      if (!hasMoved) return
    }
  }

  function look(): Promise<void> {
    if (looking !== undefined) isAskedAgain = true
    looking ??= beginDue().finally(() => {
      looking = undefined
      if (!isAskedAgain) return
      isAskedAgain = false
      if (!isStopping) void look().catch(() => {})
    })
    return looking
  }

  const settled = () => Promise.all([...underWay.values()])
  return {
    look,
    async stop() {
      isStopping = true
      await looking?.catch(() => {})
      await settled()
    },
    async drain() {
      await look()
      // The end of an attempt begins a look by itself.
      while (underWay.size > 0 || looking !== undefined) {
        await settled()
        await looking
      }
    },
  }
}
