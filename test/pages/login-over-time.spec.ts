/**
 * The anti-forgery token is bound to the browser, the signed-in user and time. Whatever happened to them since the page
 * was loaded, nobody meets an empty 400 (specification 4.5, 5.5).
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { expect, expectArrived, loginAddress, loginForm, signIn, test } from './fixtures.ts'

test('a form still works after a sign-in in another tab', async ({ page, context, person }) => {
  await page.goto(loginAddress)
  await expect(loginForm(page).submit).toBeVisible()
  const other = await context.newPage()
  await other.goto(loginAddress)
  await signIn(other, person)
  await expectArrived(other)
  await signIn(page, 'alice')
  await expectArrived(page)
})

test('a form still works after a sign-out in another tab', async ({ page, context, person }) => {
  await page.goto(loginAddress)
  await signIn(page, person)
  await expectArrived(page)
  await page.goto(loginAddress)
  await expect(loginForm(page).submit).toBeVisible()
  const other = await context.newPage()
  await other.goto('/Account/Login')
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(loginForm(other).submit).toBeVisible()
  await signIn(page, person)
  await expectArrived(page)
})

test('a page that nobody sent here notices the sign-in in another tab before it sends anything', async ({
  page,
  context,
  person,
}) => {
  await page.goto('/Account/Login')
  await expect(loginForm(page).submit).toBeVisible()
  const other = await context.newPage()
  await other.goto('/Account/Login')
  await signIn(other, person)
  await expect(other.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
  await signIn(page, 'alice')
  await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(person)
})

test('a form that was open for more than twelve hours still works', async ({ page, service, person }) => {
  await page.clock.install()
  await page.goto(loginAddress)
  await expect(loginForm(page).submit).toBeVisible()
  service.advance(12 * 3600 + 60)
  await page.clock.fastForward('12:01:00')
  await signIn(page, person)
  await expectArrived(page)
})

test('a form still works after the cookies were deleted', async ({ page, context, person }) => {
  await page.goto(loginAddress)
  await expect(loginForm(page).submit).toBeVisible()
  await context.clearCookies()
  await signIn(page, person)
  await expectArrived(page)
})

test('the way back from where one arrived leads to a page that works', async ({ page, person }) => {
  await page.goto(loginAddress)
  await signIn(page, person)
  await expectArrived(page)
  await page.goBack()
  await signIn(page, person)
  await expectArrived(page)
  await page.goBack()
  await page.goForward()
  await expectArrived(page)
})

test('ten tabs opened at once in a browser without cookies can each be used first', async ({ context, service }) => {
  const pages = await Promise.all(Array.from({ length: 10 }, () => context.newPage()))
  await Promise.all(pages.map((page) => page.goto(loginAddress)))
  // Sent beside the pages, so that no tab learns of another's form and renews its token.
  for (const page of pages) {
    const token = page.locator('form[action="/Account/Login"] input[name=__RequestVerificationToken]')
    await expect(token).not.toHaveValue('')
    const form = { username: 'nobody', password: 'none', __RequestVerificationToken: await token.inputValue() }
    const answer = await context.request.post(`${service.issuer}Account/Login`, { form, maxRedirects: 0 })
    expect(answer.status()).toBe(302)
  }
  for (const page of pages) {
    await signIn(page, 'alice')
    await expectArrived(page)
  }
})

test('without a connection the form waits with what was typed, and goes out afterwards', async ({
  page,
  context,
  person,
}) => {
  await page.clock.install()
  await page.goto(loginAddress)
  await expect(loginForm(page).submit).toBeVisible()
  await page.clock.fastForward('10:00')
  await context.setOffline(true)
  await signIn(page, person)
  await expect(page.getByRole('alert')).toContainText('does not answer')
  await expect(loginForm(page).password).toHaveValue('Passw0rd!')
  await expect(loginForm(page).submit).not.toHaveAttribute('aria-busy')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await loginForm(page).submit.click()
  await expectArrived(page)
})
test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED/ })

test('a browser that keeps no cookies is told so', async ({ service, launchOptions }) => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-no-cookies-'))
  await mkdir(join(folder, 'Default'))
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  const context = await chromium.launchPersistentContext(folder, launchOptions)
  const [page = await context.newPage()] = context.pages()
  await page.goto(`${service.issuer}Account/Login`)
  await expect(page.getByRole('alert')).toContainText('does not keep cookies')
  await signIn(page, 'alice')
  await expect(page.getByRole('alert')).toContainText('does not keep cookies')
  await context.close()
  await rm(folder, { recursive: true, force: true })
})
