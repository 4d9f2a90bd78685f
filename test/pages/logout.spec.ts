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

test('without a client it ends the session and leads to the login page', async ({ page, context }) => {
  await page.goto('/connect/logout')
  await expect(page.getByRole('main')).toContainText('This ends your session in this browser.')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(loginForm(page).submit).toBeVisible()
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('latchkey.session')
})

test('can be left with the session as it was', async ({ page, person }) => {
  await page.goto('/Account/Session')
  await page.goto('/connect/logout')
  await page.getByRole('link', { name: 'Stay signed in' }).click()
  await expectArrived(page, person)
})

test('somebody who is signed out already is still led on to the client', async ({ page, context, site }) => {
  await context.clearCookies()
  const query = new URLSearchParams({ client_id: 'orchard', post_logout_redirect_uri: site.signedOut })
  await page.goto(`/connect/logout?${query}`)
  await expect(page.getByRole('main')).toContainText('takes you back to Orchard Planner')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(site.signedOut)
})

test.describe('an address that is not registered', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('is refused with a page, and nobody is signed out', async ({ page, context }) => {
    await page.goto('/connect/logout?client_id=demo&post_logout_redirect_uri=https%3A%2F%2Fevil.example%2F')
    await expect(page.getByRole('alert')).toContainText('not registered')
    await page.goto('/Account/Logout?client_id=demo&post_logout_redirect_uri=https%3A%2F%2Fevil.example%2F')
    await expect(page.getByRole('alert')).toContainText('not registered')
    expect((await context.cookies()).map(({ name }) => name)).toContain('latchkey.session')
  })
})
