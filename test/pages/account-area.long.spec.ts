/** The account area and the steps of a sign-in in the states that take long to reach, with every way of looking at them. */
import { readFileSync } from 'node:fs'
import { TOTP } from 'otpauth'
import type { FakeGithub } from '../support/fake-github.ts'
import { waitingMails } from '../support/mails.ts'
import type { TestService } from '../support/service.ts'
import { axeFor } from './accessible.ts'
import { open } from './account-area.ts'
import {
  authorizeAt,
  test as base,
  expect,
  type Page,
  plugInAuthenticator,
  sharedGithub,
  sharedService,
  signIn,
  signInQuietly,
} from './fixtures.ts'

type Services = { strict: TestService; github: FakeGithub }

const test = base.extend<Services>({
  github: async ({ shared }, use) => use(await sharedGithub(shared, 'of the account area')),
  service: async ({ shared, github }, use) => {
    const env = { Accounts__SecondFactor__Email: 'true', Accounts__Registration: 'open' }
    await use(await sharedService(shared, 'with second factors', { ...common, ...env, ...github.env }))
  },
  /** Where everybody has a second factor, and accounts are deleted at once. */
  strict: async ({ shared }, use) => {
    const env = { Accounts__SecondFactor: 'required', Accounts__DeletionDelay: '0' }
    await use(await sharedService(shared, 'with second factors for everybody', { ...common, ...env }))
  },
})
const strictTest = test.extend({ issuer: async ({ strict }, use) => use(strict.issuer) })

const common = { RateLimit__LoginPerMinute: '1000', Mail__Url: 'file:/nowhere' }
for (const each of [test, strictTest]) each.use({ ownPage: true, expectedErrors: /status of 4/ })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const said = (page: Page, text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

/** The state of the page in both themes, in forced colours, at 320 pixels, and in a window of 1280 × 1024 at 400 %. */
async function expectSound(page: Page): Promise<void> {
  const looks = [
    { colorScheme: 'light', forcedColors: 'none' },
    { colorScheme: 'dark', forcedColors: 'none' },
    { colorScheme: 'dark', forcedColors: 'active' },
  ] as const
  const size = page.viewportSize()
  for (const look of looks) {
    await page.emulateMedia({ ...look, reducedMotion: 'reduce' })
    const axe = axeFor(page, look.forcedColors === 'active' ? 'light' : look.colorScheme)
    // Forced colours are the visitor's own, and take no part in the computed styles that the rule reads.
    if (look.forcedColors === 'active') axe.disableRules(['color-contrast'])
    const { violations, passes } = await axe.analyze()
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
    expect(passes.length).toBeGreaterThan(look.forcedColors === 'none' && look.colorScheme === 'dark' ? 0 : 10)
    for (const height of [640, 256]) {
      await page.setViewportSize({ width: 320, height })
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect(await page.evaluate(cutOff)).toEqual([])
    }
    if (size) await page.setViewportSize(size)
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null })
}

/** The words of buttons, links and headings that do not fit into their own boxes. */
const cutOff = `[...document.querySelectorAll('button, a, h1, h2')]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
  .map((one) => one.textContent)`

async function codeOf(page: Page, { now }: TestService): Promise<string> {
  const secret = (await page.locator('.key').innerText()).replaceAll(/\s/g, '')
  return new TOTP({ secret }).generate({ timestamp: now() })
}

test('a provider is linked and unlinked, and what the person says there is heard', async ({ page, person, github }) => {
  await signInQuietly(page, person)
  await open(page, '/Security')
  github.user = { ...github.user, id: 7001 }
  await button(page, 'Link').click()
  await said(page, 'GitHub is linked.')
  await expect(page).toHaveURL('/Account/Security')
  await expect(page.locator('.said:focus')).toHaveCount(1)
  await page.reload()
  await expect(button(page, 'Unlink')).toBeVisible()
  await expect(page.getByText('GitHub is linked.')).toHaveCount(0)
  await button(page, 'Unlink').click()
  await expect(page.getByRole('group', { name: 'Unlink GitHub?' })).toBeFocused()
  await expectSound(page)
  await button(page, 'Cancel').click()
  await expect(button(page, 'Unlink')).toBeFocused()
  await button(page, 'Unlink').click()
  await button(page, 'Unlink').click()
  await expect(page.getByText('Not linked')).toBeVisible()
  await expect(button(page, 'Link')).toBeVisible()
  github.behaviour = 'denies'
  await button(page, 'Link').click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page).toHaveURL('/Account/Security')
  await expect(button(page, 'Link')).toBeVisible()
  await expectSound(page)
  github.behaviour = 'normal'
})

