/** What the login page may cost: `pages/budget.json`, which is changed with a reason or not at all. */
import { readFileSync } from 'node:fs'

export type Budget = {
  /** Of everything that it loads, over the wire, compressed. */
  readonly transferBytes: number
  readonly firstPaintMs: number
}

export const budget: Budget = JSON.parse(readFileSync(new URL('../../pages/budget.json', import.meta.url), 'utf8'))
