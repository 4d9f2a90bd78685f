/** One brand, set in the console and seen everywhere: sign-in page, account area, console, mail; in both themes. */
import type { Browser as PlaywrightBrowser } from '@playwright/test'
import { PNG } from 'pngjs'
import { loadCatalogue } from '../../src/mail/catalogues.ts'
import { writeMail } from '../../src/mail/rendering.ts'
import { axeFor } from './accessible.ts'
import { button, looksWellNow, open, settled, test } from './console.ts'
import { expect, type Page, signIn } from './fixtures.ts'

// A refused change is an answer of the service.
test.use({ ownPage: true, expectedErrors: /status of 400/ })

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30" viewBox="0 0 60 30"><rect width="60" height="30" fill="#2b1a4f"/></svg>'
const file = (name: string, mimeType: string, content: string) => ({ name, mimeType, buffer: Buffer.from(content) })

/** Whoever changes it last wins: tests of this file take it back first. */
async function fresh(page: Page): Promise<void> {
  await open(page, 'root', '/branding')
}

/** The colour of the bar beside the current page of the navigation. */
const barOf = (page: Page): Promise<string> =>
  page.locator('nav a[aria-current]').evaluate((link) => getComputedStyle(link, '::before').backgroundColor)

test('a colour that is hard to tell from a page is refused while it is typed, with the nearest ones, and never saved', async ({
  page,
  service,
}) => {
  await fresh(page)
  const accent = page.getByLabel('Accent colour', { exact: true })
  await accent.fill('#2b1a')
  await expect(page.getByText('Enter # and six hexadecimal digits, such as #0b57d0.')).toBeVisible()
  await accent.fill('#2b1a4f')
  await expect(page.getByText('Hard to see on the dark page: 1.2 to 1, and 3 to 1 is needed.')).toBeVisible()
  await expect(accent).toHaveAttribute('aria-invalid', 'true')
  const { version } = await service.storage.branding.find()
  await button(page, 'Save').click()
  await expect(accent).toBeFocused()
  expect((await service.storage.branding.find()).version).toBe(version)
  await looksWellNow(page, '/branding-refused')
  await button(page, 'Use #64587f in the dark theme').click()
  await expect(page.getByLabel('Accent colour in the dark theme', { exact: true })).toHaveValue('#64587f')
  await expect(page.getByText('Contrast with the page: 14.3 to 1. That is enough.')).toBeVisible()
  // What is too light for the light theme stays in the dark one.
  await page.getByLabel('Accent colour in the dark theme', { exact: true }).fill('')
  await accent.fill('#ffdd00')
  await button(page, 'Use #ffdd00 in the dark theme').click()
  await expect(accent).toHaveValue('#a38d00')
  await expect(page.getByLabel('Accent colour in the dark theme', { exact: true })).toHaveValue('#ffdd00')
  await expect(accent).not.toHaveAttribute('aria-invalid')
})

test('the preview is the sign-in page in both themes, as it is typed', async ({ page }) => {
  await fresh(page)
  await page.getByLabel('Name of the service').fill('Orchard')
  await page.getByLabel('Accent colour', { exact: true }).fill('#0b57d0')
  await page.getByLabel('Corner radius').fill('0')
  const previews = page.locator('.brand-preview')
  await expect(previews).toHaveCount(2)
  for (const at of [0, 1]) {
    const main = previews.nth(at).locator('.button').first()
    await expect(main).toHaveCSS('background-color', 'rgb(11, 87, 208)')
    await expect(main).toHaveCSS('border-radius', '0px')
    await expect(previews.nth(at).locator('.brand')).toContainText('Orchard')
  }
  await expect(previews.nth(0)).toHaveCSS('background-color', 'rgb(245, 247, 246)')
  await expect(previews.nth(1)).toHaveCSS('background-color', 'rgb(8, 12, 11)')
  // Of the rest of the page nothing changed yet.
  await expect(button(page, 'Save')).toHaveCSS('background-color', 'rgb(11, 107, 97)')
})

