/** Shares places for requests fairly among clients and hosts, so that slow ones of a few delay nobody else. */
import { type Claim, fairQueue } from '../fair-queue.ts'

export type Turns = {
  /**
   * Settles like `work`, which runs once it is the turn of `parties`. If too much waits or the wait is too long, `work` may
   * never run, and this rejects with the error of `refusal`. Of too much, the newest of whoever waits for most gives way.
   */
  run<T>(parties: readonly string[], work: () => Promise<T>): Promise<T>
}

type TurnsOptions = {
  readonly running: number
  readonly waiting: number
  /** Longest wait in milliseconds. */
  readonly waitMs: number
  /** Bounds of each party. */
  readonly party: { readonly running: number; readonly waiting: number }
  readonly refusal: () => Error
}

type Waiter = { readonly enter: (release: () => void) => void; readonly refuse: () => void }

export function openTurns({ running, waiting, waitMs, party, refusal }: TurnsOptions): Turns {
  const queue = fairQueue<Waiter>({ waiting: party.waiting, underway: party.running })
  let taken = 0

  function moveOn(): void {
    while (taken < running) {
      const place = queue.next(() => true)
      if (place === undefined) return
      taken += 1
      place.item.enter(() => {
        taken -= 1
        place.release()
        moveOn()
      })
    }
  }

  function turnOf(parties: readonly string[]): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const timer = setTimeout(() => {
      queue.remove((one) => one === waiter)
      waiter.refuse()
    }, waitMs)
    const waiter: Waiter = {
      enter(release) {
        clearTimeout(timer)
        resolve(release)
      },
      refuse() {
        clearTimeout(timer)
        reject(refusal())
      },
    }
    queue.add(waiter, parties.map(claimOf))?.refuse()
    moveOn()
    if (queue.waiting() > waiting) queue.giveWay()?.refuse()
    return promise
  }

  return {
    async run(parties, work) {
      const release = await turnOf(parties)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

/** Who asks for too much pays for what was refused. */
const claimOf = (key: string): Claim => ({ key, turns: 1, liable: true })
