/** Behind a proxy that ends TLS, as in production: cookies with the prefix `__Host-`, HSTS, and every part of the pages. */
import { authorizePath } from '../support/browser.ts'
import { addClient, addUser, freePort, startService, type TestService } from '../support/service.ts'
import { startTlsProxy } from '../support/tls-proxy.ts'
import { test as base, expect, type Page, plugInAuthenticator, signIn } from './fixtures.ts'

const test = base.extend<{ page: Page }>({
  service: async ({ shared }, use) => {
    const start = async (): Promise<readonly [TestService, () => unknown]> => {
      const port = await freePort()
      const service = await startService({
        OAuth__Issuer: `https://localhost:${port}/`,
        Server__TrustProxy: '127.0.0.1',
        RateLimit__LoginPerMinute: '1000',
      })
      const close = await startTlsProxy(port, service.address)
      await addUser(service, 'root', { roles: ['latchkey-admin'] })
      await addClient(service, { id: 'own', redirectUris: [`${service.issuer}errors`] })
      const stop = async () => {
        close()
        await service.stop()
      }
      return [service, stop]
    }
    await use(await shared('service behind TLS', start))
  },
  page: async ({ browser, issuer }, use) => {
    // Nobody has vouched for the certificate of the proxy.
    const context = await browser.newContext({ baseURL: issuer, ignoreHTTPSErrors: true })
    await use(await context.newPage())
    await context.close()
  },
})

// The account area asks who is signed in.
test.use({ expectedErrors: /status of 401/ })

/** Every cookie of the service is for this host and TLS alone, and no script can read it. */
async function expectHostCookies(page: Page): Promise<void> {
  const cookies = await page.context().cookies()
  // Set by the pages themselves: it says which form is the newest.
  const served = cookies.filter(({ name }) => name !== 'latchkey.mark')
  expect(served.map(({ name }) => name)).toContain('__Host-latchkey.session')
  for (const { name, secure, httpOnly, path } of served) {
    expect([name, secure, httpOnly, path]).toEqual([expect.stringMatching(/^__Host-latchkey\./), true, true, '/'])
  }
}

test('a person signs in, allows the client, and signs out', async ({ page, person, service }) => {
  const answer = await page.goto(authorizePath({ client_id: 'own', redirect_uri: `${service.issuer}errors` }))
  expect(await answer?.headerValue('strict-transport-security')).toMatch(/max-age=\d{8}/)
  await signIn(page, person)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL('**/errors?**')
  expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
  expect(new URL(page.url()).searchParams.get('iss')).toBe(service.issuer)
  await expectHostCookies(page)
  await page.goto('/Account/Logout')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/signed out/i)
  await page.goto('/Account/Session')
  await expect(page.locator('pre')).toHaveText('{"user":null}')
})

test('the console signs in, reads and changes with tokens that are bound to its key', async ({ page, service }) => {
  await page.goto('/admin/scopes/new')
  await signIn(page, 'root')
  await page.waitForURL('**/admin/scopes/new')
  await page.getByLabel('Name', { exact: true }).fill('orders')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/admin/scopes/orders')
  expect((await service.storage.scopes.findMany(['orders'])).length).toBe(1)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'orders' })).toBeVisible()
})

test('a passkey is added in the account, and signs in', async ({ page, person }) => {
  await plugInAuthenticator(page)
  await page.goto('/account/security')
  await signIn(page, person)
  await page.getByRole('button', { name: 'Add a passkey' }).first().click()
  await expect(page.getByRole('button', { name: /Rename|Remove/ }).first()).toBeVisible()
  await page.context().clearCookies()
  // The virtual authenticator chooses what a visitor would choose in the autofill.
  await page.goto('/Account/Login?ReturnUrl=%2FAccount%2FSession')
  await page.waitForURL('**/Account/Session')
  await expect(page.locator('pre')).toContainText(person)
})
