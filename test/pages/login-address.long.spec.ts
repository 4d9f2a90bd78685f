/** The login page in a real browser: what its address keeps, and where it leads (specification 4.6, 4.9). */
import {
  expect,
  expectArrived,
  leave,
  loginAddress,
  loginForm,
  type Page,
  signIn,
  signInQuietly,
  test,
} from './fixtures.ts'

test.describe('what was typed', () => {
  /** Every address that the back button or the history of this tab could show. */
  async function historyOf(page: Page): Promise<string> {
    const devtools = await page.context().newCDPSession(page)
    const { entries } = await devtools.send('Page.getNavigationHistory')
    await devtools.detach()
    return entries.map(({ url, userTypedURL, title }) => [url, userTypedURL, title].join(' ')).join('\n')
  }

  test('does not stay in the address and the history after a refused sign-in (4.6) [S4.9.3]', async ({
    page,
    person,
  }) => {
    await page.goto(loginAddress)
    await loginForm(page).rememberMe.check()
    await signIn(page, ` ${person} `, 'wrong')
    await expect(page.getByRole('alert')).toContainText('not correct')
    await expect(page).toHaveURL(`${loginAddress}&error=invalid_credentials&rememberMe=true`)
    expect(await historyOf(page)).not.toContain(person)
    // Browsers list the address under which a page was loaded, whatever it makes of that afterwards.
    expect(await page.evaluate('performance.getEntriesByType("navigation")[0].name')).not.toContain(person)
    expect(await page.evaluate('JSON.stringify(history.state)')).toBe('null')
    await expect(loginForm(page).username).toHaveValue(person)
    await expect(loginForm(page).password).toBeFocused()

    await page.reload()
    await expect(loginForm(page).username).toHaveValue(person)
    await expect(page.getByRole('alert')).toContainText('not correct')
    await expect(loginForm(page).rememberMe).toBeChecked()
    expect(await historyOf(page)).not.toContain(person)

    await leave(page, () => signIn(page, `${person}@example.com`, 'wrong'))
    await expect(loginForm(page).username).toHaveValue(`${person}@example.com`)
    await signIn(page, `${person}@example.com`)
    await expectArrived(page, person)
    await page.goto('/Account/Login?ReturnUrl=%2Felsewhere')
    await expect(loginForm(page).username).toHaveValue('')
    await page.goto(`${loginAddress}&error=invalid_credentials&rememberMe=true`)
    await expect(loginForm(page).username).toHaveValue('')
    expect(await historyOf(page)).not.toContain(person)
  })

  test('is taken out of any address of the page, and nothing else is', async ({ page }) => {
    for (const [query, kept, value] of [
      ['?username=alice', '', 'alice'],
      ['?USERNAME=a%26b%3Dc&ReturnUrl=%2Fx%3Fa%3D1%26username%3Dz', '?ReturnUrl=%2Fx%3Fa%3D1%26username%3Dz', 'a&b=c'],
      ['?x=%zz&username=&username=second&y#part', '?x=%zz&y#part', ''],
      ['?error=invalid_credentials', '?error=invalid_credentials', ''],
    ] as const) {
      await page.goto(`/Account/Login${query}`)
      await expect(loginForm(page).username).toHaveValue(value)
      await expect(page).toHaveURL(`/Account/Login${kept}`)
    }
  })

  test('is prefilled although the tab can keep nothing', async ({ page }) => {
    await page.addInitScript(`Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('denied') } })`)
    await page.goto(`${loginAddress}&error=invalid_credentials&username=somebody`)
    await expect(loginForm(page).username).toHaveValue('somebody')
    await expect(page).toHaveURL(`${loginAddress}&error=invalid_credentials`)
    await page.reload()
    await expect(loginForm(page).username).toHaveValue('')
  })
  test.use({ ownPage: true })
})

test.describe('ReturnUrl', () => {
  test('is found under either spelling and followed (4.9) [S4.9.2]', async ({ page, person }) => {
    await page.goto('/Account/Login?returnUrl=%2FAccount%2FSession%3Fa%3D1%26b%3D%252F')
    await signIn(page, person)
    await expect(page).toHaveURL('/Account/Session?a=1&b=%2F')
  })

  const strangers = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
  ]
  test('becomes / when it leads elsewhere (4.9, 5.6) [S4.9.4]', async ({ page, person }) => {
    for (const stranger of strangers) {
      await page.goto(`/Account/Login?ReturnUrl=${encodeURIComponent(stranger)}`)
      await expect(page.locator('input[name=ReturnUrl]')).toHaveValue('/')
    }
    await signIn(page, person)
    await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
    await expect(page).toHaveURL('/Account/Login')
  })
})

test.describe('a visitor who is signed in and comes without ReturnUrl', () => {
  test.beforeEach(async ({ page, person }) => {
    await signInQuietly(page, person)
    await page.goto('/Account/Login')
    await expect(page.getByRole('main')).toContainText(person)
  })

  test('reads who is signed in, and can sign out [C4.31]', async ({ page, context }) => {
    await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(loginForm(page).submit).toBeVisible()
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('latchkey.session')
  })

  test('goes on to the account', async ({ page }) => {
    await page.getByRole('link', { name: 'Open your account' }).click()
    await expect(page).toHaveURL('/Account')
  })

  test('can sign in as someone else', async ({ page }) => {
    await page.getByRole('link', { name: 'Sign in as someone else' }).click()
    await signIn(page, 'alice')
    await expect(page.getByRole('main')).toContainText('alice')
  })
})
