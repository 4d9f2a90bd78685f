/** Fields that an operator declared: on the registration, on the consent page, and as they look in both themes, on a phone and mirrored. */
import { addClient, testScope } from '../support/service.ts'
import { axeFor } from './accessible.ts'
import { open } from './account-area.ts'
import { box, button, enterCode, fillRegistration, mailTo, sendRegistration } from './account-entry.ts'
import { authorizeAt, expect, leave, openLogin, type Page, signIn, signInQuietly } from './fixtures.ts'
import { expectFilledIn, filledIn, fillFields, storedOf, testOptional, testRequired } from './own-attributes.ts'

/** Chooses the language as people do, on the page for sign-ins. */
async function choose(page: Page, language: string): Promise<void> {
  await openLogin(page)
  await leave(page, () => page.getByLabel('Language').selectOption(language))
}

/** Nothing that axe finds in either theme, and nothing that has to be scrolled sideways, on a phone, wide and mirrored. */
async function expectWell(page: Page, name: string): Promise<void> {
  const { PICTURES } = process.env
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const { violations } = await axeFor(page, colorScheme).analyze()
      expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      if (PICTURES) await page.screenshot({ path: `${PICTURES}${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 320, height: 640 })
  for (const dir of ['rtl', 'ltr']) {
    await page.evaluate(`document.documentElement.dir = '${dir}'`)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 720 })
}

testRequired.describe('a registration with required fields', () => {
  testRequired.use({ ownPage: true, expectedErrors: /status of 40[01]/ })
  testRequired.beforeEach(({ service }) => service.advance(3601))

  testRequired(
    'keeps what was typed when one of them is refused, and the account has it all',
    async ({ page, service, person }) => {
      const name = `new-${person}`
      await fillRegistration(page, `${name}@example.com`, name)
      await button(page, 'Create account').click()
      await expect(page.getByLabel('Department')).toBeFocused()
      await expect(page.getByLabel('Department')).toHaveAccessibleDescription(/Please fill this in/)
      await expect(page.getByRole('group', { name: 'Diets' })).toHaveAccessibleDescription(/Please fill this in/)
      await expectWell(page, 'register-missing')

      await fillFields(page, 'it')
      await box(page, 'New password').fill('kT7-vw2q-new')
      await button(page, 'Create account').click()
      await expect(page.getByLabel('Department')).toHaveAccessibleDescription(/cannot be saved/)
      await expect(page.getByLabel('Department')).toBeFocused()
      await expect(page.getByLabel('Desk')).not.toHaveAttribute('aria-invalid')
      await expect(box(page, 'Email')).toHaveValue(`${name}@example.com`)
      await expectFilledIn(page, 'it')
      expect(page.url()).not.toContain('2024')

      await page.getByLabel('Department').fill('Sales')
      await expect(page.getByText('cannot be saved')).toHaveCount(0)
      await box(page, 'New password').fill('kT7-vw2q-new')
      await sendRegistration(page)
      await enterCode(page, (await mailTo(service, `${name}@example.com`)).code)
      await page.waitForURL('**/Account/Session')
      expect(await storedOf(service, name)).toEqual(filledIn('Sales'))
    },
  )

  testRequired('leads to the boxes of a list of which none is chosen', async ({ page, person }) => {
    await fillRegistration(page, `${person}@example.org`, `other-${person}`)
    await fillFields(page, 'Sales')
    await page.getByLabel('Without nuts').uncheck()
    await button(page, 'Create account').click()
    await expect(page.getByLabel('Vegan')).toBeFocused()
    await expect(page.getByRole('group', { name: 'Diets' })).toHaveAccessibleDescription(/Please fill this in/)
  })
})

testRequired.describe('the page for what is missing', () => {
  testRequired.use({ ownPage: true, expectedErrors: /status of 40[01]/ })
  const complete = '/Account/Complete?ReturnUrl=%2FAccount%2FSession'

  testRequired('names the person, and looks well', async ({ page, person }) => {
    await signInQuietly(page, person)
    await page.goto(complete)
    await expect(page.getByLabel('Department')).toBeFocused()
    await expect(page.getByRole('main')).toContainText(`Signed in as${person}`)
    await expectWell(page, 'complete')
    await button(page, 'Continue').click()
    await expect(page.getByText('Please fill this in.')).toHaveCount(7)
    await expectWell(page, 'complete-missing')
  })

  testRequired(
    'keeps what was typed when one value is refused, and asks for what is required by then',
    async ({ page, service, person }) => {
      await signInQuietly(page, person)
      await page.goto(complete)
      await fillFields(page, 'it')
      await button(page, 'Continue').click()
      await expect(page.getByLabel('Department')).toHaveAccessibleDescription(/cannot be saved/)
      await expectFilledIn(page, 'it')
      await page.getByLabel('Department').fill('Sales')
      await button(page, 'Continue').click()
      await page.waitForURL('**/Account/Session')
      expect(await storedOf(service, person)).toEqual(filledIn('Sales'))
      await page.goto(complete)
      await page.waitForURL('**/Account/Session')
    },
  )

  testRequired(
    'comes after a sign-in without an application, and leads on to the account',
    async ({ page, service, person }) => {
      await openLogin(page, '/Account/Login?ReturnUrl=%2FAccount%2FSecurity')
      await signIn(page, person)
      await expect(page.getByRole('heading', { name: 'A few more details' })).toBeVisible()
      await fillFields(page, 'Sales')
      await leave(page, () => button(page, 'Continue').click())
      await page.waitForURL('**/Account/Security')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await storedOf(service, person)).toEqual(filledIn('Sales'))
    },
  )

  testRequired('mirrored for Arabic', async ({ page, person }) => {
    await choose(page, 'ar')
    await signInQuietly(page, person)
    await page.goto(complete)
    await expect(page.getByLabel('القسم')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expectWell(page, 'complete-arabic')
  })
})

testOptional.describe('other details', () => {
  testOptional.use({ ownPage: true })

  testOptional('look well in the account', async ({ page, service, person }) => {
    const { id = '' } = (await service.storage.users.findByName(person)) ?? {}
    const attributes = { cost_center: 'C 4', ...filledIn('Sales') }
    await service.storage.users.update(id, (user) => ({ ...user, attributes }))
    await signInQuietly(page, person)
    await open(page, '/Profile')
    await expectFilledIn(page, 'Sales')
    await expectWell(page, 'profile')
  })

  testOptional(
    'are named by their labels on the consent page, with what a scope is for, in German',
    async ({ page, service, site, person }) => {
      await service.storage.scopes.create(
        testScope('work', {
          displayName: 'Work details',
          purposes: { '': 'To book a desk for you.', de: 'Um einen Arbeitsplatz für Sie zu buchen.' },
          claims: [
            { claim: 'department', from: 'attribute:department', in: ['userinfo'], as: 'auto' },
            { claim: 'cost', from: 'attribute:rating', in: ['access_token'], as: 'auto' },
            { claim: 'born', from: 'claim:birthdate', in: ['access_token'], as: 'auto' },
            { claim: 'desk.roles', from: 'roles:desks', in: ['access_token'], as: 'auto' },
          ],
        }),
      )
      await addClient(service, { id: 'desks', name: 'Desks', redirectUris: [site.callback], scopes: ['work'] })
      await choose(page, 'de')
      await signInQuietly(page, person)
      await page.goto(authorizeAt(site, { client_id: 'desks', scope: 'openid work' }))
      const asked = page.getByRole('listitem').filter({ hasText: 'Work details' })
      await expect(asked).toContainText('Um einen Arbeitsplatz für Sie zu buchen.')
      await expect(asked).toContainText('Gibt weiter: Abteilung')
      await expect(asked).toContainText('Geburtsdatum, Rollen')
      // What operators alone see is named as well.
      await expect(asked).toContainText('Rating')
      await expectWell(page, 'consent')
      await page.getByRole('button', { name: 'Erlauben' }).click()
      await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
    },
  )
})
