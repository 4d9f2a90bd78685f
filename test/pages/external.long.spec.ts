/** Signing in with an external provider, in a real browser against a provider that behaves like GitHub (specification 4.7). */
import { expect, expectArrived, loginAddress, loginForm, type Page, testWithProviders as test } from './fixtures.ts'

const email = (page: Page) => page.getByRole('textbox', { name: 'Email' })
const create = (page: Page) => page.getByRole('button', { name: 'Create account' })

/** Somebody at GitHub whom nobody here knows. */
let visitor = 1000

test.beforeEach(async ({ page, external }) => {
  visitor += 1
  external.github.behaviour = 'normal'
  external.github.user = { id: visitor, login: `cat-${visitor}`, name: null, email: null }
  external.github.emails = [{ email: `cat-${visitor}@example.com`, primary: true, verified: true }]
  await page.goto(loginAddress)
})

test('offers a button with its mark for each provider [S4.9.16, S4.9.17, C6.5]', async ({ page }) => {
  const github = page.getByRole('button', { name: 'Continue with GitHub', exact: true })
  const contoso = page.getByRole('button', { name: 'Continue with Contoso Workforce', exact: true })
  await expect(github).toHaveAttribute('name', 'provider')
  await expect(github).toHaveAttribute('value', 'GitHub')
  await expect(contoso).toHaveAttribute('value', 'Contoso')
  await expect(github.locator('svg.mark')).toBeVisible()
  await expect(contoso.locator('svg.icon')).toBeVisible()
})

test('asks whom it does not know to confirm, creates the account and goes on; the second time it just goes on [S1.9, S4.9.10, C6.4]', async ({
  page,
  context,
  external,
}) => {
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`Signed in at GitHubcat-${visitor}@example.com`)
  await expect(email(page)).toHaveValue(`cat-${visitor}@example.com`)
  await expect(email(page)).toHaveAttribute('autocomplete', 'email')
  await create(page).click()
  await expectArrived(page, `cat-${visitor}@example.com`)
  const user = await external.service.storage.users.findByName(`cat-${visitor}@example.com`)
  expect(user?.emailConfirmed).toBe(false)
  await context.clearCookies()
  await page.goto(loginAddress)
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expectArrived(page, `cat-${visitor}@example.com`)
})

test('asks for the address that the provider did not give [C6.4]', async ({ page, external }) => {
  external.github.emails = []
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(email(page)).toHaveValue('')
  await expect(email(page)).toBeFocused()
  await page.keyboard.type(`typed-${visitor}@example.com`)
  await page.keyboard.press('Enter')
  await expectArrived(page, `typed-${visitor}@example.com`)
})

test('keeps what was typed when the address is not one, or belongs to an account (4.7 rules 2 and 6) [C6.7]', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await email(page).fill('not an address')
  await create(page).click()
  await expect(page.getByRole('alert')).toContainText('not a valid email address')
  await expect(email(page)).toHaveValue('not an address')
  await expect(page).not.toHaveURL(/address/)
  await page.reload()
  await expect(email(page)).toHaveValue('not an address')
  await expect(email(page)).toBeFocused()
  await expect(email(page)).toHaveAccessibleDescription(/not a valid email address/)
  await email(page).fill('alice@example.com')
  await create(page).click()
  await expect(page.getByRole('alert')).toContainText('already exists')
  await expect(email(page)).toHaveValue('alice@example.com')
  await email(page).fill('')
  await create(page).click()
  await expect(page.getByRole('alert')).toContainText('not a valid email address')
  await email(page).fill(`free-${visitor}@example.com`)
  await create(page).click()
  await expectArrived(page, `free-${visitor}@example.com`)
})

test('says when the identity has expired after five minutes, and leads back with the ReturnUrl (2.10, 4.9) [S4.9.11, C6.6]', async ({
  page,
  external,
}) => {
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(create(page)).toBeVisible()
  external.service.advance(301)
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('five minutes')
  await page.getByRole('button', { name: 'Back to sign in' }).click()
  await expect(loginForm(page).submit).toBeVisible()
  await expect(page.locator('input[name=ReturnUrl]')).toHaveValue('/Account/Session')
})

test('says so when it expired while the page was open, and keeps where the visitor was going', async ({
  page,
  external,
}) => {
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(create(page)).toBeVisible()
  external.service.advance(301)
  await create(page).click()
  await expect(page.getByRole('alert')).toContainText('five minutes')
  await page.getByRole('button', { name: 'Back to sign in' }).click()
  await expect(page.locator('input[name=ReturnUrl]').first()).toHaveValue('/Account/Session')
})

test('the visitor can turn back instead', async ({ page }) => {
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await page.getByRole('button', { name: 'Back to sign in' }).click()
  await expect(loginForm(page).submit).toBeVisible()
})

test('says that the provider refused', async ({ page, external }) => {
  external.github.behaviour = 'denies'
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(page.getByRole('alert')).toContainText('did not complete the sign-in')
  await expect(page.locator('input[name=ReturnUrl]').first()).toHaveValue('/Account/Session')
})
test.use({ expectedErrors: /status of (404|502)/ })

test('says that the provider answers nonsense, and leads back to the login page [C4.24]', async ({
  page,
  external,
}) => {
  external.github.behaviour = 'nonsense'
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(page.getByRole('heading', { name: 'The other service did not answer' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to sign in' }).click()
  await expect(loginForm(page).submit).toBeVisible()
})

for (const [behaviour, title] of [
  ['no_user', 'The answer of GitHub could not be trusted'],
  ['wrong_code', 'GitHub refused the sign-in'],
] as const) {
  test(`says "${title}", and leads back to the login page`, async ({ page, external }) => {
    external.github.behaviour = behaviour
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`^${title}`))
    await expect(page.getByRole('alert')).toContainText('You were not signed in, and nothing was saved.')
    await page.getByRole('link', { name: 'Go to sign in' }).click()
    await expect(loginForm(page).submit).toBeVisible()
    await expect(page.locator('input[name=ReturnUrl]').first()).toHaveValue('/Account/Session')
  })
}
