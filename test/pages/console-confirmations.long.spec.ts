/** What mends an account where the service sends mail: an address that is asked to be confirmed again, and a factor that did not come. */
import { mailTo, purposesTo } from '../support/mails.ts'
import { addUser, startService, type TestService, testUser } from '../support/service.ts'
import { looksWellNow, open, settled } from './console.ts'
import { test as base, expect, type Page } from './fixtures.ts'

const test = base.extend({
  service: async ({ shared }, use) => {
    const start = async (): Promise<readonly [TestService, () => unknown]> => {
      const service = await startService({ RateLimit__LoginPerMinute: '1000', Mail__Url: 'file:/nowhere' })
      for (const [name, role] of [
        ['root', 'latchkey-admin'],
        ['viewer', 'latchkey-viewer'],
      ] as const)
        await service.storage.users.create(testUser({ name, email: `${name}@example.com`, roles: [role] }))
      return [service, () => service.stop()]
    }
    await use(await shared('a service whose console asks for confirmations', start))
  },
})

test.use({ expectedErrors: /status of 4/ })

const told = (page: Page, text: string) => page.locator('#overview .notice').filter({ hasText: text })
const messages = (page: Page) => page.getByRole('status', { name: 'Messages' })
const label = 'Ask again for a confirmation'

test('a confirmation is asked for with the keyboard, follows from the mail, and is refused once there is one', async ({
  page,
  service,
  browser,
}) => {
  const user = await addUser(service, 'nina', { emailConfirmed: false })
  await open(page, 'root', `/people/${user.id}`)
  await looksWellNow(page, '/people/nina, unconfirmed')
  await told(page, 'not confirmed').getByRole('button', { name: 'Mark as confirmed' }).focus()
  await page.keyboard.press('Tab')
  await expect(told(page, 'not confirmed').getByRole('button', { name: label })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText(`A link to confirm the address goes to ${user.email}.`)
  const { link } = await mailTo(service, user.email, 'email')

  const other = await (await browser.newContext()).newPage()
  await other.goto(new URL(link, service.issuer).href)
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.waitForURL('**/Account/Login*')
  await other.context().close()
  expect((await service.storage.users.find(user.id))?.emailConfirmed).toBe(true)

  // The page still shows what was before.
  await told(page, 'not confirmed').getByRole('button', { name: label }).click()
  await expect(told(page, 'not confirmed')).toContainText('ID9654')
  expect(await purposesTo(service, user.email)).toEqual(['email', 'email_set'])
  await looksWellNow(page, '/people/nina, refused')
})

test('somebody whose factor did not come is told what the sign-in asks for; a viewer presses nothing', async ({
  page,
  service,
}) => {
  const user = await addUser(service, 'nils', { emailConfirmed: false, hadSecondFactor: true })
  await open(page, 'root', `/people/${user.id}`)
  const held = told(page, `a code goes to ${user.email}`)
  await expect(held.getByRole('button', { name: 'Create a reset link' })).toBeVisible()
  await looksWellNow(page, '/people/nils, held')
  await page.emulateMedia({ colorScheme: 'dark' })
  await looksWellNow(page, '/people/nils, held', 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.context().clearCookies()
  await open(page, 'viewer', `/people/${user.id}`)
  await settled(page)
  await expect(held).toBeVisible()
  await expect(page.locator('#overview .notice').getByRole('button')).toHaveCount(0)
})
