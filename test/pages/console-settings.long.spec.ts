/** What is set and what it means, in groups, with the lines that set it. */
import { open, settled, test } from './console.ts'
import { expect, signInQuietly } from './fixtures.ts'

test.use({ ownPage: true })

test('settings stand in groups with titles, what was set first, and each with its meaning and the lines that set it', async ({
  page,
}) => {
  await open(page, 'root', '/settings')
  const titles = await page.locator('main h2').allTextContents()
  expect(titles.slice(0, 2)).toEqual(['The issuer and what follows from it', 'Set here'])
  expect(titles).toContain('Tokens, protocol and external providers')
  expect(titles.filter((title) => title === '' || title.includes('.'))).toEqual([])
  await expect(page.locator('#issuer')).toContainText('/.well-known/openid-configuration')
  await expect(page.locator('#own')).toContainText('RateLimit:LoginPerMinute')
  await expect(page.locator('#own')).not.toContainText('OAuth:AccessTokenLifetime')
  await expect(page.locator('main')).not.toContainText('None')

  const lifetime = page.locator('.setting', { hasText: 'OAuth:RefreshTokenLifetime' }).first()
  await expect(lifetime).toContainText('1209600 (14 days)')
  await lifetime.getByText('How to set it').click()
  await expect(lifetime).toContainText('OAuth__RefreshTokenLifetime=1209600')
  await expect(lifetime).toContainText('{"OAuth":{"RefreshTokenLifetime":1209600}}')

  const secret = page.locator('.setting', { hasText: 'Keys:MasterKey' }).first()
  await secret.getByText('How to set it').click()
  await expect(secret).toContainText('Keys__MasterKey=…')
  await expect(secret).not.toContainText('AAAA')
})

test('settings are found by their meaning, and by where they were set', async ({ page }) => {
  await open(page, 'root', '/settings')
  await page.getByLabel('Search settings').fill('prometheus')
  await expect(page.locator('main h2')).toHaveText(['Metrics'])
  await expect(page.locator('.setting')).toHaveCount(2)
  await page.getByLabel('Search settings').fill('')
  await page.getByLabel('Set by').selectOption('environment')
  await expect(page.locator('main h2')).toHaveText(['Set here'])
  await page.reload()
  await settled(page)
  await expect(page.locator('main h2')).toHaveText(['Set here'])
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE', ownPage: true })

  test('settings say what they mean in the language of the page, and are found by its words and the English ones', async ({
    page,
  }) => {
    await signInQuietly(page, 'root')
    await page.goto('/admin/settings')
    await settled(page)
    const lifetime = page.locator('.setting', { hasText: 'OAuth:AccessTokenLifetime' })
    await expect(lifetime.locator('.says')).toContainText('Wie lange ein Access-Token gültig ist.')
    await expect(lifetime.locator('.kind')).toHaveText('Sekunden')
    await expect(page.locator('.says [lang=en]')).toHaveCount(0)
    const search = page.locator('main [type=search]')
    for (const sought of ['schweregrad', 'severity', 'log:level']) {
      await search.fill(sought)
      await expect(page.locator('.setting')).toHaveCount(1)
    }
  })

  test('a setting without a translation is in English', async ({ page }) => {
    await page.route(/\/assets\/de-[\w-]+\.js$/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'export default {}' }),
    )
    await signInQuietly(page, 'root')
    await page.goto('/admin/settings')
    await settled(page)
    const lifetime = page.locator('.setting', { hasText: 'OAuth:AccessTokenLifetime' })
    await expect(lifetime.locator('[lang=en]').first()).toHaveText('How long an access token is valid.')
  })
})
