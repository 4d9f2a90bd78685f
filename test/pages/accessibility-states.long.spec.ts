/** The states of the pages that `accessibility.spec.ts` leaves out, in both themes, on a phone and a desktop. */
import { AxeBuilder } from '@axe-core/playwright'
import { postToken } from '../support/browser.ts'
import { addClient } from '../support/service.ts'
import { checkStates, expectNoSidewaysScrolling, opened, type State, signedIn, tags } from './accessible.ts'
import { authorizeAt, expect, signInQuietly, test, testWithProviders } from './fixtures.ts'

const states: Readonly<Record<string, State>> = {
  'login, signed in': signedIn('/Account/Login', 'Sign in as someone else'),
  'login, loading': async (page, { person }) => {
    await signInQuietly(page, person)
    await page.route('**/Account/LoginContext*', () => {})
    await page.goto('/Account/Login')
    return 'Loading…'
  },
  'login, going on as somebody': async (page, { person, site }) => {
    await signInQuietly(page, person)
    await page.goto(`/Account/Login?ReturnUrl=${encodeURIComponent(authorizeAt(site))}`)
    return 'Use another account'
  },
  'login, password again': async (page, { person, site }) => {
    await signInQuietly(page, person)
    await page.goto(authorizeAt(site, { prompt: 'login' }))
    return 'asks you to enter your password again'
  },
  'choice of an account': async (page, { person, site }) => {
    await signInQuietly(page, person)
    await page.goto(authorizeAt(site, { prompt: 'select_account' }))
    return 'Choose an account'
  },
  'login, unreachable': async (page) => {
    await page.route('**/Account/Antiforgery', (route) => route.abort())
    await page.goto('/Account/Login')
    return 'does not answer'
  },
  'consent, unreachable': async (page) => {
    await page.route('**/Account/ConsentContext*', (route) => route.abort())
    await page.goto(`/Account/Consent?client_id=demo`)
    return 'This page could not be loaded'
  },
  device: signedIn('/Account/Device', 'Enter the code that your device shows'),
  'device, wrong code': signedIn('/Account/Device?user_code=BCDF-GHJK', 'This code is not known'),
  'device, with its request': async (page, { person, service }) => {
    await signInQuietly(page, person)
    const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code'] as const
    await addClient(service, { id: 'tv-state', grantTypes, redirectUris: [] })
    const fields = { client_id: 'tv-state', scope: 'openid demo_api' }
    const { body } = await postToken(service, fields, {}, 'connect/device')
    await page.goto(body.verification_uri_complete)
    return 'Your device must show this code'
  },
  'device, connected': signedIn('/Account/Device?outcome=allowed', 'Your device is connected'),
  'sign-out, nobody signed in': opened('/connect/logout', 'No account is signed in here'),
  'sign-out, nobody signed in, with a way back': async (page, { site }) => {
    const parameters = { client_id: 'orchard', post_logout_redirect_uri: site.signedOut }
    await page.goto(`/connect/logout?${new URLSearchParams(parameters)}`)
    return 'takes you back'
  },
  'login, signed out': async (page, { person }) => {
    await signInQuietly(page, person)
    await page.goto('/Account/Login')
    await page.getByRole('button', { name: 'Sign out' }).click()
    return 'You are signed out'
  },
  'page not found': opened('/nothing', 'There is nothing at this address'),
  'endpoint not found': opened('/connect/nothing', 'There is nothing at this address'),
}

const statesWithProviders: Readonly<Record<string, State>> = {
  'login with providers': opened('/Account/Login', 'Continue with Contoso Workforce'),
  'account confirmation': async (page) => {
    await page.goto('/Account/Login')
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    return 'Signed in at GitHub'
  },
  'account confirmation, refused': async (page) => {
    await page.goto('/Account/Login')
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill('nonsense')
    await page.getByRole('button', { name: 'Create account' }).click()
    return 'not a valid email address'
  },
  'account confirmation, expired': opened('/Account/ExternalLoginConfirm', 'This took too long'),
}

for (const each of [test, testWithProviders]) {
  each.use({ expectedErrors: /status of 4|ERR_FAILED/ })
}

checkStates(test, states)
checkStates(testWithProviders, statesWithProviders)

test('no form scrolls sideways at 320 pixels, or with text twice as large (WCAG 1.4.4, 1.4.10)', async ({
  page,
  person,
  site,
}) => {
  await signInQuietly(page, person)
  for (const address of ['/Account/Login?ReturnUrl=%2F&error=invalid_credentials', authorizeAt(site)]) {
    await page.goto(address)
    await expect(page.locator('.button').first()).toBeVisible()
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScrolling(page)
    await page.setViewportSize({ width: 640, height: 640 })
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    await expectNoSidewaysScrolling(page)
  }
})

test('pages from right to left are mirrored, and fit at 320 pixels and in forced colours', async ({
  page,
  person,
  site,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.setViewportSize({ width: 320, height: 640 })
  const mirror = 'document.documentElement.dir = "rtl"'
  await page.goto('/Account/Login?ReturnUrl=%2F&error=invalid_credentials')
  const toggle = page.getByRole('button', { name: 'Show characters' })
  const right = (await toggle.boundingBox())?.x ?? 0
  await page.evaluate(mirror)
  expect((await toggle.boundingBox())?.x).toBeLessThan(right - 100)
  await expectNoSidewaysScrolling(page)
  await signInQuietly(page, person)
  await page.goto(authorizeAt(site, { prompt: 'select_account' }))
  await expect(page.getByRole('button', { name: 'Use another account' })).toBeVisible()
  await page.evaluate(mirror)
  await expectNoSidewaysScrolling(page)
  const { violations } = await new AxeBuilder({ page }).withTags(tags).setLegacyMode().analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.emulateMedia({ forcedColors: null })
})

test('nothing moves when the name of the application arrives', async ({ page, site }) => {
  await page.addInitScript(`window.shifts = []
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
      .observe({ type: 'layout-shift', buffered: true })`)
  const { promise: shown, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/Account/LoginContext*', async (route) => {
    await shown
    await route.continue()
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(authorizeAt(site))
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  release()
  await expect(page.getByText('Sign in to continue to Orchard Planner')).toBeVisible()
  expect(await page.evaluate('shifts.reduce((sum, value) => sum + value, 0)')).toBeLessThan(0.01)
})
