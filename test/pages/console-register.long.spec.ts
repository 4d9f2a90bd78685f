import { hashSecret } from '../../src/secrets/opaque.ts'
import { bySecret } from '../support/clients.ts'
import { addClient } from '../support/service.ts'
import { button, looksWellNow, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

for (const scheme of ['light', 'dark'] as const) {
  test(`the choice, the form and the set-up look well on a phone and wide (${scheme})`, async ({ page, service }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await addClient(service, { id: `planner-${scheme}`, name: 'Planner', metadata: { template: 'grafana' } })
    await open(page, 'root', '/applications/new')
    await expect(page.getByRole('link', { name: /Grafana/ })).toBeVisible()
    await looksWellNow(page, 'choice', scheme)
    await page.goto('/admin/applications/new?for=nextjs-authjs')
    await settled(page)
    await looksWellNow(page, 'form', scheme)
    await page.goto('/admin/applications/new?for=own')
    await settled(page)
    await looksWellNow(page, 'form-own', scheme)
    await page.goto(`/admin/applications/planner-${scheme}/setup`)
    await settled(page)
    await expect(page.getByText('grafana.ini')).toBeVisible()
    await expect(page.getByText('/connect/token').first()).toBeVisible()
    await looksWellNow(page, 'setup', scheme)
  })
}

test('an application is registered with the keyboard alone: typed, chosen, named, and its settings have the secret once', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/applications/new')
  await page.getByLabel('Filter by name').focus()
  await page.keyboard.type('auth.js')
  await expect(page.locator('.tiles:not(.apart) a')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: /Next\.js/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/new?for=nextjs-authjs')
  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('Shop')
  await page.keyboard.press('Tab')
  await page.keyboard.type('https://shop.example')
  await page.keyboard.press('Enter')
  await page.waitForURL(/applications\/app-[0-9a-f]+\/setup$/)
  await settled(page)
  const id = page.url().split('/').at(-2) ?? ''
  const client = await service.storage.clients.find(id)
  expect(client).toMatchObject({ name: 'Shop', redirectUris: ['https://shop.example/api/auth/callback/latchkey'] })
  const secret = (await page.locator('#registered pre').textContent()) ?? ''
  expect(secret.length).toBeGreaterThan(20)
  await expect(page.locator('#library')).toContainText(`clientId: "${id}"`)
  await expect(page.locator('#library')).toContainText(secret)
  await page.reload()
  await settled(page)
  await expect(page.locator('#registered')).toHaveCount(0)
  await expect(page.locator('#library')).toContainText('YOUR_CLIENT_SECRET')
  expect(await page.content()).not.toContain(secret)
  await button(page, 'Rotate secret').click()
  await expect(page.locator('#library')).not.toContainText('YOUR_CLIENT_SECRET')
  const [next = ''] = await page.locator('#secret pre').allTextContents()
  await expect(page.locator('#library')).toContainText(next)
})

test('arrows lead through the tiles, and a name that nothing has leaves a way on', async ({ page }) => {
  await open(page, 'root', '/applications/new')
  const filter = page.getByLabel('Filter by name')
  await filter.fill('')
  await filter.press('ArrowDown')
  const tiles = page.locator('.tile')
  await expect(tiles.first()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tiles.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('End')
  await expect(tiles.last()).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await expect(tiles.first()).toBeFocused()
  await filter.fill('cobol')
  await expect(page.getByText('Nothing here has this name.')).toBeVisible()
  await filter.press('Enter')
  await page.waitForURL('**/new?for=own')
  await expect(page.getByLabel('Redirect address')).toBeVisible()
  await page.getByRole('link', { name: 'Choose something else' }).click()
  await page.waitForURL('**/applications/new')
  await page.getByRole('link', { name: 'Machine', exact: true }).click()
  await expect(page.getByLabel('Address of the application')).toHaveCount(0)
})

test('a viewer sees the set-up of an application without a way to a new secret', async ({ page, service }) => {
  await addClient(service, { id: 'wiki', name: 'Wiki', redirectUris: ['https://wiki.example/callback'] })
  await open(page, 'viewer', '/applications/wiki/setup')
  await expect(page.getByRole('heading', { name: 'Endpoints' })).toBeVisible()
  await expect(button(page, 'Rotate secret')).toHaveCount(0)
  await page.getByLabel('Library or product').selectOption({ label: 'Express · express-openid-connect' })
  await expect(page.locator('#library')).toContainText('baseURL: "https://wiki.example"')
})

test('the choice reads from right to left, and the arrows with it', async ({ page }) => {
  await open(page, 'root', '/applications/new')
  await page.locator('footer select').selectOption('ar')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await settled(page)
  await looksWellNow(page, 'choice-ar')
  await page.locator('.tile').first().focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.locator('.tile').nth(1)).toBeFocused()
})

/** Opens the set-up of an application, begins its test and returns the tab that shows what came of it. */
async function tested(page: Page, id: string) {
  await open(page, 'root', `/applications/${id}/setup`)
  const opened = page.context().waitForEvent('page')
  await button(page, 'Test sign-in').click()
  const tab = await opened
  await tab.waitForURL(`**/admin/applications/${id}/test`)
  await settled(tab)
  return tab
}

for (const scheme of ['light', 'dark'] as const) {
  test(`a test sign-in shows the tokens of the application in a new tab, and its settings keep as they were (${scheme})`, async ({
    page,
    service,
  }) => {
    await page.emulateMedia({ colorScheme: scheme })
    const id = `tested-${scheme}`
    await addClient(service, { id, name: 'Tested', consent: 'implicit', scopes: ['demo_api', 'offline_access'] })
    const tab = await tested(page, id)
    await tab.emulateMedia({ colorScheme: scheme })
    await expect(tab.getByText('The sign-in works.')).toBeVisible()
    await expect(tab.getByRole('heading', { name: 'ID token' })).toBeVisible()
    const user = await service.storage.users.findByName('root')
    await expect(tab.getByRole('row', { name: /^sub/ }).first()).toContainText(user?.id ?? '?')
    await expect(tab.getByRole('row', { name: /^amr/ }).first()).toHaveText(/How the person signed in\s*pwd$/)
    await expect(tab.getByRole('row', { name: /^role/ }).first()).toContainText('Roles')
    expect(tab.url()).not.toContain('code=')
    expect(await tab.evaluate("sessionStorage.getItem('latchkey.console.test')")).toBeNull()
    await looksWellNow(tab, 'tested', scheme)
    const client = await service.storage.clients.find(id)
    expect(client?.redirectUris).toEqual(['http://localhost:5081/callback'])
    await tab.reload()
    await settled(tab)
    await expect(tab.getByText('There is no answer of a test here')).toBeVisible()
    await tab.getByRole('link', { name: 'Back to the set-up' }).click()
    await tab.waitForURL(`**/applications/${id}/setup`)
  })
}

test('a test sign-in that is refused says why, and what to change', async ({ page, service }) => {
  await addClient(service, { id: 'outside', name: 'Outside', consent: 'external', scopes: [] })
  const tab = await tested(page, 'outside')
  await expect(tab.getByRole('heading', { name: 'The sign-in was refused' })).toBeVisible()
  await expect(tab.getByText('consent_required')).toBeVisible()
  await expect(tab.getByRole('heading', { name: 'Why, and what to change' })).toBeVisible()
  await expect(tab.getByRole('link', { name: /^ID\d{4}$/ })).toBeVisible()
  await looksWellNow(tab, 'refused')
})

test('a machine gets its test token on the page, a device is told that there is nothing to test, a viewer is asked nothing', async ({
  page,
  service,
}) => {
  const machine = {
    authentication: bySecret(hashSecret('m')),
    grantTypes: ['client_credentials'],
    redirectUris: [],
  } as const
  await addClient(service, { id: 'robot', name: 'Robot', scopes: ['demo_api'], ...machine })
  await addClient(service, {
    id: 'tv',
    name: 'TV',
    grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
    redirectUris: [],
  })
  await open(page, 'root', '/applications/robot/setup')
  await button(page, 'Get a test token').click()
  await expect(page.getByText('This is the token that Robot would get')).toBeVisible()
  await expect(page.getByRole('row', { name: /^client_id/ })).toContainText('robot')
  await looksWellNow(page, 'machine')
  await page.goto('/admin/applications/tv/setup')
  await expect(page.getByText('there is nothing to test here')).toBeVisible()
  await expect(button(page, 'Test sign-in')).toHaveCount(0)
  await page.context().clearCookies()
  await open(page, 'viewer', '/applications/robot/setup')
  await expect(page.getByRole('heading', { name: 'Endpoints' })).toBeVisible()
  await expect(page.locator('#test')).toHaveCount(0)
})

test('an answer that this administrator did not ask for shows nothing', async ({ page, service }) => {
  await addClient(service, { id: 'lured', name: 'Lured', scopes: [] })
  await open(page, 'root', '/applications/lured/test')
  await page.goto('/admin/applications/lured/test?code=stolen&state=forged')
  await settled(page)
  await expect(page.getByText('The test sign-in cannot be ended here.')).toBeVisible()
  expect(page.url()).not.toContain('stolen')
  for (const state of ['', '&state=forged']) {
    await page.goto(`/admin/applications/lured/test?error=access_denied&error_description=Call+555-0100${state}`)
    await settled(page)
    await expect(page.getByText('There is no answer of a test here, or it was shown already.')).toBeVisible()
    await expect(page.getByText('555-0100')).toHaveCount(0)
  }
})
