/** What the walks with the keyboard and a screen reader stand on: signing in, going on with Tab, and no mouse. */
import type { Locator } from '@playwright/test'
import { password } from '../support/service.ts'
import { test as base, settled } from './console.ts'
import { expect, type Page } from './fixtures.ts'
import { attachSpoken, startReader } from './screen-reader.ts'

const pointed = 'latchkey.test.pointer'

/** `page` is the home page of the console, reached by keys, and fails at the end if a mouse was used. A screen reader listens. */
export const test = base.extend({
  ownPage: true,
  page: async ({ page }, use) => {
    await page.addInitScript(
      (key) => addEventListener('pointerdown', () => sessionStorage.setItem(key, 'yes'), { capture: true }),
      pointed,
    )
    await page.goto('/admin')
    await page.waitForURL('**/Account/Login?**')
    await tabTo(page, page.getByRole('textbox', { name: 'Username' }), 6)
    await page.keyboard.type('root')
    await tabTo(page, page.getByLabel('Password'), 2)
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin')
    await settled(page)
    await expect(heading(page, 'Home')).toBeFocused()
    await startReader(page)
    await use(page)
    await attachSpoken(page)
    expect(await page.evaluate((key) => sessionStorage.getItem(key), pointed), 'a mouse was used').toBeNull()
  },
})

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
export const toast = (page: Page, text: string) =>
  page.getByRole('status', { name: 'Messages' }).getByRole('group').filter({ hasText: text })
export const asking = (page: Page, name: string | RegExp) => page.getByRole('group', { name })

/** Presses Tab until the element has the focus, which takes `atMost` presses; the element itself is asserted. */
export async function tabTo(page: Page, to: Locator, atMost: number, key = 'Tab'): Promise<void> {
  await expect(to).toBeVisible()
  for (let count = 0; count < atMost; count += 1) {
    if (await to.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(to).toBeFocused()
}

/** Opens by Ctrl+K what is found by these words, and waits for its heading to have the focus. */
export async function find(page: Page, text: string, chosen: string, title: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(text)
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toContainText(chosen)
  await page.keyboard.press('Enter')
  await settled(page)
  await expect(heading(page, title)).toBeFocused()
}
