/** The list of people: words and filters in the address, columns, order, choice and what is done to those who are chosen. */
import { readFile } from 'node:fs/promises'
import { aSession } from '../storage/records.ts'
import { testUser } from '../support/service.ts'
import { button, looksWellNow, open, settled, test } from './console.ts'
import { expect } from './fixtures.ts'

const formula = '=1+1'

// Sessions that cannot be counted are refused with 503.
test.use({ expectedErrors: /status of 503/ })

test.beforeEach(async ({ service }) => {
  const { users } = service.storage
  for (let at = 0; at < 60; at += 1) {
    const name = `crew${String(at).padStart(2, '0')}`
    if (await users.findByName(name)) return
    const createdAtMs = service.now() - (at + 1) * 86_400_000
    const claims = { name: at === 0 ? formula : `Sailor ${at}` }
    const change = { roles: at < 5 ? ['sailor'] : [], emailConfirmed: at !== 7, createdAtMs, claims }
    await users.create(testUser({ name, email: `${name}@example.com`, ...change }))
  }
})

const box = 'Search people'

test('words with a colon are filters, which the address keeps, and one that is not known is told', async ({ page }) => {
  await open(page, 'root', '/people')
  const rows = page.locator('.records tbody tr')
  await page.getByLabel(box).fill('role:sailor is:confirmed crew')
  await expect(rows).toHaveCount(5)
  await page.waitForURL(/search=crew/)
  expect(new URL(page.url()).searchParams.get('role')).toBe('sailor')
  await page.reload()
  await settled(page)
  await expect(rows).toHaveCount(5)
  await expect(page.getByLabel(box)).toHaveValue('is:confirmed role:sailor crew')
  await page.getByLabel(box).fill('is:sleeping')
  await expect(page.getByText('“is:sleeping” is not known here.')).toBeVisible()
  await expect(page.getByText(/Possible: is:locked is:unlocked/)).toBeVisible()
  await page.getByLabel(box).fill('is:unc')
  await button(page, 'is:unconfirmed').focus()
  await page.keyboard.press('Escape')
  await expect(button(page, 'is:unconfirmed')).toHaveCount(0)
  await expect(page.getByLabel(box)).toBeFocused()
  await expect(page.getByLabel(box)).toHaveValue('is:unc')
  await page.getByLabel(box).fill('is:un')
  await page.getByLabel(box).press('Escape')
  await expect(page.getByLabel(box)).toHaveValue('is:un')
  await page.getByLabel(box).fill('is:unc')
  await button(page, 'is:unconfirmed').press('Enter')
  await expect(page.getByLabel(box)).toBeFocused()
  await expect(rows).toHaveCount(1)
  await expect(page.getByLabel(/^Address not confirmed/)).toBeChecked()
  await page.getByLabel(/^Address not confirmed/).press('Space')
  await expect(page.getByLabel(box)).toHaveValue('')
  await page.getByLabel(box).fill('created:<4d')
  await expect(rows.filter({ hasText: 'crew' })).toHaveCount(4)
  await page.getByLabel(box).fill('nobody like this')
  await expect(page.getByText('Nobody matches.')).toBeVisible()
  await looksWellNow(page, 'people-empty')
  await button(page, 'Clear filters').press('Enter')
  await page.waitForURL('**/admin/people')
  await expect(page.getByLabel(box)).toHaveValue('')
})

test('the head of a column sorts, and columns are hidden for good', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await open(page, 'root', '/people')
  const rows = page.locator('.records tbody tr')
  const created = page.getByRole('columnheader', { name: 'Created' })
  await created.getByRole('button').press('Enter')
  await page.waitForURL('**/admin/people?sort=created_at')
  await expect(created).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows.first()).toContainText('crew59')
  await created.getByRole('button').press('Enter')
  await page.waitForURL('**/admin/people?sort=-created_at')
  await expect(created).toHaveAttribute('aria-sort', 'descending')
  await expect(rows.first()).not.toContainText('crew59')
  await page.getByText('Columns', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'Second factor', exact: true }).uncheck()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'Second factor' })).toHaveCount(0)
  await page.reload()
  await settled(page)
  await expect(page.getByRole('columnheader', { name: 'Second factor' })).toHaveCount(0)
  await looksWellNow(page, 'people')
  await looksWellNow(page, 'people', 'dark')
})

