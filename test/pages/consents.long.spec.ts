/** Applications that an operator gives people to, in the console and on a device: in Chromium, against the real service. */
import { postToken } from '../support/browser.ts'
import { addClient } from '../support/service.ts'
import { applicationTab, button, looksWellNow, open, settled, test } from './console.ts'
import { expect, signIn } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

const device = 'urn:ietf:params:oauth:grant-type:device_code'

test('an operator makes an application external, and stores a consent for a person', async ({ page, service }) => {
  const { storage } = service
  await addClient(service, { id: 'payroll' })
  await open(page, 'root', '/applications/payroll/branding')
  await page.getByLabel('Consent of people').selectOption('external')
  await page.locator('#branding').getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await storage.clients.find('payroll'))?.consent).toBe('external')
  await applicationTab(page, 'Tokens')
  await page.getByLabel('Subject identifiers').selectOption('pairwise')
  await page.locator('#tokens').getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await storage.clients.find('payroll'))?.metadata.subject_type).toBe('pairwise')

  const { id = '' } = (await storage.users.findByName('nobody')) ?? {}
  await page.goto(`/admin/people/${id}/applications`)
  await settled(page)
  const consents = page.locator('#authorizations')
  await consents.getByLabel('Client ID').fill('payrol')
  await consents.getByRole('button', { name: 'Store consent' }).click()
  await expect(consents.getByText('There is no client payrol.')).toBeVisible()
  await consents.getByLabel('Client ID').fill('payroll')
  await consents.getByLabel('Scopes').fill('openid demo_api')
  await consents.getByRole('button', { name: 'Store consent' }).click()
  await expect
    .poll(async () => (await storage.authorizations.list(id)).map(({ scopes }) => scopes))
    .toEqual([['demo_api', 'openid']])
  await expect(consents.getByText('demo_api openid')).toBeVisible()
  await consents.getByRole('button', { name: 'Revoke' }).click()
  await consents.getByRole('button', { name: 'Revoke' }).last().click()
  await expect.poll(async () => (await storage.authorizations.list(id)).length).toBe(0)
})

test('the page for devices says that a person has no access', async ({ page, service }) => {
  await addClient(service, { id: 'till', consent: 'external', grantTypes: [device], redirectUris: [] })
  const begun = await postToken(service, { client_id: 'till', scope: 'openid' }, {}, 'connect/device')
  await page.goto(`/Account/Device?${new URLSearchParams({ user_code: begun.body.user_code })}`)
  await page.waitForURL('**/Account/Login?**')
  await signIn(page, 'nobody')
  await expect(page.getByText('You have no access to this application.')).toBeVisible()
  await expect(button(page, 'Allow')).toHaveCount(0)
})

test('an operator sets default scopes, what gives refresh tokens, a lifetime and a sector, and is told what is refused', async ({
  page,
  service,
}) => {
  const { storage } = service
  await addClient(service, { id: 'moved', scopes: ['demo_api', 'profile'] })
  const metadata = async () => (await storage.clients.find('moved'))?.metadata
  await open(page, 'root', '/applications/moved')
  const settings = page.locator('#application')
  const form = page.locator('#tokens')
  const save = form.getByRole('button', { name: 'Save' })
  const byDefault = settings.getByRole('group', { name: 'Scopes without being asked for' })
  // Only what the application is permitted can be chosen.
  await expect(byDefault.getByRole('checkbox')).toHaveCount(2)
  await byDefault.getByLabel('demo_api').check()
  await settings.getByRole('group', { name: 'Scopes', exact: true }).getByLabel('demo_api').uncheck()
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(byDefault.getByText('holds demo_api, which scope does not permit the client')).toBeVisible()
  await settings.getByRole('group', { name: 'Scopes', exact: true }).getByLabel('demo_api').check()
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await metadata())?.default_scopes).toEqual(['demo_api'])

  await applicationTab(page, 'Tokens')
  await form.getByLabel('Lifetime of ID tokens').fill('soon')
  await form.getByLabel('Scope for refresh tokens').selectOption('openid')
  await expect(form.getByLabel('Address of the sector')).toHaveCount(0)
  await form.getByLabel('Subject identifiers').selectOption('pairwise')
  await form.getByLabel('Address of the sector').fill('https://127.0.0.1/sector.json')
  await save.click()
  await expect(form.getByLabel('Lifetime of ID tokens')).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Lifetime of ID tokens').fill('600')
  await save.click()
  await expect(form.getByText('could not be read')).toBeVisible()
  expect((await metadata())?.refresh_token_scope).toBe('offline_access')
  for (const scheme of ['light', 'dark'] as const) await looksWellNow(page, '/applications/moved/tokens', scheme)

  await form.getByLabel('Address of the sector').fill('')
  await save.click()
  await expect.poll(async () => (await metadata())?.refresh_token_scope).toBe('openid')
  expect(await metadata()).toMatchObject({
    default_scopes: ['demo_api'],
    id_token_lifetime: 600,
    subject_type: 'pairwise',
    sector_identifier_uri: null,
  })
  await expect(form.getByLabel('Lifetime of ID tokens')).toHaveValue('600')
  await form.getByLabel('Lifetime of ID tokens').fill('')
  await save.click()
  await expect.poll(async () => (await metadata())?.id_token_lifetime).toBe(null)
})
