/** The account area, each task once: in Chromium, against the real service. */
import jsqr from 'jsqr'
import { TOTP, URI } from 'otpauth'
import { PNG } from 'pngjs'
import { password } from '../support/service.ts'
import { open, test } from './account-area.ts'
import {
  authorizeAt,
  comeBackByHistory,
  comeBackToKept,
  expect,
  type Page,
  plugInAuthenticator,
  signIn,
  signInQuietly,
} from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const said = (page: Page, text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

test('nothing is changed for somebody else who has signed in in another tab, and what is gone already counts as removed', async ({
  page,
  person,
}) => {
  await signInQuietly(page, person)
  await open(page, '/Profile')
  await expect(page.locator('header .signed-in')).toHaveText(person)
  await signInQuietly(page, 'alice')
  await page.getByRole('textbox', { name: 'Full name' }).fill('Not Alice')
  await button(page, 'Save').click()
  await expect(page.locator('header .signed-in')).toHaveText('alice')
  await expect(page.getByRole('alert')).toContainText('Something changed in another tab')
  expect(await (await page.request.get('/Account/Self')).json()).not.toHaveProperty('name')

  await open(page, '/Devices')
  await page.route('**/Account/Self/browsers/*', async (route) => {
    await route.fetch()
    await route.continue()
  })
  await button(page, 'Remove').first().click()
  await said(page, 'The browser is no longer remembered.')
})

test('a new password that the service refuses as too short is a fault while the focus is still in its box', async ({
  page,
  person,
}) => {
  await signInQuietly(page, person)
  await open(page, '/Security')
  const box = page.getByLabel('New password')
  await page.getByLabel('Current password').fill(password)
  await box.fill('short')
  await page.keyboard.press('Enter')
  await expect(page.getByText('At least 8 characters, please')).toBeVisible()
  await expect(box).toHaveAttribute('aria-invalid', 'true')
  await expect(box).toBeFocused()
})

test('a passkey is added, renamed and removed', async ({ page, person }) => {
  await plugInAuthenticator(page)
  await signInQuietly(page, person)
  await open(page, '/Security')
  await button(page, 'Add a passkey').click()
  await said(page, 'is added')
  await button(page, 'Rename').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('My laptop')
  await page.keyboard.press('Enter')
  await expect(page.getByText('My laptop')).toBeVisible()
  await button(page, 'Remove').click()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Remove')).toBeFocused()
  await button(page, 'Remove').click()
  await button(page, 'Remove').click()
  await expect(page.getByText('You have no passkeys yet.')).toBeVisible()
})

test('an authenticator app is set up from its picture, gives recovery codes, and is turned off', async ({
  page,
  person,
}) => {
  await signInQuietly(page, person)
  await open(page, '/Security')
  await button(page, 'Set up an authenticator app').click()
  const { data, width, height } = PNG.sync.read(await page.getByRole('img', { name: /QR code/ }).screenshot())
  const read = jsqr.default(new Uint8ClampedArray(data), width, height)
  const app = URI.parse(read?.data ?? '') as TOTP
  const code = page.getByRole('textbox', { name: 'Code' })
  await code.fill('000000')
  await button(page, 'Continue').click()
  await expect(page.getByText('This code is wrong.')).toBeVisible()
  await code.fill(app.generate())
  await button(page, 'Continue').click()
  await said(page, 'The authenticator app is on.')
  // The walk ends with the codes, once the person says that they are saved.
  await expect(page.locator('.recovery-codes li')).toHaveCount(10)
  await expect(page.locator('.codes-step:focus')).toContainText('Keep these recovery codes')
  await button(page, 'Continue').click()
  await expect(page.getByText('Save the codes, then tick this box.')).toBeVisible()
  const saved = page.getByRole('checkbox', { name: 'I have saved these codes' })
  await expect(saved).toBeFocused()
  await expect(saved).toHaveAttribute('aria-invalid', 'true')
  await saved.check()
  await button(page, 'Continue').click()
  await expect(page.locator('.recovery-codes')).toHaveCount(0)
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()
  const first = () => page.locator('.recovery-codes li').first().innerText()
  await button(page, 'Show recovery codes').click()
  await button(page, 'Show recovery codes').click()
  expect(await first()).not.toBe('')
  await button(page, 'Turn off').click()
  await button(page, 'Turn off').click()
  await said(page, 'The authenticator app is off.')
  await expect(page.locator('.said:focus')).toHaveCount(1)
})

test('recovery codes and the secret of an app do not come back with Back, whatever the browser kept', async ({
  page,
  person,
}) => {
  await signInQuietly(page, person)
  await open(page, '/Security')
  const [key, codes] = [page.locator('.set-up .key'), page.locator('.recovery-codes')]
  for (const comeBack of [comeBackByHistory, comeBackToKept]) {
    await button(page, 'Set up an authenticator app').click()
    await expect(key).toBeVisible()
    await comeBack(page)
    await expect(button(page, 'Set up an authenticator app')).toBeVisible()
    await expect(key).toHaveCount(0)
  }
  await button(page, 'Set up an authenticator app').click()
  const secret = (await key.innerText()).replaceAll(/\s/g, '')
  await page.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate())
  await button(page, 'Continue').click()
  for (const comeBack of [comeBackByHistory, comeBackToKept]) {
    await expect(codes).toBeVisible()
    await comeBack(page)
    await expect(page.getByText('10 recovery codes are left.')).toBeVisible()
    await expect(codes).toHaveCount(0)
    await button(page, 'Make new codes').click()
  }
})

