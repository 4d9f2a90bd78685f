/** Passkeys in the pages, with the browser's own virtual authenticator. */
import { expectSignedIn, query } from './account-entry.ts'
import { expect, loginForm, openLogin, plugInAuthenticator, signIn, test } from './fixtures.ts'
import { addPasskey, passkeyButton, withoutAutofill } from './passkeys.ts'

// The answer to a request without cookies.
test.use({ ownPage: true, expectedErrors: /status of 400/ })

test('a passkey in the autofill of the user name signs in, and so does the button', async ({ page, person }) => {
  await plugInAuthenticator(page)
  await addPasskey(page, person)
  await page.context().clearCookies()
  // The virtual authenticator chooses what a visitor would choose in the autofill.
  await page.goto(`/Account/Login${query}`)
  await expectSignedIn(page, person)
  await page.context().clearCookies()

  // A browser without such autofill.
  await page.addInitScript(withoutAutofill)
  await openLogin(page, `/Account/Login${query}`)
  await loginForm(page).rememberMe.check()
  await passkeyButton(page).click()
  await expectSignedIn(page, person)
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name.endsWith('latchkey.session'))?.expires).toBeGreaterThan(0)
})

test('the page stays of use after the dialog was closed, and without any passkey', async ({ page, person }) => {
  await plugInAuthenticator(page)
  await openLogin(page, `/Account/Login${query}`)
  await loginForm(page).username.fill(person)
  await passkeyButton(page).click()
  await expect(page.getByText('No passkey was used')).toBeVisible()
  await expect(loginForm(page).username).toHaveValue(person)
  await signIn(page, person)
  await expectSignedIn(page, person)
})
