/** The kit that all pages are made of (`pages/kit/`): every component in every state, in both themes and both directions. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { build } from 'vite'
import { listen } from '../support/listen.ts'
import { expectNoSidewaysScrolling, tags } from './accessible.ts'

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
let folder: string
let server: Server
let origin: string

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-kit-'))
  const configFile = fileURLToPath(new URL('../../vite.kit.config.ts', import.meta.url))
  await build({ configFile, logLevel: 'error', build: { outDir: folder, emptyOutDir: true, modulePreload: false } })
  server = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://kit.invalid')
    const path = pathname === '/' ? '/index.html' : pathname
    const body = await readFile(join(folder, path)).catch(() => undefined)
    response.writeHead(body ? 200 : 404, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body)
  })
  origin = await listen(server)
})

test.afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

for (const view of ['area', 'card']) {
  for (const direction of ['ltr', 'rtl']) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`the kit as ${view}, ${direction}, ${colorScheme}: WCAG 2.2 AA, and no scrolling sideways at 320 pixels`, async ({
        page,
      }) => {
        const problems: string[] = []
        page.on('pageerror', (error) => problems.push(error.message))
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width: 320, height: 800 })
        await page.goto(`${origin}/?view=${view}&dir=${direction}`)
        await expect(page.getByRole('heading', { level: 1, name: 'The kit' })).toBeVisible()
        await expectNoSidewaysScrolling(page)
        await page.setViewportSize({ width: 1280, height: 800 })
        await expectNoSidewaysScrolling(page)
        const { violations, passes } = await new AxeBuilder({ page }).withTags(tags).setLegacyMode().analyze()
        expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
        expect(passes.map(({ id }) => id)).toContain('color-contrast')
        expect(problems).toEqual([])
      })
    }
  }
}

test('a question takes the focus and gives it back, and asks for the name of what is deleted for good', async ({
  page,
}) => {
  await page.goto(`${origin}/`)
  await page.getByRole('button', { name: 'Delete for good' }).click()
  const question = page.getByRole('group', { name: 'Delete it for good?' })
  await expect(question).toBeFocused()
  await expect(question.getByRole('button', { name: 'Delete for good' })).toBeDisabled()
  await question.getByLabel('Enter its name').fill('name')
  await question.getByLabel('Enter its name').press('Escape')
  await expect(page.getByRole('button', { name: 'Delete for good' })).toBeFocused()
  await page.getByRole('button', { name: 'Open the dialog' }).click()
  await expect(page.getByRole('dialog', { name: 'A dialog' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'A dialog' })).toBeHidden()
})

test('a combobox is used with the keys alone, and a toast takes back what was done', async ({ page }) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`${origin}/`)
  const tabs = page.getByRole('navigation', { name: 'Pages of the record' }).getByRole('link')
  await expect(tabs).toHaveText(['Overview', 'Sign-in ways', 'Applications'])
  await expect(tabs.first()).toHaveAttribute('aria-current', 'page')
  const box = page.getByRole('combobox', { name: 'Add a role' })
  await box.focus()
  await expect(page.getByRole('listbox', { name: 'Add a role' }).getByRole('option')).toHaveCount(3)
  const { violations } = await new AxeBuilder({ page }).withTags(tags).setLegacyMode().analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.keyboard.type('read')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Chosen: reader')).toBeVisible()
  await box.fill('nobody has this')
  await expect(page.getByText('No such role.')).toBeVisible()
  await page.getByRole('button', { name: 'Say with a way back' }).click()
  const toasts = page.getByRole('status', { name: 'Messages' })
  await expect(toasts).toHaveText(/The name was changed\./)
  const [words, undo] = await Promise.all(
    [toasts.getByText('The name was changed.'), toasts.getByRole('button', { name: 'Undo' })].map((one) =>
      one.boundingBox(),
    ),
  )
  // Few words stand beside the buttons.
  expect(words?.y).toBeLessThan((undo?.y ?? 0) + (undo?.height ?? 0))
  expect(undo?.y).toBeLessThan((words?.y ?? 0) + (words?.height ?? 0))
  expect(await new AxeBuilder({ page }).withTags(tags).setLegacyMode().analyze()).toMatchObject({ violations: [] })
  await toasts.getByRole('button', { name: 'Undo' }).click()
  await expect(toasts).toHaveText(/The change was undone\./)
  await expect(toasts.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(toasts).toBeEmpty()
  expect(problems).toEqual([])
})
