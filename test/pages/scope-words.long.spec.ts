/** Scopes in the person's language: on the consent page, and in the list of applications of the account. */
import { standardScopes as all } from '../../src/protocol/scope/scope-registration.ts'
import { addClient, testScope } from '../support/service.ts'
import { axeFor } from './accessible.ts'
import { authorizeAt, expect, signInQuietly, test } from './fixtures.ts'

// The service of these tests has a scope of this name with words of its own.
const standardScopes = all.filter(({ name }) => name !== 'roles')

test.use({ locale: 'de-DE', ownPage: true })

test('standard scopes and those of an operator are in German', async ({ service, page, site, person }) => {
  const { storage } = service
  for (const one of standardScopes) await storage.scopes.create(testScope(one.name, one))
  await storage.scopes.create(testScope('groups'))
  const localized = { 'display_name#de': 'Ihre Bestellungen', 'description#de': 'Lesen und ändern' }
  await storage.scopes.create(testScope('orders', { displayName: 'Your orders', description: 'All', localized }))
  const scopes = ['offline_access', ...standardScopes.map(({ name }) => name), 'groups', 'orders']
  await addClient(service, { id: 'worded', redirectUris: [site.callback], scopes })
  await signInQuietly(page, person)
  await page.goto(authorizeAt(site, { client_id: 'worded', scope: ['openid', ...scopes].join(' ') }))
  const list = page.getByRole('main').getByRole('list').first()
  await expect(list.getByRole('listitem')).toHaveCount(scopes.length + 1)
  for (const words of ['Ihr Profil sehen', 'Ihre Gruppen sehen', 'Ihre Bestellungen', 'Lesen und ändern']) {
    await expect(list).toContainText(words)
  }
  for (const { displayName, description } of standardScopes) {
    await expect(list).not.toContainText(displayName as string)
    await expect(list).not.toContainText(description as string)
  }
  await expect(list).not.toContainText('Your orders')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await axeFor(page, colorScheme).analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
  }
  await page.locator('button[name="submit.Accept"]').click()
  await expect(page).not.toHaveURL(/Consent|authorize/)
  await page.goto(`${service.issuer}Account/Applications`)
  await expect(page.getByRole('main')).toContainText('Ihre Bestellungen')
  await expect(page.getByRole('main')).toContainText('Ihr Profil sehen')
})
