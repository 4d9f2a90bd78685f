/** The pages of the way into an account: registration, codes and links by mail, forgotten passwords, second factors. */
import { randomBytes } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { TOTP } from 'otpauth'
import { mintConfirmation } from '../../src/secrets/confirmation-secrets.ts'
import { confirmationLink, linkConfirmation, subjectOf } from '../../src/users/confirmation.ts'
import { waitingMails } from '../support/mails.ts'
import { startService, type TestService } from '../support/service.ts'
import { test as base, expect, loginForm, type Page, plugInAuthenticator, signIn, signInQuietly } from './fixtures.ts'

const test = base.extend<object, { service: TestService }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture rests on.
    async ({}, use) => {
      const env = { Accounts__Registration: 'open', Mail__Url: 'file:/nowhere', RateLimit__LoginPerMinute: '1000' }
      const service = await startService(env)
      await use(service)
      await service.stop()
    },
    { scope: 'worker' },
  ],
})

// A page that finds nobody signed in, and a password that is refused: browsers report each.
test.use({ ownPage: true, expectedErrors: /status of 40[01]/ })
// The limits of mails are of an hour.
test.beforeEach(({ service }) => service.advance(3601))

const fresh = 'kT7-vw2q-new'
const after = '/Account/Session'
const query = `?ReturnUrl=${encodeURIComponent(after)}`

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const box = (page: Page, name: string) => page.getByRole('textbox', { name })

/** The newest mail to the address. */
async function mailTo(service: TestService, address: string): Promise<{ code: string; link: string }> {
  const find = async () => (await waitingMails(service)).findLast(({ to }) => to === address)
  await expect.poll(find).toBeTruthy()
  const { code = '', link = '' } = (await find()) ?? {}
  return { code, link }
}

async function expectSignedIn(page: Page, name: string): Promise<void> {
  await page.waitForURL(`**${after}`)
  expect(JSON.parse(await page.locator('body').innerText())).toEqual({ user: { name } })
}