test('a file that is no image is refused before it is sent; an SVG that runs scripts, by the service', async ({
  page,
  service,
}) => {
  await fresh(page)
  const logo = page.getByLabel('Logo', { exact: true })
  await logo.setInputFiles(file('logo.png', 'image/png', 'no image'))
  await expect(page.getByText('This file is not an SVG, PNG or WebP image.')).toBeVisible()
  await logo.setInputFiles(file('logo.svg', 'image/svg+xml', `<svg>${' '.repeat(21_000)}</svg>`))
  await expect(page.getByText('The file is larger than 20 KiB.')).toBeVisible()
  await logo.setInputFiles(
    file('logo.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  )
  await button(page, 'Save').click()
  await expect(page.getByText('must not contain scripts', { exact: false })).toBeVisible()
  expect((await service.storage.branding.find()).members.logo).toBeNull()
})

test('an SVG logo is made a PNG for mails; the name goes from beside a logo that has it, and is read out still', async ({
  page,
  service,
}) => {
  await fresh(page)
  await expect(page.getByLabel('Show the name beside the logo')).toHaveCount(0)
  await page.getByLabel('Logo', { exact: true }).setInputFiles(file('logo.svg', 'image/svg+xml', svg))
  await expect(page.getByRole('button', { name: 'Remove: Logo in emails', exact: true })).toBeVisible()
  await page.getByLabel('Show the name beside the logo').uncheck()
  const name = page.locator('.brand-preview').first().locator('.brand span')
  await expect(name).toHaveText('Latchkey')
  await expect(name).toHaveClass('hidden')
  await looksWellNow(page, '/branding-logos')
  await button(page, 'Save').click()
  await expect(page.getByText('The branding is saved.', { exact: false })).toBeVisible()
  const { members } = await service.storage.branding.find()
  const [, base64 = ''] = members.logo_mail?.split('data:image/png;base64,') ?? []
  const drawn = PNG.sync.read(Buffer.from(base64, 'base64'))
  expect([drawn.width, drawn.height]).toEqual([192, 96])
  expect([...drawn.data.subarray(0, 4)]).toEqual([0x2b, 0x1a, 0x4f, 0xff])
  expect([members.logo_dark, members.logo_mail_dark, members.show_name]).toEqual([null, null, false])
  await page.reload()
  await settled(page)
  await expect(page.locator('header .brand span').first()).toHaveClass('hidden')
  await expect(page.locator('header .brand')).toContainText('Latchkey')
  // The page for those without scripts has it so, too.
  const missing = await (await page.request.get('/connect/nothing', { headers: { accept: 'text/html' } })).text()
  expect(missing).toContain('<span class="hidden">Latchkey</span>')

  await page.getByLabel('Logo in emails', { exact: true }).setInputFiles(file('mail.svg', 'image/svg+xml', svg))
  await expect(page.getByText('This file is not a PNG image.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove: Logo', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove: Logo in emails', exact: true })).toHaveCount(0)
  await button(page, 'Save').click()
  await expect(page.getByText('The branding is saved.', { exact: false })).toBeVisible()
  const after = (await service.storage.branding.find()).members
  expect([after.logo, after.logo_mail]).toEqual([null, null])
})

test('a logo for emails that was chosen stays, whatever becomes of the other; one that the console made goes with it', async ({
  page,
}) => {
  await fresh(page)
  const png = (width: number) => ({
    name: `${width}.png`,
    mimeType: 'image/png',
    buffer: PNG.sync.write(new PNG({ width, height: 48 })),
  })
  const logo = page.getByLabel('Logo', { exact: true })
  const mailed = page.getByRole('button', { name: 'Remove: Logo in emails', exact: true })
  const picture = page.locator('.chosen-logo', { has: mailed }).locator('img')
  const removeLogo = page.getByRole('button', { name: 'Remove: Logo', exact: true })
  await page.getByLabel('Logo in emails', { exact: true }).setInputFiles(png(80))
  await expect(picture).toHaveJSProperty('naturalWidth', 80)
  const chosen = await picture.getAttribute('src')
  for (const other of [png(64), file('logo.svg', 'image/svg+xml', svg)]) {
    await logo.setInputFiles(other)
    await expect(removeLogo).toBeVisible()
    await looksWellNow(page, '/branding-chosen')
    await expect(picture).toHaveAttribute('src', chosen ?? '')
    await removeLogo.click()
    await expect(removeLogo).toHaveCount(0)
    await expect(picture).toHaveAttribute('src', chosen ?? '')
  }
  // Without one of its own, it is made of the logo, and goes with it.
  await mailed.click()
  await logo.setInputFiles(file('logo.svg', 'image/svg+xml', svg))
  await expect(picture).toHaveJSProperty('naturalHeight', 96)
  await logo.setInputFiles(png(64))
  await expect(mailed).toHaveCount(0)
})

test('a large picture is made smaller by the browser', async ({ page, service }) => {
  await fresh(page)
  const large = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 800
    canvas.height = 400
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    // Noise does not compress.
    const pixels = context.createImageData(800, 400)
    for (let at = 0; at < pixels.data.length; at++) pixels.data[at] = (at * 2654435761) >>> 24
    context.putImageData(pixels, 0, 0)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  const buffer = Buffer.from(large, 'base64')
  expect(buffer.length).toBeGreaterThan(20 * 1024)
  await page
    .getByLabel('Logo in the dark theme', { exact: true })
    .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer })
  await expect(page.locator('.chosen-logo img')).toBeVisible()
  await button(page, 'Save').click()
  await expect(page.getByText('The branding is saved.', { exact: false })).toBeVisible()
  const { members } = await service.storage.branding.find()
  expect(members.logo_dark?.length).toBeLessThan(28_000)
  await page.getByRole('button', { name: 'Remove: Logo in the dark theme' }).click()
  await button(page, 'Save').click()
  await expect(page.locator('.chosen-logo')).toHaveCount(0)
  await expect(page.locator('header .brand img')).toHaveCount(0)
})

test('what is saved is everywhere: console, sign-in page, account area and mail, in both themes', async ({
  page,
  browser,
  service,
}) => {
  await fresh(page)
  await page.getByLabel('Name of the service').fill('Orchard')
  await page.getByLabel('Logo', { exact: true }).setInputFiles(file('logo.svg', 'text/html', svg))
  await expect(page.getByRole('button', { name: 'Remove: Logo in emails', exact: true })).toBeVisible()
  const dark = { name: 'dark.png', mimeType: 'image/png', buffer: PNG.sync.write(new PNG({ width: 96, height: 48 })) }
  await page.getByLabel('Logo in emails in the dark theme', { exact: true }).setInputFiles(dark)
  await page.getByLabel('Accent colour', { exact: true }).fill('#2b1a4f')
  await page.getByLabel('Accent colour in the dark theme', { exact: true }).fill('#b9a5ee')
  await page.getByLabel('Corner radius').fill('4')
  await page.getByLabel('Imprint').fill('https://orchard.example/imprint')
  await button(page, 'Save').click()
  await expect(page.getByText('The branding is saved.', { exact: false })).toBeVisible()
  // What is pointed at is darker.
  await page.mouse.move(0, 0)
  await expect(button(page, 'Save')).toHaveCSS('background-color', 'rgb(43, 26, 79)')
  await expect(page.locator('header .brand img')).toHaveAttribute('src', /^data:image\/svg/)
  await expect(page.locator('header .brand img')).toHaveJSProperty('naturalWidth', 60)
  await page.reload()
  await settled(page)
  await expect.poll(() => barOf(page)).toBe('rgb(43, 26, 79)')
  await looksWellNow(page, '/branding')

  for (const [scheme, accent] of [
    ['light', 'rgb(43, 26, 79)'],
    ['dark', 'rgb(185, 165, 238)'],
  ] as const) {
    const context = await browser.newContext({ colorScheme: scheme, baseURL: service.issuer })
    const visitor = await context.newPage()
    const refused: string[] = []
    visitor.on('console', (message) => refused.push(message.text()))
    await visitor.goto('/Account/Login?ReturnUrl=%2Faccount')
    await expect(visitor).toHaveTitle('Sign in · Orchard')
    const submit = button(visitor, 'Sign in')
    await expect(submit).toHaveCSS('background-color', accent)
    await expect(submit).toHaveCSS('border-radius', '4px')
    await expect(visitor.getByRole('checkbox')).toHaveCSS('accent-color', accent)
    await expect(visitor.getByRole('link', { name: 'Imprint' })).toHaveAttribute(
      'href',
      'https://orchard.example/imprint',
    )
    await expect(visitor.locator('.brand img')).toHaveJSProperty('naturalWidth', 60)
    expect((await axeFor(visitor, scheme).analyze()).violations).toEqual([])
    await signIn(visitor, 'nobody')
    await visitor.waitForURL('**/account')
    await expect.poll(() => barOf(visitor)).toBe(accent)
    expect((await axeFor(visitor, scheme).analyze()).violations).toEqual([])
    expect(refused).toEqual([])
    await context.close()
    await expectMail(browser, service.storage, scheme, accent)
  }
})

type Stored = { branding: { find(): Promise<{ members: Parameters<typeof writeMail>[3]['brand'] }> } }

/** As a mail program shows it that knows the theme: without scripts, and without anything from elsewhere. */
async function expectMail(browser: PlaywrightBrowser, { branding }: Stored, scheme: 'light' | 'dark', accent: string) {
  const { members } = await branding.find()
  const content = {
    purpose: 'reset',
    language: 'en',
    data: { username: 'ada' },
    link: '/Account/Confirm#token=x',
  } as const
  const sender = { brand: members, issuer: 'https://id.orchard.example/' }
  const { html, logos = [] } = writeMail(
    'ada@example.com',
    { ...content, code: '012345', validSeconds: 900 },
    await loadCatalogue('en'),
    sender,
  )
  const context = await browser.newContext({ colorScheme: scheme, javaScriptEnabled: false })
  const mail = await context.newPage()
  const asked: string[] = []
  mail.on('request', (request) => asked.push(request.url()))
  // A mail program finds the pictures in the mail.
  const shown = logos.reduce(
    (text, { cid, type, bytes }) => text.replaceAll(`cid:${cid}`, `data:${type};base64,${bytes.toString('base64')}`),
    html,
  )
  await mail.setContent(shown)
  const seen = mail.locator('img:visible')
  await expect(seen).toHaveCount(1)
  await expect(seen).toHaveJSProperty('naturalHeight', scheme === 'light' ? 96 : 48)
  await expect(mail.locator('a.accent')).toHaveCSS('background-color', accent)
  await expect(mail.locator('a.accent')).toHaveCSS('border-radius', '4px')
  await expect(mail.locator('body')).toContainText('Orchard')
  await expect(mail.locator('body')).toHaveCSS(
    'background-color',
    scheme === 'light' ? 'rgb(245, 247, 246)' : 'rgb(8, 12, 11)',
  )
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([])
  for (const width of [320, 390, 1280]) {
    await mail.setViewportSize({ width, height: 900 })
    expect(await mail.locator('html').evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(width)
  }
  const { PICTURES } = process.env
  if (PICTURES) await mail.screenshot({ path: `${PICTURES}-mail-${scheme}.png`, fullPage: true })
  await context.close()
}

test('who may only read sees the brand, and nothing to press', async ({ page }) => {
  await open(page, 'viewer', '/branding')
  await expect(page.getByLabel('Name of the service')).toBeDisabled()
  await expect(button(page, 'Save')).toHaveCount(0)
  const places = page.locator('.file-choice')
  const dropped = await page.evaluateHandle((content) => {
    const data = new DataTransfer()
    data.items.add(new File([content], 'logo.svg', { type: 'image/svg+xml' }))
    return data
  }, svg)
  await places.first().dispatchEvent('dragover', { dataTransfer: dropped })
  await expect(page.locator('.file-choice.is-over')).toHaveCount(0)
  const before = await page.locator('.chosen-logo').count()
  await places.first().dispatchEvent('drop', { dataTransfer: dropped })
  for (const scheme of ['light', 'dark'] as const) await looksWellNow(page, '/branding-viewer', scheme)
  // A picture would have been read by now.
  await expect(page.locator('.chosen-logo')).toHaveCount(before)
})

test('leaving with a change that is not saved asks first', async ({ page, service }) => {
  await fresh(page)
  const name = page.getByLabel('Name of the service')
  const before = await name.inputValue()
  await name.fill('Never saved')
  await page.getByRole('link', { name: 'People' }).click()
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
  await asked.getByRole('button', { name: 'Stay' }).click()
  await expect(name).toHaveValue('Never saved')
  await page.getByRole('link', { name: 'People' }).click()
  await asked.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/admin/people')
  expect((await service.storage.branding.find()).members.name ?? '').toBe(before)
})
