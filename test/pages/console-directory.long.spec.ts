/** What is known about people, and what applications get of it: each task once, in Chromium, against the real service. */
import { button, looksWell, open, settled, test } from './console.ts'
import { expect } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

test('a department gets into the access token by two forms', async ({ page }) => {
  await open(page, 'root', '/attributes')
  await page.getByRole('link', { name: 'Add attribute' }).click()
  await page.getByLabel('Name', { exact: true }).fill('email')
  await page.getByLabel('Label').fill('Department')
  await button(page, 'Save').click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(page.getByLabel('Label')).toHaveValue('Department')
  await page.getByLabel('Name', { exact: true }).fill('department')
  await button(page, 'Save').click()
  await page.waitForURL('**/admin/attributes/department')
  await settled(page)
  await page.getByText('Show as command').click()

  await page.goto('/admin/scopes/demo_api')
  await settled(page)
  await page.getByLabel('Claim', { exact: true }).fill('department')
  await page.getByLabel('Value', { exact: true }).selectOption({ label: 'Department' })
  await page.getByLabel('Access token').check()
  await button(page, 'Add claim').click()
  await expect(page.getByRole('status').filter({ hasText: 'demo_api is saved' })).toBeVisible()

  await page.goto('/admin/people')
  await page.getByRole('link', { name: 'nobody' }).click()
  await settled(page)
  await page.getByLabel('Department').fill('Sales')
  await page.locator('#attributes').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()

  await page.goto('/admin/applications/demo')
  await settled(page)
  await page.getByLabel('Username of the person').fill('nobody')
  await button(page, 'Show preview').click()
  await expect(page.locator('#preview')).toContainText('"department": "Sales"')
  await expect(page.locator('#preview')).toContainText('attribute:department')
})

test('an attribute that a claim uses is deleted with it, once both are named', async ({ page, service }) => {
  await open(page, 'root', '/attributes')
  await page.getByRole('link', { name: 'Add attribute' }).click()
  await page.getByLabel('Name', { exact: true }).fill('team')
  await button(page, 'Save').click()
  await page.waitForURL('**/admin/attributes/team')
  await page.goto('/admin/scopes/demo_api')
  await settled(page)
  await page.getByLabel('Claim', { exact: true }).fill('team')
  await page.getByLabel('Value', { exact: true }).selectOption({ label: 'team' })
  await button(page, 'Add claim').click()
  await expect(page.getByRole('status').filter({ hasText: 'demo_api is saved' })).toBeVisible()

  await page.goto('/admin/attributes/team')
  await settled(page)
  await button(page, 'Delete').click()
  await page.getByLabel('Type team to confirm').fill('team')
  await button(page, 'Delete').click()
  await expect(page.getByText('demo_api')).toBeVisible()
  await button(page, 'Delete with these claims').click()
  await page.getByLabel('Type team to confirm').fill('team')
  await button(page, 'Delete with these claims').click()
  await page.waitForURL('**/admin/attributes')
  const [scope] = await service.storage.scopes.findMany(['demo_api'])
  expect(JSON.stringify(scope)).not.toContain('attribute:team')
})

test('a group gives its members a role, and their page says where it comes from', async ({ page }) => {
  await open(page, 'root', '/groups')
  await page.getByRole('link', { name: 'Add group' }).click()
  await page.getByLabel('Name', { exact: true }).fill('staff')
  await page.getByLabel('Roles').fill('employee')
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { level: 1, name: '/staff' })).toBeVisible()
  await page.goto('/admin/groups/new')
  await settled(page)
  await page.getByLabel('Name', { exact: true }).fill('berlin')
  await page.getByLabel('Parent group').selectOption({ label: '/staff' })
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { level: 1, name: '/staff/berlin' })).toBeVisible()

  await page.getByLabel('New member').fill('somebody else')
  await button(page, 'Add member').click()
  await expect(page.getByText('Nobody has the username somebody else.')).toBeVisible()
  await page.getByLabel('New member').fill('nobody')
  await button(page, 'Add member').click()
  await expect(page.getByRole('status').filter({ hasText: 'nobody is in the group now' })).toBeVisible()
  await page.getByRole('link', { name: 'nobody' }).click()
  await settled(page)
  await expect(page.locator('#roles')).toContainText('employee from /staff')

  await page.goBack()
  await settled(page)
  await button(page, 'Remove').click()
  await button(page, 'Remove').click()
  await expect(page.getByRole('status').filter({ hasText: 'nobody is no longer in the group' })).toBeVisible()

  await page.goto('/admin/groups')
  await page.getByRole('link', { name: '/staff', exact: false }).first().click()
  await settled(page)
  await button(page, 'Delete').click()
  await page.getByLabel('Type staff to confirm').fill('staff')
  await button(page, 'Delete').click()
  await page.waitForURL('**/admin/groups')
  await expect(page.getByRole('link', { name: /staff/ })).toHaveCount(0)
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the pages of attributes and groups look well on a phone and wide (${scheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await open(page, 'root', '/attributes')
    for (const below of [
      '/attributes',
      '/attributes/new',
      '/groups',
      '/groups/new',
      '/roles/new',
      '/scopes/demo_api',
    ]) {
      await looksWell(page, below, scheme)
    }
  })
}
