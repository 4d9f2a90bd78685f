/** Invitations, mails, and the time line of keys: every state, what can be done about it, and how it looks. */
import type { MailRecord } from '../../src/storage/port/mails.ts'
import { adminProgram } from '../support/admin.ts'
import { mailTo } from '../support/mails.ts'
import { startService, type TestService, testUser } from '../support/service.ts'
import { button, looksWellNow, open, settled } from './console.ts'
import { test as base, expect, type Page } from './fixtures.ts'

const test = base.extend({
  service: async ({ shared }, use) => {
    const start = async (): Promise<readonly [TestService, () => unknown]> => {
      const service = await startService({
        RateLimit__LoginPerMinute: '1000',
        Mail__Url: 'file:/nowhere',
        Keys__MasterKey: Buffer.alloc(32).toString('base64'),
      })
      await service.storage.users.create(
        testUser({ name: 'root', email: 'root@example.com', roles: ['latchkey-admin'] }),
      )
      await service.storage.users.create(
        testUser({ name: 'viewer', email: 'v@example.com', roles: ['latchkey-viewer'] }),
      )
      return [service, () => service.stop()]
    }
    await use(await shared('a service with mail and a console', start))
  },
})

test.use({ ownPage: true, expectedErrors: /status of 4/ })

const item = (page: Page, address: string) =>
  page.locator('main li.item').filter({ has: page.locator('strong', { hasText: address }) })
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

async function invite(service: TestService, ...addresses: readonly string[]): Promise<void> {
  const helpDesk = await adminProgram(service, ['admin:users'], { id: `help-desk-${addresses[0]}` })
  for (const email of addresses) {
    const roles = email.startsWith('ina') ? ['editor'] : []
    expect((await helpDesk.post('/invitations', { email, roles })).status).toBe(201)
  }
}

async function mailOf({ storage }: TestService, address: string): Promise<MailRecord> {
  const found = (await storage.mails.page({ after: undefined, limit: 500, order: 'newest' })).find(
    ({ to }) => to === address,
  )
  expect(found, address).toBeDefined()
  return found as MailRecord
}

async function fail(service: TestService, address: string): Promise<void> {
  const { id } = await mailOf(service, address)
  await service.storage.mails.claim(id, 0, service.now() + 120_000)
  await service.storage.mails.fail(id, service.now(), '550 5.1.1 No such user here')
}

async function postpone(service: TestService, address: string): Promise<void> {
  const { id } = await mailOf(service, address)
  await service.storage.mails.claim(id, 0, service.now() + 120_000)
  await service.storage.mails.postpone(id, service.now() + 900_000, 'connect ECONNREFUSED 10.0.0.1:587')
}

test('an invitation is withdrawn from the list of People by four clicks, and its mail does not leave', async ({
  page,
  service,
}) => {
  await invite(service, 'ina@example.com')
  await open(page, 'root', '')
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'People' }).click()
  await page.getByRole('link', { name: 'Invitations' }).click()
  await page.waitForURL('**/admin/people/invitations')
  const ina = item(page, 'ina@example.com')
  await expect(ina).toContainText('editor · Until')
  await expect(ina).toContainText('Invited by help-desk-ina@example.com')
  await expect(ina).toContainText('The email is waiting.')
  await button(page, 'Withdraw').click()
  await expect(page.getByRole('group', { name: 'Withdraw the invitation to ina@example.com?' })).toBeFocused()
  await button(page, 'Withdraw').click()
  await expect(status(page, 'The invitation to ina@example.com is withdrawn.')).toBeVisible()
  await expect(page.getByText('There are no invitations.')).toBeVisible()
  const left = await service.storage.mails.page({ after: undefined, limit: 5, order: 'newest' })
  expect(left.filter(({ to }) => to === 'ina@example.com')).toEqual([])
  await page.getByText('Show as command').click()
  await expect(page.getByText('latchkey user withdraw-invitation')).toBeVisible()
})