test('the picture of an authenticator app, recovery codes and every question before a change are sound; codes are copied, kept as a file and printed', async ({
  page,
  person,
  service,
}) => {
  await page.addInitScript('window.print = () => { window.printed = true }')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await plugInAuthenticator(page)
  await signInQuietly(page, person)
  await open(page, '/Security')
  await button(page, 'Set up an authenticator app').click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expectSound(page)
  await box(page, 'Code').fill(await codeOf(page, service))
  await button(page, 'Continue').click()
  await expect(page.locator('.recovery-codes code')).toHaveCount(10)
  const codes = await page.locator('.recovery-codes code').allInnerTexts()
  await expectSound(page)
  await button(page, 'Copy').click()
  await expect(button(page, 'Copied')).toBeVisible()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'))
  const download = page.waitForEvent('download')
  await button(page, 'Download').click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/Latchkey.*\.txt$/)
  expect(
    readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
      .slice(-10),
  ).toEqual(codes)
  await button(page, 'Print').click()
  expect(await page.evaluate('window.printed')).toBe(true)
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('.recovery-codes')).toBeVisible()
  await expect(page.getByRole('navigation')).toBeHidden()
  await expect(button(page, 'Change password')).toBeHidden()
  await page.emulateMedia({ media: null })
  await button(page, 'Add a passkey').click()
  await said(page, 'is added')
  for (const label of ['Turn off', 'Remove']) await button(page, label).click()
  await expect(page.locator('.asking')).toHaveCount(2)
  await expectSound(page)
})

test('questions about applications, sessions and the deletion of the account are sound', async ({
  page,
  person,
  site,
  browser,
  issuer,
}) => {
  const other = await (await browser.newContext({ baseURL: issuer })).newPage()
  await signInQuietly(other, person)
  await other.context().close()
  await signInQuietly(page, person)
  await page.goto(authorizeAt(site, { scope: 'openid offline_access profile' }))
  await button(page, 'Allow').click()
  await page.waitForURL(`${site.callback}*`)
  await open(page, '/Applications')
  await button(page, 'Remove access').click()
  await expectSound(page)
  await open(page, '/Devices')
  await button(page, 'Sign out everywhere else').click()
  await expectSound(page)
  await open(page, '/Profile')
  await page.getByText('More details').click()
  await box(page, 'Username to confirm').fill(person)
  await button(page, 'Delete my account').click()
  await expect(page.getByText('Your account will be deleted on')).toBeVisible()
  await expectSound(page)
})

test('the keyboard goes through the account area in the order in which it is read, and the skip link goes round the navigation', async ({
  page,
  person,
}) => {
  await signInQuietly(page, person)
  await open(page, '/Security')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  const stops: Stop[] = []
  for (let stop = await tab(page); stop?.inMain; stop = await tab(page)) stops.push(stop)
  expect(stops.slice(0, 2).map(({ name }) => name)).toEqual(['Current password', 'New password'])
  expect(stops.map(({ name }) => name)).toContain('Set up an authenticator app')
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([])
  for (const [at, { top }] of stops.entries()) expect(top).toBeGreaterThanOrEqual((stops[at - 1]?.top ?? 0) - 20)
  await page.getByRole('heading', { level: 1 }).focus()
  const before: Stop[] = []
  while (before.length < 7) before.unshift((await tab(page, 'Shift+Tab')) as Stop)
  const navigation = ['Overview', 'Security', 'Devices', 'Applications', 'Profile', 'Sign out']
  expect(before.map(({ name }) => name)).toEqual(['Skip to the content', ...navigation])
  expect(before.filter(({ isSeen }) => !isSeen)).toEqual([])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Current password')).toBeFocused()
})

type Stop = { readonly name: string; readonly top: number; readonly inMain: boolean; readonly isSeen: boolean }

/** What has the focus after the key; null: nothing of the page. */
async function tab(page: Page, key = 'Tab'): Promise<Stop | null> {
  await page.keyboard.press(key)
  return page.evaluate(`(() => {
    const one = document.activeElement
    if (one === document.body) return null
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    const { top, bottom } = one.getBoundingClientRect()
    return {
      name: (one.labels?.[0]?.textContent || one.getAttribute('aria-label') || one.textContent).trim(),
      top: top + scrollY,
      inMain: one.closest('main') !== null,
      isSeen: outlineStyle !== 'none' && outlineWidth !== '0px' && bottom > 0 && top < innerHeight,
    }
  })()`)
}

