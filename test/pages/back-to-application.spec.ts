/** The way back to the application, which stands on every page between its request and the answer. */
import { TOTP } from 'otpauth'
import { addClient } from '../support/service.ts'
import { check } from './accessible.ts'
import { self } from './account-entry.ts'
import { authorizeAt, expect, leave, openLogin, type Page, signIn, signInQuietly, test } from './fixtures.ts'

const backTo = (page: Page) => page.getByTestId('back-to-application')

const loginFor = (request: string) => `/Account/Login?ReturnUrl=${encodeURIComponent(request)}`

async function expectDenied(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
  const { searchParams } = new URL(page.url())
  expect(searchParams.get('error')).toBe('access_denied')
  expect(searchParams.get('state')).toBe('state-1')
  expect(searchParams.get('code')).toBeNull()
}

test('leads from the sign-in page to the application by keyboard, with its name (connections §3)', async ({
  page,
  site,
}) => {
  await openLogin(page, authorizeAt(site))
  await expect(backTo(page)).toHaveText('Back to Orchard Planner')
  await check(page, 'Back to Orchard Planner')
  // Passwords that are missing do not keep anybody here.
  const isFocused = "document.activeElement.dataset.testid === 'back-to-application'"
  for (let presses = 0; presses < 15 && !(await page.evaluate(isFocused)); presses += 1)
    await page.keyboard.press('Tab')
  await expect(backTo(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expectDenied(page)
})

test('is offered to a signed-in visitor, whose session stays', async ({ page, site, person }) => {
  await signInQuietly(page, person)
  await page.goto(loginFor(authorizeAt(site)))
  await expect(page.getByRole('button', { name: `Continue as ${person}` })).toBeVisible()
  await backTo(page).click()
  await expectDenied(page)
  await page.goto('/Account/Session')
  await expect(page.locator('pre')).toHaveText(JSON.stringify({ user: { name: person } }))
})

test('ends the sign-in that waits for a second factor', async ({ page, site, service, person }) => {
  await signInQuietly(page, person)
  const { secret } = await self<{ secret: string }>(page, '/totp', {})
  await self(page, '/totp/confirm', { code: new TOTP({ secret }).generate({ timestamp: service.now() }) })
  await page.context().clearCookies()
  await openLogin(page, authorizeAt(site))
  await signIn(page, person)
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeVisible()
  await expect(backTo(page)).toHaveText('Back to Orchard Planner')
  await check(page, 'Back to Orchard Planner')
  await leave(page, () => backTo(page).click())
  await expectDenied(page)
  expect((await page.context().request.get('/Account/SecondFactorContext')).status()).toBe(401)
})

test('posts to the application that asked for a form', async ({ page, site }) => {
  await openLogin(page, authorizeAt(site, { response_mode: 'form_post' }))
  await leave(page, () => backTo(page).click())
  await expect(page.getByText('POST')).toBeVisible()
  expect(page.url()).toBe(site.callback)
})

test('stands on no page that no application asked for, nor for an address that is not its own', async ({
  page,
  site,
}) => {
  const unverified = authorizeAt(site, { redirect_uri: 'https://evil.example/' })
  for (const address of ['/Account/Login', loginFor('/Account/Profile'), loginFor(unverified)]) {
    const asked = page.waitForResponse((response) => response.url().includes('/Account/LoginContext'))
    await openLogin(page, address)
    await asked
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
    await expect(backTo(page)).toHaveCount(0)
  }
})

test.describe('after a change', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('says that the application is not known any more', async ({ page, site, service }) => {
    const id = 'withdrawn'
    await addClient(service, { id, name: 'Withdrawn', redirectUris: [site.callback] })
    await openLogin(page, authorizeAt(site, { client_id: id }))
    await expect(backTo(page)).toHaveText('Back to Withdrawn')
    await service.storage.clients.delete(id)
    await leave(page, () => backTo(page).click())
    await expect(page.getByRole('alert')).toContainText('is not registered with this service')
  })
})
