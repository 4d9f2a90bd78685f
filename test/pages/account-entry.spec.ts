/** The pages of the way into an account: registration, codes and links by mail, forgotten passwords. */
import {
  askForReset,
  box,
  button,
  enterCode,
  expectSignedIn,
  expectSound,
  fillRegistration,
  fresh,
  mailTo,
  sendRegistration,
  test,
} from './account-entry.ts'
import { expect, leave } from './fixtures.ts'

// A page that finds nobody signed in, and a password that is refused: browsers report each.
test.use({ ownPage: true, expectedErrors: /status of 40[01]/ })
// The limits of mails are of an hour.
test.beforeEach(({ service }) => service.advance(3601))

test('a person registers by the code of a mail; the mistakes on the way are said beside their fields', async ({
  page,
  service,
  person,
}) => {
  await fillRegistration(page, 'not an address', person)
  await button(page, 'Create account').click()
  await expect(page.getByText('does not look like an email address')).toBeVisible()
  await expect(box(page, 'Email')).toHaveValue('not an address')
  expect(page.url()).not.toContain('address')
  await expectSound(page)

  await box(page, 'Email').fill('ada@example.com')
  await box(page, 'New password').fill('short')
  await box(page, 'Username').focus()
  await expect(page.getByText('At least 8 characters, please')).toBeVisible()
  await box(page, 'New password').fill('password')
  await expect(page.getByText('everybody tries first')).toBeVisible()
  await box(page, 'New password').fill('ada@example.com1')
  await expect(page.getByText('too much like')).toBeVisible()
  await box(page, 'New password').fill(fresh)
  await expect(page.getByText('Long enough')).toBeVisible()
  await button(page, 'Create account').click()
  await expect(page.getByText('username is taken')).toBeVisible()
  await expect(box(page, 'Email')).toHaveValue('ada@example.com')
  await expect(box(page, 'New password')).toHaveValue('')

  await box(page, 'Username').fill('ada')
  await box(page, 'New password').fill(fresh)
  await page.getByRole('button', { name: 'Show characters' }).click()
  await expect(box(page, 'New password')).toHaveAttribute('type', 'text')
  await sendRegistration(page)
  await expect(page.getByText('ada@example.com')).toBeVisible()
  const { code } = await mailTo(service, 'ada@example.com')
  await enterCode(page, code === '000000' ? '111111' : '000000')
  await expect(page.getByText('is wrong, has expired or was used')).toBeVisible()
  await expectSound(page)
  await enterCode(page, ` ${code.slice(0, 3)} ${code.slice(3)} `)
  await expectSignedIn(page, 'ada')
})

test('a forgotten password is replaced, and what was signed in elsewhere ends', async ({ page, service, person }) => {
  await askForReset(page, person)
  await expect(page.getByText('If there is an account')).toBeVisible()
  const { code } = await mailTo(service, `${person}@example.com`)
  await enterCode(page, code)
  await page.waitForURL('**/Account/ResetPassword**')
  await expect(page.getByRole('checkbox')).toBeChecked()
  await expectSound(page)
  await box(page, 'New password').fill('password1')
  // The page says so by itself, while it is typed; here the service does.
  await leave(page, () => button(page, 'Reset password').click())
  await expect(page.getByText('everybody tries first')).toBeVisible()
  await box(page, 'New password').fill(fresh)
  await button(page, 'Reset password').click()
  await expectSignedIn(page, person)
  // The step counts once.
  await page.goto('/Account/ResetPassword')
  await box(page, 'New password').fill(fresh)
  await button(page, 'Reset password').click()
  await page.waitForURL('**/Account/ForgotPassword?error=code_invalid')
  await expect(page.getByText('Enter your address again')).toBeVisible()
  await expectSound(page)
})
