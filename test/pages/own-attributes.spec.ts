/** Declared attributes on the pages of people: those that they see in their account, and those that they have to fill in. */
import { addClient } from '../support/service.ts'
import { open } from './account-area.ts'
import { authorizeAt, expect, openLogin, signIn, signInQuietly } from './fixtures.ts'
import { expectFilledIn, filledIn, fillFields, storedOf, testOptional, testRequired } from './own-attributes.ts'

testOptional.describe('other details of an account', () => {
  // A browser reports every value that is refused.
  testOptional.use({ expectedErrors: /status of 400/ })

  testOptional(
    'are shown, edited with a control of their type, and refused beside their field',
    async ({ page, service, person }) => {
      const given = { cost_center: 'C 4', rating: 'A' }
      const { id = '' } = (await service.storage.users.findByName(person)) ?? {}
      await service.storage.users.update(id, (user) => ({ ...user, attributes: given }))
      await signInQuietly(page, person)
      await open(page, '/Profile')
      const details = page.getByRole('region', { name: 'Other details' })
      await expect(details.getByLabel('Cost center')).toHaveValue('C 4')
      await expect(details.getByLabel('Cost center')).toBeDisabled()
      await expect(details).not.toContainText('Rating')

      await fillFields(page, 'it')
      await details.getByRole('button', { name: 'Save' }).click()
      await expect(details.getByLabel('Department')).toHaveAccessibleDescription(/cannot be saved/)
      await expect(details.getByLabel('Department')).toBeFocused()
      await expectFilledIn(page, 'it')
      expect(await storedOf(service, person)).toEqual(given)

      await details.getByLabel('Department').fill('Sales')
      await details.getByRole('button', { name: 'Save' }).click()
      await expect(details.getByRole('status')).toContainText('Your profile is saved')
      expect(await storedOf(service, person)).toEqual({ ...given, ...filledIn('Sales') })
      await open(page, '/Profile')
      await expectFilledIn(page, 'Sales')
    },
  )
})

testRequired.describe('a field that was declared as required', () => {
  testRequired.use({ expectedErrors: /status of 40[01]/ })

  testRequired(
    'is asked for after the sign-in, by keyboard alone, and then the code arrives',
    async ({ page, service, site, person }) => {
      await addClient(service, { id: 'own', consent: 'implicit', redirectUris: [site.callback] })
      await openLogin(page, authorizeAt(site, { client_id: 'own', scope: 'openid' }))
      await signIn(page, person)
      await expect(page.getByRole('heading', { name: 'A few more details' })).toBeVisible()
      await expect(page.getByRole('main')).toContainText(person)

      const { keyboard } = page
      await expect(page.getByLabel('Department')).toBeFocused()
      await keyboard.press('Enter')
      await expect(page.getByLabel('Department')).toHaveAccessibleDescription(/Please fill this in/)
      await expect(page.getByLabel('Department')).toBeFocused()
      await keyboard.type('Sales')
      await keyboard.press('Tab')
      await keyboard.type('17')
      await keyboard.press('Tab')
      await keyboard.press('Tab')
      await keyboard.press('Space')
      await keyboard.press('Tab')
      await keyboard.type('02292024')
      // A date has a place for each of its parts, and a button.
      const isFocused = "document.activeElement.id === 'attribute-on_call'"
      while (!(await page.evaluate(isFocused))) await keyboard.press('Tab')
      await keyboard.press('ArrowDown')
      await keyboard.press('ArrowDown')
      await keyboard.press('Tab')
      await keyboard.press('ArrowDown')
      await keyboard.press('ArrowDown')
      await keyboard.press('Tab')
      await keyboard.type('Blue')
      await keyboard.press('Enter')
      await keyboard.type('Über 9')
      await expectFilledIn(page, 'Sales')
      await keyboard.press('Tab')
      await keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
      expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
      expect(await storedOf(service, person)).toEqual(filledIn('Sales'))
    },
  )
})
