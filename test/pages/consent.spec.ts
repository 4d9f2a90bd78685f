/** The consent page in a real browser, in front of a client on another origin (specification 4.1, 4.9). */
import { authorizeParameters } from '../support/browser.ts'
import { authorizeAt, expect, signIn, signInQuietly, test } from './fixtures.ts'

test.beforeEach(async ({ page, site, person }) => {
  await signInQuietly(page, person)
  await page.goto(authorizeAt(site, { scope: 'openid offline_access demo_api profile roles' }))
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
})

test('names the client, the person, what is asked for and where it goes on [C4.32]', async ({ page, site, person }) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Orchard Planner would like to use your account')
  await expect(page).toHaveTitle('Orchard Planner would like to use your account · Latchkey')
  const main = page.getByRole('main')
  await expect(main).toContainText(`Signed in as${person}`)
  await expect(main).toContainText(`You will continue to ${new URL(site.origin).host}`)
  await expect(page.getByRole('list', { name: 'It is asking to' }).getByRole('listitem')).toHaveText([
    /^Confirm who you are/,
    /^Keep access while you are away/,
    'Demo API',
    /^See your profile/,
    'RolesWhat you may do',
  ])
})

test('carries every parameter of the request in a hidden field, repeated ones repeated [S4.9.7]', async ({
  page,
  site,
}) => {
  const parameters: [string, string][] = [
    ...Object.entries(authorizeParameters({ client_id: 'orchard', redirect_uri: site.callback })),
    ['action', '/elsewhere'],
    ['extra', 'one'],
    ['extra', 'two & three'],
  ]
  await page.goto(`/Account/Consent?${new URLSearchParams([...parameters, ['submit.Accept', 'forged']])}`)
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  // The buttons do not wait for it.
  await expect(page.locator('input[name=__RequestVerificationToken]')).not.toHaveValue('')
  const fields = await page.evaluate(
    `[...document.querySelectorAll('form[action="/connect/authorize"] input')].map(({ name, value }) => [name, value])`,
  )
  expect(fields).toEqual([...parameters, ['__RequestVerificationToken', expect.stringMatching(/^.{100,200}$/)]])
})

test('Allow leads to the client on its own origin, with a code', async ({ page, site }) => {
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
  const address = new URL(page.url())
  expect(address.origin + address.pathname).toBe(site.callback)
  expect(address.searchParams.get('code')).toBeTruthy()
  expect(address.searchParams.get('state')).toBe('state-1')
})

test('Allow leads to the client by a form, when it asked for that (form_post)', async ({ page, site }) => {
  await page.goto(authorizeAt(site, { response_mode: 'form_post' }))
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
  await expect(page.getByText('POST')).toBeVisible()
})

test('a request that the client posts from another site finds who is signed in', async ({ page, site, issuer }) => {
  await page.goto(site.origin)
  const fields = authorizeParameters({ client_id: 'orchard', redirect_uri: site.callback })
  const posted = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.evaluate(`
    const form = document.createElement('form')
    form.method = 'post'
    form.action = '${issuer}connect/authorize'
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
    }
    document.body.append(form)
    form.submit()
  `)
  expect((await posted).status()).toBe(303)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Orchard Planner would like to use your account')
})

test('Deny tells the client, and grants nothing', async ({ page, site }) => {
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
  const address = new URL(page.url())
  expect(address.origin + address.pathname).toBe(site.callback)
  expect(address.searchParams.get('error')).toBe('access_denied')
  expect(address.searchParams.has('code')).toBe(false)
  await page.goto(authorizeAt(site))
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
})

test('Enter does nothing by itself, and presses the button that has the focus', async ({ page }) => {
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/Account\/Consent\?/)
  await page.getByRole('button', { name: 'Deny' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Allow' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
})

test('"Not you?" leads over another sign-in back to the same question', async ({ page }) => {
  await page.getByRole('link', { name: 'Not you?' }).click()
  await signIn(page, 'alice')
  await expect(page.getByRole('main')).toContainText('Signed in asalice')
})

test.describe('a request that was tampered with', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('shows the error instead of the question [C4.32]', async ({ page }) => {
    const address = new URL(page.url())
    address.searchParams.set('redirect_uri', 'https://evil.example/')
    await page.goto(address.href)
    await expect(page.getByRole('alert')).toContainText('an address that is not registered for it')
    await expect(page.getByRole('button', { name: 'Allow' })).toHaveCount(0)
  })
})
