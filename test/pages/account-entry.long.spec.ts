/** The pages of the way into an account: other browsers, wrong codes, changed addresses, accounts without a password. */
import { startService } from '../support/service.ts'
import {
  after,
  askForReset,
  box,
  button,
  codeAt,
  enterCode,
  enterWrongCode,
  expectSignedIn,
  expectSound,
  fillRegistration,
  fresh,
  mailTo,
  protect,
  query,
  self,
  sendRegistration,
  test,
} from './account-entry.ts'
import { expect, loginForm, plugInAuthenticator, signIn, signInQuietly } from './fixtures.ts'

// A page that finds nobody signed in, and a password that is refused: browsers report each.
test.use({ ownPage: true, expectedErrors: /status of 40[01]/ })
// The limits of mails are of an hour.
test.beforeEach(({ service }) => service.advance(3601))

test('a link opened in another browser creates the account there, and leads to the login page', async ({
  page,
  service,
  browser,
}) => {
  await fillRegistration(page, 'grace@example.com', 'grace')
  await sendRegistration(page)
  const { link } = await mailTo(service, 'grace@example.com')

  const context = await browser.newContext({ baseURL: service.issuer })
  const other = await context.newPage()
  await other.goto(link)
  await expect(other.getByText('creates your account')).toBeVisible()
  expect(other.url()).not.toContain('token')
  await other.reload()
  await expect(other.getByText('creates your account')).toBeVisible()
  await expectSound(other)
  await button(other, 'Continue').click()
  // Not where the first browser was going: that is of no use in this one.
  await other.waitForURL('**/Account/Login?ReturnUrl=%2FAccount')
  await signIn(other, 'grace', fresh)
  await other.waitForURL('**/Account')
  await expect(other.locator('header .signed-in')).toHaveText('grace')

  // The same link once more, and the code in the first browser.
  await other.goto(link)
  await button(other, 'Continue').click()
  await expect(other.getByText('was used before')).toBeVisible()
  await button(other, 'Send a new code').click()
  // There is nothing left to confirm.
  await other.waitForURL('**/Account/Login')
  await expect(other.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
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
  await sendRegistration(page)
  const { code: none } = await mailTo(service, `${person}@example.com`)
  expect(none).toBe('')
  await fillRegistration(page, 'wrong@example.com')
  await sendRegistration(page)
  const { code: first } = await mailTo(service, 'wrong@example.com')
  for (let attempt = 1; attempt <= 6; attempt += 1) await enterWrongCode(page, first === '000000' ? '111111' : '000000')
  await expect(page.getByText('too many wrong codes')).toBeVisible()
  await expect(box(page, 'Code')).toBeHidden()
  await expectSound(page)
  await button(page, 'Send a new code').click()
  await expect(page.getByText('A new email is on its way')).toBeVisible()
  const { code } = await mailTo(service, 'wrong@example.com')
  await enterCode(page, code)
  await expectSignedIn(page, 'wrong@example.com')
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
  await sendRegistration(page)
  await enterCode(page, (await mailTo(service, 'pia@example.com')).code)
  await expect(button(page, 'Add a passkey')).toBeVisible()
  await expectSound(page)

  // The dialog is closed; then it is not.
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await button(page, 'Add a passkey').click()
  await expect(page.getByText('No passkey was made')).toBeVisible()
  await button(page, 'Choose a password instead').click()
  await expect(box(page, 'New password')).toBeVisible()
  await expectSound(page)
  await box(page, 'New password').fill('password')
  // The page says so by itself, while it is typed.
  const answered = page.waitForResponse('**/Account/Self/password')
  await button(page, 'Continue').click()
  expect((await answered).ok()).toBe(false)
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

test('who leaves the password empty where a second factor is required sets up the app, and then makes a passkey', async ({
  browser,
}) => {
  const env = { Accounts__Registration: 'open', Accounts__SecondFactor: 'required', Mail__Url: 'file:/nowhere' }
  const strict = await startService(env)
  const context = await browser.newContext({ baseURL: strict.issuer })
  const page = await context.newPage()
  await plugInAuthenticator(page)
  await fillRegistration(page, 'una@example.com', 'una')
  await box(page, 'New password').fill('')
  await sendRegistration(page)
  await enterCode(page, (await mailTo(strict, 'una@example.com')).code)
  await page.waitForURL('**/Account/SecondFactor**')
  await button(page, 'Set up an authenticator app').click()
  const key = (await page.locator('code').first().innerText()).replaceAll(/\s/g, '')
  await enterCode(page, codeAt(strict, key))
  await expect(page.getByText('Keep these recovery codes')).toBeVisible()
  await page.getByRole('checkbox', { name: 'I have saved these codes' }).check()
  await button(page, 'Continue').click()
  await page.waitForURL('**/Account/Register?passkey=true**')
  await button(page, 'Add a passkey').click()
  await expectSignedIn(page, 'una')

  // The passkey is two factors by itself.
  await context.clearCookies()
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  await page.goto(`/Account/Login${query}`)
  await button(page, 'Sign in with a passkey').click()
  await expectSignedIn(page, 'una')
  await context.close()
  await strict.stop()
})

test('an address of these pages that no step leads to has a way on', async ({ page }) => {
  await page.goto('/Account/Confirm?purpose=nonsense')
  await expect(page.getByText('This link is incomplete')).toBeVisible()
  await page.goto('/Account/Confirm?purpose=undo')
  await expect(page.getByText('Open the link in the email')).toBeVisible()
  await page.goto('/Account/Confirm?purpose=signin')
  await page.waitForURL('**/Account/SecondFactor')
  await expect(page.getByText('This sign-in has ended')).toBeVisible()
  await button(page, 'Start again').click()
  await page.waitForURL('**/Account/Login**')
})