async function fillRegistration(page: Page, email: string, username = ''): Promise<void> {
  await page.goto(`/Account/Login${query}`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await box(page, 'Email').fill(email)
  await box(page, 'Username').fill(username)
  await box(page, 'New password').fill(fresh)
}

async function askForReset(page: Page, entered: string): Promise<void> {
  await page.goto(`/Account/Login${query}`)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await box(page, 'Email').fill(entered)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/Account/Confirm?purpose=reset**')
}

async function enterCode(page: Page, code: string): Promise<void> {
  await box(page, 'Code').fill(code)
  await button(page, 'Continue').click()
}

/** Enters a code that is refused, and waits for the page that says so. */
async function enterWrongCode(page: Page, code: string): Promise<void> {
  await expect(box(page, 'Code')).toBeVisible()
  await page.evaluate("document.body.dataset.former = ''")
  await enterCode(page, code)
  await expect(page.locator('body:not([data-former]) [role=alert]')).toBeVisible()
}

/** Sends JSON to the account area, as its pages do. */
async function self<T>(page: Page, path: string, data: object): Promise<T> {
  const { request } = page.context()
  const { token } = (await (await request.get('/Account/Antiforgery')).json()) as { token: string }
  const response = await request.post(`/Account/Self${path}`, { data, headers: { RequestVerificationToken: token } })
  expect(response.status()).toBeLessThan(300)
  return response.status() === 204 ? ({} as T) : response.json()
}

const codeAt = (service: TestService, secret: string) => new TOTP({ secret }).generate({ timestamp: service.now() })

/** Gives the person an authenticator app and recovery codes, and leaves nobody signed in. */
async function protect(page: Page, service: TestService, person: string): Promise<{ secret: string; codes: string[] }> {
  await signInQuietly(page, person)
  const { secret } = await self<{ secret: string }>(page, '/totp', {})
  await self(page, '/totp/confirm', { code: codeAt(service, secret) })
  const { codes } = await self<{ codes: string[] }>(page, '/recovery-codes', {})
  await page.context().clearCookies()
  // A step of the app counts once.
  service.advance(30)
  return { secret, codes }
}

async function invite(service: TestService, email: string): Promise<string> {
  const secrets = mintConfirmation(service.now(), randomBytes)
  const about = { purpose: 'invite', subject: subjectOf(email), userId: null, details: { email, roles: [] } } as const
  await service.storage.confirmations.put(linkConfirmation(secrets, about, service.now()), [])
  return confirmationLink('invite', secrets.token)
}

/** WCAG 2.2 AA as far as a machine can tell, and no scrolling sideways on the narrowest screen. */
async function expectSound(page: Page): Promise<void> {
  const axe = new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
  expect((await axe.setLegacyMode().analyze()).violations).toEqual([])
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  if (size) await page.setViewportSize(size)
}

test('a person registers by the code of a mail; the mistakes on the way are said beside their fields', async ({
  page,
  service,
  person,
}) => {
  await fillRegistration(page, 'not an address', person)
  await button(page, 'Create account').click()
  await expect(page.getByText('does not look like an email address')).toBeVisible()
  await expect(box(page, 'Email')).toHaveValue('not an address')
  expect(page.url()).not.toContain('address')
  await expectSound(page)

  await box(page, 'Email').fill('ada@example.com')
  await box(page, 'New password').fill('short')
  await box(page, 'Username').focus()
  await expect(page.getByText('At least 8 characters, please')).toBeVisible()
  await box(page, 'New password').fill('password')
  await expect(page.getByText('everybody tries first')).toBeVisible()
  await box(page, 'New password').fill('ada@example.com1')
  await expect(page.getByText('too much like')).toBeVisible()
  await box(page, 'New password').fill(fresh)
  await expect(page.getByText('can be used')).toBeVisible()
  await button(page, 'Create account').click()
  await expect(page.getByText('username is taken')).toBeVisible()
  await expect(box(page, 'Email')).toHaveValue('ada@example.com')
  await expect(box(page, 'New password')).toHaveValue('')

  await box(page, 'Username').fill('ada')
  await box(page, 'New password').fill(fresh)
  await page.getByRole('button', { name: 'Show characters' }).click()
  await expect(box(page, 'New password')).toHaveAttribute('type', 'text')
  await button(page, 'Create account').click()
  await expect(page.getByText('ada@example.com')).toBeVisible()
  const { code } = await mailTo(service, 'ada@example.com')
  await enterCode(page, code === '000000' ? '111111' : '000000')
  await expect(page.getByText('is wrong, has expired or was used')).toBeVisible()
  await expectSound(page)
  await enterCode(page, ` ${code.slice(0, 3)} ${code.slice(3)} `)
  await expectSignedIn(page, 'ada')
})

test('a link opened in another browser creates the account there, and leads to the login page', async ({
  page,
  service,
  browser,
}) => {
  await fillRegistration(page, 'grace@example.com', 'grace')
  await button(page, 'Create account').click()
  await expect(box(page, 'Code')).toBeVisible()
  const { link } = await mailTo(service, 'grace@example.com')

  const context = await browser.newContext({ baseURL: service.issuer })
  const other = await context.newPage()
  await other.goto(link)
  await expect(other.getByText('creates your account')).toBeVisible()
  expect(other.url()).not.toContain('token')
  await other.reload()
  await expectSound(other)
  await button(other, 'Continue').click()
  await other.waitForURL('**/Account/Login**')
  await signIn(other, 'grace', fresh)
  await expectSignedIn(other, 'grace')

  // The same link once more, and the code in the first browser.
  await other.goto(link)
  await button(other, 'Continue').click()
  await expect(other.getByText('was used before')).toBeVisible()
  await button(other, 'Send a new code').click()
  await other.waitForURL('**/Account/Register**')
  await context.close()
  await enterCode(page, '123456')
  await expect(page.getByText('was used before')).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(loginForm(page).username).toBeVisible()
})

test('after five wrong codes only a new one helps, and an address that has an account looks the same', async ({
  page,
  service,
  person,
}) => {
  await fillRegistration(page, `${person}@example.com`)
  await button(page, 'Create account').click()
  const { code: none } = await mailTo(service, `${person}@example.com`)
  expect(none).toBe('')
  await fillRegistration(page, 'wrong@example.com')
  await button(page, 'Create account').click()
  const { code: first } = await mailTo(service, 'wrong@example.com')
  for (let attempt = 1; attempt <= 6; attempt += 1) await enterWrongCode(page, first === '000000' ? '111111' : '000000')
  await expect(page.getByText('too many wrong codes')).toBeVisible()
  await expect(box(page, 'Code')).toBeHidden()
  await expectSound(page)
  await button(page, 'Send a new code').click()
  await expect(page.getByText('A new mail is on its way')).toBeVisible()
  const { code } = await mailTo(service, 'wrong@example.com')
  await enterCode(page, code)
  await expectSignedIn(page, 'wrong@example.com')
})

test('a forgotten password is replaced, and what was signed in elsewhere ends', async ({ page, service, person }) => {
  await askForReset(page, person)
  await expect(page.getByText('If there is an account')).toBeVisible()
  const { code } = await mailTo(service, `${person}@example.com`)
  await enterCode(page, code)
  await page.waitForURL('**/Account/ResetPassword**')
  await expect(page.getByRole('checkbox')).toBeChecked()
  await expectSound(page)
  await box(page, 'New password').fill('password1')
  await button(page, 'Reset password').click()
  await expect(page.getByText('everybody tries first')).toBeVisible()
  await box(page, 'New password').fill(fresh)
  await button(page, 'Reset password').click()
  await expectSignedIn(page, person)
  // The step counts once.
  await page.goto('/Account/ResetPassword')
  await box(page, 'New password').fill(fresh)
  await button(page, 'Reset password').click()
  await page.waitForURL('**/Account/ForgotPassword?error=code_invalid')
  await expect(page.getByText('Enter your address again')).toBeVisible()
  await expectSound(page)
})

test('a reset never goes round the second factor', async ({ page, service, person }) => {
  const { secret } = await protect(page, service, person)
  await askForReset(page, `${person}@example.com`)
  await page.goto((await mailTo(service, `${person}@example.com`)).link)
  await button(page, 'Continue').click()
  await box(page, 'New password').fill(fresh)
  await button(page, 'Reset password').click()
  await page.waitForURL('**/Account/SecondFactor')
  await enterCode(page, codeAt(service, secret))
  await expectSignedIn(page, person)
})

test('a second factor by app, by recovery code, and in a browser that is remembered', async ({
  page,
  service,
  person,
}) => {
  const { secret, codes } = await protect(page, service, person)
  await page.goto(`/Account/Login${query}`)
  await signIn(page, person)
  await enterCode(page, '000000')
  await expect(page.getByText('is wrong, has expired or was used before')).toBeVisible()
  await expectSound(page)
  await button(page, 'Try another way').click()
  await expectSound(page)
  await button(page, 'Use a recovery code').click()
  await expect(page.getByText('is wrong, has expired')).toBeHidden()
  await enterCode(page, codes[0] ?? '')
  await expectSignedIn(page, person)

  await page.context().clearCookies()
  await page.goto(`/Account/Login${query}`)
  await signIn(page, person)
  await page.getByRole('checkbox').check()
  await enterCode(page, codeAt(service, secret))
  await expectSignedIn(page, person)
  await page.goto('/Account/Logout')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('You are signed out')).toBeVisible()
  await page.goto(`/Account/Login${query}`)
  await signIn(page, person)
  await expectSignedIn(page, person)
})

