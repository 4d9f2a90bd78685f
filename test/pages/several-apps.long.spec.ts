/** Several authenticator apps of one person on the security page: in Chromium, against the real service. */
import { noSecondFactors, withApps } from '../../src/users/second-factor.ts'
import { open, test } from './account-area.ts'
import { expect, signInQuietly } from './fixtures.ts'

test.use({ ownPage: true })

test('authenticator apps from another system are listed, and one is removed', async ({ page, person, service }) => {
  await signInQuietly(page, person)
  const { id = '' } = (await service.storage.users.findByName(person)) ?? {}
  const app = (name: string) => ({ sealedSecret: `sealed ${name}`, sinceMs: service.now(), lastStep: 0, name })
  await service.storage.secondFactors.change(id, ({ factors }) => ({
    factors: withApps(factors ?? noSecondFactors(id), [app('Phone'), app('Tablet')]),
  }))
  await open(page, '/Security')
  const apps = page.locator('#authenticator')
  await expect(apps.getByText('Phone', { exact: true })).toBeVisible()
  await apps.getByRole('button', { name: 'Remove', exact: true }).last().click()
  await expect(apps.getByText('Remove this authenticator app?')).toBeVisible()
  await apps.getByRole('button', { name: 'Remove', exact: true }).last().click()
  await expect(page.getByRole('status').filter({ hasText: 'An authenticator app was removed' })).toBeVisible()
  await expect(apps.getByText('Tablet')).toHaveCount(0)
  await expect(apps.getByRole('button', { name: 'Turn off', exact: true })).toBeVisible()
})
