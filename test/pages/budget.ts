/** What the pages may cost: `pages/budget.json`, which is changed with a reason or not at all. */
import { readFileSync } from 'node:fs'

export type Budget = {
  /** Of everything that the login page loads, over the wire, compressed. */
  readonly transferBytes: number
  /** Of a page of the account. */
  readonly accountTransferBytes: number
  /** Of the first page of the console, calls of the API included. */
  readonly consoleTransferBytes: number
  /** Of all pages of the console in one language, without the calls. */
  readonly consoleWholeBytes: number
  /** Of the login page on loopback. */
  readonly firstPaintMs: number
  /** Until the form of the login page can be filled in and sent, on a slow phone with a slow connection. */
  readonly slowPhoneUsableMs: number
  /** Until a page of the account area shows what it is about, on the same phone. */
  readonly slowPhoneAccountMs: number
}

export const budget: Budget = JSON.parse(readFileSync(new URL('../../pages/budget.json', import.meta.url), 'utf8'))
