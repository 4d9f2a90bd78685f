/** A new installation is set up in the browser, from the address that the program prints to the console. */
import { randomBytes } from 'node:crypto'
import { offerSetUp } from '../../src/server/set-up.ts'
import { startService, type TestService } from '../support/service.ts'
import { settled } from './console.ts'
import { test as base, expect } from './fixtures.ts'

const test = base.extend({
  service: async ({ shared }, use) => {
    const start = async (): Promise<readonly [TestService, () => unknown]> => {
      const service = await startService({}, { isNew: true })
      return [service, () => service.stop()]
    }
    await use(await shared('a new installation', start))
  },
})

test('the first administrator creates an account and is in the console', async ({ page, service }) => {
  const { settings, storage, now: clock } = service
  const offer = await offerSetUp({ settings, storage, clock, random: randomBytes })
  const { pathname, search, hash } = new URL(offer?.address ?? '')
  await page.goto(pathname + search + hash)
  await expect(page.getByRole('heading', { name: 'Set up this service' })).toBeVisible()
  // The token is on no screen, and in no address that a browser remembers or sends on.
  expect(page.url()).not.toContain('token')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Create the administrator account' })).toBeVisible()
  const email = page.getByRole('textbox', { name: 'Email' })
  await expect(email).toBeFocused()
  await page.keyboard.type('nonsense')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This does not look like an email address.')).toBeVisible()
  await email.fill('ada@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('ada')
  await page.getByRole('textbox', { name: 'New password' }).fill('kT7-vw2q-new')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/')
  await settled(page)
  await expect(page.getByText('ada', { exact: true }).first()).toBeVisible()
  // The address once more.
  await page.goto(pathname + search + hash)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This address has expired or was used before')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to sign in' })).toBeVisible()
})