test('what was begun goes on after a sign-in that was asked for on the way', async ({ page, person, service }) => {
  await signInQuietly(page, person)
  await open(page, '/Security')
  service.advance(601)
  await button(page, 'Set up an authenticator app').click()
  await page.waitForURL('**/Account/Login?*reauthenticate=true')
  await signIn(page, person)
  await page.waitForURL('**/Account/Security')
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  const pause = { status: 429, json: { error: 'too_many_attempts' } }
  await page.route('**/totp/confirm', (route) => route.fulfill(pause))
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await button(page, 'Continue').click()
  await expect(page.getByText('There were too many wrong codes. Wait five minutes')).toBeVisible()
  await open(page, '/Profile')
  service.advance(601)
  await page.getByRole('textbox', { name: 'Username to confirm' }).fill(person)
  await button(page, 'Delete my account').click()
  await page.waitForURL('**/Account/Login?*reauthenticate=true')
  await signIn(page, person)
  await page.waitForURL('**/Account/Profile')
  await expect(page.getByRole('textbox', { name: 'Username to confirm' })).toHaveValue(person)
})

test('an application is listed in words, and loses its access', async ({ page, person, site }) => {
  await signInQuietly(page, person)
  await page.goto(authorizeAt(site, { scope: 'openid offline_access profile' }))
  await button(page, 'Allow').click()
  await page.waitForURL(`${site.callback}*`)
  await open(page, '/Applications')
  await expect(page.getByText('Orchard Planner')).toBeVisible()
  await expect(page.getByText('Keep access while you are away')).toBeVisible()
  await button(page, 'Remove access').click()
  await button(page, 'Remove access').click()
  await expect(page.getByText('No application uses your account.')).toBeVisible()
})

test('claims, language, address, data and the end of the account', async ({ page, person }) => {
  await signInQuietly(page, person)
  await open(page, '/Profile')
  await page.getByLabel('Full name').fill('Ada Example')
  await page.getByText('More details').click()
  await page.getByLabel('Website').fill('nonsense')
  await button(page, 'Save').click()
  await expect(page.getByText('This value cannot be saved.')).toBeVisible()
  await expect(page.getByLabel('Website')).toBeFocused()
  await page.getByLabel('Website').fill('https://example.com/')
  await button(page, 'Save').click()
  await said(page, 'Your profile is saved.')
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('nonsense')
  await button(page, 'Change email address').click()
  await expect(page.getByText('That is not a valid email address.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('new@example.com')
  await button(page, 'Change email address').click()
  await expect(page.getByRole('link', { name: 'Enter the code' })).toBeVisible()
  const download = page.waitForEvent('download')
  await button(page, 'Download my data').click()
  expect((await download).suggestedFilename()).toBe('account.json')
  await page.getByRole('textbox', { name: 'Username to confirm' }).fill('somebody')
  await button(page, 'Delete my account').click()
  await expect(page.getByText('This is not your username.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Username to confirm' }).fill(person)
  await button(page, 'Delete my account').click()
  await expect(page.getByText('Your account will be deleted on')).toBeVisible()
  await open(page, '')
  await button(page, 'Keep my account').click()
  await said(page, 'Your account stays.')
  await open(page, '/Profile')
  await page.getByLabel('Language').selectOption('de')
  await button(page, 'Save').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
})
