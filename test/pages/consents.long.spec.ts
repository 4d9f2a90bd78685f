/** Applications that an operator gives people to, in the console and on a device: in Chromium, against the real service. */
import { postToken } from '../support/browser.ts'
import { addClient } from '../support/service.ts'
import { button, open, settled, test } from './console.ts'
import { expect, signIn } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

const device = 'urn:ietf:params:oauth:grant-type:device_code'

test('an operator makes an application external, and stores a consent for a person', async ({ page, service }) => {
  const { storage } = service
  await addClient(service, { id: 'payroll' })
  await open(page, 'root', '/applications/payroll')
  await page.getByLabel('Consent of people').selectOption('external')
  await page.getByLabel('Subject identifiers').selectOption('pairwise')
  await page.locator('#application').getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await storage.clients.find('payroll'))?.consent).toBe('external')
  expect((await storage.clients.find('payroll'))?.metadata.subject_type).toBe('pairwise')

  const { id = '' } = (await storage.users.findByName('nobody')) ?? {}
  await page.goto(`/admin/people/${id}`)
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
