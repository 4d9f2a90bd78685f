/** The pages of an application in the console: what each kind has, what is said while one types, and what people see of it. */
import { hashSecret } from '../../src/secrets/opaque.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, addUser } from '../support/service.ts'
import { applicationTab, button, looksWellNow, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

const day = 86_400_000
const authentication = bySecret(hashSecret('of nobody'))
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Pages of the application' }).getByRole('link')

test('each kind of application shows what it has, and nothing else', async ({ page, service }) => {
  await addClient(service, { id: 'server', authentication })
  await addClient(service, { id: 'spa', authentication: { method: 'none' } })
  await addClient(service, {
    ...{ id: 'machine', authentication, grantTypes: ['client_credentials'] },
    ...{ redirectUris: [], postLogoutRedirectUris: [] },
  })
  await open(page, 'root', '/applications/server')
  const all = ['Settings', 'Set-up', 'Addresses', 'Tokens', 'Consent and branding', 'Secrets and keys', 'Who uses it']
  await expect(tabs(page)).toHaveText(all)
  await page.goto('/admin/applications/spa')
  await settled(page)
  await expect(tabs(page)).toHaveText(all.filter((name) => name !== 'Secrets and keys'))
  await expect(page.getByLabel('Its own roles')).toHaveCount(0)
  await page.goto('/admin/applications/machine')
  await settled(page)
  await expect(tabs(page)).toHaveText(['Settings', 'Set-up', 'Tokens', 'Secrets and keys', 'Who uses it'])
  await expect(page.getByLabel('Its own roles')).toBeVisible()
  await applicationTab(page, 'Tokens')
  await expect(page.getByLabel('Lifetime of access tokens')).toBeVisible()
  await expect(page.getByLabel('Lifetime of ID tokens')).toHaveCount(0)
  await expect(page.getByLabel('Subject identifiers')).toHaveCount(0)
  await expect(page.locator('#preview')).toHaveCount(0)
  await applicationTab(page, 'Who uses it')
  await expect(page.locator('#people')).toHaveCount(0)
  // An address of a page that it does not have leads to what it is.
  await page.goto('/admin/applications/machine/addresses')
  await settled(page)
  await expect(page.locator('#application')).toBeVisible()
  await expect(page.getByLabel('Redirect address')).toHaveCount(0)
})

test('addresses are looked at while they are typed, and a refused one says so at its field', async ({
  page,
  service,
}) => {
  await addClient(service, { id: 'shop', redirectUris: ['https://shop.example/cb'] })
  await open(page, 'root', '/applications/shop/addresses')
  const field = page.getByLabel('Redirect address')
  const found = page.locator('.checked-field', { has: field }).getByRole('listitem')
  await field.fill(
    'https://shop.example/cb http://shop.example/cb http://127.0.0.1:3000/cb com.example.app:/cb https://shop.example/*',
  )
  await expect(found).toHaveText([
    'https://shop.example/cb Encrypted, and named in full.',
    'http://shop.example/cb Not encrypted: anybody on the network path can read what is sent there.',
    'http://127.0.0.1:3000/cb This machine only: for development.',
    /^com\.example\.app:\/cb Opens an app on the device\./,
    /must not end in \*/,
  ])
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toBeFocused()
  await field.fill('https://shop.example/cb#part')
  await expect(found).toHaveText(/must not have a fragment/)
  await field.fill('javascript:alert(1)')
  await button(page, 'Save').click()
  await expect(page.locator('.fault')).toContainText('must not have the scheme javascript:')
  await field.fill('https://shop.example/cb\nhttps://shop.example/other')
  const origins = page.getByLabel('Web origins')
  await origins.fill('https://shop.example/path')
  const fault = page.locator('.fault').filter({ hasText: 'must be an origin such as' })
  await expect(fault).toHaveCount(1)
  await origins.fill('+')
  await expect(fault).toHaveCount(0)
  await page.getByLabel('Address that begins a sign-in').fill('https://shop.example/login')
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'is saved' })).toBeVisible()
  expect(await service.storage.clients.find('shop')).toMatchObject({
    redirectUris: ['https://shop.example/cb', 'https://shop.example/other'],
    metadata: { web_origins: ['+'], initiate_login_uri: 'https://shop.example/login' },
  })
})

test('what is typed stays on the other pages of the application, is asked about before it is lost, and saved by itself', async ({
  page,
  service,
}) => {
  await addClient(service, { id: 'kept', name: 'Kept', authentication })
  await open(page, 'root', '/applications/kept')
  await page.getByLabel('Name', { exact: true }).fill('Kept better')
  await applicationTab(page, 'Tokens')
  await expect(tabs(page).first()).toHaveText('Settings not saved')
  await page.getByLabel('Lifetime of access tokens').fill('5400')
  await expect(page.getByText('= 90 minutes.')).toBeVisible()
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'Kept is saved' })).toBeVisible()
  expect(await service.storage.clients.find('kept')).toMatchObject({
    name: 'Kept',
    metadata: { access_token_lifetime: 5400 },
  })
  await page.getByRole('link', { name: 'People' }).click()
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(asked).toBeVisible()
  await expect(page).toHaveURL(/\/applications\/kept\/tokens$/)
  await asked.getByRole('button', { name: 'Stay' }).click()
  await applicationTab(page, 'Settings')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Kept better')
  await page.getByRole('link', { name: 'People' }).click()
  await asked.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/admin/people')
  await page.goto('/admin/applications/kept')
  await settled(page)
  await page.getByLabel('Name', { exact: true }).fill('Kept at last')
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'Kept at last is saved' })).toBeVisible()
  // Those of this change alone are set back, as the service has them now.
  const stored = () => service.storage.clients.find('kept')
  expect((await stored())?.name).toBe('Kept at last')
  await button(page, 'Undo').click()
  await expect(page.getByText('The change was undone.')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Kept')
  expect(await stored()).toMatchObject({ name: 'Kept', metadata: { access_token_lifetime: 5400 } })
  // What somebody else has changed since then is not touched.
  await page.getByLabel('Name', { exact: true }).fill('Kept once more')
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'Kept once more is saved' })).toBeVisible()
  await service.storage.clients.update('kept', (client) => ({ ...client, name: 'By another' }))
  await button(page, 'Undo').click()
  await expect(page.getByText('The change could not be undone', { exact: false })).toBeVisible()
  expect((await stored())?.name).toBe('By another')
  await page.getByRole('link', { name: 'People' }).click()
  await page.waitForURL('**/admin/people')
})

