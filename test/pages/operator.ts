/** An operator at the console, whose clicks, entries and keys are counted, and what a task loads. */

import type { Locator } from '@playwright/test'
import { settled } from './console.ts'
import { expect, type Page, test } from './fixtures.ts'

/**
 * A click is a press of the mouse, the one that puts the cursor into a field included. An entry is a field that is filled in, an
 * option that is chosen, or a file, however long it is. A key is a press of Enter, Tab, an arrow or a shortcut.
 */
export type Count = { clicks: number; entries: number; keys: number }

export type Operator = {
  click(what: Locator): Promise<void>
  /** Puts the cursor into a field, unless it is there, and types. */
  enter(field: Locator, text: string): Promise<void>
  /** Types where the cursor is. */
  type(text: string): Promise<void>
  press(key: string): Promise<void>
  choose(field: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>
}

/** Steps are the sum of clicks, entries and keys. */
export type Measured = Count & { task: string; steps: number; ms: number; bytes: number }

/** Does a task from the home page on, which is open, and returns what it took. `walk` ends when the outcome is on the page. */
export async function measured(page: Page, task: string, walk: (operator: Operator) => Promise<void>) {
  await expect(page).toHaveURL(/\/admin$/)
  await settled(page)
  await page.waitForLoadState('networkidle')
  // The browser hands a choice of files over from the first listener on, not from the press that opens it.
  page.on('filechooser', () => {})
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const count: Count = { clicks: 0, entries: 0, keys: 0 }
  const began = performance.now()
  await walk(operatorAt(page, count))
  const ms = Math.round(performance.now() - began)
  const measured: Measured = { task, ...count, steps: count.clicks + count.entries + count.keys, ms, bytes }
  await test.info().attach(`${task}.json`, { body: JSON.stringify(measured), contentType: 'application/json' })
  console.log(rowOf(measured))
  return measured
}

function operatorAt(page: Page, count: Count): Operator {
  return {
    async click(what) {
      count.clicks += 1
      await what.click()
    },
    async enter(field, text) {
      const hasFocus = await field.evaluate((element) => element === document.activeElement)
      if (!hasFocus) {
        count.clicks += 1
        await field.click()
      }
      count.entries += 1
      await page.keyboard.type(text)
    },
    async type(text) {
      count.entries += 1
      await page.keyboard.type(text)
    },
    async press(key) {
      count.keys += 1
      await page.keyboard.press(key)
    },
    async choose(field, file) {
      count.clicks += 1
      count.entries += 1
      const chooser = page.waitForEvent('filechooser')
      await field.click()
      await (await chooser).setFiles(file)
    },
  }
}

/** A row of a table in Markdown. */
const rowOf = ({ task, clicks, entries, keys, steps, ms, bytes }: Measured): string =>
  `| ${task} | ${clicks} | ${entries} | ${keys} | ${steps} | ${(ms / 1000).toFixed(1)} s | ${(bytes / 1000).toFixed(1)} kB |`
