/** The way back to the application, on each page between the sign-in page and the answer. */
import { newAttribute } from '../../src/users/attribute-record.ts'
import { addClient, addUser, type TestService } from '../support/service.ts'
import { check } from './accessible.ts'
import { box, button, enterCode, fresh, mailTo, sendRegistration } from './account-entry.ts'
import {
  authorizeAt,
  test as base,
  type ClientSite,
  expect,
  leave,
  openLogin,
  type Page,
  plugInAuthenticator,
  sharedService,
  signIn,
  signInQuietly,
} from './fixtures.ts'

const env = { Accounts__Registration: 'open', Mail__Url: 'file:/nowhere', RateLimit__LoginPerMinute: '1000' }

const testWithRegistration = base.extend({
  service: async ({ shared }, use) => use(await sharedService(shared, 'to leave', env)),
})
const testWithEnrolment = base.extend({
  service: async ({ shared }, use) =>
    use(await sharedService(shared, 'to leave while enrolling', { ...env, Accounts__SecondFactor: 'required' })),
})
const testWithDetails = base.extend({
  service: async ({ shared }, use) => {
    const service = await sharedService(shared, 'to leave with missing details', env)
    const after = { ...newAttribute('department', 0), required: true, editedBy: 'person' as const }
    await service.storage.attributes.change((known) =>
      known.size > 0 ? {} : { changes: [{ name: after.name, after }] },
    )
    await use(service)
  },
})
const testWithProviders = base.extend({
  service: async ({ external }, use) => use(external.service),
})

const backTo = (page: Page) => page.getByTestId('back-to-application')

/** The page leads on to the application that sent the browser here, and back to it on request. */
async function expectWayBack(page: Page, heading: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
  await expect(backTo(page)).toHaveText('Back to Orchard Planner')
  await check(page, 'Back to Orchard Planner')
  await backTo(page).focus()
  await leave(page, () => page.keyboard.press('Enter'))
  await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
  const { searchParams } = new URL(page.url())
  expect(searchParams.get('error')).toBe('access_denied')
  expect(searchParams.get('state')).toBe('state-1')
}

type Place = { page: Page; site: ClientSite; service: TestService; person: string }

const address = (person: string) => `${person}@new.example`

async function register({ page, site, person }: Place, secret = fresh): Promise<void> {
  await openLogin(page, authorizeAt(site))
  await page.getByRole('link', { name: 'Create an account' }).click()
  await box(page, 'Email').fill(address(person))
  await box(page, 'Username').fill(`new-${person}`)
  await box(page, 'New password').fill(secret)
  await sendRegistration(page)
}

async function askForReset({ page, site, person }: Place): Promise<void> {
  await openLogin(page, authorizeAt(site))
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await box(page, 'Email').fill(person)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(box(page, 'Code')).toBeVisible()
}

testWithRegistration.describe('from the pages into an account, and back into one', () => {
  testWithRegistration.use({ ownPage: true })
  // The limits of mails are of an hour.
  testWithRegistration.beforeEach(({ service }) => service.advance(3601))

  testWithRegistration('registration', async ({ page, site }) => {
    await openLogin(page, authorizeAt(site))
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expectWayBack(page, 'Create an account')
  })

  testWithRegistration('the code of a registration', async ({ page, site, service, person }) => {
    await register({ page, site, service, person })
    await expectWayBack(page, 'Confirm your email')
  })

  testWithRegistration('the first passkey', async ({ page, site, service, person }) => {
    await plugInAuthenticator(page)
    await register({ page, site, service, person }, '')
    await enterCode(page, (await mailTo(service, address(person))).code)
    await expect(button(page, 'Add a passkey')).toBeVisible()
    await expectWayBack(page, '')
  })

  testWithRegistration('a forgotten password', async ({ page, site }) => {
    await openLogin(page, authorizeAt(site))
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expectWayBack(page, 'Forgot your password?')
  })

  testWithRegistration('the code of a reset, and the new password', async ({ page, site, service, person }) => {
    await askForReset({ page, site, service, person })
    await expectWayBack(page, 'Check your email')
    service.advance(3601)
    await askForReset({ page, site, service, person })
    const { email } = (await service.storage.users.findByName(person)) ?? {}
    await enterCode(page, (await mailTo(service, email ?? '')).code)
    await expect(button(page, 'Reset password')).toBeVisible()
    await expectWayBack(page, 'new password')
  })

  testWithRegistration('the choice of an account', async ({ page, site, person }) => {
    await signInQuietly(page, person)
    await page.goto(authorizeAt(site, { prompt: 'select_account' }))
    await expectWayBack(page, 'Choose an account')
  })

  testWithRegistration('names an application without a name by its id', async ({ page, site, service }) => {
    await addClient(service, { id: 'nameless-app', name: '', redirectUris: [site.callback] })
    await openLogin(page, authorizeAt(site, { client_id: 'nameless-app' }))
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect(backTo(page)).toHaveText('Back to nameless-app')
  })
})

testWithEnrolment('from the set-up of a second factor', async ({ page, site, person }) => {
  await openLogin(page, authorizeAt(site))
  await signIn(page, person)
  await expect(button(page, 'Set up an authenticator app')).toBeVisible()
  await expectWayBack(page, 'Protect your account')
  expect((await page.context().request.get('/Account/SecondFactorContext')).status()).toBe(401)
})

testWithDetails('from the missing details', async ({ page, site, service }) => {
  await addUser(service, 'incomplete')
  await signInQuietly(page, 'incomplete')
  await page.goto(authorizeAt(site))
  await expect(box(page, 'department')).toBeVisible()
  await expectWayBack(page, 'A few more details')
})

testWithProviders('from the confirmation of an account at a provider', async ({ page, site, external }) => {
  external.github.behaviour = 'normal'
  external.github.user = { id: 31_000, login: 'cat-31000', name: '', email: null }
  external.github.emails = [{ email: 'cat-31000@example.com', primary: true, verified: true }]
  await openLogin(page, authorizeAt(site))
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expectWayBack(page, 'Create your account')
})
