/** WCAG 2.2 AA as far as a machine can tell. */
import { AxeBuilder } from '@axe-core/playwright'
import type { TestService } from '../support/service.ts'
import { type ClientSite, expect, type Page, signInQuietly, type test } from './fixtures.ts'

export const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe looks for in a theme. What does not depend on the theme is found out in the light one. */
export function axeFor(page: Page, colorScheme: 'light' | 'dark'): AxeBuilder {
  const axe = new AxeBuilder({ page }).setLegacyMode()
  return colorScheme === 'light' ? axe.withTags(tags) : axe.withRules(['color-contrast', 'link-in-text-block'])
}

type Facts = { readonly person: string; readonly site: ClientSite; readonly service: TestService }

/** Brings the page into the state and answers with the words by which it is known to be there. */
export type State = (page: Page, facts: Facts) => Promise<string>

export const opened =
  (address: string, words: string): State =>
  async (page) => {
    await page.goto(address)
    return words
  }

export const signedIn =
  (address: string, words: string): State =>
  async (page, { person }) => {
    await signInQuietly(page, person)
    await page.goto(address)
    return words
  }

/** One test for each state, named after it. */
export function checkStates(each: typeof test, states: Readonly<Record<string, State>>): void {
  for (const [name, state] of Object.entries(states)) {
    each(`${name} (WCAG 2.2 AA)`, async ({ page, person, site, service }) => {
      await check(page, await state(page, { person, site, service }))
    })
  }
}

/** The page as it is: one heading, no violation, no scrolling sideways, light on a phone and dark on a desktop. */
export async function check(page: Page, words: string): Promise<void> {
  await expect(page.getByText(words).first()).toBeAttached()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page).toHaveTitle(/Latchkey/)
  await expect(page.locator('h1')).toHaveCount(1)
  await page.setViewportSize({ width: 390, height: 844 })
  // Without motion, so that no colour is on its way from one theme to the other while it is measured.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectNoViolations(axeFor(page, 'light'))
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNoViolations(axeFor(page, 'dark'))
  await expectNoSidewaysScrolling(page)
}

async function expectNoViolations(axe: AxeBuilder): Promise<void> {
  const { violations, passes } = await axe.analyze()
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
  expect(passes.map(({ id }) => id)).toContain('color-contrast')
}

export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}
