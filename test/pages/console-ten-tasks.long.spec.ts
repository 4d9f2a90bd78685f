/** Ten tasks of an operator, from the home page on: how many clicks, entries and keys each takes, and what it loads. */
import { readFileSync } from 'node:fs'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { aConfirmation, someFactors } from '../storage/records.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, addUser, userNamed } from '../support/service.ts'
import { button, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'
import { measured } from './operator.ts'

test.use({ ownPage: true })

const inNavigation = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true })
const toast = (page: Page, text: string) => page.getByRole('status', { name: 'Messages' }).filter({ hasText: text })
const chip = (page: Page, name: string) => page.locator('.activity-chips').getByRole('button', { name, exact: true })
/** What the finder would open. */
const found = (page: Page) => page.getByRole('dialog').getByRole('option', { selected: true })

test.beforeAll(() =>
  console.log('| Task | Clicks | Entries | Keys | Steps | Time | Loaded |\n|---|--:|--:|--:|--:|--:|--:|'),
)

test.beforeEach(async ({ page }) => {
  await open(page, 'root', '')
})

test('a person is added with a role', async ({ page, service }) => {
  const { steps } = await measured(page, 'add a person with a role', async (operator) => {
    await operator.click(inNavigation(page, 'People'))
    await operator.click(page.getByRole('link', { name: 'Add person' }).first())
    await operator.enter(page.getByLabel('Username'), 'zelda')
    await operator.enter(page.getByLabel('Email address'), 'zelda@example.com')
    await operator.enter(page.getByRole('combobox', { name: 'Roles' }), 'editor')
    await operator.click(button(page, 'Add person'))
    await page.waitForURL(/people\/[0-9a-f-]{36}$/)
  })
  expect(await userNamed(service, 'zelda')).toMatchObject({ email: 'zelda@example.com', roles: ['editor'] })
  // Two pages, three fields with a click and an entry each, and the button.
  expect(steps).toBeLessThanOrEqual(9)
})

test('a second factor is reset', async ({ page, service }) => {
  const user = await addUser(service, 'factor-lost')
  await service.storage.secondFactors.change(user.id, () => ({ factors: someFactors(user), events: [] }))
  const { steps } = await measured(page, 'reset a second factor', async (operator) => {
    await operator.press('Control+k')
    await operator.type('factor-lost')
    await expect(found(page)).toContainText('factor-lost')
    await operator.press('Enter')
    await operator.click(button(page, 'Remove second factor'))
    await operator.click(
      page
        .getByRole('group', { name: /^Remove the second factor/ })
        .getByRole('button')
        .first(),
    )
    await expect(toast(page, 'no longer has a second factor')).toBeVisible()
  })
  expect((await service.storage.secondFactors.find(user.id))?.totp ?? null).toBeNull()
  // The person is found by three steps; the button asks once, because nothing brings the factor back.
  expect(steps).toBeLessThanOrEqual(5)
})

test('who used an application yesterday is found', async ({ page, service }) => {
  await addClient(service, { id: 'ledger', name: 'Ledger' })
  const { id: userId } = await userNamed(service, 'viewer')
  const noon = new Date(service.now())
  noon.setDate(noon.getDate() - 1)
  noon.setHours(12, 0, 0, 0)
  const event = { kind: 'tokens_issued' as const, userId, clientId: 'ledger', traceId: 'ab'.repeat(16) }
  await service.storage.audit.append([{ ...event, atMs: noon.getTime(), address: '203.0.113.7', details: {} }])
  const { steps } = await measured(page, 'find who used an application yesterday', async (operator) => {
    await operator.click(inNavigation(page, 'Activity'))
    await operator.enter(page.getByLabel('Application'), 'ledger')
    await operator.press('Enter')
    await operator.click(chip(page, 'Yesterday'))
    await expect(page.locator('li.entry')).toHaveCount(1)
    await expect(page.locator('li.entry')).toContainText('Ledger got tokens for viewer')
  })
  // The page, the application (a click, an entry, Enter), the day.
  expect(steps).toBeLessThanOrEqual(5)
})

