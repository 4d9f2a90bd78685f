/** The console on a port of its own that demands a second factor: signing in, once more, and as somebody else. */
import { randomBytes } from 'node:crypto'
import { addUser, freePort, startService, type TestService } from '../support/service.ts'
import { codeAt, enterCode, protect, self } from './account-entry.ts'
import { button, endSession, settled } from './console.ts'
import { test as base, expect, leave, type Page, signIn } from './fixtures.ts'

const port = await freePort()
const own = `http://localhost:${port}`

const test = base.extend({
  service: async ({ shared }, use) => {
    const start = async (): Promise<readonly [TestService, () => unknown]> => {
      const service = await startService({
        Admin__Port: String(port),
        Admin__RequiredAcr: 'mfa',
        RateLimit__LoginPerMinute: '1000',
        Keys__MasterKey: randomBytes(32).toString('base64'),
      })
      for (const name of ['root', 'other', 'weak', 'first', 'second']) {
        await addUser(service, name, { roles: ['latchkey-admin'] })
      }
      return [service, () => service.stop()]
    }
    await use(await shared('service with the console apart', start))
  },
})

// The console's own origin, and that of the issuer.
test.use({ ownPage: true, alsoFrom: own, expectedErrors: /status of 4/ })

/** Lets time go by, for the browser as well: its proofs of possession carry the time (RFC 9449 §4.3). */
async function wait(page: Page, service: TestService, seconds: number): Promise<void> {
  service.advance(seconds)
  await page.context().clock.setSystemTime(service.now())
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('signs in over the issuer, is asked for the second factor that the API demands, and goes on after the session ended', async ({
  page,
  service,
}) => {
  const { secret } = await protect(page, service, 'root')
  await wait(page, service, 0)
  await page.goto(`${own}/admin/scopes/new`)
  await page.waitForURL(`${service.issuer}Account/Login?**`)
  await signIn(page, 'root')
  await page.waitForURL('**/Account/SecondFactor')
  await enterCode(page, codeAt(service, secret))
  await page.waitForURL(`${own}/admin/scopes/new`)
  await settled(page)
  await page.getByLabel('Name', { exact: true }).fill('kept')

  await endSession(page, service, 'root')
  await wait(page, service, 30)
  await button(page, 'Save').click()
  const beside = page.waitForEvent('popup')
  await button(page, 'Sign in again').click()
  const login = await beside
  await login.waitForURL(`${service.issuer}Account/Login?**`)
  // Pressed again, as one does who lost sight of the window: it begins anew there.
  const first = login.url()
  await button(page, 'Sign in again').click()
  await login.waitForURL((url) => url.href !== first && url.pathname === '/Account/Login')
  await signIn(login, 'root')
  await enterCode(login, codeAt(service, secret))
  await expect(page.getByText('You are signed in again')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('kept')
  await button(page, 'Save').click()
  await page.waitForURL('**/admin/scopes/kept')
})

test('a person without a second factor is told what to set up, and may try again', async ({ page, service }) => {
  await wait(page, service, 0)
  await page.goto(`${own}/admin/people`)
  await signIn(page, 'weak')
  await expect(heading(page, 'A stronger sign-in is needed')).toBeVisible()
  expect(await page.getByRole('link', { name: 'Open your account' }).getAttribute('href')).toBe(
    `${service.issuer}account/security`,
  )
  await leave(page, () => button(page, 'Try again').click())
  await expect(heading(page, 'A stronger sign-in is needed')).toBeVisible()
})

test('a second factor that was set up meanwhile is asked for, on a session that began without it', async ({
  page,
  service,
}) => {
  await wait(page, service, 0)
  await page.goto(`${own}/admin/roles`)
  await signIn(page, 'other')
  await expect(heading(page, 'A stronger sign-in is needed')).toBeVisible()
  await page.goto(service.issuer)
  const { secret } = await self<{ secret: string }>(page, '/totp', {})
  await self(page, '/totp/confirm', { code: codeAt(service, secret) })
  await wait(page, service, 30)
  await page.goto(`${own}/admin/roles`)
  await enterCode(page, codeAt(service, secret))
  await page.waitForURL(`${own}/admin/roles`)
  await expect(heading(page, 'Roles')).toBeVisible()
})

test('to another person the page is loaded anew, and shows nothing of the one before', async ({ page, service }) => {
  const { secret } = await protect(page, service, 'first')
  const { secret: next } = await protect(page, service, 'second')
  await wait(page, service, 0)
  await page.goto(`${own}/admin/scopes/new`)
  await signIn(page, 'first')
  await enterCode(page, codeAt(service, secret))
  await page.waitForURL(`${own}/admin/scopes/new`)
  await settled(page)
  await page.getByLabel('Name', { exact: true }).fill('typed by the first')
  await endSession(page, service, 'first')
  await wait(page, service, 30)
  await button(page, 'Save').click()
  const beside = page.waitForEvent('popup')
  await button(page, 'Sign in again').click()
  const login = await beside
  await signIn(login, 'second')
  await enterCode(login, codeAt(service, next))
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  await expect(page.locator('header')).toContainText('second')
})