test('invitations say what became of them, are filtered by an address, and are sent again by mail or as a link', async ({
  page,
  service,
  browser,
}) => {
  await invite(service, 'failed@example.com', 'waits@example.com', 'over@example.com')
  await fail(service, 'failed@example.com')
  const { confirmations, invitations } = service.storage
  const over = (await invitations.open(service.now())).find(({ details }) => details.email === 'over@example.com')
  if (over !== undefined) await confirmations.put({ ...over, expiresAtMs: service.now() - 60_000 })
  await open(page, 'root', '/people/invitations')
  const failed = item(page, 'failed@example.com')
  await expect(failed).toContainText('Email failed')
  await expect(failed).toContainText('The mail server refused it. 550 5.1.1 No such user here')
  await looksWellNow(page, '/people/invitations')
  await looksWellNow(page, '/people/invitations', 'dark')

  await page.getByRole('link', { name: 'Expired' }).click()
  await page.waitForURL('**/admin/people/invitations?status=expired')
  await expect(item(page, 'over@example.com')).toContainText('Ended')
  await expect(failed).toHaveCount(0)
  await page.reload()
  await settled(page)
  await expect(page.getByRole('link', { name: 'Expired' })).toHaveAttribute('aria-current', 'true')
  await button(page, 'Send again').click()
  await expect(page.getByText('A new link goes out and works for seven days.')).toBeVisible()
  await looksWellNow(page, '/people/invitations-again')
  await button(page, 'Send again').click()
  await expect(status(page, 'An invitation goes to over@example.com.')).toBeVisible()
  await expect(page.getByText('There is nothing in this state.')).toBeVisible()
  expect((await mailTo(service, 'over@example.com', 'invite')).token).not.toBe('')

  await page.getByRole('link', { name: 'All', exact: true }).click()
  await failed.getByRole('button', { name: 'Create a link' }).click()
  await failed.getByRole('button', { name: 'Create a link' }).click()
  const handed = page.getByRole('group', { name: 'Hand over this link' })
  await expect(handed).toBeFocused()
  await expect(failed).toContainText('No email on record')
  await looksWellNow(page, '/people/invitations-link')
  const link = await handed.locator('code').innerText()
  const other = await (await browser.newContext()).newPage()
  await other.goto(link)
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(other.getByText('You are invited as failed@example.com')).toBeVisible()
  await other.context().close()
  await page.reload()
  await settled(page)
  await expect(failed).toContainText('Opened')
  await expect(handed).toHaveCount(0)
  for (const one of await invitations.open(service.now())) await invitations.withdraw(one, service.now())
})

test('mails are listed with what failed in words, sent again and withdrawn; a notice stays', async ({
  page,
  service,
}) => {
  await invite(service, 'm1@example.com', 'm2@example.com', 'm3@example.com')
  await fail(service, 'm1@example.com')
  await postpone(service, 'm2@example.com')
  const owner = testUser({ name: 'owner', email: 'owner@example.com' })
  await service.storage.users.create(owner)
  const helpDesk = await adminProgram(service, ['admin:users'])
  await helpDesk.post(`/users/${owner.id}/set-password`, { password: 'kT7-vw2q-new' })
  await open(page, 'root', '')
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Emails' }).click()
  await page.waitForURL('**/admin/mails')
  await expect(item(page, 'm1@example.com')).toContainText('The mail server refused it.')
  await expect(item(page, 'm2@example.com')).toContainText('The mail server cannot be reached.')
  await expect(item(page, 'm2@example.com')).toContainText('Next attempt:')
  const notice = item(page, 'owner@example.com')
  await expect(notice).toContainText('Notice about the account')
  await expect(notice.getByRole('button')).toHaveCount(0)
  await expect(notice.getByRole('link', { name: 'Person' })).toHaveAttribute('href', `/admin/people/${owner.id}`)
  await looksWellNow(page, '/mails')
  await looksWellNow(page, '/mails', 'dark')

  await item(page, 'm2@example.com').getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByText('The same email goes out now.')).toBeVisible()
  await looksWellNow(page, '/mails-asked')
  await button(page, 'Send now').click()
  await expect(status(page, 'The email to m2@example.com is on its way.')).toBeVisible()
  expect((await mailOf(service, 'm2@example.com')).attempts).toBe(0)

  // What the sender takes in between is not withdrawn.
  await item(page, 'm3@example.com').getByRole('button', { name: 'Withdraw' }).click()
  const sending = await mailOf(service, 'm3@example.com')
  await service.storage.mails.claim(sending.id, 0, service.now() + 120_000)
  await item(page, 'm3@example.com').getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText('The mail was sent, is being sent, or can never be sent any more.')).toBeVisible()
  await service.storage.mails.postpone(sending.id, service.now() + 900_000, 'no answer')
  await item(page, 'm3@example.com').getByRole('button', { name: 'Withdraw' }).click()
  await expect(status(page, 'The email to m3@example.com is withdrawn.')).toBeVisible()
  await expect(item(page, 'm3@example.com')).toHaveCount(0)

  await page.getByRole('link', { name: 'Failed' }).click()
  await page.waitForURL('**/admin/mails?status=failed')
  const failed = item(page, 'm1@example.com')
  await expect(item(page, 'm2@example.com')).toHaveCount(0)
  await failed.getByRole('button', { name: 'Send again' }).click()
  await failed.getByRole('button', { name: 'Send again' }).click()
  await expect(status(page, 'The email to m1@example.com is on its way.')).toBeVisible()
  await expect(failed).toHaveCount(0)
  await page.getByRole('link', { name: 'Sent', exact: true }).click()
  await expect(page.getByText('There is nothing in this state.')).toBeVisible()
  await looksWellNow(page, '/mails-none')
})

