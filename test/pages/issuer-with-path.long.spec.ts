/** The pages of a service whose issuer has a path and whose endpoints have other addresses: they are at the root of the host. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { importKeys } from '../../src/keys/import-keys.ts'
import { readImportedKeys } from '../../src/keys/imported.ts'
import { addUser, freePort, startService, type TestService } from '../support/service.ts'
import { button, open, settled } from './console.ts'
import { test as base, expect } from './fixtures.ts'

const port = await freePort()
const host = `http://localhost:${port}`

const test = base.extend({
  service: async ({ shared }, use) => {
    const start = async (): Promise<readonly [TestService, () => unknown]> => {
      const service = await startService({
        Server__Port: String(port),
        OAuth__Issuer: `${host}/realms/acme`,
        OAuth__EndpointAliases__Preset: 'keycloak',
        RateLimit__LoginPerMinute: '1000',
        Keys__MasterKey: randomBytes(32).toString('base64'),
      })
      const { storage, settings } = service
      const { publicKey } = generateKeyPairSync('ed25519')
      const former = { ...publicKey.export({ format: 'jwk' }), kid: 'former-key' }
      const read = readImportedKeys(JSON.stringify(former))
      if (typeof read === 'string') throw new Error(read)
      await importKeys({ storage, settings, clock: service.now }, read.keys, service.now() + 86_400_000)
      await addUser(service, 'root', { roles: ['latchkey-admin'] })
      return [service, () => service.stop()]
    }
    await use(await shared('service with a path', start))
  },
})

test('an administrator signs in to the console, registers a scope, sees imported keys and signs out', async ({
  page,
}) => {
  await open(page, 'root', '/scopes/new')
  await page.getByLabel('Name', { exact: true }).fill('orders')
  await button(page, 'Save').click()
  await page.waitForURL(`${host}/admin/scopes/orders`)
  await page.goto('/admin/keys')
  await expect(page.getByText('Former system')).toBeVisible()
  await expect(page.getByText('former-key')).toBeVisible()
  // A second sign-in, without showing anything.
  await page.reload()
  await settled(page)
  await page.goto('/account/security')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/connect/logout')
  await button(page, 'Sign out').click()
  // Leaving the page before would leave the sign-out undone.
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  await page.goto('/admin')
  await page.waitForURL('**/Account/Login?**')
})
