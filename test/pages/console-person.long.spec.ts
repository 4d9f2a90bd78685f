/** A person on one page: its tabs, what an action ends, and taking it back. */
import assert from 'node:assert/strict'
import { appsOf } from '../../src/users/second-factor.ts'
import { aBrowser, aSession, someFactors } from '../storage/records.ts'
import { addUser, type TestService } from '../support/service.ts'
import { button, looksWell, looksWellNow, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

// An undo that comes too late is an answer of the service.
test.use({ expectedErrors: /status of 412/ })

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'This person' }).getByRole('link', { name, exact: true })
const toast = (page: Page, text: string) =>
  page.getByRole('status', { name: 'Messages' }).getByRole('group').filter({ hasText: text })

/** Somebody who is signed in twice, with two apps and a role. */
async function prepare(service: TestService, name: string) {
  const { storage, now } = service
  const user = await addUser(service, name, { roles: ['editor'] })
  const times = { createdAtMs: now(), authenticatedAtMs: now(), lastSeenAtMs: now(), expiresAtMs: now() + 3_600_000 }
  for (const clientAddress of ['192.0.2.1', '192.0.2.2']) {
    const found = await storage.users.findForSignIn({ userId: user.id }, [])
    assert.ok(found)
    const session = aSession(user, { ...times, clientAddress })
    await storage.users.recordSignIn(found, () => ({ outcome: 'in', session, browser: aBrowser(user) }))
  }
  await storage.secondFactors.change(user.id, () => ({ factors: someFactors(user), events: [] }))
  return user
}

test('tabs have addresses, and every one is accessible on a phone and wide', async ({ page, service }) => {
  test.slow()
  const user = await prepare(service, 'tabea')
  await open(page, 'root', `/people/${user.id}`)
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-current', 'page')
  await expect(page.locator('#overview')).toContainText('Authenticator apps')
  await tab(page, 'Ways to sign in').press('Enter')
  await page.waitForURL(`**/people/${user.id}/sign-in`)
  await expect(page).toHaveTitle(/tabea – Ways to sign in/)
  await expect(page.locator('#sessions li')).toHaveCount(2)
  await expect(page.locator('#authenticator-apps')).toContainText('Tablet')
  await page.goBack()
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-current', 'page')
  for (const below of ['', '/sign-in', '/applications', '/roles', '/activity', '/json'])
    for (const scheme of ['light', 'dark'] as const) await looksWell(page, `/people/${user.id}${below}`, scheme)
})

test('a lock says how many sessions it ends, and is taken back with the keyboard', async ({ page, service }) => {
  const user = await prepare(service, 'luzie')
  const stored = () => service.storage.users.find(user.id)
  await open(page, 'root', `/people/${user.id}`)
  await button(page, 'Lock').click()
  const question = page.getByRole('group', { name: 'Lock luzie?' })
  await expect(
    question
      .locator('div')
      .filter({ has: page.getByText('Sessions', { exact: true }) })
      .last(),
  ).toContainText('2')
  await question.getByRole('button', { name: 'Lock' }).click()
  await expect.poll(async () => (await stored())?.disabled).toBe(true)
  await looksWellNow(page, '/people/luzie, locked')
  await toast(page, 'luzie is locked.').getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(toast(page, 'luzie is unlocked.')).toBeVisible()
  expect((await stored())?.disabled).toBe(false)
  await expect(page.locator('.lead')).not.toContainText('locked')
})

test('one authenticator app is removed after a question, and the other stays', async ({ page, service }) => {
  const user = await prepare(service, 'apollonia')
  const apps = async () => appsOf(await service.storage.secondFactors.find(user.id)).map(({ name }) => name ?? null)
  const [before, list] = [await apps(), page.locator('#authenticator-apps')]
  await open(page, 'root', `/people/${user.id}/sign-in`)
  await expect(list.locator('li')).toHaveCount(before.length)
  const tablet = list.locator('li').filter({ hasText: 'Tablet' })
  await tablet.getByRole('button', { name: 'Remove' }).click()
  const question = page.getByRole('group', { name: 'Remove Tablet?' })
  await expect(question).toContainText('Its codes are no longer accepted.')
  await looksWellNow(page, '/people/apollonia/sign-in, asked')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await apps()).toEqual(before)
  await tablet.getByRole('button', { name: 'Remove' }).click()
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'Tablet is removed.')).toBeVisible()
  await expect(list.locator('li')).toHaveCount(before.length - 1)
  expect(await apps()).toEqual(before.filter((name) => name !== 'Tablet'))
})

