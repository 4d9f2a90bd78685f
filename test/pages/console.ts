/** What tests of the console stand on: a service with an administrator, a viewer, and somebody without a role. */
import { startService, type TestService, testUser } from '../support/service.ts'
import { axeFor } from './accessible.ts'
import { test as base, expect, type Page, signIn } from './fixtures.ts'

export const test = base.extend({
  service: async ({ shared }, use) => {
    const start = async (): Promise<readonly [TestService, () => unknown]> => {
      const service = await startService(
        {
          RateLimit__LoginPerMinute: '1000',
          // A database in memory has no key of its own that a rotation could read again.
          Keys__MasterKey: Buffer.alloc(32).toString('base64'),
        },
        { followEveryMs: 50 },
      )
      const users = [
        { name: 'root', email: 'root@example.com', roles: ['latchkey-admin'] },
        { name: 'viewer', email: 'viewer@example.com', roles: ['latchkey-viewer'] },
        { name: 'nobody', email: 'nobody@example.com' },
      ]
      for (const user of users) await service.storage.users.create(testUser(user))
      return [service, () => service.stop()]
    }
    await use(await shared(`service of ${test.info().file}`, start))
  },
})

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export async function open(page: Page, who: string, below: string): Promise<void> {
  await page.goto(`/admin${below}`)
  await page.waitForURL('**/Account/Login?**')
  await signIn(page, who)
  await page.waitForURL(`**/admin${below}`)
  await settled(page)
}

/** Goes to another page of the same application. */
export async function applicationTab(page: Page, name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Pages of the application' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()
  await settled(page)
}

/** Ends the session of the browser, and every token of the person. */
export async function endSession(page: Page, { storage, now }: TestService, who: string): Promise<void> {
  await page.context().clearCookies()
  const user = await storage.users.findByName(who)
  await storage.users.update(user?.id ?? '', (stored) => ({ ...stored, grantsEndedAtMs: now() }))
}

export async function settled(page: Page): Promise<void> {
  await expect(page.locator('main')).toBeVisible()
  await expect(page.locator('main[aria-busy=true]')).toHaveCount(0)
  await expect(page.locator('.skeleton')).toHaveCount(0)
}

/** Looks at a page on a phone and wide: nothing that axe finds, and nothing that has to be scrolled sideways. */
export async function looksWell(page: Page, below: string, scheme: 'light' | 'dark' = 'light'): Promise<void> {
  await page.goto(`/admin${below}`)
  await settled(page)
  await looksWellNow(page, below, scheme)
}

/** Counts what changes its colour now. */
const changing = `document.getAnimations().filter((one) => one instanceof CSSTransition && one.playState === 'running').length`

/** The same of what the page shows now. `below`: what it is called. */
export async function looksWellNow(page: Page, below: string, scheme: 'light' | 'dark' = 'light'): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    // Colours change over some milliseconds when the theme does.
    await expect.poll(() => page.evaluate(changing)).toBe(0)
    const { violations } = await axeFor(page, scheme).analyze()
    expect(violations, `${below} ${width}`).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, `${below} ${width}`).toBeLessThanOrEqual(0)
    const { PICTURES } = process.env
    if (PICTURES)
      await page.screenshot({ path: `${PICTURES}${below.replaceAll('/', '-')}-${width}-${scheme}.png`, fullPage: true })
  }
}