test('a pause after wrong codes is said, and a sign-in that ran out leads back to where it began', async ({
  page,
  service,
  person,
}) => {
  await protect(page, service, person)
  await page.goto(`/Account/Login${query}`)
  await signIn(page, person)
  for (let attempt = 1; attempt <= 6; attempt += 1) await enterWrongCode(page, '000000')
  await expect(page.getByText('Wait five minutes')).toBeVisible()
  service.advance(601)
  await page.reload()
  await expect(page.getByText('took too long')).toBeVisible()
  await expectSound(page)
  await button(page, 'Start again').click()
  await page.waitForURL(`**/Account/Login?**${encodeURIComponent(after)}**`)
  await expect(page.getByText('This sign-in took too long')).toBeVisible()
})

test('an invitation leads to an account, by its link alone', async ({ page, service }) => {
  await page.goto(await invite(service, 'ines@example.com'))
  await expectSound(page)
  await button(page, 'Continue').click()
  await expect(page.getByText('invited as ines@example.com')).toBeVisible()
  await expectSound(page)
  await box(page, 'Username').fill('ines')
  await box(page, 'New password').fill(fresh)
  await button(page, 'Create account').click()
  await page.waitForURL(service.issuer)
  expect(await (await page.request.get('/Account/Session')).json()).toEqual({ user: { name: 'ines' } })

  await page.context().clearCookies()
  await page.goto('/Account/Confirm?purpose=invite#token=nonsense')
  await button(page, 'Continue').click()
  await expect(page.getByText('Ask whoever invited you')).toBeVisible()
})

