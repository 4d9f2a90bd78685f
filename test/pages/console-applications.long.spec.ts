/** The list of applications: columns with what they are used for, filters in the address, the file of it, and the keyboard. */
import { readFile } from 'node:fs/promises'
import { addClient } from '../support/service.ts'
import { button, looksWellNow, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

const day = 86_400_000
const drawn = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'
const authentication = { method: 'private_key_jwt', jwks: [], jwksUri: null } as const

test.beforeEach(async ({ page, service }) => {
  // No test asks for a logo elsewhere: that one is gone would be a complaint of the page.
  await page.route('**/Account/ClientLogo?*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: drawn }))
  const { clients, statistics } = service.storage
  if (await clients.find('wiki')) return
  const today = Math.floor(service.now() / day) * day
  await addClient(service, { id: 'wiki', name: 'Company wiki', authentication, createdAtMs: service.now() - 90 * day })
  await addClient(service, { id: 'nightly', name: 'Nightly', authentication, grantTypes: ['client_credentials'] })
  await addClient(service, { id: 'phone', name: 'Phone', metadata: { application_type: 'native' } })
  await addClient(service, { id: 'guest', name: '=1+1', metadata: { registration: 'open' } })
  const counted = { clientId: 'wiki', signIns: 2, tokens: 1234 }
  await statistics.add([], [{ ...counted, startsAtMs: today, lastAtMs: service.now() - 180_000 }])
  await statistics.add([], [{ ...counted, startsAtMs: today - 40 * day, lastAtMs: today - 40 * day }])
})

test.use({ expectedErrors: /status of (400|503)/, viewport: { width: 1280, height: 900 } })

const rows = (page: Page) => page.locator('.records tbody tr')
const row = (page: Page, name: string) => rows(page).filter({ has: page.getByRole('link', { name, exact: true }) })
const names = (page: Page) => rows(page).getByRole('link')
const filter = (page: Page) => new URL(page.url()).searchParams.toString()

test('says of each application its id, kind, last use, tokens of 30 days and creation', async ({ page }) => {
  await open(page, 'root', '/applications')
  await expect(page.getByRole('columnheader')).toHaveText([
    ...['Application', 'Kind', 'Last used', 'Tokens in 30 days', 'Created'],
  ])
  const wiki = row(page, 'Company wiki')
  await expect(wiki.getByRole('rowheader')).toContainText('wiki')
  await expect(wiki.getByRole('cell').first()).toHaveText('Server')
  await expect(wiki.getByRole('cell').nth(1)).toHaveText('3 minutes ago')
  await expect(wiki.locator('time').first()).toHaveAttribute('title', /\d{4}.*\d{2}:\d{2}/)
  await expect(wiki.getByRole('cell').nth(2)).toHaveText('1,234')
  await expect(row(page, 'Nightly').getByRole('cell')).toHaveText(['Machine', 'Not yet', '0', /\d{4}/])
  await expect(page.locator('#applications')).toContainText('Counted since')
  await expect(row(page, '=1+1').getByRole('cell').first()).toHaveText('Single pageRegistered itself')
})

test('asks for the use of the applications with the list itself', async ({ page }) => {
  const asked: URL[] = []
  page.on('request', (request) => asked.push(new URL(request.url())))
  await open(page, 'root', '/applications')
  await expect(row(page, 'Company wiki').getByRole('cell').nth(2)).toHaveText('1,234')
  const ofClients = asked.filter(({ pathname }) => /\/client/.test(pathname))
  expect(ofClients.map(({ pathname }) => pathname).sort()).toEqual([
    '/admin/api/v1/client-counts',
    '/admin/api/v1/clients',
  ])
})

test('filters are in the address, stay after a reload, and an empty list leads on', async ({ page }) => {
  await open(page, 'root', '/applications')
  await page.getByLabel('Machine').press('Space')
  await expect(names(page)).toHaveText(['Nightly'])
  expect(filter(page)).toBe('kind=machine')
  await page.getByLabel('Server').press('Space')
  await expect(page.getByLabel('Machine')).not.toBeChecked()
  await page.reload()
  await settled(page)
  await expect(page.getByLabel('Server')).toBeChecked()
  await expect(names(page)).toHaveText(['Company wiki'])
  await page.getByLabel('Server').press('Space')
  await page.getByLabel('Registered itself').press('Space')
  await expect(names(page)).toHaveText(['=1+1'])
  await page.getByLabel('Registered itself').press('Space')
  await page.getByLabel('Never used').press('Space')
  await expect(row(page, 'Company wiki')).toHaveCount(0)
  await expect(row(page, 'Phone')).toHaveCount(1)
  await page.getByLabel('Type').selectOption('Confidential')
  await expect(names(page)).toHaveText(['Nightly'])
  await page.getByLabel('Search applications').fill('phone')
  await expect(page.getByText('No application matches.')).toBeVisible()
  await looksWellNow(page, 'applications-empty')
  await button(page, 'Clear filters').press('Enter')
  await expect(row(page, 'Company wiki')).toHaveCount(1)
  expect(filter(page)).toBe('')
})

test('columns are hidden for good, and a row is opened, with the keyboard alone', async ({ page }) => {
  await open(page, 'root', '/applications')
  await page.locator('.chooser summary').press('Enter')
  await page.getByRole('checkbox', { name: 'Tokens in 30 days' }).press('Space')
  await page.keyboard.press('Escape')
  await expect(page.locator('.chooser summary')).toBeFocused()
  await expect(page.getByRole('columnheader', { name: 'Tokens in 30 days' })).toHaveCount(0)
  await page.reload()
  await settled(page)
  await expect(page.getByRole('columnheader')).toHaveText(['Application', 'Kind', 'Last used', 'Created'])
  await page.locator('.chooser summary').press('Enter')
  await page.getByRole('checkbox', { name: 'Tokens in 30 days' }).press('Space')
  await expect(page.getByRole('columnheader', { name: 'Tokens in 30 days' })).toHaveCount(1)
  await names(page).first().press('Enter')
  await page.waitForURL(/applications\/[a-z-]+$/)
})

test('the list is written to a file that no spreadsheet runs, with the use of each, until that is cancelled', async ({
  page,
}) => {
  await open(page, 'root', '/applications?self_registered=true')
  const download = page.waitForEvent('download')
  await button(page, 'Export as CSV').click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toBe(
    'client_id,client_name,kind,registration,grant_types,scope,last_used,tokens_in_30_days,created_at',
  )
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^guest,'=1\+1,spa,open,authorization_code refresh_token,openid .*,,0,\d{4}-/)
  const held = Promise.withResolvers<void>()
  await page.route('**/clients?*', async (route) => {
    await held.promise
    await route.continue()
  })
  let files = 0
  page.on('download', () => files++)
  await button(page, 'Export as CSV').press('Enter')
  await button(page, 'Cancel').press('Enter')
  await expect(button(page, 'Export as CSV')).toBeFocused()
  const answered = page.waitForResponse('**/clients?*')
  held.resolve()
  await (await answered).finished()
  await settled(page)
  expect(files).toBe(0)
})

test('who may only read sees the list and no button to register', async ({ page }) => {
  await open(page, 'viewer', '/applications')
  await expect(row(page, 'Company wiki').getByRole('cell').nth(2)).toHaveText('1,234')
  await expect(page.getByRole('link', { name: 'Register application' })).toHaveCount(0)
})

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing in the list (${scheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await open(page, 'root', '/applications')
    await looksWellNow(page, 'applications', scheme)
    await page.locator('.chooser summary').click()
    await looksWellNow(page, 'applications-columns', scheme)
  })

test('shows the logo of an application once it has loaded, and none that it chose itself', async ({
  page,
  service,
}) => {
  const logo = 'https://drawn.example/logo.svg'
  await addClient(service, { id: 'drawn', name: 'Drawn', metadata: { logo_uri: logo } })
  await addClient(service, { id: 'lure', name: 'Lure', metadata: { logo_uri: logo, registration: 'open' } })
  const asked: string[] = []
  await page.route('**/Account/ClientLogo?*', async (route) => {
    asked.push(new URL(route.request().url()).search)
    await route.fallback()
  })
  await open(page, 'root', '/applications')
  await expect(row(page, 'Drawn').locator('img')).toBeVisible()
  const [mark, picture] = await Promise.all(
    ['.mark', 'img'].map((part) => row(page, 'Drawn').locator(part).boundingBox()),
  )
  expect(picture).toEqual(mark)
  await expect(row(page, 'Lure').locator('.mark')).toHaveText('L')
  await expect(row(page, 'Lure').locator('img')).toHaveCount(0)
  expect(asked).toEqual(['?client_id=drawn'])
})

test('the heads sort by tokens both ways, and each chip says how many it lets through', async ({ page }) => {
  await open(page, 'root', '/applications')
  const tokens = page.getByRole('columnheader', { name: 'Tokens in 30 days' })
  await tokens.getByRole('button').press('Enter')
  await page.waitForURL('**/applications?sort=tokens')
  await expect(tokens).toHaveAttribute('aria-sort', 'ascending')
  await expect(names(page).last()).toHaveText('Company wiki')
  await tokens.getByRole('button').press('Enter')
  await expect(tokens).toHaveAttribute('aria-sort', 'descending')
  await expect(names(page).first()).toHaveText('Company wiki')
  const chip = (name: string) => page.locator('.filter-chip').filter({ hasText: name }).locator('.count')
  await expect(chip('Machine')).toHaveText('1')
  await expect(chip('Device')).toHaveText('0')
})

test('too many applications for an order are sorted by name, with the reason, until another order is chosen', async ({
  page,
}) => {
  const errors = [{ path: '/sort', code: 'member_invalid', message: 'More than 2000.' }]
  const problem = { type: 'about:blank', title: 'The request is malformed', status: 400, errors }
  await page.route('**/clients?*sort=-tokens*', (route) =>
    route.fulfill({ status: 400, contentType: 'application/problem+json', json: problem }),
  )
  await open(page, 'root', '/applications?sort=-tokens')
  await expect(page.getByText('There are too many applications to sort this way.')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Application' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(row(page, 'Company wiki')).toBeVisible()
  await looksWellNow(page, 'applications-too-many')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click()
  await expect(page.getByText('There are too many applications to sort this way.')).toHaveCount(0)
})

test('a phone shows below each name what the columns say for which it has no room', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 })
  await open(page, 'root', '/applications')
  await expect(page.getByRole('columnheader')).toHaveText(['Application', 'Kind'], { useInnerText: true })
  const header = row(page, 'Company wiki').getByRole('rowheader')
  await expect(header.getByRole('term')).toHaveText(['Last used', 'Tokens in 30 days', 'Created'])
  await expect(header.getByRole('definition').nth(1)).toHaveText('1,234')
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect(header.getByRole('term')).toHaveCount(0)
})
