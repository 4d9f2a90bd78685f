/** Ctrl+K: people, applications, pages, actions, an error number and a trace id, with the keyboard alone. */
import { looksWellNow, open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

test.use({ ownPage: true })

const box = (page: Page) => page.getByRole('dialog').getByRole('combobox')
const chosen = (page: Page) => page.getByRole('dialog').getByRole('option', { selected: true })

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type(text)
  await expect(page.getByRole('dialog').getByRole('status')).not.toHaveText('Searching')
}

test('a person, an application, a page, an action and an error number are found and opened with the keyboard', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/scopes')
  await find(page, 'viewer@')
  await expect(chosen(page)).toContainText('viewer')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/people/*')
  await settled(page)

  await find(page, 'keys')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/keys')
  await settled(page)

  await find(page, 'new per')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/people/new')
  await settled(page)

  await page.goto('/admin/scopes')
  await settled(page)
  const [client] = await service.storage.clients.list()
  if (client === undefined) throw new Error('no client')
  await find(page, client.id)
  await expect(page.getByRole('option', { name: client.id })).toBeVisible()
  await page.keyboard.press('Escape')

  await find(page, 'id2043')
  await expect(chosen(page)).toHaveText('Explain ID2043')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/explain/ID2043')
})

test('the arrows go round, Escape closes it and returns the focus, and what finds nothing says so', async ({
  page,
}) => {
  await open(page, 'root', '/scopes')
  const opener = page.getByRole('button', { name: 'Find' })
  await opener.focus()
  await opener.press('Enter')
  await expect(box(page)).toBeFocused()
  await expect(chosen(page)).toHaveText('Home')
  await page.keyboard.press('ArrowUp')
  await expect(chosen(page)).toHaveText('Keys')
  await page.keyboard.press('ArrowDown')
  await expect(chosen(page)).toHaveText('Home')
  await page.keyboard.type('zzzz')
  await expect(page.getByText('Nothing found.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(opener).toBeFocused()
})

test('a viewer finds no action, and keys without Ctrl can be switched off for good (WCAG 2.1.4)', async ({ page }) => {
  await open(page, 'viewer', '/scopes')
  await find(page, 'new')
  await expect(page.getByText('Nothing found.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await page.getByLabel('Keys that work without Ctrl').uncheck()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await settled(page)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('2')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(new URL(page.url()).pathname).toBe('/admin/scopes')
  await find(page, 'keys')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByLabel('Keys that work without Ctrl').check()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('2')
  await page.waitForURL('**/admin/people')
})

for (const scheme of ['light', 'dark'] as const) {
  test(`it looks well on a phone and wide, ${scheme}`, async ({ page }) => {
    await open(page, 'root', '/scopes')
    await find(page, 'r')
    await looksWellNow(page, 'finder', scheme)
  })
}