test('a secret is rotated', async ({ page, service }) => {
  const authentication = bySecret(hashSecret('first'))
  await addClient(service, { id: 'rotated', name: 'Rotated', authentication })
  const { steps } = await measured(page, 'rotate a secret', async (operator) => {
    await operator.press('Control+k')
    await operator.type('rotated')
    await expect(found(page)).toContainText('Rotated')
    await operator.press('Enter')
    await operator.click(
      page.getByRole('navigation', { name: 'Pages of the application' }).getByRole('link', { name: /^Secrets/ }),
    )
    await operator.click(button(page, 'Rotate secret'))
    await expect(page.locator('#secret pre')).toBeVisible()
  })
  const client = await service.storage.clients.find('rotated')
  expect(client?.authentication).not.toEqual(authentication)
  // Three steps find the application. It does not ask: the former secret stays valid for a day.
  expect(steps).toBeLessThanOrEqual(5)
})

test('a refusal is explained by its trace id', async ({ page, service }) => {
  const refused = await fetch(`${service.issuer}connect/authorize?client_id=unheard-of&response_type=code`)
  const traceId = refused.headers.get('x-trace-id') ?? ''
  await service.storage.audit.flush()
  const { steps } = await measured(page, 'explain a refusal by its trace id', async (operator) => {
    await operator.press('Control+k')
    await operator.type(traceId)
    await expect(found(page)).toContainText(traceId)
    await operator.press('Enter')
    await page.waitForURL(`**/admin/explain/${traceId}`)
    await expect(page.getByText('unheard-of')).toBeVisible()
  })
  // Opened, pasted, sent.
  expect(steps).toBeLessThanOrEqual(3)
})

test('a Next.js application is set up', async ({ page, service }) => {
  const { steps } = await measured(page, 'set up a Next.js application', async (operator) => {
    await operator.click(inNavigation(page, 'Applications'))
    await operator.click(page.getByRole('link', { name: 'Register application' }).first())
    await operator.click(page.getByRole('link', { name: /Next\.js/ }))
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await operator.press('Enter')
    await page.waitForURL(/applications\/app-[0-9a-f]+\/setup$/)
    await expect(page.locator('#library')).toContainText('clientSecret')
  })
  const client = await service.storage.clients.find(page.url().split('/').at(-2) ?? '')
  expect(client?.name).toBe('Next.js')
  expect(client?.redirectUris).toEqual(['http://localhost:3000/api/auth/callback/latchkey'])
  // Three pages, and Enter: the name is proposed, and the address is that of development. The code stands on the page that follows.
  expect(steps).toBeLessThanOrEqual(4)
})

test('a Next.js application is set up under its own name and address', async ({ page, service }) => {
  const { steps } = await measured(
    page,
    'set up a Next.js application, with its name and address',
    async (operator) => {
      await operator.click(inNavigation(page, 'Applications'))
      await operator.click(page.getByRole('link', { name: 'Register application' }).first())
      await operator.click(page.getByRole('link', { name: /Next\.js/ }))
      await operator.enter(page.getByLabel('Name', { exact: true }), 'Shop')
      await operator.enter(page.getByLabel('Address of the application'), 'https://shop.example')
      await operator.press('Enter')
      await page.waitForURL(/applications\/app-[0-9a-f]+\/setup$/)
    },
  )
  const client = await service.storage.clients.find(page.url().split('/').at(-2) ?? '')
  expect(client?.name).toBe('Shop')
  expect(client?.redirectUris).toEqual(['https://shop.example/api/auth/callback/latchkey'])
  // Three pages, the name in the field that has the cursor, the address with a click, and Enter.
  expect(steps).toBeLessThanOrEqual(7)
})

test('an invitation is withdrawn', async ({ page, service }) => {
  const details = { email: 'ina@example.com', roles: ['editor'] }
  const times = { createdAtMs: service.now(), expiresAtMs: service.now() + 86_400_000 }
  await service.storage.confirmations.put(aConfirmation({ purpose: 'invite', details, userId: null, ...times }))
  const { steps } = await measured(page, 'withdraw an invitation', async (operator) => {
    await operator.click(inNavigation(page, 'People'))
    await operator.click(page.getByRole('link', { name: 'Invitations', exact: true }))
    const item = page.getByRole('listitem').filter({ hasText: 'ina@example.com' })
    await operator.click(item.getByRole('button', { name: 'Withdraw' }))
    await operator.click(item.getByRole('group').getByRole('button', { name: 'Withdraw' }))
    await expect(page.getByRole('status').filter({ hasText: 'is withdrawn' })).toBeVisible()
  })
  expect(await service.storage.invitations.open(service.now())).toEqual([])
  // The page, its list, and a button that asks: a link that was sent stops working for good.
  expect(steps).toBeLessThanOrEqual(4)
})

