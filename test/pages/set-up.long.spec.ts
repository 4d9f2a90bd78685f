/** The pages that set a new installation up: accessible, in both directions of text, without a dead end. */
import { randomBytes } from 'node:crypto'
import { offerSetUp } from '../../src/server/set-up.ts'
import { startService, type TestService } from '../support/service.ts'
import { check, expectNoSidewaysScrolling } from './accessible.ts'
import { test as base, expect, type Page, plugInAuthenticator } from './fixtures.ts'

const test = base.extend({
  service: async ({ shared }, use) => {
    const start = async (): Promise<readonly [TestService, () => unknown]> => {
      const service = await startService({}, { isNew: true })
      return [service, () => service.stop()]
    }
    await use(await shared('an installation that nobody sets up', start))
  },
})

async function openLink(page: Page, { settings, storage, now: clock }: TestService): Promise<void> {
  const offer = await offerSetUp({ settings, storage, clock, random: randomBytes })
  const { pathname, search, hash } = new URL(offer?.address ?? '')
  await page.goto(pathname + search + hash)
}

async function openForm(page: Page, service: TestService): Promise<void> {
  await openLink(page, service)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/Account/SetUp')
}

const over = 'This address has expired or was used before'

// First: the tab remembers an address that was opened.
test('the address that is over, and the page without one (WCAG 2.2 AA)', async ({ page }) => {
  await page.goto('/Account/Confirm?purpose=setup&error=code_invalid')
  await check(page, over)
  await page.goto('/Account/Confirm?purpose=setup')
  await check(page, 'Open the address that the service printed when it started.')
  await page.goto('/Account/SetUp')
  await check(page, over)
})

test('the opened address (WCAG 2.2 AA)', async ({ page, service }) => {
  await openLink(page, service)
  await check(page, 'Nobody has an account here yet')
})

test('the form, empty and refused (WCAG 2.2 AA)', async ({ page, service }) => {
  await openForm(page, service)
  await check(page, 'Create the administrator account')
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
  await page.getByRole('textbox', { name: 'New password' }).fill('password1')
  await page.getByRole('button', { name: 'Create account' }).click()
  // The answer has the address of the form: what tells them apart is the refusal.
  await expect(page.getByRole('textbox', { name: 'New password' })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@example.com')
  await check(page, 'Create the administrator account')
})

test('the form is mirrored and fits at 320 pixels', async ({ page, service }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openForm(page, service)
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible()
  await page.evaluate('document.documentElement.dir = "rtl"')
  await expectNoSidewaysScrolling(page)
})

test('whoever opened the address comes back to the form, by the address, a reload and the way back', async ({
  page,
  service,
}) => {
  await openForm(page, service)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/Account/SetUp')
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible()
})

test('a passkey that is not made leaves the form as it was, and whoever leaves and comes back is administrator with one', async ({
  page,
  browser,
}) => {
  const service = await startService({}, { isNew: true })
  try {
    const own = await (await browser.newContext({ baseURL: service.issuer })).newPage()
    const fill = async () => {
      await own.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
      await own.getByRole('textbox', { name: 'Username' }).fill('ada')
      await own.getByRole('button', { name: 'Create account' }).click()
    }
    await openForm(own, service)
    // There is no authenticator.
    await own.evaluate("navigator.credentials.create = async () => { throw new DOMException('', 'NotAllowedError') }")
    await fill()
    await expect(own.getByText('No passkey was made. Try again, or choose a password instead.')).toBeVisible()
    await expect(own.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@example.com')
    await check(own, 'Create the administrator account')
    expect(await service.storage.users.list()).toEqual([])
    await own.goto('/Account/Login')
    await plugInAuthenticator(own)
    await own.goto('/Account/SetUp')
    await fill()
    await own.waitForURL('**/admin/')
    const user = await service.storage.users.findByName('ada')
    expect(user?.passwordHash).toBeNull()
    expect(await service.storage.passkeys.list(user?.id ?? '')).toHaveLength(1)
    // It is a way in.
    await own.context().clearCookies()
    await own.goto('/Account/Login')
    await own.waitForURL((url) => !url.pathname.startsWith('/Account/Login'))
    await own.context().close()
  } finally {
    await service.stop()
  }
  await page.goto('about:blank')
})
