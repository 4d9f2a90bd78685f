/** What the pages load, and what the content security policy keeps out. */
import { budget } from './budget.ts'
import { expect, loginForm, test, testWithProviders } from './fixtures.ts'

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

  testWithProviders('everything that the login page loads is less than 20 kB over the wire', async ({ page }) => {
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.goto('/Account/Login', { waitUntil: 'networkidle' })
    await expect(page.getByRole('button', { name: 'Continue with GitHub' })).toBeVisible()
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    testWithProviders.info().annotations.push({ type: 'bytes', description: `${bytes} in ${sizes.length} answers` })
    expect(sizes.length).toBeGreaterThanOrEqual(6)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(budget.transferBytes)
  })
})
