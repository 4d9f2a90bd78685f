/** Recovery codes that are on the screen: leaving their page asks, and codes that were lost are not lost silently. */
import { TOTP } from 'otpauth'
import type { TestService } from '../support/service.ts'
import { axeFor } from './accessible.ts'
import { open, test } from './account-area.ts'
import { codeAt, self } from './account-entry.ts'
import { expect, type Page, sharedService, signIn, signInQuietly } from './fixtures.ts'

const strictTest = test.extend<{ strict: TestService }>({
  strict: async ({ shared }, use) => {
    const env = { Accounts__SecondFactor: 'required', RateLimit__LoginPerMinute: '1000', Mail__Url: 'file:/nowhere' }
    await use(await sharedService(shared, 'with second factors to set up', env))
  },
  issuer: async ({ strict }, use) => use(strict.issuer),
})
for (const each of [test, strictTest]) each.use({ ownPage: true, expectedErrors: /status of 4/ })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const codes = (page: Page) => page.locator('.recovery-codes li')
const lost = (page: Page) => page.getByRole('status').filter({ hasText: 'cannot be shown again' })

/** Loads the page again. Returns whether the browser asked before. */
async function reload(page: Page): Promise<boolean> {
  let isAsked = false
  const accept = (dialog: { type(): string; accept(): Promise<void> }) => {
    isAsked = dialog.type() === 'beforeunload'
    void dialog.accept()
  }
  page.on('dialog', accept)
  await page.reload()
  page.off('dialog', accept)
  return isAsked
}

/** Opens the page of a person who has an authenticator app. */
async function startWithApp(page: Page, service: Parameters<typeof codeAt>[0], person: string): Promise<void> {
  await signInQuietly(page, person)
  const { secret } = await self<{ secret: string }>(page, '/totp', {})
  await self(page, '/totp/confirm', { code: codeAt(service, secret) })
  await open(page, '/Security')
}

test('leaving the page with codes asks until they are kept; codes that were lost are said to be, and are made anew with one press', async ({
  page,
  person,
  service,
}) => {
  await startWithApp(page, service, person)
  await button(page, 'Show recovery codes').click()
  await expect(codes(page)).toHaveCount(10)
  expect(await reload(page)).toBe(true)
  await expect(lost(page)).toBeVisible()
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()
  const { violations } = await axeFor(page, 'light').analyze()
  expect(violations).toEqual([])

  await button(page, 'Make new codes').click()
  await expect(codes(page)).toHaveCount(10)
  await page.getByRole('checkbox', { name: 'I have saved these codes' }).check()
  expect(await reload(page)).toBe(false)
  await expect(button(page, 'Show recovery codes')).toBeVisible()
  await expect(lost(page)).toHaveCount(0)
})

test('codes that were downloaded are kept, and who has them otherwise says so', async ({ page, person, service }) => {
  await startWithApp(page, service, person)
  await button(page, 'Show recovery codes').click()
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()])
  expect(file.suggestedFilename()).toContain('Recovery codes')
  expect(await reload(page)).toBe(false)
  await expect(lost(page)).toHaveCount(0)

  await button(page, 'Show recovery codes').click()
  await button(page, 'Show recovery codes').click()
  await expect(codes(page)).toHaveCount(10)
  expect(await reload(page)).toBe(true)
  await button(page, 'I have saved these codes').click()
  await expect(lost(page)).toHaveCount(0)
  expect(await reload(page)).toBe(false)
  await expect(button(page, 'Show recovery codes')).toBeVisible()
})

test('a session that ends while codes are on the screen asks for the sign-in once the person goes on', async ({
  page,
  person,
  service,
}) => {
  await startWithApp(page, service, person)
  await button(page, 'Show recovery codes').click()
  await expect(codes(page)).toHaveCount(10)
  await page.context().clearCookies()
  const answer = page.waitForResponse('**/Account/Session')
  await button(page, 'Turn off').click()
  await button(page, 'Turn off').click()
  await answer.catch(() => {})
  await expect(codes(page)).toHaveCount(10)
  expect(page.url()).toContain('/Account/Security')
  await page.getByRole('checkbox', { name: 'I have saved these codes' }).check()
  await button(page, 'Continue').click()
  await page.waitForURL('**/Account/Login?*')
  await signIn(page, person)
})

strictTest(
  'codes that end a sign-in are not lost by a reload: the page says so, makes new ones, and leads on',
  async ({ page }) => {
    await page.goto('/Account/Login?ReturnUrl=%2FAccount%2FProfile')
    await signIn(page, 'alice')
    await button(page, 'Set up an authenticator app').click()
    const key = await page.locator('code.key').innerText()
    await page.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret: key.replaceAll(/\s/g, '') }).generate())
    await button(page, 'Continue').click()
    await expect(codes(page)).toHaveCount(10)
    const first = await codes(page).first().innerText()
    expect(await reload(page)).toBe(true)
    await expect(lost(page)).toBeVisible()
    const { violations } = await axeFor(page, 'light').analyze()
    expect(violations).toEqual([])
    await button(page, 'Make new codes').click()
    await expect(codes(page)).toHaveCount(10)
    expect(await codes(page).first().innerText()).not.toBe(first)
    await page.getByRole('checkbox', { name: 'I have saved these codes' }).check()
    await button(page, 'Continue').click()
    await page.waitForURL('**/Account/Profile')
  },
)
