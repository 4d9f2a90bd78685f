/** The login page of somebody who is signed in, the choice of an account, and the list of languages. */
import { authorizeAt, expect, expectArrived, loginAddress, loginForm, signIn, signInQuietly, test } from './fixtures.ts'

test.describe('a visitor who is signed in and comes with ReturnUrl', () => {
  test.beforeEach(async ({ page, person }) => signInQuietly(page, person))

  test('goes on as that person, or signs in to another account, with an application and without', async ({
    page,
    person,
    site,
  }) => {
    const forApplication = `/Account/Login?ReturnUrl=${encodeURIComponent(authorizeAt(site))}`
    await page.goto(forApplication)
    await expect(page.getByText('Sign in to continue to Orchard Planner')).toBeVisible()
    await expect(loginForm(page).username).toHaveCount(0)
    await page.getByRole('button', { name: `Continue as ${person}` }).click()
    await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
    await page.goto(forApplication)
    await page.getByRole('button', { name: 'Use another account' }).click()
    await expect(loginForm(page).username).toBeFocused()
    await page.goto(loginAddress)
    await page.getByRole('button', { name: `Continue as ${person}` }).click()
    await expectArrived(page, person)
    await page.goto(`${loginAddress}&other`)
    await page.getByRole('button', { name: 'Use another account' }).click()
    await expect(loginForm(page).username).toBeFocused()
    await expect(loginForm(page).username).toHaveValue('')
    await signIn(page, 'alice')
    await expectArrived(page, 'alice')
  })

  test('is told whose password is asked for, and why', async ({ page, person, site }) => {
    const notice = page.locator('.notice[role=status]')
    await page.goto(authorizeAt(site, { prompt: 'login' }))
    await expect(notice).toHaveText(
      new RegExp(`signed in as ${person}.*Orchard Planner asks you to enter your password`),
    )
    await expect(page.getByText('Sign in to continue to Orchard Planner')).toBeVisible()
    await expect(loginForm(page).username).toHaveValue(person)
    await expect(loginForm(page).password).toBeFocused()
    await page.goto(authorizeAt(site, { claims: '{"id_token":{"sub":{"value":"somebody"}}}' }))
    await expect(notice).toHaveText(/Orchard Planner asks for another account/)
    await expect(loginForm(page).username).toHaveValue('')
    await page.goto(`${loginAddress}&reauthenticate=true`)
    await expect(notice).toHaveText(new RegExp(`signed in as ${person}.*enter your password again`))
    await signIn(page, person)
    await expectArrived(page, person)
  })

  test('chooses an account when the application asks for that', async ({ page, person, site }) => {
    await page.goto(authorizeAt(site, { prompt: 'select_account' }))
    await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('Who wants to continue to Orchard Planner?')
    await page.getByRole('button', { name: `Continue as ${person}` }).click()
    await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
    await page.goto(authorizeAt(site, { prompt: 'select_account', state: 'another' }))
    await page.getByRole('button', { name: 'Use another account' }).click()
    await signIn(page, 'alice')
    await expect(page.getByRole('main')).toContainText('alice')
    await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  })
})

test('the form notices that another tab has signed in, keeps what was typed, and offers to go on', async ({
  page,
  context,
  person,
}) => {
  await page.goto(loginAddress)
  await loginForm(page).username.fill('alice')
  const other = await context.newPage()
  await other.goto(loginAddress)
  await signIn(other, person)
  await expectArrived(other, person)
  await expect(page.locator('.notice[role=status]')).toContainText(`You are signed in as ${person}`)
  await expect(loginForm(page).username).toHaveValue('alice')
  await page.getByRole('button', { name: `Continue as ${person}` }).click()
  await expectArrived(page, person)
})

test.describe('the list of languages', () => {
  test.use({ ownPage: true })

  test('changes the language, keeps what was typed but the password, and the focus', async ({
    page,
    context,
    site,
  }) => {
    await page.goto(authorizeAt(site, { ui_locales: 'en' }))
    await loginForm(page).username.fill('alice@example.com')
    await loginForm(page).password.fill('secret')
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
    await expect(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await expect(page.getByRole('textbox', { name: 'Benutzername' })).toHaveValue('alice@example.com')
    await expect(page.getByLabel('Passwort')).toHaveValue('')
    await expect(page.getByLabel('Sprache')).toBeFocused()
    await expect(page).toHaveTitle('Anmelden · Latchkey')
    const chosen = (await context.cookies()).find(({ name }) => name === 'latchkey.language')
    expect([chosen?.value, chosen?.path, chosen?.sameSite]).toEqual(['de', '/', 'Lax'])
    expect(chosen?.expires).toBeGreaterThan(0)
    await page.goto('/Account/Login')
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  })
})