test('a role is found by what it is for, given, and taken back; a part of a name gives nothing', async ({
  page,
  service,
}) => {
  const user = await prepare(service, 'ronja')
  const roles = async () => (await service.storage.users.find(user.id))?.roles
  await service.storage.roles.create({ name: 'painter', description: 'Paints the walls', createdAtMs: 1 })
  await open(page, 'root', `/people/${user.id}/roles`)
  const field = page.getByRole('combobox', { name: 'Add a role' })
  const options = page.locator('.combobox-list').getByRole('option')
  await field.fill('walls')
  await expect(options).toHaveCount(2)
  await field.press('Enter')
  expect(await roles()).toEqual(['editor'])
  await field.press('ArrowDown')
  await expect(page.locator('.combobox-list').getByRole('option', { selected: true })).toContainText('Paints the walls')
  await looksWellNow(page, '/people/ronja/roles, choosing')
  await field.press('Enter')
  await expect(toast(page, 'Role given: painter.')).toBeVisible()
  expect(await roles()).toEqual(['editor', 'painter'])
  await toast(page, 'Role given: painter.').getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'The change was undone.')).toBeVisible()
  expect(await roles()).toEqual(['editor'])
  await button(page, 'Remove: editor').click()
  await expect(page.getByText('No roles were given to this person.')).toBeVisible()
  expect(await roles()).toEqual([])
})

test('a role that permits administration is given and taken after a question', async ({ page, service }) => {
  const user = await prepare(service, 'runa')
  const roles = async () => (await service.storage.users.find(user.id))?.roles
  await open(page, 'root', `/people/${user.id}/roles`)
  const field = page.getByRole('combobox', { name: 'Add a role' })
  const question = page.locator('.asking')
  const choose = async () => {
    await field.fill('latchkey-viewer')
    await field.press('Enter')
    await expect(question).toContainText('Permits reading in this console.')
  }
  await choose()
  await page.keyboard.press('Escape')
  await expect(field).toBeFocused()
  expect(await roles()).toEqual(['editor'])
  await choose()
  await looksWellNow(page, '/people/runa/roles, asked')
  await question.getByRole('button', { name: 'Give a role' }).click()
  await expect(toast(page, 'Role given: latchkey-viewer.')).toBeVisible()
  expect(await roles()).toEqual(['editor', 'latchkey-viewer'])
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(question).toContainText('Permits reading in this console.')
  expect(await roles()).toEqual(['editor', 'latchkey-viewer'])
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'Role taken away: latchkey-viewer.')).toBeVisible()
  expect(await roles()).toEqual(['editor'])
  await toast(page, 'Role taken away: latchkey-viewer.').getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(page.locator('main h1')).toBeFocused()
})

test('an undo after somebody else has changed the person changes nothing, and says so', async ({ page, service }) => {
  const user = await prepare(service, 'nele')
  await open(page, 'root', `/people/${user.id}`)
  await page.getByLabel('Full name').fill('Nele Neu')
  await button(page, 'Save').click()
  await expect(toast(page, 'Saved.')).toBeVisible()
  await service.storage.users.update(user.id, (one) => ({ ...one, claims: { ...one.claims, name: 'Nele Anders' } }))
  await toast(page, 'Saved.').getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'The change could not be undone.')).toBeVisible()
  expect((await service.storage.users.find(user.id))?.claims.name).toBe('Nele Anders')
})

test('a viewer sees every tab, and nothing to press', async ({ page, service }) => {
  const user = await prepare(service, 'vera')
  await open(page, 'viewer', `/people/${user.id}`)
  await expect(page.locator('#help')).toHaveCount(0)
  for (const below of ['/sign-in', '/applications', '/roles']) {
    await page.goto(`/admin/people/${user.id}${below}`)
    await settled(page)
    await expect(page.locator('main')).toContainText(/Tablet|No application has a stored consent|editor/)
    await expect(page.locator('main').getByRole('button', { name: /Remove|End|Sign out|Revoke|Unlink/ })).toHaveCount(0)
    await expect(page.getByRole('combobox', { name: 'Add a role' })).toHaveCount(0)
  }
})
