/** Passkeys in the pages, with the browser's own virtual authenticator. */
import {
  expect,
  loginForm,
  openLogin,
  type Page,
  plugInAuthenticator,
  signIn,
  signInQuietly,
  test,
} from './fixtures.ts'

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

test('a passkey in the autofill of the user name signs in, and so does the button', async ({ page, person }) => {
  await plugInAuthenticator(page)
  await addPasskey(page, person)
  // The virtual authenticator chooses what a visitor would choose in the autofill.
  await page.goto(loginTo)
  await expectSignedIn(page, person)
  await page.context().clearCookies()

  // A browser without such autofill.
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  await openLogin(page, loginTo)
  await loginForm(page).rememberMe.check()
  await button(page).click()
  await expectSignedIn(page, person)
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name.endsWith('latchkey.session'))?.expires).toBeGreaterThan(0)
})

test('the page stays of use after the dialog was closed, and without any passkey', async ({ page, person }) => {
  await plugInAuthenticator(page)
  await openLogin(page, loginTo)
  await loginForm(page).username.fill(person)
  await button(page).click()
  await expect(page.getByText('No passkey was used')).toBeVisible()
  await expect(loginForm(page).username).toHaveValue(person)
  await signIn(page, person)
  await expectSignedIn(page, person)
})
