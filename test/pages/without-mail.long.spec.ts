/** Without a mail server: operators set passwords and hand links over, and no page ends at a mail that nobody sends. */
import { check } from './accessible.ts'
import { button, looksWellNow, open, settled, test } from './console.ts'
import { expect, signInQuietly } from './fixtures.ts'

// A password that is too short is answered with 400.
test.use({ expectedErrors: /status of 400/ })

test('the list of what to do first loses its points one by one, and is hidden for good', async ({ page }) => {
  await open(page, 'root', '/')
  await expect(page.getByRole('heading', { name: 'What to do first' })).toBeVisible()
  await expect(page.getByText('0 of 7 done').or(page.getByText(/\d of 7 done/))).toBeVisible()
  await looksWellNow(page, '/first')
  await looksWellNow(page, '/first', 'dark')
  const before = await page.getByText(/\d of 7 done/).innerText()
  await page.getByRole('button', { name: 'Mark as done: Backup' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Mark as done: Backup' })).toHaveCount(0)
  // The focus stays with what was done, and is not lost with the button.
  await expect(page.getByRole('listitem').filter({ hasText: 'Backup' })).toBeFocused()
  expect(await page.getByText(/\d of 7 done/).innerText()).not.toBe(before)
  await page.getByRole('button', { name: 'Hide this list' }).press('Enter')
  await looksWellNow(page, '/first-asked')
  await page
    .getByRole('group', { name: 'Hide this list for good?' })
    .getByRole('button', { name: 'Hide' })
    .press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'What to do first' })).toHaveCount(0)
  await page.reload()
  await settled(page)
  await expect(page.getByRole('heading', { name: 'What to do first' })).toHaveCount(0)
})

test('a password is set with the keyboard, and the person chooses another one', async ({ page, service }) => {
  const user = await service.storage.users.findByName('nobody')
  await open(page, 'root', `/people/${user?.id}`)
  await expect(button(page, 'Send password reset')).toHaveCount(0)
  await button(page, 'Set password').press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/at least 8/)).toBeVisible()
  await looksWellNow(page, '/set-password')
  await page.getByLabel('Password', { exact: true }).fill('kT7-vw2q-new')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The password of nobody is set.')).toBeVisible()
  const changed = await service.storage.users.findByName('nobody')
  expect(changed?.requiredActions).toEqual(['update_password'])
  expect(changed?.passwordHash).not.toBe(user?.passwordHash)
  await button(page, 'Set password').click()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Set password')).toBeFocused()
})

test('links to hand over are created for a reset and for an invitation, and lead on', async ({
  page,
  service,
  browser,
}) => {
  const user = await service.storage.users.findByName('viewer')
  await open(page, 'root', `/people/${user?.id}`)
  await button(page, 'Create a reset link').click()
  const group = page.getByRole('group', { name: 'Hand over this link' })
  await expect(group).toBeFocused()
  expect(await group.locator('code').innerText()).toContain('purpose=reset#token=')
  await looksWellNow(page, '/reset-link')
  await page.goto('/admin/people/invite')
  await settled(page)
  await expect(page.getByText('This service sends no email. Create a link here')).toBeVisible()
  await page.getByRole('textbox', { name: 'Email address' }).fill('new@example.com')
  await button(page, 'Create a link').click()
  const link = await group.locator('code').innerText()
  expect(link).toContain('purpose=invite#token=')
  await expect(page.getByRole('listitem').filter({ hasText: 'new@example.com' })).toBeVisible()
  await looksWellNow(page, '/invitation-link')
  const other = await (await browser.newContext()).newPage()
  await other.goto(link)
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(other.getByText('You are invited as new@example.com')).toBeVisible()
  await other.goto(link)
  await other.context().close()
})

test('pages that rest on a mail say that none is sent, and whom to ask', async ({ page }) => {
  await page.goto('/Account/ForgotPassword')
  await check(page, 'This service sends no email. Ask the people who run it')
  await page.goto('/Account/Confirm?purpose=reset&error=code_invalid')
  await check(page, 'This link has expired or was used before. Ask the people')
  await page.goto('/Account/Confirm?purpose=invite&error=code_invalid')
  await check(page, 'This invitation has expired or was used before')
  await signInQuietly(page, 'viewer')
  await page.goto('/Account/Profile')
  await check(page, 'so you cannot change the address yourself')
})

test('chosen people are sent no password reset, and the list says why', async ({ page }) => {
  await open(page, 'root', '/people')
  await page.getByLabel('Select nobody').check()
  await expect(button(page, 'Take a role')).toBeVisible()
  await expect(button(page, 'Send password reset')).toHaveCount(0)
  await expect(page.getByText('Password resets cannot be sent: email is not set up.')).toBeVisible()
  await looksWellNow(page, '/people, chosen, without mail')
})
