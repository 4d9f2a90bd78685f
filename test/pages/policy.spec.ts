/** What the pages load, and what the content security policy keeps out. */

import type { Locator } from '@playwright/test'
import { addUser } from '../support/service.ts'
import { budget } from './budget.ts'
import { expect, loginForm, type Page, signInQuietly, test, testWithProviders } from './fixtures.ts'

test.describe('the content security policy', () => {
  test.use({ expectedErrors: /Content Security Policy/ })

  test('keeps out scripts and styles that were written into a page, and scripts of other origins', async ({
    page,
    site,
  }) => {
    await page.goto('/Account/Login')
    await expect(loginForm(page).submit).toBeVisible()
    const blocked = await page.evaluate(`new Promise((resolve) => {
      const directives = []
      addEventListener('securitypolicyviolation', (event) => {
        directives.push(event.effectiveDirective)
        if (directives.length === 4) resolve(directives.sort())
      })
      const inline = document.createElement('script')
      inline.textContent = 'window.injected = true'
      const foreign = document.createElement('script')
      foreign.src = '${site.origin}/script.js'
      const style = document.createElement('style')
      style.textContent = 'body { display: none }'
      document.body.append(inline, foreign, style)
      document.body.setAttribute('onclick', 'window.injected = true')
      document.body.click()
    })`)
    expect(blocked).toEqual(['script-src-attr', 'script-src-elem', 'script-src-elem', 'style-src-elem'])
    expect(await page.evaluate('window.injected')).toBeUndefined()
  })

  test('keeps the pages out of frames', async ({ page, site, service }) => {
    await page.goto(site.origin)
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${service.issuer}' }))`,
    )
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
  })
})

testWithProviders.describe('with nothing in the cache', () => {
  testWithProviders.use({ ownPage: true })

  /** What is loaded until the network is idle: addresses, and bytes of bodies over the wire. */
  async function load(page: Page, address: string, visible: Locator) {
    const requests: string[] = []
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      requests.push(new URL(request.url()).pathname)
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.goto(address, { waitUntil: 'networkidle' })
    await expect(visible).toBeVisible()
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    testWithProviders.info().annotations.push({ type: 'bytes', description: `${bytes} in ${sizes.length} answers` })
    expect(sizes.length).toBeGreaterThanOrEqual(6)
    expect(bytes).toBeGreaterThan(10_000)
    return { bytes, requests }
  }

  testWithProviders('everything that the login page loads is less than 20 kB over the wire', async ({ page }) => {
    const provider = page.getByRole('button', { name: 'Continue with GitHub' })
    const { bytes } = await load(page, '/Account/Login', provider)
    expect(bytes).toBeLessThan(budget.transferBytes)
  })

  testWithProviders('a page of the account loads less than 60 kB over the wire', async ({ page, external }) => {
    const person = `weigher-${external.service.now()}`
    await addUser(external.service, person)
    await signInQuietly(page, person)
    const choice = page.getByRole('button', { name: 'Use another account' })
    const { bytes } = await load(page, '/Account/Choose?ReturnUrl=%2FAccount%2FSession', choice)
    expect(bytes).toBeLessThan(budget.accountTransferBytes)
  })

  testWithProviders('a page loads the texts of one language', async ({ page, context, issuer }) => {
    await context.addCookies([{ name: 'latchkey.language', value: 'de', url: issuer }])
    const heading = page.getByRole('heading', { name: 'Anmelden' })
    const { requests } = await load(page, '/Account/Login', heading)
    // A hash has eight characters, among them dashes.
    const ofTexts = /^(\/assets\/(?:index|steps|account)-[a-z]{2}(?:-[A-Za-z]{2,4})?)-[\w-]{8}\.js$/
    const texts = requests.flatMap((path) => ofTexts.exec(path)?.[1] ?? [])
    expect(texts).toEqual(['/assets/index-de'])
  })
})
