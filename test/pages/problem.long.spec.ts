/** What a visitor reads when a request is refused or fails (specification 7), and what its developer finds there. */
import { authorizePath } from '../support/browser.ts'
import { startService, type TestService } from '../support/service.ts'
import { expect, expectArrived, loginAddress, loginForm, signIn, test } from './fixtures.ts'

test.use({ expectedErrors: /status of 4/ })

const refused = [
  ['an unknown client', { client_id: 'nobody' }, 'This request is not known here', 'ID2052'],
  ['an unregistered redirect_uri', { redirect_uri: 'https://evil.example/' }, 'We stopped for your safety', 'ID2043'],
] as const
for (const [what, change, title, id] of refused) {
  test(`${what} is told in plain words, with details for developers and the way to the catalogue [S7.11, C4.11]`, async ({
    page,
    service,
  }) => {
    const answer = await page.goto(authorizePath(change))
    expect(answer?.status()).toBe(400)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('Please go back to the application you came from')
    await expect(page.getByText('Trace ID')).toBeHidden()
    await page.getByText('Details for developers').click()
    await expect(page.getByText(`${id}: `)).toBeVisible()
    await expect(page.locator('code')).toHaveText(answer?.headers()['x-trace-id'] ?? 'none')
    await page.getByRole('link', { name: id }).click()
    await expect(page).toHaveURL(`${service.issuer}errors#${id}`)
    await expect(page.getByRole('heading', { name: id })).toBeInViewport()
  })
}

test('on the machine of its developer the page says what was wrong, and how to fix it', async ({ page }) => {
  await page.goto(authorizePath({ redirect_uri: 'http://localhost:5081/callback/' }))
  await expect(page.getByText('What was wrong')).toBeHidden()
  await page.getByText('Details for developers').click()
  const explained = page.getByRole('region', { name: 'What was wrong' })
  await expect(explained).toContainText('it has a trailing slash, which the registered one has not')
  await expect(explained).toContainText('redirect_uri_unregistered')
  await expect(explained).toContainText('How to fix it')
  // A value that came from outside is text, whatever it holds.
  await page.goto(authorizePath({ client_id: '<img src=x onerror="window.broken = 1">' }))
  await page.getByText('Details for developers').click()
  await expect(explained).toContainText('<img src=x onerror="window.broken = 1">')
  expect(await page.evaluate('window.broken')).toBeUndefined()
})

test('the way back leads to the application', async ({ page, site }) => {
  await page.goto(site.origin)
  await page.goto(authorizePath({ client_id: 'nobody' }))
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page.getByRole('heading', { name: 'Orchard' })).toBeVisible()
})

test('a description cannot break out of the page (4.1)', async ({ page }) => {
  const name = '</script><script>window.broken = 1</script><!--'
  await page.goto(authorizePath({ redirect_uri: `https://evil.example/${name}`, response_type: name, client_id: name }))
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await page.evaluate('window.broken')).toBeUndefined()
})

test('an unknown path shows that there is nothing, and the way to sign in (4.9 rule 1) [S4.9.12]', async ({ page }) => {
  const answer = await page.goto('/nothing/here')
  expect(answer?.status()).toBe(200)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to sign in' }).click()
  await expect(loginForm(page).submit).toBeVisible()
})

test('below /api, /connect and /callback it is a true 404 that says the same (4.9 rule 1) [S4.9.13]', async ({
  page,
}) => {
  for (const path of ['/api/nothing', '/connect/nothing', '/callback/nothing']) {
    const answer = await page.goto(path)
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
})

const testWithStrictLimit = test.extend<{ strict: TestService }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture rests on.
  strict: async ({}, use) => {
    const service = await startService({ RateLimit__LoginPerMinute: '1' })
    await use(service)
    await service.stop()
  },
  issuer: async ({ strict }, use) => use(strict.issuer),
})

testWithStrictLimit.describe('with a limit of one failed attempt a minute', () => {
  testWithStrictLimit.use({ ownPage: true })

  testWithStrictLimit(
    'too many attempts: the page counts down and then offers another try',
    async ({ page, strict }) => {
      await page.clock.install()
      await page.goto(loginAddress)
      await signIn(page, 'alice', 'wrong')
      await expect(page.getByRole('alert')).toContainText('not correct')
      await signIn(page, 'alice')
      await expect(page.getByRole('heading', { name: 'Too many attempts' })).toBeVisible()
      await expect(page.getByRole('timer')).toContainText('You can try again in')
      await expect(page.getByRole('button', { name: 'Try again' })).toBeDisabled()
      strict.advance(61)
      await page.clock.fastForward('01:01')
      await expect(page.getByText('You can try again now.')).toBeVisible()
      await page.getByRole('button', { name: 'Try again' }).click()
      await signIn(page, 'alice')
      await expectArrived(page, 'alice')
    },
  )
})
