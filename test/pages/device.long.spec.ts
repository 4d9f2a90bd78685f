/** The page for devices in a real browser (RFC 8628 §3.3, §5.4). */
import { postToken } from '../support/browser.ts'
import { addClient } from '../support/service.ts'
import { expect, leave, loginForm, signIn, signInQuietly, test } from './fixtures.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:device_code'

type Started = { readonly device_code: string; readonly user_code: string; readonly verification_uri_complete: string }

const testWithDevice = test.extend<{
  /** What a television was given. */
  started: Started
  /** The answer to a poll of it. */
  poll: () => Promise<{ readonly status: number; readonly error: string | undefined }>
}>({
  started: async ({ service }, use) => {
    const tv = { id: 'tv', name: 'Television', grantTypes: [grantType] as const, redirectUris: [] }
    await addClient(service, tv)
    service.advance(60)
    const fields = { client_id: 'tv', scope: 'openid demo_api' }
    await use((await postToken(service, fields, {}, 'connect/device')).body)
  },
  poll: async ({ service, started }, use) => {
    await use(async () => {
      const fields = { grant_type: grantType, client_id: 'tv', device_code: started.device_code }
      const { status, body } = await postToken(service, fields)
      return { status, error: body.error }
    })
  },
})

testWithDevice.describe('with a session', () => {
  testWithDevice.beforeEach(({ page, person }) => signInQuietly(page, person))

  testWithDevice(
    'asks for the code, then names the client, the scopes and the code to compare',
    async ({ page, started }) => {
      await page.goto('/Account/Device')
      await expect(page).toHaveTitle('Connect a device · Latchkey')
      const code = page.getByRole('textbox', { name: 'Code' })
      await expect(code).toBeFocused()
      await expect(page.getByRole('button', { name: 'Allow' })).toHaveCount(0)
      await code.fill(started.user_code.toLowerCase().replace('-', ' '))
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Television would like to use your account')
      const main = page.getByRole('main')
      await expect(main).toContainText(`Your device must show this code:${started.user_code}`)
      await expect(main).toContainText('Allow this only if you started it on your own device just now')
      await expect(page.getByRole('list', { name: 'It is asking to' }).getByRole('listitem')).toHaveText([
        /^Confirm who you are/,
        'Demo API',
      ])
      await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue(started.user_code)
    },
  )

  testWithDevice('the code is sent by Enter and by the button, too', async ({ page, started }) => {
    await page.goto('/Account/Device')
    await page.getByRole('textbox', { name: 'Code' }).fill('BCD')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('This code is not known')
    await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue('BCD')
    await page.getByRole('textbox', { name: 'Code' }).fill(started.user_code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  })

  testWithDevice('Allow connects the device, and the page says so', async ({ page, started, poll }) => {
    await page.goto(started.verification_uri_complete)
    expect(await poll()).toEqual({ status: 400, error: 'authorization_pending' })
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your device is connected')
    expect((await poll()).status).toBe(200)
    await page.getByRole('link', { name: 'Connect another device' }).click()
    await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue('')
  })

  testWithDevice(
    'the warning stands right above the buttons, and covers nothing, on a phone',
    async ({ page, started }) => {
      await page.setViewportSize({ width: 390, height: 664 })
      await page.goto(started.verification_uri_complete)
      await page.getByRole('button', { name: 'Allow' }).scrollIntoViewIfNeeded()
      const warning = page.getByText('Allow this only if you started it')
      await expect(warning).toBeInViewport({ ratio: 1 })
      await expect(page.getByText(started.user_code, { exact: true })).toBeInViewport({ ratio: 1 })
      const [words, button] = [
        await warning.boundingBox(),
        await page.getByRole('button', { name: 'Allow' }).boundingBox(),
      ]
      expect((words?.y ?? 0) + (words?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
    },
  )

  testWithDevice('Deny gives the device nothing, and the page says so', async ({ page, started, poll }) => {
    await page.goto(started.verification_uri_complete)
    await page.getByRole('button', { name: 'Deny' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access was not given')
    expect(await poll()).toEqual({ status: 400, error: 'access_denied' })
    await page.goto(started.verification_uri_complete)
    await expect(page.getByRole('alert')).toContainText('was used')
    await expect(page.getByRole('button', { name: 'Allow' })).toHaveCount(0)
  })

  testWithDevice('guessing ends within forty codes, the right one included', async ({ page, started }) => {
    await page.goto('/Account/Device')
    const code = page.getByRole('textbox', { name: 'Code' })
    for (let at = 0; at < 12; at += 1) {
      await page.goto(`/Account/Device?user_code=BCDFGHJ${'BCDFGHJKLMNP'[at]}`)
      await expect(page.getByRole('alert')).toBeVisible()
    }
    await expect(page.getByRole('alert')).toContainText('There were too many wrong codes')
    // The page goes on once all letters are typed.
    await leave(page, () => code.fill(started.user_code))
    await expect(code).toHaveValue(started.user_code)
    await expect(page.getByRole('alert')).toContainText('There were too many wrong codes')
    await expect(page.getByRole('button', { name: 'Allow' })).toHaveCount(0)
  })
})

testWithDevice.describe('without a session', () => {
  testWithDevice.use({ expectedErrors: /status of 401/ })

  testWithDevice('leads over the login page back to the same question', async ({ page, person, started, poll }) => {
    await page.goto(started.verification_uri_complete)
    await expect(loginForm(page).submit).toBeVisible()
    await signIn(page, person)
    await expect(page.getByRole('main')).toContainText(`Signed in as${person}`)
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your device is connected')
    expect((await poll()).status).toBe(200)
  })
})
