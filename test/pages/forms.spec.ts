/** What the pages send, whatever they look like (specification 4.5, 4.9). */
import { authorizeParameters } from '../support/browser.ts'
import {
  authorizeAt,
  expect,
  loginAddress,
  loginForm,
  type Page,
  signInQuietly,
  test,
  testWithProviders,
} from './fixtures.ts'

type Sent = {
  readonly address: string
  readonly fields: Readonly<Record<string, string>>
  /** The token in the form is one that `GET /Account/Antiforgery` gave to this page. */
  readonly token: boolean
}

/** Runs `act` and answers with the one form that the browser sent by itself: a navigation, no script's request. */
async function sentBy(page: Page, act: () => Promise<void>, tokens: readonly string[]): Promise<Sent> {
  const waiting = page.waitForRequest((request) => request.method() === 'POST')
  await act()
  const request = await waiting
  expect(request.isNavigationRequest()).toBe(true)
  expect(request.headers()['content-type']).toBe('application/x-www-form-urlencoded')
  // A navigation carries no headers of a page's choice; the header channel is for others (2.7).
  expect(request.headers()).not.toHaveProperty('requestverificationtoken')
  const { __RequestVerificationToken: token = '', ...fields } = Object.fromEntries(
    new URLSearchParams(request.postData() ?? ''),
  )
  const { pathname, search } = new URL(request.url())
  return { address: pathname + search, fields, token: tokens.includes(token) }
}

/** The anti-forgery tokens that the page fetches from now on. Read on the way: a form leaves as soon as it has one. */
async function watchTokens(page: Page): Promise<string[]> {
  const tokens: string[] = []
  await page.route('**/Account/Antiforgery', async (route) => {
    const response = await route.fetch()
    tokens.push(((await response.json()) as { token: string }).token)
    await route.fulfill({ response })
  })
  return tokens
}

test.describe('the browser itself posts, with a token that the page fetched first (4.5, 4.9 rule 4):', () => {
  test.use({ ownPage: true })

  test('the login form [S1.10, S2.7.3, S2.7.4, S4.5.3, S4.6.6, S4.9.5, S4.9.18]', async ({ page, person }) => {
    const tokens = await watchTokens(page)
    await page.goto('/Account/Login?ReturnUrl=%2FAccount%2FSession%3Fa%3D1')
    const form = loginForm(page)
    await form.username.fill(person)
    await form.password.fill('Passw0rd!')
    await form.rememberMe.check()
    expect(await sentBy(page, () => form.submit.click(), tokens)).toEqual({
      address: '/Account/Login',
      fields: { ReturnUrl: '/Account/Session?a=1', username: person, password: 'Passw0rd!', rememberMe: 'true' },
      token: true,
    })
  })

  for (const [button, field, value] of [
    ['Allow', 'submit.Accept', 'Yes'],
    ['Deny', 'submit.Deny', 'No'],
  ] as const) {
    test(`the consent form, by the button ${button} [S1.10, S4.5.3, S4.9.8, S4.9.18, C6.2]`, async ({
      page,
      person,
      site,
    }) => {
      const tokens = await watchTokens(page)
      await signInQuietly(page, person)
      await page.goto(authorizeAt(site))
      const click = () => page.getByRole('button', { name: button }).click()
      expect(await sentBy(page, click, tokens)).toEqual({
        address: '/connect/authorize',
        fields: { ...authorizeParameters({ client_id: 'orchard', redirect_uri: site.callback }), [field]: value },
        token: true,
      })
    })
  }

  test('the form of the logout confirmation [S1.10, S4.5.3, S4.9.9, S4.9.18, C6.3]', async ({ page, person, site }) => {
    const tokens = await watchTokens(page)
    await signInQuietly(page, person)
    const fields = { client_id: 'orchard', post_logout_redirect_uri: site.signedOut, state: 's', extra: 'kept' }
    await page.goto(`/connect/logout?${new URLSearchParams(fields)}`)
    const click = () => page.getByRole('button', { name: 'Sign out' }).click()
    expect(await sentBy(page, click, tokens)).toEqual({
      address: '/connect/logout',
      fields: { ...fields, Confirm: 'Yes' },
      token: true,
    })
  })
})

testWithProviders.describe('with external providers', () => {
  testWithProviders.use({ ownPage: true })

  testWithProviders(
    'the button of a provider and the account confirmation post as well [S1.10, S4.5.3, S4.7.12, S4.9.6, S4.9.10, S4.9.18]',
    async ({ page, external }) => {
      external.github.behaviour = 'normal'
      external.github.user = { id: 777_001, login: 'form-cat', name: null, email: null }
      external.github.emails = [{ email: 'form-cat@example.com', primary: true, verified: true }]
      const tokens = await watchTokens(page)
      await page.goto(loginAddress)
      const choose = () => page.getByRole('button', { name: 'Continue with GitHub' }).click()
      expect(await sentBy(page, choose, tokens)).toEqual({
        address: `/Account/ExternalLogin?returnUrl=${encodeURIComponent('/Account/Session')}`,
        fields: { provider: 'GitHub' },
        token: true,
      })
      const create = page.getByRole('button', { name: 'Create account' })
      await expect(create).toBeVisible()
      expect(await sentBy(page, () => create.click(), tokens)).toEqual({
        address: '/Account/ExternalLoginRegister',
        fields: { ReturnUrl: '/Account/Session', email: 'form-cat@example.com' },
        token: true,
      })
    },
  )

  testWithProviders(
    'a provider without a display name is offered by its name (4.9 rule 3) [S4.9.17]',
    async ({ page }) => {
      await page.route('**/Account/ExternalProviders', (route) =>
        route.fulfill({ json: [{ name: 'Fabrikam', displayName: '' }, { name: 'Tailspin' }] }),
      )
      await page.goto('/Account/Login')
      await expect(page.getByRole('button', { name: 'Continue with Fabrikam', exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Continue with Tailspin', exact: true })).toBeVisible()
    },
  )

  testWithProviders(
    'the account confirmation has words for every error code (contract 4) [S7.20, C4.5]',
    async ({ page, external }) => {
      external.github.behaviour = 'normal'
      external.github.user = { id: 777_002, login: 'word-cat', name: null, email: null }
      await page.goto(loginAddress)
      await page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible()
      for (const [code, words] of Object.entries({
        email_invalid: /not a valid email address/,
        email_in_use: /already exists/,
        external_login_in_use: /belongs to another account/,
        registration_failed: /could not be created, and nothing was saved/,
      })) {
        await page.goto(`/Account/ExternalLoginConfirm?returnUrl=%2F&error=${code}`)
        await expect(page.getByRole('alert')).toHaveText(words)
      }
    },
  )
})

test('without a provider the login page offers none (4.9 rule 3) [S4.9.16]', async ({ page }) => {
  const answered = page.waitForResponse('**/Account/ExternalProviders')
  await page.goto('/Account/Login')
  expect(await (await answered).json()).toEqual([])
  await expect(loginForm(page).submit).toBeVisible()
  await expect(page.getByRole('button', { name: /^Continue with/ })).toHaveCount(0)
})
