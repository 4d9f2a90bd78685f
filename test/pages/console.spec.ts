/** The way into the console of operators: in Chromium, against the real service. */
import { button, open, settled, test } from './console.ts'
import { expect, signIn } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of (?:4|503)|ERR_FAILED/ })

test('an administrator signs in as to every application, and comes back to the address that was asked for', async ({
  page,
}) => {
  await open(page, 'root', '/scopes/demo_api?from=link')
  await expect(page.getByRole('heading', { level: 1, name: 'demo_api' })).toBeVisible()
  expect(page.url()).toMatch(/\/admin\/scopes\/demo_api\?from=link$/)
  // The session of the browser is enough for a window that is loaded anew, and nothing of the sign-in is stored.
  await page.reload()
  await settled(page)
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toMatch(/eyJ|access_token|"verifier|latchkey\.console\.(?!permitted)/)
  expect(page.url()).toMatch(/\/admin\/scopes\/demo_api\?from=link$/)
})

test('those without a role are told what they need, and viewers see nothing that they may not do', async ({ page }) => {
  await page.goto('/admin')
  await page.waitForURL('**/Account/Login?**')
  await signIn(page, 'nobody')
  await expect(page.getByRole('heading', { name: 'This is for administrators' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open your account' })).toHaveAttribute('href', /\/account$/)
  await page.getByRole('button', { name: 'Sign in as somebody else' }).click()
  await expect(page.getByLabel('Password')).toBeVisible()
  // The sign-in page asks for passkeys with the cookie that goes now.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await open(page, 'viewer', '/scopes')
  await expect(page.getByRole('link', { name: 'Add scope' })).toHaveCount(0)
  await page.getByRole('link', { name: /demo_api/ }).click()
  await settled(page)
  await expect(page.getByLabel('Display name')).toBeDisabled()
  await expect(button(page, 'Save')).toHaveCount(0)
  await expect(button(page, 'Delete')).toHaveCount(0)
})

test('an application is registered from the choice, and its test sign-in shows its tokens in a new tab', async ({
  page,
}) => {
  await open(page, 'root', '/applications/new')
  await page.getByRole('link', { name: /^Go\b/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Depot')
  await page.getByLabel('Address of the application').fill('https://depot.example')
  await button(page, 'Register application').click()
  await page.waitForURL(/applications\/app-[0-9a-f]+\/setup$/)
  await expect(page.getByText('is shown this once')).toBeVisible()
  await expect(page.locator('#library')).toContainText('https://depot.example')
  const opened = page.context().waitForEvent('page')
  await button(page, 'Test sign-in').click()
  const tab = await opened
  await tab.getByRole('button', { name: 'Allow' }).click()
  await tab.waitForURL('**/test')
  await expect(tab.getByText('The sign-in works.')).toBeVisible()
})
