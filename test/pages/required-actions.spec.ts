/** The pages of what a sign-in asks before there is a session (connections, section 7), at phone and desktop width, light and dark. */

import { password, testUser } from '../support/service.ts'
import { after, box, button, expectSound, fresh, mailTo, query, test } from './account-entry.ts'
import { expect } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 40[01]/ })
test.beforeEach(({ service }) => service.advance(3601))

const looks = [
  { name: 'a phone in the dark', width: 360, height: 740, scheme: 'dark' },
  { name: 'a desktop in the light', width: 1280, height: 800, scheme: 'light' },
] as const

for (const { name, width, height, scheme } of looks) {
  test(`a person is led through a new password, the address and a second factor on ${name}`, async ({
    page,
    service,
  }) => {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme })
    const username = `asked-${scheme}`
    const email = `${username}@acme.example`
    await service.storage.users.create(
      testUser({
        name: username,
        email,
        emailConfirmed: false,
        requiredActions: ['update_password', 'verify_email', 'set_up_second_factor'],
      }),
    )
    await page.goto(`/Account/Login${query}`)
    await box(page, 'Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button(page, 'Sign in').click()
    await expect(page.getByText('Before you go on, please choose a new password.')).toBeVisible()
    await expectSound(page)
    await box(page, 'New password').fill(fresh)
    await button(page, 'Reset password').click()
    await expect(page.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible()
    await expectSound(page)
    await box(page, 'Code').fill((await mailTo(service, email)).code)
    await button(page, 'Continue').click()
    await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible()
    await page.goto(after)
    expect(JSON.parse(await page.locator('body').innerText())).toEqual({ user: null })
  })

  test(`a person whose second factor did not come enters a mailed code first on ${name}`, async ({ page, service }) => {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme })
    const username = `held-${scheme}`
    const email = `${username}@acme.example`
    await service.storage.users.create(testUser({ name: username, email, hadSecondFactor: true }))
    await page.goto(`/Account/Login${query}`)
    await box(page, 'Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button(page, 'Sign in').click()
    await expect(page.getByRole('heading', { name: 'Enter the code from the email' })).toBeVisible()
    await expectSound(page)
    await box(page, 'Code').fill((await mailTo(service, email)).code)
    await button(page, 'Continue').click()
    await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible()
  })
}
