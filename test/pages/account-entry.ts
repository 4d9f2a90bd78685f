/** What the tests of the pages into an account share. */
import { randomBytes } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { TOTP } from 'otpauth'
import { mintConfirmation } from '../../src/secrets/confirmation-secrets.ts'
import { confirmationLink, linkConfirmation, subjectOf } from '../../src/users/confirmation.ts'
import { waitingMails } from '../support/mails.ts'
import type { TestService } from '../support/service.ts'
import { test as base, expect, leave, type Page, sharedService, signInQuietly } from './fixtures.ts'

export const test = base.extend({
  service: async ({ shared }, use) => {
    const env = { Accounts__Registration: 'open', Mail__Url: 'file:/nowhere', RateLimit__LoginPerMinute: '1000' }
    await use(await sharedService(shared, 'with registration', env))
  },
})

export const fresh = 'kT7-vw2q-new'
export const after = '/Account/Session'
export const query = `?ReturnUrl=${encodeURIComponent(after)}`

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const box = (page: Page, name: string) => page.getByRole('textbox', { name })

/** The newest mail to the address. */
export async function mailTo(service: TestService, address: string): Promise<{ code: string; link: string }> {
  const find = async () => (await waitingMails(service)).findLast(({ to }) => to === address)
  await expect.poll(find).toBeTruthy()
  const { code = '', link = '' } = (await find()) ?? {}
  return { code, link }
}

export async function expectSignedIn(page: Page, name: string): Promise<void> {
  await page.waitForURL(`**${after}`)
  expect(JSON.parse(await page.locator('body').innerText())).toEqual({ user: { name } })
}

export async function fillRegistration(page: Page, email: string, username = ''): Promise<void> {
  await page.goto(`/Account/Login${query}`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await box(page, 'Email').fill(email)
  await box(page, 'Username').fill(username)
  await box(page, 'New password').fill(fresh)
}

/** Sends the registration that the page shows, and waits for the page that asks for the code: its mail is there earlier. */
export async function sendRegistration(page: Page): Promise<void> {
  await button(page, 'Create account').click()
  await expect(box(page, 'Code')).toBeVisible()
}

export async function askForReset(page: Page, entered: string): Promise<void> {
  await page.goto(`/Account/Login${query}`)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await box(page, 'Email').fill(entered)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/Account/Confirm?purpose=reset**')
}

export async function enterCode(page: Page, code: string): Promise<void> {
  await box(page, 'Code').fill(code)
  await button(page, 'Continue').click()
}

/** Enters a code that is refused, and waits for the page that says so. */
export async function enterWrongCode(page: Page, code: string): Promise<void> {
  await expect(box(page, 'Code')).toBeVisible()
  await leave(page, () => enterCode(page, code))
  await expect(page.locator('[role=alert]')).toBeVisible()
}

/** Sends JSON to the account area, as its pages do. */
export async function self<T>(page: Page, path: string, data: object): Promise<T> {
  const { request } = page.context()
  const { token } = (await (await request.get('/Account/Antiforgery')).json()) as { token: string }
  const response = await request.post(`/Account/Self${path}`, { data, headers: { RequestVerificationToken: token } })
  expect(response.status()).toBeLessThan(300)
  return response.status() === 204 ? ({} as T) : response.json()
}

export const codeAt = (service: TestService, secret: string) =>
  new TOTP({ secret }).generate({ timestamp: service.now() })

/** Gives the person an authenticator app and recovery codes, and leaves nobody signed in. */
export async function protect(
  page: Page,
  service: TestService,
  person: string,
): Promise<{ secret: string; codes: string[] }> {
  await signInQuietly(page, person)
  const { secret } = await self<{ secret: string }>(page, '/totp', {})
  await self(page, '/totp/confirm', { code: codeAt(service, secret) })
  const { codes } = await self<{ codes: string[] }>(page, '/recovery-codes', {})
  await page.context().clearCookies()
  // A step of the app counts once.
  service.advance(30)
  return { secret, codes }
}

export async function invite(service: TestService, email: string): Promise<string> {
  const secrets = mintConfirmation(service.now(), randomBytes)
  const about = { purpose: 'invite', subject: subjectOf(email), userId: null, details: { email, roles: [] } } as const
  await service.storage.confirmations.put(linkConfirmation(secrets, about, service.now()), [])
  return confirmationLink('invite', secrets.token)
}

/** WCAG 2.2 AA as far as a machine can tell, and no scrolling sideways on the narrowest screen. */
export async function expectSound(page: Page): Promise<void> {
  const axe = new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
  expect((await axe.setLegacyMode().analyze()).violations).toEqual([])
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  if (size) await page.setViewportSize(size)
}