test('all that match are locked in a few steps, and written to a file that no spreadsheet runs', async ({
  page,
  service,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await open(page, 'root', '/people?search=crew')
  const download = page.waitForEvent('download')
  await button(page, 'Export as CSV').click()
  const text = await readFile(await (await download).path(), 'utf8')
  const lines = text.trim().split('\r\n')
  expect(lines).toHaveLength(61)
  expect(lines[0]).toBe(
    'id,username,email,email_verified,name,roles,locked_until,second_factor,last_sign_in_at,created_at',
  )
  expect(lines[1]).toContain(`crew00,crew00@example.com,true,'${formula},sailor,,false,,`)

  await page.getByLabel('Select all shown').check()
  await expect(page.getByText('50 people selected.')).toBeVisible()
  await button(page, 'Select all that match (up to 5,000)').click()
  await expect(page.getByText('60 people selected.')).toBeVisible()
  await looksWellNow(page, 'people-chosen')
  const locked = page
    .locator('.filter-chip')
    .filter({ hasText: /^Locked/ })
    .locator('.count')
  await expect(locked).toBeVisible()
  const before = Number(await locked.textContent())
  await button(page, 'Lock').click()
  await expect(page.getByRole('group', { name: 'Lock these people?' })).toContainText('60 people selected.')
  await button(page, 'Lock').click()
  await expect(page.getByText('Locked: 60.')).toBeVisible()
  await expect(locked).toHaveText(String(before + 60))
  expect((await service.storage.users.findByName('crew59'))?.disabled).toBe(true)
  expect((await service.storage.users.findByName('root'))?.disabled).toBe(false)
  await page.getByLabel('Select crew03').check()
  await button(page, 'Unlock').click()
  await button(page, 'Unlock').click()
  await expect(page.getByText('Unlocked: 1.')).toBeVisible()
  expect((await service.storage.users.findByName('crew03'))?.disabled).toBe(false)
})

test('a rare search stops after two empty pages, says how many it looked at, and looks on when asked', async ({
  page,
}) => {
  let calls = 0
  await page.route('**/users?*source=rare*', async (route) => {
    calls += 1
    if (calls <= 4) return route.fulfill({ json: { items: [], next: `page${calls}`, looked_at: 2000 } })
    const url = new URL(route.request().url())
    url.search = '?facts=true&search=root'
    await route.fulfill({ response: await route.fetch({ url: url.href }) })
  })
  await open(page, 'root', '/people?source=rare')
  await expect(page.getByText('Nothing found so far. People searched: 4,000.')).toBeVisible()
  await expect(page.getByText('Nobody matches.')).toHaveCount(0)
  expect(calls).toBe(2)
  await looksWellNow(page, 'people-look-on')
  await button(page, 'Keep searching').press('Enter')
  await expect(page.getByText('Nothing found so far. People searched: 8,000.')).toBeVisible()
  await expect(button(page, 'Keep searching')).toBeFocused()
  await button(page, 'Keep searching').press('Enter')
  await expect(page.getByRole('link', { name: 'root', exact: true })).toBeVisible()
  await expect(page.getByText('Nothing found so far.')).toHaveCount(0)
})

test('somebody who may only read finds people and cannot choose them', async ({ page }) => {
  await open(page, 'viewer', '/people')
  await expect(page.locator('.records tbody tr')).not.toHaveCount(0)
  await expect(page.locator('.records [type=checkbox]')).toHaveCount(0)
})

test('a thousand people are locked in one go', async ({ page, service }) => {
  test.setTimeout(180_000)
  const { users } = service.storage
  for (let at = 0; at < 1000; at += 1)
    await users.create(testUser({ name: `mass${at}`, email: `mass${at}@example.com`, roles: [] }))
  await open(page, 'root', '/people?search=mass')
  const begun = performance.now()
  let clicks = 0
  const click = async (what: ReturnType<typeof button>) => {
    await what.click()
    clicks += 1
  }
  await click(page.getByLabel('Select all shown'))
  await click(button(page, 'Select all that match (up to 5,000)'))
  await expect(page.getByText('1,000 people selected.')).toBeVisible()
  await click(button(page, 'Lock'))
  await click(button(page, 'Lock'))
  await expect(page.getByText('Locked: 1,000.')).toBeVisible({ timeout: 120_000 })
  console.log(`1,000 people locked: ${clicks} clicks, ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  const after = await Promise.all(Array.from({ length: 1000 }, (_, at) => users.findByName(`mass${at}`)))
  expect(after.filter((one) => one?.disabled)).toHaveLength(1000)
})

test('a lock of several people says how many sessions it ends, as far as they can be counted', async ({
  page,
  service,
}) => {
  const { storage, now } = service
  const times = { createdAtMs: now(), authenticatedAtMs: now(), lastSeenAtMs: now(), expiresAtMs: now() + 3_600_000 }
  for (let at = 0; at < 102; at += 1) {
    const name = `ended${String(at).padStart(3, '0')}`
    const user = testUser({ name, email: `${name}@example.com`, roles: [] })
    await storage.users.create(user)
    for (let many = 0; many < (at === 50 ? 2 : at % 101 === 0 ? 1 : 0); many += 1)
      await storage.users.recordSignIn({ user }, () => ({ outcome: 'in', session: aSession(user, times) }))
  }
  await open(page, 'root', '/people?search=ended')
  await page.getByLabel('Select all shown').check()
  await button(page, 'Select all that match (up to 5,000)').click()
  await expect(page.getByText('102 people selected.')).toBeVisible()
  const question = page.getByRole('group', { name: 'Lock these people?' })
  await button(page, 'Lock').click()
  await expect(question).toContainText('Sessions that will end: 4.')
  await looksWellNow(page, 'people-lock-asked')
  await looksWellNow(page, 'people-lock-asked', 'dark')
  await question.getByRole('button', { name: 'Cancel' }).click()

  let asked = 0
  await page.route('**/session-counts?*', async (route) => {
    asked += 1
    // The second part is refused.
    if (asked === 2) await route.fulfill({ status: 503, json: {} })
    else await route.continue()
  })
  await button(page, 'Lock').click()
  await expect(question).toContainText('Sessions that will end: at least 3.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.unroute('**/session-counts?*')

  await page.route('**/session-counts?*', (route) => route.fulfill({ status: 503, json: {} }))
  const refused = page.waitForResponse('**/session-counts?*')
  await button(page, 'Lock').click()
  await refused
  await expect(question).not.toContainText('Sessions that will end')
  await button(page, 'Lock').click()
  await expect(page.getByText('Locked: 102.')).toBeVisible()
})