test('a thousand people are locked', async ({ page, service }) => {
  const { users } = service.storage
  const ids = await Promise.all(
    Array.from({ length: 1000 }, async (_, at) => (await addUser(service, `crowd${at}`, { roles: ['crowd'] })).id),
  )
  const { steps } = await measured(page, 'lock a thousand people', async (operator) => {
    await operator.click(inNavigation(page, 'People'))
    await operator.enter(page.getByLabel('Search people'), 'role:crowd')
    await page.waitForURL(/role=crowd/)
    await settled(page)
    await operator.click(page.getByLabel('Select all shown'))
    await operator.click(page.getByRole('button', { name: /^Select all that match/ }))
    await expect(page.getByText('1,000 people selected.')).toBeVisible()
    await operator.click(button(page, 'Lock'))
    await operator.click(page.getByRole('group', { name: 'Lock these people?' }).getByRole('button', { name: 'Lock' }))
    await expect(page.getByText('Locked: 1,000.')).toBeVisible()
  })
  const locked = await Promise.all(ids.map(async (id) => (await users.find(id))?.disabled))
  expect(locked.filter(Boolean)).toHaveLength(1000)
  expect((await userNamed(service, 'root')).disabled).toBe(false)
  // As many as for one page of people, and one more for those that are not shown.
  expect(steps).toBeLessThanOrEqual(7)
})

test('the logo is changed', async ({ page, service }) => {
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 64
    canvas.height = 32
    canvas.getContext('2d')?.fillRect(0, 0, 40, 32)
    return canvas.toDataURL('image/png')
  })
  const buffer = Buffer.from(drawn.split(',')[1] ?? '', 'base64')
  const { steps } = await measured(page, 'change the logo', async (operator) => {
    await operator.click(inNavigation(page, 'Branding'))
    await operator.choose(button(page, 'Choose a file: Logo'), { name: 'logo.png', mimeType: 'image/png', buffer })
    await expect(page.locator('.chosen-logo img')).toBeVisible()
    await operator.click(button(page, 'Save'))
    await expect(page.getByText('The branding is saved.', { exact: false })).toBeVisible()
  })
  expect((await service.storage.branding.find()).members.logo).toBe(drawn)
  // The page, the picture (a click and the choice of the file), and the button.
  expect(steps).toBeLessThanOrEqual(4)
})

test('the sign-ins of a month are exported', async ({ page, service }) => {
  const { id: userId } = await userNamed(service, 'nobody')
  const month = new Date(service.now())
  month.setDate(1)
  month.setMonth(month.getMonth() - 1)
  month.setHours(12, 0, 0, 0)
  const event = { kind: 'sign_in' as const, userId, clientId: null, traceId: 'cd'.repeat(16), address: '203.0.113.9' }
  const others = { ...event, kind: 'role_added' as const, atMs: month.getTime(), details: { name: 'no sign-in' } }
  await service.storage.audit.append([
    ...Array.from({ length: 700 }, (_, at) => ({ ...event, atMs: month.getTime() + at, details: { method: 'pwd' } })),
    others,
  ])
  let text = ''
  const { steps } = await measured(page, 'export the sign-ins of a month', async (operator) => {
    await operator.click(inNavigation(page, 'Activity'))
    await operator.click(chip(page, 'Last month'))
    await operator.click(chip(page, 'Sign-ins'))
    await settled(page)
    const download = page.waitForEvent('download')
    await operator.click(button(page, 'Export as CSV'))
    text = readFileSync(await (await download).path(), 'utf8')
  })
  expect(text.trim().split('\r\n')).toHaveLength(701)
  expect(text).not.toContain('no sign-in')
  // The page, the month, the kind of events, and the button.
  expect(steps).toBeLessThanOrEqual(4)
})
