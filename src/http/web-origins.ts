/** The `web_origins` of all clients, read again when they are a few seconds old. */
import type { WebOrigins } from './cross-origin.ts'

/** A client's change counts after this time at the latest. Meanwhile no request reads the database for its origin. */
const freshMs = 5000

type Known = ReadonlyMap<string, ReadonlySet<string>>
const none: Known = new Map()

type Listed = readonly { readonly id: string; readonly origins: readonly string[] }[]

/**
 * `read`: reads the clients that have some. Requests of other origins than `Cors:Origins` alone ask, so that nothing is read where no script
 * of another origin calls.
 */
export function webOriginsOf(read: () => Promise<Listed>, clock: () => number): WebOrigins {
  let known = none
  let readAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<Known> | undefined

  async function readAgain(): Promise<Known> {
    try {
      const found = await read()
      const pairs = found.flatMap(({ id, origins }) => origins.map((origin) => ({ origin, id })))
      const byOrigin = Map.groupBy(pairs, ({ origin }) => origin)
      known = new Map([...byOrigin].map(([origin, ofIt]) => [origin, new Set(ofIt.map(({ id }) => id))]))
      readAtMs = clock()
    } catch {
      // Without a database, nothing but an error is answered anyway. Those that were known go on to count.
    }
    return known
  }

  return (origin) => {
    if (Math.abs(clock() - readAtMs) < freshMs) return known.get(origin)
    reading ??= readAgain().finally(() => {
      reading = undefined
    })
    return reading.then((all) => all.get(origin))
  }
}
