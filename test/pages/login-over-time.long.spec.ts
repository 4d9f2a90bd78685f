/**
 * The anti-forgery token is bound to the browser, the signed-in user and time. Whatever happened to them since the page
 * was loaded, nobody meets an empty 400 (specification 4.5, 5.5).
 */
import {
  antiforgeryField,
  expect,
  expectArrived,
  loginAddress,
  loginForm,
  openLogin,
  signIn,
  test,
} from './fixtures.ts'

test('a form still works after a sign-in in another tab', async ({ page, context, person }) => {
  await openLogin(page)
  const other = await context.newPage()
  await other.goto(loginAddress)
  await signIn(other, person)
  await expectArrived(other, person)
  await signIn(page, 'alice')
  await expectArrived(page, 'alice')
})

test('a form still works after a sign-out in another tab', async ({ page, context, person }) => {
  await page.goto(loginAddress)
  await signIn(page, person)
  await expectArrived(page, person)
  await openLogin(page)
  const other = await context.newPage()
  await other.goto('/Account/Login')
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(loginForm(other).submit).toBeVisible()
  await signIn(page, person)
  await expectArrived(page, person)
})

test.describe('before it sends anything', () => {
  // Who types is still waiting for the form when the test ends.
  test.use({ ownPage: true })

  test('a page that nobody sent here notices the sign-in in another tab before it sends anything', async ({
    page,
    context,
    person,
  }) => {
    await openLogin(page, '/Account/Login')
    const other = await context.newPage()
    await other.goto('/Account/Login')
    await signIn(other, person)
    await expect(other.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
    // The form goes when the page notices: while somebody types, or at the latest when it would be sent.
    void signIn(page, 'alice').catch(() => {})
    await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText(person)
  })
})

test.describe('without the cookies that the page had', () => {
  // The browser reports the refusal when the page asks for the passkey options with a cookie that has just gone; the page
  // asks again with a new one.
  test.use({ expectedErrors: /status of 400/ })

  test('a form still works after the cookies were deleted', async ({ page, context, person }) => {
    await openLogin(page)
    await context.clearCookies()
    await signIn(page, person)
    await expectArrived(page, person)
  })

  test('passkeys are asked for again when the cookie has gone in between', async ({ page, context }) => {
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().includes('/Account/PasskeyOptions')) statuses.push(response.status())
    })
    await page.route('**/Account/PasskeyOptions**', async (route) => {
      if (statuses.length === 0) await context.clearCookies()
      await route.fallback()
    })
    await openLogin(page)
    await expect.poll(() => statuses).toEqual([400, 200])
  })
})

test('the way back from where one arrived leads to a page that works [C4.15]', async ({ page, person }) => {
  await page.goto(loginAddress)
  await signIn(page, person)
  await expectArrived(page, person)
  await page.goBack()
  await signIn(page, person)
  await expectArrived(page, person)
  await page.goBack()
  await page.goForward()
  await expectArrived(page, person)
})

test('ten tabs opened at once in a browser without cookies can each be used first', async ({ context }) => {
  const pages = await Promise.all(Array.from({ length: 10 }, () => context.newPage()))
  // As far away as a server is, so that the tabs really ask at the same moment.
  const distant = { offline: false, latency: 100, downloadThroughput: -1, uploadThroughput: -1 }
  const sessions = await Promise.all(pages.map((page) => context.newCDPSession(page)))
  await Promise.all(sessions.map((session) => session.send('Network.emulateNetworkConditions', distant)))
  await Promise.all(pages.map((page) => openLogin(page)))
  await Promise.all(sessions.map((session) => session.detach()))
  // Sent beside the pages, so that no tab learns of another's form and renews its token.
  for (const page of pages) {
    const form = { username: 'nobody', __RequestVerificationToken: await antiforgeryField(page).inputValue() }
    const answer = await context.request.post('/Account/Login', { form, maxRedirects: 0 })
    expect(answer.headers().location).toContain('error=invalid_credentials')
  }
  const [first] = pages
  if (!first) throw new Error('no tab')
  await signIn(first, 'alice')
  await expectArrived(first, 'alice')
})

test('a browser that keeps no cookies is told so, and sends nothing', async ({ page, context }) => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  await openLogin(page)
  await expect(page.getByRole('alert')).toContainText('does not store cookies')
  await signIn(page, 'alice')
  await expect(page.getByRole('alert')).toContainText('does not store cookies')
  await expect(loginForm(page).submit).not.toHaveAttribute('aria-busy')
  await expect(page).toHaveURL(loginAddress)
  await devtools.detach()
})

test.describe('with a clock that the test moves', () => {
  test.use({ ownPage: true, expectedErrors: /ERR_INTERNET_DISCONNECTED/ })

  test('a form that was open for more than twelve hours still works [S4.9.20, C4.15]', async ({
    page,
    service,
    person,
  }) => {
    await page.clock.install()
    await openLogin(page)
    service.advance(12 * 3600 + 60)
    await page.clock.fastForward('12:01:00')
    await signIn(page, person)
    await expectArrived(page, person)
  })

  test('without a connection the form waits with what was typed, and goes out afterwards', async ({
    page,
    context,
    person,
  }) => {
    await page.clock.install()
    await openLogin(page)
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
    await expectArrived(page, person)
  })
})
