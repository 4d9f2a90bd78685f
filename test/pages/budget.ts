/** What the pages may cost: `pages/budget.json`, which is changed with a reason or not at all. */
import { readFileSync } from 'node:fs'
import type { Page } from './fixtures.ts'

export type Budget = {
  /** Of everything that the login page loads, over the wire, compressed. */
  readonly transferBytes: number
  /** Of a page of the account. */
  readonly accountTransferBytes: number
  /** Of the first page of the console, calls of the API included. */
  readonly consoleTransferBytes: number
  /** Of all pages of the console in one language, without the calls. */
  readonly consoleWholeBytes: number
  /** Over the wire, until the login page shows its first pixel. */
  readonly firstPaintBytes: number
  /** Of the processor, until then. */
  readonly firstPaintProcessorMs: number
  /** Of the processor, until the form of the login page can be filled in and sent. */
  readonly processorMs: number
  /** Of the processor, until a page of the account area shows what it is about. */
  readonly accountProcessorMs: number
  /** Until the form of the login page can be filled in and sent, on a slow phone with a slow connection. */
  readonly slowPhoneUsableMs: number
  /** Until a page of the account area shows what it is about, on the same phone. */
  readonly slowPhoneAccountMs: number
}

export const budget: Budget = JSON.parse(readFileSync(new URL('../../pages/budget.json', import.meta.url), 'utf8'))

export type Meter = {
  /** Over the wire, of what has arrived whole. */
  bytes(): number
  /** Of scripts, styles and layout, since the meter was read for the first time. */
  processorMs(): Promise<number>
}

/**
 * Measures what a page costs, with nothing cached: bytes and processor time. Neither depends on what else the machine
 * does, as the time on a clock would.
 */
export async function meter(page: Page): Promise<Meter> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  // The time of the thread stands still while the processor does other work.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const read = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    const counted = metrics.filter(({ name }) => /^(?:Script|Layout|RecalcStyle)Duration$/.test(name))
    return counted.reduce((sum, { value }) => sum + value * 1000, 0)
  }
  const before = await read()
  return { bytes: () => bytes, processorMs: async () => (await read()) - before }
}

/** Returns the paths of what a document names: its scripts, its style sheets, its icon. */
export async function namedBy(page: Page, path: string): Promise<readonly string[]> {
  const response = await page.request.get(path)
  const html = await response.text()
  return [...html.matchAll(/\s(?:src|href)="([^"]+)"/g)].map(
    ([, address]) => new URL(address ?? '', response.url()).pathname,
  )
}