test('the pictures of the sign-in page and of the consent page follow what is typed', async ({ page, service }) => {
  await addClient(service, { id: 'seen', name: 'Seen', consent: 'explicit', scopes: ['demo_api'] })
  await open(page, 'root', '/applications/seen/branding')
  const signIn = page.locator('.picture').first()
  const consent = page.locator('.picture').last()
  await expect(signIn).toContainText('Sign in to continue to Seen')
  await page.getByLabel('Name', { exact: true }).fill('Seen anew')
  await expect(signIn).toContainText('Sign in to continue to Seen anew')
  await expect(consent).toContainText('Seen anew would like')
  await expect(consent).toContainText('Demo API')
  await expect(consent).not.toContainText('Privacy policy')
  await page.getByLabel('Privacy policy').fill('https://seen.example/privacy')
  await page.getByLabel('Contacts').fill('help@seen.example')
  await expect(consent).toContainText('Privacy policy')
  await expect(consent).toContainText('help@seen.example')
  // The title and the fields of the page itself stay what they are.
  await expect(page).toHaveTitle(/^Seen\b(?! anew)/)
  expect(await page.locator('.picture').first().getAttribute('inert')).not.toBeNull()
  await page.getByLabel('Consent of people').selectOption('implicit')
  await expect(page.getByText('Nobody is asked for consent.')).toBeVisible()
  await expect(page.locator('.picture')).toHaveCount(1)
  await page.getByLabel('Consent of people').selectOption('explicit')
  await page.getByLabel('Add a language').selectOption('de')
  await page.getByLabel('Name (German)').fill('Gesehen')
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'Seen anew is saved' })).toBeVisible()
  expect(await service.storage.clients.find('seen')).toMatchObject({
    name: 'Seen anew',
    metadata: { policy_uri: 'https://seen.example/privacy', localized: { 'client_name#de': 'Gesehen' } },
  })
  await page.locator('footer select').selectOption('de')
  await expect(signIn).toContainText('Gesehen')
})

test('who uses it is shown by the day, as a table and by person, and a viewer sees no button', async ({
  page,
  service,
}) => {
  await addClient(service, { id: 'used', name: 'Used', scopes: ['demo_api'], authentication })
  const wanda = await addUser(service, 'wanda')
  const consent = { id: 'consent-of-wanda', userId: wanda.id, clientId: 'used', scopes: ['openid'] }
  await service.storage.authorizations.store({ ...consent, createdAtMs: service.now() })
  const today = Math.floor(service.now() / day) * day
  const counted = { clientId: 'used', signIns: 3, tokens: 8 }
  await service.storage.statistics.add([], [{ ...counted, startsAtMs: today, lastAtMs: today + 1 }])
  await open(page, 'viewer', '/applications/used/usage')
  await expect(page.locator('#usage .chart')).toHaveText([/^Sign-ins 3/, /^Tokens issued 8/])
  await page.getByText('Show as table').click()
  await expect(page.locator('#usage tbody tr').first().getByRole('cell')).toHaveText(['3', '8'])
  await expect(page.locator('#usage tbody tr')).toHaveCount(30)
  await expect(page.locator('#people').getByRole('link')).toHaveText(/wanda.*1 consent/)
  await expect(page.locator('#people').getByRole('link')).toHaveAttribute('href', `/admin/people/${wanda.id}`)
  for (const name of ['Settings', 'Addresses', 'Tokens', 'Consent and branding', 'Secrets and keys']) {
    await applicationTab(page, name)
    await expect(page.getByRole('button', { name: /Save|Rotate|Delete|Add|Show preview/ })).toHaveCount(0)
  }
})

for (const scheme of ['light', 'dark'] as const) {
  test(`no page of an application has a violation that axe finds (${scheme})`, async ({ page, service }) => {
    const id = `axe-${scheme}`
    await addClient(service, { id, name: 'Axe', consent: 'explicit', scopes: ['demo_api'], authentication })
    await page.emulateMedia({ colorScheme: scheme })
    await open(page, 'root', `/applications/${id}`)
    for (const tab of ['', '/addresses', '/tokens', '/branding', '/secrets', '/usage']) {
      await page.goto(`/admin/applications/${id}${tab}`)
      await settled(page)
      if (tab === '/addresses')
        await page.getByLabel('Redirect address').fill('http://shop.example/cb https://shop.example/*')
      if (tab === '/usage') await page.getByText('Show as table').click()
      await looksWellNow(page, `/applications/${id}${tab}`, scheme)
    }
    await page.goto(`/admin/applications/${id}`)
    await settled(page)
    await page.getByLabel('Name', { exact: true }).fill('Typed')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('link', { name: 'People' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await looksWellNow(page, `/applications/${id}/leaving`, scheme)
  })
}
