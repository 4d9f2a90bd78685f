/** The security check-up of the account, the person's initials, and what is said of sessions. */

import { password } from '../support/service.ts'
import { axeFor } from './accessible.ts'
import { open, test } from './account-area.ts'
import { codeAt, self } from './account-entry.ts'
import { expect, type Page, signInQuietly } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

const day = 86_400_000

async function expectSound(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await axeFor(page, colorScheme).analyze()
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
  }
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  if (size) await page.setViewportSize(size)
}

test('the check-up says what to do, with an action for each, and what is in order', async ({
  page,
  person,
  service,
}) => {
  await signInQuietly(page, person)
  await open(page, '')
  const checkUp = page.getByRole('region', { name: 'Security check-up' })
  for (const action of ['Go to passkeys', 'Go to the authenticator app']) {
    await expect(checkUp.getByRole('link', { name: action })).toBeVisible()
  }
  await expect(checkUp.getByRole('link', { name: 'Every session was used in the last 30 days' })).toBeVisible()
  // The change moves the age of the password, and no age is a fault.
  await expect(checkUp.getByRole('link', { name: /^Password last set/ })).toHaveCount(0)
  await self(page, '/password', { current: password, password: 'a boat on the quiet river' })
  await open(page, '')
  await expect(checkUp.getByRole('link', { name: 'Password last set: today' })).toBeVisible()
  await expectSound(page)

  const { secret } = await self<{ secret: string }>(page, '/totp', {})
  await self(page, '/totp/confirm', { code: codeAt(service, secret) })
  await self(page, '/recovery-codes', {})
  await open(page, '')
  for (const point of ['Authenticator app is set up', 'Recovery codes left: 10']) {
    await expect(checkUp.getByRole('link', { name: point })).toBeVisible()
  }
  await expect(checkUp.getByRole('link', { name: 'Go to the authenticator app' })).toHaveCount(0)
  await expectSound(page)
})

test('a session that nobody used for 30 days is asked about, and sessions say when they were active', async ({
  page,
  person,
  browser,
  issuer,
}) => {
  const other = await browser.newContext({ baseURL: issuer })
  await signInQuietly(await other.newPage(), person)
  await signInQuietly(page, person)
  await open(page, '/Devices')
  const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')
  await expect(sessions.first()).toContainText('Active now')
  await expect(sessions.first()).not.toContainText('same network')
  await expect(sessions.last()).toContainText('Last active: today')
  await expect(sessions.last()).toContainText('same network as this device')
  await expect(sessions.last().locator('time').first()).toHaveAttribute('title', /\d{4}/)
  await expectSound(page)
  await page.clock.setFixedTime(Date.now() + 31 * day)
  await open(page, '/Devices')
  await expect(sessions.last()).toContainText('Last active: last month')
  await open(page, '')
  const checkUp = page.getByRole('region', { name: 'Security check-up' })
  await expect(checkUp).toContainText('Sessions unused for 30 days: 1.')
  await expectSound(page)
  await checkUp.getByRole('link', { name: 'Go to sessions' }).click()
  await page.waitForURL('**/Account/Devices#sessions')
  await other.close()
})

test('a person has initials on the same colour each time, which are not read out', async ({ page, person }) => {
  await signInQuietly(page, person)
  await open(page, '')
  const avatar = page.locator('.avatar')
  await expect(page.locator('.person').getByText(person, { exact: true })).toBeVisible()
  await expect(avatar).toHaveText(person.slice(0, 1).toUpperCase())
  await expect(avatar).toHaveAttribute('aria-hidden', 'true')
  const colour = await avatar.getAttribute('class')
  await open(page, '')
  expect(await avatar.getAttribute('class')).toBe(colour)
})
