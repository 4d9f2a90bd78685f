/** The login page in a real browser: what it shows and how it is used (specification 4.6, 4.9, 7). */
import { expect, expectArrived, loginAddress, loginForm, signIn, test } from './fixtures.ts'

test.describe('the form', () => {
  test('has the labels and roles that scripts and password managers look for [C6.1]', async ({ page }) => {
    await page.goto('/Account/Login')
    const { username, password, rememberMe, submit } = loginForm(page)
    await expect(username).toHaveAttribute('autocomplete', 'username webauthn')
    await expect(username).toHaveAttribute('name', 'username')
    await expect(username).toHaveAttribute('autocapitalize', 'none')
    await expect(password).toHaveAttribute('autocomplete', 'current-password')
    await expect(password).toHaveAttribute('name', 'password')
    await expect(password).toHaveAttribute('type', 'password')
    await expect(rememberMe).not.toBeChecked()
    await expect(submit).toHaveAttribute('type', 'submit')
    await expect(username).toBeFocused()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('is what / leads to (4.9) [S4.9.1]', async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveURL('/Account/Login')
    await expect(loginForm(page).submit).toBeVisible()
  })

  test('can be used with the keyboard alone [S4.6.5]', async ({ page, context, person }) => {
    await page.goto(loginAddress)
    await expect(loginForm(page).username).toBeFocused()
    await page.keyboard.type(person)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Passw0rd!')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Show characters' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(loginForm(page).rememberMe).toBeChecked()
    await page.keyboard.press('Tab')
    await expect(loginForm(page).submit).toBeFocused()
    await page.keyboard.press('Enter')
    await expectArrived(page, person)
    const session = (await context.cookies()).find(({ name }) => name === 'latchkey.session')
    expect(session?.expires).toBeGreaterThan(0)
  })

  test('is sent by Enter in the password box, as a session of this browser only (4.6) [S4.6.5, S5.1.2]', async ({
    page,
    context,
    person,
  }) => {
    await page.goto(loginAddress)
    await loginForm(page).username.fill(person)
    await loginForm(page).password.fill('Passw0rd!')
    await page.keyboard.press('Enter')
    await expectArrived(page, person)
    const session = (await context.cookies()).find(({ name }) => name === 'latchkey.session')
    expect(session?.expires).toBe(-1)
  })

  test('shows the characters of the password on demand, and hides them again when it is sent', async ({ page }) => {
    await page.goto(loginAddress)
    const { password } = loginForm(page)
    await password.fill('Passw0rd!')
    await page.getByRole('button', { name: 'Show characters' }).click()
    await expect(password).toHaveAttribute('type', 'text')
    await loginForm(page).username.fill('nobody')
    const type = page.evaluate(
      `new Promise((resolve) => addEventListener('submit', () => setTimeout(() => resolve(password.type))))`,
    )
    // Answered with nothing to show, so that the page stays.
    await page.route('**/Account/Login', (route) => route.fulfill({ status: 204 }))
    // The form leaves a moment after the click; until then the test is not over.
    const left = page.waitForResponse('**/Account/Login')
    await loginForm(page).submit.click()
    expect(await type).toBe('password')
    await left
  })
  test.use({ expectedErrors: /net::ERR_FAILED/ })
})

test.describe('a refused sign-in', () => {
  test('says so, keeps name and choice, and puts the cursor where the mistake is (4.6) [S4.6.10, S4.9.3]', async ({
    page,
    person,
  }) => {
    await page.goto(loginAddress)
    await loginForm(page).rememberMe.check()
    await signIn(page, person, 'wrong')
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('The username or password is not correct.')
    const { username, password, rememberMe } = loginForm(page)
    await expect(username).toHaveValue(person)
    await expect(password).toBeFocused()
    await expect(password).toHaveValue('')
    await expect(password).toHaveAttribute('aria-invalid', 'true')
    await expect(password).toHaveAccessibleDescription(/is not correct/)
    await expect(rememberMe).toBeChecked()
    await password.fill('Passw0rd!')
    await page.keyboard.press('Enter')
    await expectArrived(page, person)
  })

  test('does not tick the box that was left alone', async ({ page, person }) => {
    await page.goto(loginAddress)
    await signIn(page, person, 'wrong')
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(loginForm(page).rememberMe).not.toBeChecked()
  })

  const texts = {
    invalid_credentials: /username or password is not correct/,
    external_provider_error: /other service did not complete the sign-in/,
    external_login_unavailable: /has expired/,
    account_locked: /account is locked/,
    account_not_allowed: /may not sign in yet/,
    external_login_failed: /sign-in with the other service failed/,
    'made-up': /The sign-in failed\. Please try again/,
    constructor: /The sign-in failed\. Please try again/,
  }
  test('has words for every error code (7), and for one it does not know [S4.9.3, S4.9.21, S7.19, C6.7]', async ({
    page,
  }) => {
    for (const [code, words] of Object.entries(texts)) {
      await page.goto(`/Account/Login?ReturnUrl=%2F&error=${code}`)
      await expect(page.getByRole('alert')).toHaveText(words)
      await expect(loginForm(page).username).toBeFocused()
    }
  })
})

test.describe('who is named', () => {
  test('may be named by the e-mail address, and with blanks around it, as the page says', async ({ page, person }) => {
    await page.goto(loginAddress)
    await expect(loginForm(page).username).toHaveAccessibleDescription('or email address')
    await signIn(page, `  ${person.toUpperCase()}@Example.com `)
    await expectArrived(page, person)
  })
})

test('while the answer is awaited the button shows it without being disabled, and a repeat is held back (4.9 rule 4) [S4.9.19, S4.9.20]', async ({
  page,
  person,
}) => {
  await page.goto(loginAddress)
  let posts = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') posts += 1
  })
  // In the page, because a locator waits for the navigation that the first submit begins.
  await page.evaluate(`addEventListener('submit', ({ defaultPrevented, submitter }) => {
    const seen = JSON.parse(sessionStorage.seen ?? '[]')
    const busy = submitter.getAttribute('aria-busy')
    sessionStorage.seen = JSON.stringify([...seen, { defaultPrevented, busy, disabled: submitter.disabled }])
    if (seen.length < 2) setTimeout(() => submitter.click())
  })`)
  await signIn(page, person)
  await expectArrived(page, person)
  expect(await page.evaluate('JSON.parse(sessionStorage.seen)')).toEqual([
    { defaultPrevented: false, busy: 'true', disabled: false },
    { defaultPrevented: true, busy: 'true', disabled: false },
    { defaultPrevented: true, busy: 'true', disabled: false },
  ])
  expect(posts).toBe(1)
})

test('without scripts the page says what it needs', async ({ browser, service }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: service.issuer })
  const page = await context.newPage()
  await page.goto('/Account/Login')
  await expect(page.locator('noscript p')).toBeVisible()
  await context.close()
})
