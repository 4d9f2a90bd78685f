/** What the tests of passkeys in the pages share. */
import { expect, type Page, signInQuietly } from './fixtures.ts'

export const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

/** For a page that asks for passkeys by its button alone: the virtual authenticator would choose from the autofill at once. */
export const withoutAutofill =
  'globalThis.PublicKeyCredential && (PublicKeyCredential.isConditionalMediationAvailable = async () => false)'

/** Signs the person in, and adds a passkey as the security page does, from a page of the service. */
export async function addPasskey(page: Page, person: string): Promise<void> {
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
}
