/** What is wrong with an account is mended where it is told. */
import { Browser } from '../support/browser.ts'
import { addUser } from '../support/service.ts'
import { looksWellNow, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

const told = (page: Page, text: string | RegExp) => page.locator('#overview .notice').filter({ hasText: text })
const label = 'Require a second factor at the next sign-in'
const messages = (page: Page) => page.getByRole('status', { name: 'Messages' })

test('a locked person is unlocked beside the words, an address is confirmed and that taken back, what is asked withdrawn', async ({
  page,
  service,
}) => {
  const user = await addUser(service, 'mona')
  await service.storage.users.update(user.id, (stored) => ({
    ...stored,
    disabled: true,
    emailConfirmed: false,
    requiredActions: ['update_password'],
  }))
  const stored = () => service.storage.users.find(user.id)
  await open(page, 'root', `/people/${user.id}`)
  await looksWellNow(page, '/people/mona, with what is wrong')

  await told(page, /^locked/)
    .getByRole('button', { name: 'Unlock' })
    .click()
  await expect.poll(async () => (await stored())?.disabled).toBe(false)
  await expect(told(page, /^locked/)).toHaveCount(0)
  await expect(messages(page)).toContainText('mona is unlocked.')

  await told(page, 'not confirmed').getByRole('button', { name: 'Mark as confirmed' }).click()
  await expect.poll(async () => (await stored())?.emailConfirmed).toBe(true)
  await messages(page).getByRole('group', { name: 'Saved.' }).getByRole('button', { name: 'Undo' }).click()
  await expect(told(page, 'not confirmed')).toBeVisible()
  expect((await stored())?.emailConfirmed).toBe(false)

  const before = (await stored())?.grantsEndedAtMs
  await told(page, 'a new password').getByRole('button', { name: 'Withdraw' }).click()
  const question = page.getByRole('group', { name: 'Withdraw what the next sign-in of mona asks for?' })
  await expect(question).toContainText('No sessions will end.')
  await looksWellNow(page, '/people/mona, asked')
  await question.getByRole('button', { name: 'Withdraw' }).click()
  await expect.poll(async () => (await stored())?.requiredActions ?? []).toEqual([])
  expect((await stored())?.grantsEndedAtMs).toBe(before)
  await expect(told(page, 'a new password')).toHaveCount(0)
})

test('somebody who may only read sees what is wrong, and nothing to press', async ({ page, service }) => {
  const user = await addUser(service, 'mira')
  await service.storage.users.update(user.id, (stored) => ({ ...stored, disabled: true, emailConfirmed: false }))
  await open(page, 'viewer', `/people/${user.id}`)
  await settled(page)
  await expect(told(page, /^locked/)).toBeVisible()
  await expect(told(page, 'not confirmed')).toBeVisible()
  await expect(told(page, 'No second factor')).toBeVisible()
  await expect(page.locator('#overview .notice').getByRole('button')).toHaveCount(0)
})

test('a second factor is required with the keyboard alone, after what ends was told, and withdrawn', async ({
  page,
  service,
}) => {
  const user = await addUser(service, 'mila')
  const browser = await Browser.signedIn(service, { username: 'mila' })
  const stored = () => service.storage.users.find(user.id)
  await open(page, 'root', `/people/${user.id}`)
  await looksWellNow(page, '/people/mila, without a second factor')
  const require = told(page, 'No second factor').getByRole('button', { name: label })
  await require.press('Enter')
  const question = page.getByRole('group', { name: 'Require a second factor at the next sign-in of mila?' })
  await expect(question).toBeFocused()
  await expect(question).toContainText('Sessions and the access of applications end now')
  await expect(question.locator('dl')).toHaveText(/Sessions\s*1\s*Applications with access\s*0/)
  await expect(question).not.toContainText('your own account')
  await looksWellNow(page, '/people/mila, asked')
  await page.emulateMedia({ colorScheme: 'dark' })
  await looksWellNow(page, '/people/mila, asked', 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.keyboard.press('Escape')
  await expect(require).toBeFocused()
  expect((await stored())?.requiredActions).toBeUndefined()
  expect(await browser.userName()).toBe('mila')

  await require.press('Enter')
  await question.getByRole('button', { name: label }).press('Enter')
  await expect(messages(page)).toContainText('mila has to set up a second factor at the next sign-in.')
  expect((await stored())?.requiredActions).toEqual(['set_up_second_factor'])
  expect(await browser.userName()).toBeUndefined()
  await expect(told(page, 'No second factor')).toHaveCount(0)
  // What was pressed is gone.
  await expect(messages(page).getByRole('group').last()).toBeFocused()
  await expect(page.locator('#overview').getByText('Sessions', { exact: true }).locator('+ dd')).toHaveText('0')

  await told(page, 'setting up a second factor').getByRole('button', { name: 'Withdraw' }).press('Enter')
  await page
    .getByRole('group', { name: /^Withdraw what/ })
    .getByRole('button', { name: 'Withdraw' })
    .press('Enter')
  await expect(told(page, 'No second factor')).toBeVisible()
  expect((await stored())?.requiredActions).toBeUndefined()
})

test('whoever requires it of themselves is told that they are signed out', async ({ page, service }) => {
  const root = await service.storage.users.findByName('root')
  await open(page, 'root', `/people/${root?.id}`)
  await told(page, 'No second factor').getByRole('button', { name: label }).click()
  const question = page.getByRole('group', { name: 'Require a second factor at the next sign-in of root?' })
  await expect(question).toContainText('This is your own account: you will be signed out here, too.')
})

test('without mail, somebody whose factor did not come gets a reset link, and no confirmation is asked for', async ({
  page,
  service,
}) => {
  const user = await addUser(service, 'milo', { emailConfirmed: false, hadSecondFactor: true })
  await open(page, 'root', `/people/${user.id}`)
  await expect(told(page, 'not confirmed')).toContainText('No confirmation can be asked for: email is not set up.')
  await expect(told(page, 'not confirmed').getByRole('button')).toHaveCount(1)
  await expect(told(page, 'No second factor')).toHaveCount(0)
  const held = told(page, 'this person cannot sign in without your help')
  await held.getByRole('button', { name: 'Create a reset link' }).press('Enter')
  const link = page.getByRole('group', { name: 'Hand over this link' })
  await expect(link).toBeFocused()
  await expect(link.locator('code')).toContainText('purpose=reset#token=')
  await looksWellNow(page, '/people/milo, held without mail')
})
