/**
 * Takes the pictures of the README, in light and dark: `docs/images/sign-in-*.webp`. The demo runs on its own port for it,
 * with a database in memory.
 *
 *   node scripts/make-pictures.ts
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { authorizePath } from '../test/support/browser.ts'
import { findChromium } from '../test/support/chromium.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const origin = 'http://localhost:5080'
const viewport = { width: 496, height: 830 }
const env = {
  Database__Url: 'sqlite::memory:',
  Accounts__Registration: 'open',
  Mail__Url: 'file:/nowhere',
  OAuth__External__GitHub__ClientId: 'demo',
  OAuth__External__GitHub__ClientSecret: 'demo',
}

const service = spawn('bin/latchkey', ['serve', '--demo'], {
  cwd: root,
  env: { ...process.env, ...env },
  stdio: 'ignore',
})
const found = await findChromium()
const browser = await chromium.launch({
  executablePath: found.executablePath,
  env: { ...process.env, ...found.env } as Record<string, string>,
  args: ['--disable-dev-shm-usage'],
  chromiumSandbox: false,
})
try {
  for (const colorScheme of ['light', 'dark'] as const) await take(colorScheme)
} finally {
  await browser.close()
  service.kill()
}

async function take(colorScheme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({ baseURL: origin, viewport, colorScheme, deviceScaleFactor: 2 })
  const page = await context.newPage()
  await untilAnswers(page)
  await page.goto(authorizePath())
  await page.getByRole('textbox', { name: 'Username' }).fill('alice')
  await page.getByLabel('Password').fill('Passw0rd!')
  await page.getByText('Demo client').waitFor()
  const signIn = await page.screenshot()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  const consent = await page.screenshot()
  const sheet = await browser.newPage({ viewport: { width: 4 * viewport.width, height: 2 * viewport.height } })
  const images = [signIn, consent].map(
    (png) => `<img width="${2 * viewport.width}" src="data:image/png;base64,${png.toString('base64')}">`,
  )
  await sheet.setContent(`<body style="margin:0;display:flex">${images.join('')}`)
  const devtools = await sheet.context().newCDPSession(sheet)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  writeFileSync(`${root}docs/images/sign-in-${colorScheme}.webp`, Buffer.from(data, 'base64'))
  await context.close()
  await sheet.close()
}

async function untilAnswers(page: Page): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isThere = await page.request.get('/healthz').then(
      (response) => response.ok(),
      () => false,
    )
    if (isThere) return
    await page.waitForTimeout(100)
  }
  throw new Error(`nothing answers at ${origin}`)
}
