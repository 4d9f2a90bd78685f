/** Passkeys that were removed, and cookies that are gone, with the browser's own virtual authenticator. */
import { expectSignedIn, query } from './account-entry.ts'
import { expect, loginForm, openLogin, plugInAuthenticator, signInQuietly, test } from './fixtures.ts'
import { addPasskey, passkeyButton, withoutAutofill } from './passkeys.ts'

// The answer to a request without cookies.
test.use({ ownPage: true, expectedErrors: /status of 400/ })

test('a passkey signs in although somebody else did in another tab, and although the cookies are gone', async ({
  page,
  person,
}) => {
  await plugInAuthenticator(page)
  await addPasskey(page, person)
  await page.context().clearCookies()
  await page.addInitScript(withoutAutofill)
  for (const happens of [() => signInQuietly(page, 'alice'), () => page.context().clearCookies()]) {
    await openLogin(page, `/Account/Login${query}`)
    await happens()
    await passkeyButton(page).click()
    await expectSignedIn(page, person)
    await page.context().clearCookies()
  }
})

test('a passkey that was removed is refused in words that lead on', async ({ page, person, service }) => {
  await plugInAuthenticator(page)
  await addPasskey(page, person)
  await page.context().clearCookies()
  const user = await service.storage.users.findByName(person)
  for (const { id, userId } of await service.storage.passkeys.list(user?.id ?? '')) {
    await service.storage.passkeys.remove(userId, id, { providers: [] })
  }
  await page.goto(`/Account/Login${query}`)
  await expect(page.getByRole('alert')).toContainText('The passkey could not be used')
  await expect(loginForm(page).username).not.toHaveAttribute('aria-invalid')
})
