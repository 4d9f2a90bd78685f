/** What is wrong with an account is mended where it is told. */
import { addUser } from '../support/service.ts'
import { looksWellNow, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

const told = (page: Page, text: string | RegExp) => page.locator('#overview .notice').filter({ hasText: text })
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
  await told(page, 'update_password').getByRole('button', { name: 'Withdraw' }).click()
  const question = page.getByRole('group', { name: 'Withdraw what the next sign-in of mona asks for?' })
  await expect(question).toContainText('No sessions will end.')
  await looksWellNow(page, '/people/mona, asked')
  await question.getByRole('button', { name: 'Withdraw' }).click()
  await expect.poll(async () => (await stored())?.requiredActions ?? []).toEqual([])
  expect((await stored())?.grantsEndedAtMs).toBe(before)
  await expect(told(page, 'update_password')).toHaveCount(0)
})

test('somebody who may only read sees what is wrong, and nothing to press', async ({ page, service }) => {
  const user = await addUser(service, 'mira')
  await service.storage.users.update(user.id, (stored) => ({ ...stored, disabled: true, emailConfirmed: false }))
  await open(page, 'viewer', `/people/${user.id}`)
  await settled(page)
  await expect(told(page, /^locked/)).toBeVisible()
  await expect(told(page, 'not confirmed')).toBeVisible()
  await expect(page.locator('#overview .notice').getByRole('button')).toHaveCount(0)
})