test('a viewer sees the lists, and no button that changes them', async ({ page, service }) => {
  await invite(service, 'seen@example.com')
  await postpone(service, 'seen@example.com')
  await open(page, 'viewer', '/people/invitations')
  await expect(item(page, 'seen@example.com')).toBeVisible()
  await expect(page.locator('main li.item').getByRole('button')).toHaveCount(0)
  await expect(page.locator('main').getByRole('link', { name: 'Invite', exact: true })).toHaveCount(0)
  await page.goto('/admin/mails')
  await settled(page)
  await expect(item(page, 'seen@example.com').first()).toBeVisible()
  await expect(page.locator('main li.item').getByRole('button')).toHaveCount(0)
})

test('the time line of keys is a table as well, and says what comes next before and after a rotation', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/keys')
  const table = page.getByRole('region', { name: 'Timeline of RS256' }).getByRole('row')
  await expect(table).toHaveCount(2)
  await expect(table.nth(1)).toContainText('In use')
  await looksWellNow(page, '/keys')
  await button(page, 'Rotate keys').click()
  await expect(page.getByText('New keys are published now and used in five minutes.')).toBeVisible()
  await expect(page.getByText('An application that keeps its copy of the keys for longer')).toBeVisible()
  await looksWellNow(page, '/keys-asked')
  await button(page, 'Rotate keys').click()
  await expect(status(page, 'New keys are published.')).toBeVisible()
  await expect(table).toHaveCount(3)
  await expect(table.nth(1)).toContainText('Next')
  await expect(page.locator('#next')).toContainText(/the RS256 key …\S+ begins to sign/)
  await expect(page.locator('#next')).toContainText(/the RS256 key …\S+ is no longer published/)
  const [former, next] = (await service.storage.keys.list()).filter(
    ({ algorithm, use }) => use === 'sign' && algorithm === 'RS256',
  )
  await expect(table.nth(1)).toContainText(next?.id ?? 'none')
  await expect(table.nth(2)).toContainText(former?.id ?? 'none')
  await looksWellNow(page, '/keys-next')
  await looksWellNow(page, '/keys-next', 'dark')
})

test('a scope says what it hands over and who has it, before it is deleted', async ({ page, service }) => {
  const { scopes, authorizations } = service.storage
  const [known] = await scopes.findMany(['demo_api'])
  expect(known).toBeDefined()
  if (known !== undefined) await scopes.create({ ...known, name: 'phone', resources: [] })
  const root = await service.storage.users.findByName('root')
  const consent = {
    id: 'consent',
    userId: root?.id ?? '',
    clientId: 'demo',
    scopes: ['openid', 'phone'],
    createdAtMs: 1,
  }
  await authorizations.store(consent)
  await open(page, 'root', '/scopes/phone')
  await expect(page.locator('#brings')).toContainText('phone_number')
  await button(page, 'Count who agreed to it').click()
  await expect(page.locator('#used-by')).toContainText('Consents1')
  await looksWellNow(page, '/scopes/phone')
  await button(page, 'Delete').click()
  const asked = page.getByRole('group', { name: 'Delete the scope phone?' })
  await expect(asked).toContainText('Consents1')
  await expect(asked).toContainText('It is removed from applications, consents and grants.')
  await looksWellNow(page, '/scopes/phone-asked', 'dark')
})

test('a password reset goes to each chosen person after a question with their number', async ({ page, service }) => {
  const { storage } = service
  for (const name of ['mila', 'milo'])
    await storage.users.create(testUser({ name, email: `${name}@reset.example`, roles: [] }))
  await storage.users.create(testUser({ name: 'mill', email: '', roles: [] }))
  await open(page, 'root', '/people?search=mil')
  await page.getByLabel('Select all shown').check()
  await looksWellNow(page, '/people, chosen, with mail')
  await button(page, 'Send password reset').click()
  const question = page.getByRole('group', { name: 'Send these people a password reset?' })
  await expect(question).toContainText('3 people selected.')
  await looksWellNow(page, '/people, asked before a reset')
  await page.keyboard.press('Escape')
  await expect(button(page, 'Send password reset')).toBeFocused()
  await button(page, 'Send password reset').press('Enter')
  await question.getByRole('button', { name: 'Send password reset' }).click()
  await expect(page.getByText('Password reset sent: 2.')).toBeVisible()
  await expect(page.locator('.bulk-told')).toContainText('Not sent:')
  await expect(page.locator('.bulk-told')).toContainText('mill:')
  for (const name of ['mila', 'milo']) await mailOf(service, `${name}@reset.example`)
})