test('a code by mail is a second factor, on a page that is sound at each step', async ({ page, person, service }) => {
  await signInQuietly(page, person)
  await open(page, '/Security')
  await button(page, 'Set up an authenticator app').click()
  await box(page, 'Code').fill(await codeOf(page, service))
  await button(page, 'Continue').click()
  await said(page, 'The authenticator app is on.')
  // An answer that comes after the cookies are gone leads to the sign-in page by itself.
  await expect(page.getByRole('checkbox', { name: 'I have saved these codes' })).toBeVisible()
  await page.context().clearCookies()
  page.once('dialog', (dialog) => dialog.accept())
  await page.goto('/Account/Login?ReturnUrl=%2FAccount%2FSession')
  await signIn(page, person)
  await expect(box(page, 'Code')).toBeVisible()
  await expectSound(page)
  await button(page, 'Try another way').click()
  await expect(box(page, 'Code')).toBeHidden()
  await expectSound(page)
  await page.getByRole('button', { name: /mail/ }).click()
  await expect(page.getByRole('button', { name: /Send/ })).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: /Send/ }).click()
  await expect(box(page, 'Code')).toBeVisible()
  await expectSound(page)
  const mail = (await waitingMails(service)).findLast(({ to, code }) => to === `${person}@example.com` && code)
  await box(page, 'Code').fill(mail?.code ?? '')
  await button(page, 'Continue').click()
  await page.waitForURL('**/Account/Session')
  await expect(page.locator('body')).toContainText(person)
})

strictTest(
  'an authenticator app is set up within a sign-in, which shows recovery codes and continues; the account is deleted at once',
  async ({ page, strict }) => {
    await page.goto('/Account/Login?ReturnUrl=%2FAccount%2FProfile')
    await signIn(page, 'alice')
    await page.waitForURL('**/Account/SecondFactor*')
    await expect(button(page, 'Set up an authenticator app')).toBeVisible()
    await expectSound(page)
    await button(page, 'Set up an authenticator app').click()
    await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
    await expectSound(page)
    await box(page, 'Code').fill('000000')
    await button(page, 'Continue').click()
    await expect(page.getByText('This code is wrong.')).toBeVisible()
    // Until the app is confirmed, the sign-in gives access to nothing.
    expect(await (await page.request.get('/Account/Session')).json()).toEqual({ user: null })
    await box(page, 'Code').fill(await codeOf(page, strict))
    await button(page, 'Continue').click()
    await expect(page.locator('.recovery-codes li')).toHaveCount(10)
    await expectSound(page)
    await button(page, 'Continue').click()
    await expect(page.getByRole('checkbox', { name: 'I have saved these codes' })).toBeFocused()
    await expectSound(page)
    await page.keyboard.press('Space')
    await button(page, 'Continue').click()
    await page.waitForURL('**/Account/Profile')
    await expect(box(page, 'Username to confirm')).toBeVisible()
    await expect(page.getByText('at once')).toBeVisible()
    await box(page, 'Username to confirm').fill('alice')
    await button(page, 'Delete my account').click()
    await page.waitForURL('**/Account/Login*')
    expect(await (await page.request.get('/Account/Session')).json()).toEqual({ user: null })
    expect(await strict.storage.users.findByName('alice')).toBeUndefined()
  },
)

/** What pages read besides the profile, below `/Account/Self/`. */
const readBy: Readonly<Record<string, readonly string[]>> = {
  '/Account': ['activity', 'sessions'],
  '/Account/Security': ['passkeys'],
  '/Account/Devices': ['sessions', 'browsers'],
  '/Account/Applications': ['applications'],
  '/Account/Profile': ['activity'],
}

for (const [path, parts] of Object.entries(readBy)) {
  test(`${path} asks for all that it shows at once, and for nothing twice`, async ({ page, person }) => {
    await signInQuietly(page, person)
    const asked: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/Account/Self')) asked.push(pathname)
    })
    await page.route(/\/Account\/Self(?:\/|$)/, async (route) => {
      await promise
      await route.continue()
    })
    await page.goto(path)
    const together = ['', ...parts.map((name) => `/${name}`)].map((below) => `/Account/Self${below}`).sort()
    // None of them has an answer yet.
    await expect.poll(() => asked.toSorted()).toEqual(together)
    resolve()
    await page.unrouteAll({ behavior: 'wait' })
    await expect(page.locator('main[aria-busy=true]')).toHaveCount(0)
    await expect(page.locator('main .skeleton')).toHaveCount(0)
    expect(asked.toSorted()).toEqual(together)
  })
}
