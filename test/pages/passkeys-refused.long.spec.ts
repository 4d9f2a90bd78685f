/** Passkeys that were removed, and cookies that are gone, with the browser's own virtual authenticator. */
import { expect, loginForm, openLogin, type Page, plugInAuthenticator, signInQuietly, test } from './fixtures.ts'

// The answer to a request without cookies.
test.use({ ownPage: true, expectedErrors: /status of 400/ })

const button = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })
const after = '/Account/Session'
const loginTo = `/Account/Login?ReturnUrl=${encodeURIComponent(after)}`

/** Adds a passkey as the security page does, from a page of the service. */
async function addPasskey(page: Page, person: string): Promise<void> {
  await signInQuietly(page, person)
  await page.goto('/errors')
  const status = await page.evaluate(`(async () => {
    const send = async (below, body) => {
      const { token } = await (await fetch('/Account/Antiforgery')).json()
      const headers = { RequestVerificationToken: token, 'content-type': 'application/json' }
      return fetch('/Account/Self/passkeys' + below, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await (await send('/options')).json())
    const credential = await navigator.credentials.create({ publicKey })
    return (await send('', { name: 'This computer', credential })).status
  })()`)
  expect(status).toBe(200)
  await page.context().clearCookies()
}

async function expectSignedIn(page: Page, person: string): Promise<void> {
  await page.waitForURL(`**${after}`)
  expect(JSON.parse(await page.locator('body').innerText())).toEqual({ user: { name: person } })
}

test('a passkey signs in although somebody else did in another tab, and although the cookies are gone', async ({
  page,
  person,
}) => {
  await plugInAuthenticator(page)
  await addPasskey(page, person)
  await page.addInitScript(
    'globalThis.PublicKeyCredential && (PublicKeyCredential.isConditionalMediationAvailable = async () => false)',
  )
  for (const happens of [() => signInQuietly(page, 'alice'), () => page.context().clearCookies()]) {
    await openLogin(page, loginTo)
    await happens()
    await button(page).click()
    await expectSignedIn(page, person)
    await page.context().clearCookies()
  }
})

test('a passkey that was removed is refused in words that lead on', async ({ page, person, service }) => {
  await plugInAuthenticator(page)
  await addPasskey(page, person)
  const user = await service.storage.users.findByName(person)
  for (const { id, userId } of await service.storage.passkeys.list(user?.id ?? '')) {
    await service.storage.passkeys.remove(userId, id, { providers: [] })
  }
  await page.goto(loginTo)
  await expect(page.getByRole('alert')).toContainText('The passkey could not be used')
  await expect(loginForm(page).username).not.toHaveAttribute('aria-invalid')
})
