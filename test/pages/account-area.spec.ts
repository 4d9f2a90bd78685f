/** The way into the account area, and what most people come for: in Chromium, against the real service. */
import { password } from '../support/service.ts'
import { open, test } from './account-area.ts'
import { expect, type Page, signIn, signInQuietly } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const said = (page: Page, text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

test('visitors of the account area sign in first, and come back', async ({ page, person }) => {
  await page.goto('/Account/Devices')
  await page.waitForURL('**/Account/Login?ReturnUrl=%2FAccount%2FDevices')
  await signIn(page, person)
  await page.waitForURL('**/Account/Devices')
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
})

test('the password is judged while it is typed, and changed with the current one', async ({ page, person }) => {
  await signInQuietly(page, person)
  await open(page, '/Security')
  const fresh = page.getByLabel('New password')
  await button(page, 'Change password').click()
  await expect(page.getByText('Enter your current password.')).toBeVisible()
  await page.getByLabel('Current password').fill('not the password')
  await fresh.fill('password1')
  await expect(page.getByText('This is one of the passwords that everybody tries first')).toBeVisible()
  await fresh.fill('grape hammock violin')
  await button(page, 'Change password').click()
  await expect(page.getByText('This is not your current password.')).toBeVisible()
  await expect(page.getByLabel('Current password')).toBeFocused()
  await expect(fresh).toHaveValue('grape hammock violin')
  await page.getByLabel('Current password').fill(password)
  await button(page, 'Change password').click()
  await said(page, 'Your password is changed')
})

test('sessions and browsers are listed and ended', async ({ page, person, browser, issuer }) => {
  const other = await (await browser.newContext({ baseURL: issuer })).newPage()
  await signInQuietly(other, person)
  await signInQuietly(page, person)
  await open(page, '/Devices')
  await expect(page.getByText('This device').first()).toBeVisible()
  await expect(button(page, 'Sign out this session')).toHaveCount(2)
  await button(page, 'Sign out this session').last().click()
  await said(page, 'The session is signed out.')
  await signInQuietly(other, person)
  await open(page, '/Devices')
  await button(page, 'Sign out everywhere else').click()
  await button(page, 'Sign out everywhere else').click()
  await said(page, 'You are signed out everywhere else.')
  await expect(button(page, 'Sign out this session')).toHaveCount(1)
  const remembered = await button(page, 'Remove').count()
  await button(page, 'Remove').first().click()
  await expect(button(page, 'Remove')).toHaveCount(remembered - 1)
  await button(page, 'Sign out this session').click()
  await page.waitForURL('**/Account/Login')
  await other.context().close()
})
