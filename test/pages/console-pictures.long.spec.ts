/** The console's pictures of the sign-in page have what that page has in this installation. */
import type { Locator } from '@playwright/test'
import type { FakeGithub } from '../support/fake-github.ts'
import { addClient, testUser } from '../support/service.ts'
import { test as base, open, settled } from './console.ts'
import { expect, type Page, sharedGithub, sharedService } from './fixtures.ts'

const test = base.extend<{ github: FakeGithub }>({
  github: async ({ shared }, use) => use(await sharedGithub(shared, 'of pictures')),
  service: async ({ shared, github }, use) => {
    const env = { Accounts__Registration: 'open', Mail__Url: 'file:/nowhere', RateLimit__LoginPerMinute: '1000' }
    await use(await sharedService(shared, 'with every way to sign in', { ...env, ...github.env }))
  },
})
const bare = base.extend({
  service: async ({ shared }, use) => {
    const env = { Accounts__Passkeys: 'off', RateLimit__LoginPerMinute: '1000' }
    await use(await sharedService(shared, 'without passkeys', env))
  },
})
for (const each of [test, bare]) each.use({ ownPage: true })

/** Buttons and links of a sign-in page, in order. Whether the password can be read is for scripts. */
async function waysOf(place: Locator): Promise<string[]> {
  const found = await place.locator('button, .ways a').allInnerTexts()
  return found.map((text) => text.trim()).filter((text) => text !== '')
}

async function waysOfPage(page: Page, least: number): Promise<string[]> {
  await page.goto('/Account/Login')
  await expect(page.locator('.card .ways a').first()).toBeVisible()
  await expect.poll(async () => (await waysOf(page.locator('main.card'))).length).toBeGreaterThanOrEqual(least)
  return waysOf(page.locator('main.card'))
}

test('pictures offer the passkey, the link to register and the providers, as the page does', async ({
  page,
  service,
}) => {
  await service.storage.users.create(testUser({ name: 'root', email: 'root@example.com', roles: ['latchkey-admin'] }))
  await addClient(service, { id: 'shop', name: 'Shop' })
  const ways = await waysOfPage(page, 5)
  expect(ways).toContain('Sign in with a passkey')
  expect(ways).toContain('Create an account')
  expect(ways.at(-1)).toBe('Continue with GitHub')
  await open(page, 'root', '/branding')
  const pictures = page.locator('.brand-preview .card')
  await expect(pictures).toHaveCount(2)
  for (const at of [0, 1]) expect(await waysOf(pictures.nth(at))).toEqual(ways)
  // Nothing in a picture takes the focus or a name of the form beside it.
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
  expect(ids.length).toBe(new Set(ids).size)
  await page.goto('/admin/applications/shop/branding')
  await settled(page)
  expect(await waysOf(page.locator('.page-picture').first().locator('.card'))).toEqual(ways)
})

bare('pictures leave out what this installation does not offer', async ({ page, service }) => {
  await service.storage.users.create(testUser({ name: 'root', email: 'root@example.com', roles: ['latchkey-admin'] }))
  const ways = await waysOfPage(page, 2)
  expect(ways).toEqual(['Sign in', 'Forgot password?'])
  await open(page, 'root', '/branding')
  expect(await waysOf(page.locator('.brand-preview .card').first())).toEqual(ways)
})