test('a changed address is confirmed by code, and taken back by the link to the former one', async ({
  page,
  service,
  person,
}) => {
  await signInQuietly(page, person)
  const { request } = page.context()
  const { token } = (await (await request.get('/Account/Antiforgery')).json()) as { token: string }
  const headers = { RequestVerificationToken: token }
  expect(
    (await request.post('/Account/Self/email', { data: { email: `new-${person}@example.com` }, headers })).ok(),
  ).toBe(true)
  await page.goto('/Account/Confirm?purpose=email')
  await enterCode(page, (await mailTo(service, `new-${person}@example.com`)).code)
  await page.waitForURL('**/Account/Profile?changed=email')
  await page.goto((await mailTo(service, `${person}@example.com`)).link)
  await expect(page.getByText('gets its former email address back')).toBeVisible()
  await button(page, 'Continue').click()
  await expect(page.getByText('Now choose a new password')).toBeVisible()
  expect(await (await page.request.get('/Account/Session')).json()).toEqual({ user: null })
})

test('who leaves the password empty makes a passkey once the address is confirmed', async ({ page, service }) => {
  const { session, authenticatorId } = await plugInAuthenticator(page)
  await fillRegistration(page, 'pia@example.com', 'pia')
  await box(page, 'New password').fill('')
  await button(page, 'Create account').click()
  await enterCode(page, (await mailTo(service, 'pia@example.com')).code)
  await expect(button(page, 'Add a passkey')).toBeVisible()
  await expectSound(page)

  // The dialog is closed; then it is not.
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await button(page, 'Add a passkey').click()
  await expect(page.getByText('No passkey was made')).toBeVisible()
  await button(page, 'Choose a password instead').click()
  await expectSound(page)
  await box(page, 'New password').fill('password')
  await button(page, 'Continue').click()
  await expect(page.getByText('everybody tries first')).toBeVisible()
  await button(page, 'Back to the passkey').click()
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await button(page, 'Add a passkey').click()
  await expectSignedIn(page, 'pia')

  // As the second factor after a password, for which the dialog may be closed as well.
  await self(page, '/password', { password: fresh })
  await self(page, '/recovery-codes', {})
  await page.context().clearCookies()
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  await page.goto(`/Account/Login${query}`)
  await signIn(page, 'pia', fresh)
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await button(page, 'Use a passkey').click()
  await expect(page.getByText('No passkey was used')).toBeVisible()
  await expectSound(page)
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await button(page, 'Use a passkey').click()
  await expectSignedIn(page, 'pia')
})

test('an address of these pages that no step leads to has a way on', async ({ page }) => {
  await page.goto('/Account/Confirm?purpose=nonsense')
  await expect(page.getByText('This link is incomplete')).toBeVisible()
  await page.goto('/Account/Confirm?purpose=undo')
  await expect(page.getByText('Open the link in the mail')).toBeVisible()
  await page.goto('/Account/Confirm?purpose=signin')
  await page.waitForURL('**/Account/SecondFactor')
  await expect(page.getByText('This sign-in has ended')).toBeVisible()
  await button(page, 'Start again').click()
  await page.waitForURL('**/Account/Login**')
})
