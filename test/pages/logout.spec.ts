/** The logout confirmation in a real browser (specification 4.4, 4.9). */
import { expect, expectArrived, loginForm, signInQuietly, test } from './fixtures.ts'

test.beforeEach(async ({ page, person }) => {
  await signInQuietly(page, person)
})

test('names the client that asks, and ends at its registered address with its state', async ({
  page,
  context,
  site,
  person,
}) => {
  const query = new URLSearchParams({
    client_id: 'orchard',
    post_logout_redirect_uri: site.signedOut,
    state: 'a b&c',
    ui_locales: 'en',
  })
  await page.goto(`/connect/logout?${query}`)
  await expect(page.getByRole('heading', { name: 'Sign out?' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Orchard Planner asks to end your session')
  await expect(page.getByRole('main')).toContainText(`Signed in as${person}`)
  expect((await context.cookies()).map(({ name }) => name)).toContain('latchkey.session')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
  const address = new URL(page.url())
  expect(address.origin + address.pathname).toBe(site.signedOut)
  expect([...address.searchParams]).toEqual([['state', 'a b&c']])
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('latchkey.session')
})

test('without a client it ends the session and leads to the login page, which says so', async ({ page, context }) => {
  await page.goto('/connect/logout')
  await expect(page.getByRole('main')).toContainText('This ends your session in this browser.')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out')
  await expect(page).toHaveTitle('You are signed out · Latchkey')
  await expect(loginForm(page).submit).toBeVisible()
  await expect(page).toHaveURL('/Account/Login')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('latchkey.session')
})

test('can be left with the session as it was', async ({ page, person }) => {
  await page.goto('/Account/Session')
  await page.goto('/connect/logout')
  await page.getByRole('link', { name: 'Stay signed in' }).click()
  await expectArrived(page, person)
})

test('so does the sign-out from the login page', async ({ page }) => {
  await page.goto('/Account/Login')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})

test.describe('when nobody is signed in', () => {
  test.beforeEach(({ context }) => context.clearCookies())

  test('it says so and leads on to the client, with its state', async ({ page, site }) => {
    const parameters = { client_id: 'orchard', post_logout_redirect_uri: site.signedOut, state: 'kept' }
    await page.goto(`/connect/logout?${new URLSearchParams(parameters)}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out')
    await expect(page.getByRole('main')).toContainText('One more step takes you back to Orchard Planner.')
    await expect(page.getByText('Stay signed in')).toHaveCount(0)
    const next = page.getByRole('button', { name: 'Continue to sign out of Orchard Planner' })
    await expect(next).toHaveText('Continue')
    await next.click()
    await expect(page).toHaveURL(`${site.signedOut}?state=kept`)
  })

  for (const query of ['', '?client_id=orchard']) {
    test(`it promises no way back that there is not: /connect/logout${query}`, async ({ page }) => {
      await page.goto(`/connect/logout${query}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out')
      await expect(page.getByRole('main')).toContainText('No account is signed in here. You can close this page.')
      await expect(page.getByRole('button')).toHaveCount(0)
      await page.getByRole('link', { name: 'Go to sign in' }).click()
      await expect(loginForm(page).submit).toBeVisible()
    })
  }
})

test.describe('an address that is not registered', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('is refused with a page, and nobody is signed out [S4.4.5, C4.10]', async ({ page, context }) => {
    await page.goto('/connect/logout?client_id=demo&post_logout_redirect_uri=https%3A%2F%2Fevil.example%2F')
    await expect(page.getByRole('alert')).toContainText('not registered')
    await page.goto('/Account/Logout?client_id=demo&post_logout_redirect_uri=https%3A%2F%2Fevil.example%2F')
    await expect(page.getByRole('alert')).toContainText('not registered')
    expect((await context.cookies()).map(({ name }) => name)).toContain('latchkey.session')
  })
})
