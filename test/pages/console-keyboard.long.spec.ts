/** Tasks about applications, activity and looks with the keyboard and a screen reader: where the focus is after each step, and what is spoken. */
import { readFileSync } from 'node:fs'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, userNamed } from '../support/service.ts'
import { settled } from './console.ts'
import { expect } from './fixtures.ts'
import { find, heading, tabTo, test } from './keyboard.ts'
import { heard } from './screen-reader.ts'

test('who used an application yesterday is found by chips and exported, and the focus stays', async ({
  page,
  service,
}) => {
  await addClient(service, { id: 'archive', name: 'Archive' })
  const { id: userId } = await userNamed(service, 'viewer')
  const noon = new Date(service.now())
  noon.setDate(noon.getDate() - 1)
  noon.setHours(12, 0, 0, 0)
  const event = { kind: 'tokens_issued' as const, userId, clientId: 'archive', traceId: 'ab'.repeat(16) }
  await service.storage.audit.append([{ ...event, atMs: noon.getTime(), address: '203.0.113.7', details: {} }])
  await find(page, 'activity', 'Activity', 'Activity')
  const chips = page.locator('.activity-chips')
  const yesterday = chips.getByRole('button', { name: 'Yesterday', exact: true })
  await tabTo(page, yesterday, 5)
  await page.keyboard.press('Space')
  await settled(page)
  await expect(yesterday).toBeFocused()
  await expect(yesterday).toHaveAttribute('aria-pressed', 'true')
  const field = page.getByLabel('Application')
  await tabTo(page, field, 20)
  await page.keyboard.type('archive')
  await page.keyboard.press('Enter')
  await expect(page.locator('li.entry')).toHaveCount(1)
  await expect(field).toBeFocused()
  const csv = page.getByRole('button', { name: 'Export as CSV' })
  await tabTo(page, csv, 8)
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('archive')
  await expect(page.getByText('1 entry exported.')).toBeVisible()
  await expect(csv).toBeFocused()
  const opener = page.locator('li.entry').getByRole('button', { name: /^Details of/ })
  await tabTo(page, opener, 8)
  await page.keyboard.press('Enter')
  await expect(opener).toBeFocused()
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  const remove = chips.getByRole('button', { name: 'Remove filter: Application Archive' })
  await tabTo(page, remove, 20, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(remove).toHaveCount(0)
  const clear = chips.getByRole('button', { name: 'Clear filters' })
  await expect(clear).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(clear).toHaveCount(0)
  await expect(chips.getByRole('button').first()).toBeFocused()
  await heard(
    page,
    'heading, Activity',
    'button, Any time, pressed',
    'button, Yesterday, not pressed',
    'textbox, Application',
  )
  await heard(page, 'button, Export as CSV', 'polite: Entries read: 0', 'polite: 1 entry exported.')
  await heard(page, 'button, Details of: Archive got tokens for viewer, Tokens issued, not expanded')
  await heard(page, 'button, Remove filter: Application Archive', 'button, Clear filters', 'button, Any time, pressed')
})

test('a secret is rotated, and a refusal explained by its trace id', async ({ page, service }) => {
  const authentication = bySecret(hashSecret('first'))
  await addClient(service, { id: 'keyed-app', name: 'Keyed app', authentication })
  await find(page, 'keyed-app', 'Keyed app', 'Keyed app')
  const tab = page.getByRole('navigation', { name: 'Pages of the application' }).getByRole('link', { name: /^Secrets/ })
  await tabTo(page, tab, 10)
  await page.keyboard.press('Enter')
  await settled(page)
  await expect(tab).toBeFocused()
  const rotate = page.getByRole('button', { name: 'Rotate secret' })
  await tabTo(page, rotate, 10)
  await page.keyboard.press('Enter')
  await expect(page.locator('#secret pre')).toBeVisible()
  expect((await service.storage.clients.find('keyed-app'))?.authentication).not.toEqual(authentication)
  expect(await page.evaluate("document.activeElement.closest('#secret') !== null")).toBe(true)
  const refused = await fetch(`${service.issuer}connect/authorize?client_id=unheard-of&response_type=code`)
  const traceId = refused.headers.get('x-trace-id') ?? ''
  await service.storage.audit.flush()
  await find(page, traceId, traceId, 'Explain')
  await expect(page.getByText('unheard-of')).toBeVisible()
  await heard(page, 'heading, Keyed app', 'link, Secrets and keys', 'combobox, Old secret', 'button, Rotate secret')
  await heard(
    page,
    'polite: The secret of keyed-app is shown this once. Copy it now.',
    'dialog, Find anything',
    'heading, Explain',
  )
})

test('a Next.js application is set up', async ({ page, service }) => {
  await find(page, 'new app', 'New application', /application/i)
  await tabTo(page, page.getByLabel('Filter by name'), 4)
  await page.keyboard.type('auth.js')
  await expect(page.locator('.tiles:not(.apart) a')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: /Next\.js/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/new?for=nextjs-authjs')
  await settled(page)
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Keyed shop')
  await page.keyboard.press('Tab')
  await page.keyboard.type('https://shop.example')
  await page.keyboard.press('Enter')
  await page.waitForURL(/applications\/app-[0-9a-f]+\/setup$/)
  await settled(page)
  await expect(heading(page, 'Keyed shop')).toBeFocused()
  expect(await service.storage.clients.find(page.url().split('/').at(-2) ?? '')).toMatchObject({ name: 'Keyed shop' })
  await heard(
    page,
    'heading, Register application',
    'searchbox, Filter by name',
    'polite: 1 choice',
    'link, Next.js Auth.js 5',
  )
  await heard(page, 'textbox, Name, Next.js', 'textbox, Address of the application', 'heading, Keyed shop')
})

test('the logo is changed, and taken away again', async ({ page, service }) => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  // Before the key that opens it: the browser hands it over from the first listener on.
  const chooser = page.waitForEvent('filechooser')
  await find(page, 'branding', 'Branding', 'Branding')
  const logo = page.getByRole('button', { name: 'Choose a file: Logo', exact: true })
  await tabTo(page, logo, 8)
  await page.keyboard.press('Enter')
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }
  await (await chooser).setFiles(file)
  const remove = page.getByRole('button', { name: 'Remove: Logo', exact: true })
  await expect(remove).toBeVisible()
  await expect(logo).toBeFocused()
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await tabTo(page, save, 30)
  await page.keyboard.press('Enter')
  await expect(page.getByText('The branding is saved.', { exact: false })).toBeVisible()
  expect((await service.storage.branding.find()).members.logo).toContain('data:image/png')
  await tabTo(page, remove, 40, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(remove).toHaveCount(0)
  await expect(logo).toBeFocused()
  await heard(page, 'heading, Branding', 'Logo, SVG, PNG or WebP', 'button, Save', 'polite: The branding is saved.')
  await heard(page, 'button, Remove: Logo', 'Logo, SVG, PNG or WebP')
})
