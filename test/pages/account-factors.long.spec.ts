/** The pages of the way into an account: second factors, invitations, passwords as they are judged. */
import {
  box,
  button,
  codeAt,
  enterCode,
  expectSignedIn,
  expectSound,
  fillRegistration,
  fresh,
  invite,
  protect,
  query,
  test,
} from './account-entry.ts'
import { expect, signIn } from './fixtures.ts'

// A page that finds nobody signed in, and a password that is refused: browsers report each.
test.use({ ownPage: true, expectedErrors: /status of 40[01]/ })
// The limits of mails are of an hour.
test.beforeEach(({ service }) => service.advance(3601))

test('a new password that is too short is a fault once its box is left, also if it was judged before', async ({
  page,
}) => {
  await fillRegistration(page, 'ida@example.com', 'ida')
  await expect(page.getByText('Long enough')).toBeVisible()
  await box(page, 'New password').fill('short')
  // It is judged now, and no fault while it may still grow.
  await expect(page.getByText('Long enough')).toBeHidden()
  await expect(page.getByText('At least 8 characters. ')).toBeVisible()
  await expect(box(page, 'New password')).not.toHaveAttribute('aria-invalid')
  await box(page, 'Username').focus()
  await expect(page.getByText('At least 8 characters, please')).toBeVisible()
  await expect(box(page, 'New password')).toHaveAttribute('aria-invalid', 'true')

  // It stays one on coming back, until it is typed on.
  await box(page, 'New password').focus()
  await expect(box(page, 'New password')).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.type('er')
  await expect(page.getByText('At least 8 characters. ')).toBeVisible()
  await expect(box(page, 'New password')).not.toHaveAttribute('aria-invalid')
})

test('a second factor by app, by recovery code, and in a browser that is remembered', async ({
  page,
  service,
  person,
}) => {
  const { secret, codes } = await protect(page, service, person)
  await page.goto(`/Account/Login${query}`)
  await signIn(page, person)
  await enterCode(page, '000000')
  await expect(page.getByText('is wrong, has expired or was used before')).toBeVisible()
  await expectSound(page)
  await button(page, 'Try another way').click()
  await expect(button(page, 'Try another way')).toBeHidden()
  await expectSound(page)
  await button(page, 'Use a recovery code').click()
  await expect(page.getByText('is wrong, has expired')).toBeHidden()
  await enterCode(page, codes[0] ?? '')
  await expectSignedIn(page, person)

  await page.context().clearCookies()
  await page.goto(`/Account/Login${query}`)
  await signIn(page, person)
  // The login page has a box of its own to tick.
  await expect(box(page, 'Code')).toBeVisible()
  await page.getByRole('checkbox').check()
  await enterCode(page, codeAt(service, secret))
  await expectSignedIn(page, person)
  await page.goto('/Account/Logout')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('You are signed out')).toBeVisible()
  await page.goto(`/Account/Login${query}`)
  await signIn(page, person)
  await expectSignedIn(page, person)
})

test('an invitation leads to an account, by its link alone', async ({ page, service }) => {
  await page.goto(await invite(service, 'ines@example.com'))
  await expect(button(page, 'Continue')).toBeVisible()
  await expectSound(page)
  await button(page, 'Continue').click()
  await expect(page.getByText('invited as ines@example.com')).toBeVisible()
  await expectSound(page)
  await box(page, 'Username').fill('ines')
  await box(page, 'New password').fill(fresh)
  await button(page, 'Create account').click()
  await page.waitForURL(service.issuer)
  expect(await (await page.request.get('/Account/Session')).json()).toEqual({ user: { name: 'ines' } })

  await page.context().clearCookies()
  await page.goto('/Account/Confirm?purpose=invite#token=nonsense')
  await button(page, 'Continue').click()
  await expect(page.getByText('Ask whoever invited you')).toBeVisible()
})
