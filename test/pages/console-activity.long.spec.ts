/** The page Activity of the console: what happened in sentences, live, gathered, filtered, and without the console itself. */
import { readFile } from 'node:fs/promises'
import type { AuditEvent } from '../../src/audit/entry.ts'
import { addClient, type TestService } from '../support/service.ts'
import { button, looksWellNow, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

const rows = (page: Page) => page.locator('li.entry')
const chip = (page: Page, name: string) => page.locator('.activity-chips').getByRole('button', { name, exact: true })
const firefox = { browser: 'Firefox', system: 'Windows' }

async function idOf({ storage }: TestService, name: string): Promise<string> {
  return (await storage.users.findByName(name))?.id ?? ''
}

/** Records what happened some minutes ago. */
const record = (service: TestService, minutes: number, event: Partial<AuditEvent>, count = 1) =>
  service.storage.audit.append(
    Array.from({ length: count }, (_, at) => ({
      ...{ atMs: service.now() - minutes * 60_000 - at, kind: 'sign_in' as const, userId: null, clientId: null },
      ...{ traceId: 'ab'.repeat(16), address: '203.0.113.7', details: {} },
      ...event,
    })),
  )

test('why something failed is said in words, of a refusal as the catalogue says it, and who made the first link', async ({
  page,
  service,
}) => {
  await addClient(service, { id: 'demo', name: 'Demo client' })
  const by = { actor: 'service' }
  await record(service, 4, { kind: 'confirmation_asked', details: { ...by, purpose: 'setup', mailed: false } })
  await record(service, 3, { kind: 'sign_in_failed', details: { method: 'pwd', reason: 'rate_limited' } })
  const unregistered = { reason: 'redirect_uri_unregistered', error: 'invalid_request', id: 'ID2043' }
  await record(service, 2, { kind: 'refusal', clientId: 'demo', details: unregistered })
  const userId = await idOf(service, 'viewer')
  await record(service, 1, { kind: 'confirmation_asked', userId, details: { actor: 'ops', purpose: 'reset' } })
  await open(page, 'root', '/activity')
  await expect(rows(page).filter({ hasText: 'ops made a code or a link for viewer' })).toBeVisible()
  await expect(rows(page).filter({ hasText: 'Demo client was refused' })).toContainText(
    'The redirect_uri is not registered for this client. ID2043',
  )
  await expect(rows(page).filter({ hasText: 'too many attempts from this address' })).toBeVisible()
  await expect(rows(page).filter({ hasText: 'The service made the link that sets up this installation' })).toBeVisible()
})

test('entries are sentences with names, place and device, gathered where they repeat, and open by the keyboard alone', async ({
  page,
  service,
}) => {
  await addClient(service, { id: 'demo', name: 'Demo client' })
  const userId = await idOf(service, 'viewer')
  await record(service, 3, { userId, clientId: 'demo', details: { method: 'pwd', ...firefox } }, 12)
  await record(service, 2, { kind: 'sign_in_failed', userId, details: { method: 'pwd', reason: 'wrong_password' } })
  await open(page, 'root', `/activity?user_id=${userId}`)
  const gathered = rows(page).filter({ hasText: 'viewer signed in to Demo client, 12 times' })
  await expect(gathered).toContainText('Firefox on Windows · 203.0.113.7')
  await expect(gathered.locator('time').first()).toHaveAttribute('title', /\d:\d\d:\d\d/)
  await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText(/^(?:Today|Yesterday)$/)

  const opener = gathered.getByRole('button', { name: 'Details of: viewer signed in to Demo client, 12 times' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  await expect(gathered.locator('li.one')).toHaveCount(12)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(gathered.locator('.story-opened')).toContainText('pwd')
  await looksWellNow(page, '/activity, opened')
  await opener.click()
  await expect(gathered.locator('li.one')).toHaveCount(0)

  const failed = rows(page).filter({ hasText: 'viewer could not sign in' })
  await expect(failed).toContainText('wrong password')
  await failed.getByRole('button', { name: 'Details of' }).click()
  await expect(failed.getByRole('link', { name: 'Open the account: unlock it' })).toHaveAttribute(
    'href',
    `/admin/people/${userId}`,
  )
  await expect(failed.getByRole('link', { name: `Explain ${'ab'.repeat(16)}` })).toBeVisible()
  await looksWellNow(page, '/activity, failure', 'dark')
})

test('what happens comes live, waits while one reads further below, and not at all after Pause', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/activity?group=roles')
  await expect(page.getByText('New entries appear at the top.')).toBeVisible()
  const role = (name: string) => record(service, 0, { kind: 'role_added', details: { actor: 'ops', name } })
  await role('first')
  await expect(rows(page).first()).toContainText('ops added the role first')
  await expect(page.getByRole('status').filter({ hasText: '1 new entry.' })).toBeVisible()
  for (let at = 0; at < 30; at += 1) await role(`more-${at}`)
  await expect(rows(page)).toHaveCount(31)

  await rows(page).last().scrollIntoViewIfNeeded()
  const before = await rows(page).first().textContent()
  await role('held')
  await role('held-too')
  const show = button(page, 'Show 2 new events')
  await expect(show).toBeInViewport()
  expect((await rows(page).first().textContent())?.slice(0, 20)).toBe(before?.slice(0, 20))
  await show.click()
  await expect(rows(page).first()).toContainText('held-too')
  await expect(rows(page)).toHaveCount(33)

  await page.evaluate('scrollTo(0, 0)')
  await button(page, 'Pause').click()
  await expect(page).toHaveURL(/follow=false/)
  await role('while-paused')
  await page.reload()
  await settled(page)
  await expect(rows(page).first()).toContainText('while-paused')
  await role('later')
  await button(page, 'Follow live').click()
  await expect(rows(page).first()).toContainText('later')
  await looksWellNow(page, '/activity, live')
})

test('who comes back from another tab keeps the place and every page that was read, and what is new is added or offered', async ({
  page,
  service,
}) => {
  const role = (name: string, minutes: number) =>
    record(service, minutes, { kind: 'group_added', details: { actor: 'ops', name } })
  for (let at = 0; at < 70; at += 1) await role(`old-${at}`, 100 - at)
  await open(page, 'root', '/activity?kind=group_added')
  await expect(rows(page)).toHaveCount(50)
  await button(page, 'Show more').click()
  await expect(rows(page)).toHaveCount(70)
  await expect(page.getByText('New entries appear at the top.')).toBeVisible()

  /** The tab is hidden, or seen again. */
  const hide = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
      document.dispatchEvent(new Event('visibilitychange'))`)
  const caughtUp = () => page.waitForResponse((answer) => answer.url().includes('/audit?'))
  await rows(page).last().scrollIntoViewIfNeeded()
  const place = await page.evaluate('scrollY')
  await hide(true)
  await role('meanwhile', 0)
  const read = caughtUp()
  await hide(false)
  await read
  await expect(button(page, 'Show 1 new event')).toBeInViewport()
  await expect(rows(page)).toHaveCount(70)
  expect(await page.evaluate('scrollY')).toBe(place)
  await button(page, 'Show 1 new event').click()
  await expect(rows(page)).toHaveCount(71)
  await expect(rows(page).first()).toContainText('meanwhile')

  await rows(page).last().scrollIntoViewIfNeeded()
  await hide(true)
  for (let at = 0; at < 51; at += 1) await role(`many-${at}`, 0)
  await hide(false)
  const newest = button(page, 'Show the newest events')
  await expect(newest).toBeInViewport()
  await expect(rows(page)).toHaveCount(71)
  await role('after', 0)
  await expect(page.getByRole('status').filter({ hasText: '2 new entries.' })).toBeVisible()
  await looksWellNow(page, '/activity, behind')
  await newest.click()
  await expect(rows(page)).toHaveCount(50)
  await expect(rows(page).first()).toContainText('after')
  await expect(newest).toHaveCount(0)
})

test('what the console itself causes stands apart, but not what failed or was changed there', async ({
  page,
  service,
}) => {
  const userId = await idOf(service, 'nobody')
  const about = { userId, clientId: 'latchkey-console' }
  await record(service, 5, about)
  await record(service, 4, { ...about, kind: 'tokens_issued' })
  await record(service, 3, { ...about, kind: 'refusal', details: { reason: 'login_required', id: 'ID2015' } })
  await record(service, 2, { ...about, kind: 'refusal', details: { reason: 'client_unknown', id: 'ID2052' } })
  await open(page, 'root', `/activity?user_id=${userId}`)
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('The client_id is not known. ID2052')
  await chip(page, 'Console').click()
  await expect(rows(page)).toHaveCount(4)
  await expect(page).toHaveURL(/console=true/)
  await expect(chip(page, 'Console')).toHaveAttribute('aria-pressed', 'true')
})

test('filters are chips that stand in the address, and who used an application yesterday takes two of them', async ({
  page,
  service,
}) => {
  await addClient(service, { id: 'ledger', name: 'Ledger' })
  const userId = await idOf(service, 'viewer')
  const noon = new Date(service.now())
  noon.setDate(noon.getDate() - 1)
  noon.setHours(12, 0, 0, 0)
  const minutes = (service.now() - noon.getTime()) / 60_000
  await record(service, minutes, { kind: 'tokens_issued', userId, clientId: 'ledger' })
  await record(service, 1, { kind: 'client_changed', clientId: 'ledger', details: { actor: 'ops' } })
  await open(page, 'root', '/activity')
  await page.getByLabel('Application').fill('ledger')
  await page.keyboard.press('Enter')
  await expect(rows(page).filter({ hasText: 'ops changed Ledger' })).toHaveCount(1)
  await chip(page, 'Yesterday').click()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('Ledger got tokens for viewer')
  await expect(button(page, 'Pause')).toHaveCount(0)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ client_id: 'ledger', when: 'yesterday' })

  await page.reload()
  await settled(page)
  await expect(chip(page, 'Yesterday')).toHaveAttribute('aria-pressed', 'true')
  await expect(rows(page)).toHaveCount(1)
  await chip(page, 'Sign-ins').click()
  await expect(page.getByText('No entry matches.')).toBeVisible()
  await chip(page, 'Access and tokens').click()
  await expect(rows(page)).toHaveCount(1)
  await chip(page, 'Failures').click()
  await expect(page.getByText('No entry matches.')).toBeVisible()
  await chip(page, 'Remove filter: Application Ledger').click()
  await expect(page).toHaveURL(/^(?!.*client_id).*outcome=failed/)
  await button(page, 'Clear filters').click()
  expect(new URL(page.url()).search).toBe('')
  await chip(page, 'Last month').click()
  await expect(button(page, 'Export as CSV')).toBeVisible()
})

test('an export says how far it is, is cancelled by the button that began it, and ends after 100,000 lines', async ({
  page,
  service,
}) => {
  await record(service, 1, { kind: 'user_added', details: { actor: 'ops' } }, 500)
  await open(page, 'root', '/activity?kind=user_added')
  const held = Promise.withResolvers<void>()
  let pages = 0
  // Each page is followed by itself, so that 500 entries are a trail of any length.
  await page.route(/\/audit\?.*limit=500/, async (route) => {
    pages += 1
    const answer = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/&cursor=[^&]*/, ''),
    })
    if (pages === 2) await held.promise
    await route.fulfill({ json: { ...(await answer.json()), next: 'again' } })
  })
  let files = 0
  page.on('download', () => files++)
  const json = button(page, 'Export as JSON lines')
  await json.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Entries read: 500 …' })).toBeVisible()
  await expect(button(page, 'Export as CSV')).toHaveCount(0)
  await expect(button(page, 'Cancel')).toBeFocused()
  await looksWellNow(page, '/activity, export')
  await button(page, 'Cancel').press('Enter')
  await expect(json).toBeFocused()
  await expect(page.getByText('Entries read')).toHaveCount(0)
  held.resolve()

  const download = page.waitForEvent('download')
  await json.press('Enter')
  expect((await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n')).toHaveLength(100_000)
  await expect(page.getByText('The file ends after 100,000 lines.')).toBeVisible()
  await expect(json).toBeFocused()
  expect(pages).toBe(202)
  expect(files).toBe(1)
})
