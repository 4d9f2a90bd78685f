/** Tasks about people with the keyboard and a screen reader, from signing in on: where the focus is after each step, and what is spoken. */
import { aConfirmation, someFactors } from '../storage/records.ts'
import { addUser, userNamed } from '../support/service.ts'
import { settled } from './console.ts'
import { expect } from './fixtures.ts'
import { asking, find, heading, tabTo, test, toast } from './keyboard.ts'
import { heard } from './screen-reader.ts'

test('the skip link is the first stop, and leads over the navigation', async ({ page }) => {
  await page.reload()
  await settled(page)
  await page.keyboard.press('Shift+Tab')
  await tabTo(page, page.getByRole('link', { name: 'Skip to the content' }), 40, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true)
})

test('a person is added with a role, and another role is chosen from the list and taken back', async ({
  page,
  service,
}) => {
  await service.storage.roles.create({ name: 'painter', description: 'Paints the walls', createdAtMs: 1 })
  await page.keyboard.press('2')
  await settled(page)
  await expect(heading(page, 'People')).toBeFocused()
  await tabTo(page, page.locator('main').getByRole('link', { name: 'Add person' }), 2)
  await page.keyboard.press('Enter')
  await settled(page)
  await expect(heading(page, 'New person')).toBeFocused()
  for (const [label, text] of [
    ['Username', 'keyed'],
    ['Email address', 'keyed@example.com'],
    ['Roles', 'editor'],
  ] as const) {
    await tabTo(page, page.locator('main').getByRole(label === 'Roles' ? 'combobox' : 'textbox', { name: label }), 5)
    await page.keyboard.type(text)
  }
  await tabTo(page, page.getByRole('button', { name: 'Add person' }), 1)
  await page.keyboard.press('Enter')
  await page.waitForURL(/people\/[0-9a-f-]{36}$/)
  await settled(page)
  await expect(heading(page, 'keyed')).toBeFocused()
  const roles = async () => (await userNamed(service, 'keyed')).roles
  expect(await roles()).toEqual(['editor'])

  const tabs = page.getByRole('navigation', { name: 'This person' })
  await tabTo(page, tabs.getByRole('link', { name: 'Roles' }), 5)
  await page.keyboard.press('Enter')
  await settled(page)
  await expect(tabs.getByRole('link', { name: 'Roles' })).toBeFocused()
  const field = page.getByRole('combobox', { name: 'Add a role' })
  await tabTo(page, field, 8)
  await page.keyboard.type('walls')
  await page.keyboard.press('ArrowDown')
  await expect(field).toHaveAttribute('aria-activedescendant', /-0$/)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Role given: painter.')).toBeVisible()
  await expect(field).toBeFocused()
  expect(await roles()).toEqual(['editor', 'painter'])
  await tabTo(page, toast(page, 'Role given').getByRole('button', { name: 'Undo' }), 20)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'The change was undone.')).toBeFocused()
  expect(await roles()).toEqual(['editor'])
  await page.keyboard.press('Escape')
  await expect(heading(page, 'keyed')).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'Remove: editor' }), 20)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Role taken away: editor.')).toBeFocused()
  expect(await roles()).toEqual([])
  await heard(page, 'heading, New person, level 1', 'textbox, Username, required', 'textbox, Email address, required')
  await heard(
    page,
    'combobox, Roles, Type to search; separate several with spaces.',
    'button, Add person',
    'heading, keyed, level 1',
  )
  await heard(
    page,
    'combobox, Add a role',
    'polite: Role given: painter.',
    'button, Undo',
    'polite: The change was undone.',
  )
  await heard(page, 'button, Remove: editor', 'group, Role taken away: editor.')
})

test('a second factor is reset, after the question was left once', async ({ page, service }) => {
  const user = await addUser(service, 'factor-gone')
  await service.storage.secondFactors.change(user.id, () => ({ factors: someFactors(user), events: [] }))
  await find(page, 'factor-gone', 'factor-gone', 'factor-gone')
  const remove = page.getByRole('button', { name: 'Remove second factor' })
  await tabTo(page, remove, 20)
  await page.keyboard.press('Enter')
  await expect(asking(page, /^Remove the second factor/)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  // There is none to remove any more: the focus goes where that is said.
  await expect(toast(page, 'no longer has a second factor')).toBeFocused()
  await expect(remove).toHaveCount(0)
  expect((await service.storage.secondFactors.find(user.id))?.totp ?? null).toBeNull()
  await heard(
    page,
    'dialog, Find anything',
    'combobox, Name, address, page',
    'polite: 1 result',
    'heading, factor-gone',
  )
  const question =
    'group, Remove the second factor of factor-gone?, All authenticator apps, security keys and recovery codes'
  await heard(
    page,
    question,
    'button, Remove second factor',
    question,
    'group, factor-gone no longer has a second factor.',
  )
})

test('an invitation is withdrawn, and the focus goes where that is said', async ({ page, service }) => {
  const details = { email: 'keyed-guest@example.com', roles: [] }
  const times = { createdAtMs: service.now(), expiresAtMs: service.now() + 86_400_000 }
  await service.storage.confirmations.put(aConfirmation({ purpose: 'invite', details, userId: null, ...times }))
  await page.keyboard.press('2')
  await settled(page)
  await tabTo(page, page.locator('main').getByRole('link', { name: 'Invitations', exact: true }), 5)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/people/invitations')
  await settled(page)
  const withdraw = page
    .getByRole('listitem')
    .filter({ hasText: details.email })
    .getByRole('button', { name: 'Withdraw' })
  await tabTo(page, withdraw, 20)
  await page.keyboard.press('Enter')
  await expect(asking(page, /^Withdraw the invitation/)).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.locator('.toast', { hasText: 'is withdrawn' })).toBeFocused()
  expect(await service.storage.invitations.open(service.now())).toEqual([])
  const question = `group, Withdraw the invitation to ${details.email}?, Its link no longer works.`
  await heard(
    page,
    'heading, Invitations',
    'button, Withdraw',
    question,
    `The invitation to ${details.email} is withdrawn.`,
  )
})

test('several people are locked, after the question was left once', async ({ page, service }) => {
  for (const name of ['row-1', 'row-2', 'row-3']) await addUser(service, name, { roles: ['rowing'] })
  await page.keyboard.press('2')
  await settled(page)
  await page.keyboard.press('/')
  await expect(page.getByLabel('Search people')).toBeFocused()
  await page.keyboard.type('role:rowing')
  await expect(page.locator('.records tbody tr')).toHaveCount(3)
  await tabTo(page, page.getByLabel('Select all shown'), 12)
  await page.keyboard.press('Space')
  const bar = page.getByRole('region', { name: 'Selected people' })
  await expect(bar).toContainText('3 people selected.')
  const lock = bar.getByRole('button', { name: 'Lock', exact: true })
  await tabTo(page, lock, 12, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(asking(page, 'Lock these people?')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(lock).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, asking(page, 'Lock these people?').getByRole('button', { name: 'Lock' }), 8)
  await page.keyboard.press('Enter')
  await expect(page.locator('.said', { hasText: 'Locked: 3.' })).toBeFocused()
  expect((await userNamed(service, 'row-3')).disabled).toBe(true)
  await heard(page, 'searchbox, Search people', 'checkbox, Select all shown, not checked', 'button, Lock')
  await heard(
    page,
    'group, Lock these people?, 3 people selected. row-1 row-2 row-3 All their sessions',
    'group, Locked: 3. row-1',
  )
})
