/** A pushed authorization request through the pages: every address on the way has client_id and request_uri alone. */
import type { Page } from '@playwright/test'
import { authorizeParameters, postToken } from '../support/browser.ts'
import type { TestService } from '../support/service.ts'
import { type ClientSite, expect, signIn, signInQuietly, test } from './fixtures.ts'

async function push(service: TestService, site: ClientSite, change: Record<string, string> = {}): Promise<string> {
  const parameters = authorizeParameters({ client_id: 'orchard', redirect_uri: site.callback, ...change })
  const { status, body } = await postToken(service, parameters, {}, 'connect/par')
  expect(status).toBe(201)
  const query = new URLSearchParams({ client_id: 'orchard', request_uri: body.request_uri })
  return `/connect/authorize?${query}`
}

const consent = (page: Page) => page.getByRole('button', { name: 'Allow' })

async function atCallback(page: Page, site: ClientSite): Promise<URLSearchParams> {
  await page.waitForURL(`${site.callback}**`)
  return new URL(page.url()).searchParams
}

test('leads through sign-in and consent back to the client (RFC 9126 §4)', async ({ page, service, site, person }) => {
  const address = await push(service, site)
  await page.goto(address)
  await expect(page).toHaveURL(/\/Account\/Login\?/)
  expect(new URL(page.url()).searchParams.get('ReturnUrl')).toBe(address)
  await signIn(page, person, 'wrong password')
  await expect(page.getByRole('alert')).toBeVisible()
  await signIn(page, person)
  await expect(consent(page)).toBeVisible()
  expect([...new URL(page.url()).searchParams.keys()]).toEqual(['client_id', 'request_uri'])
  await expect(page.getByRole('main')).toContainText(`You will continue to ${new URL(site.origin).host}`)
  await page.reload()
  await consent(page).click()
  const response = await atCallback(page, site)
  expect(response.get('state')).toBe('state-1')
  expect(response.get('iss')).toBe(service.issuer)
  expect(response.get('code')).toBeTruthy()
})

test('tells where it leads as the client pushed it, whatever the address claims', async ({
  page,
  service,
  site,
  person,
}) => {
  await signInQuietly(page, person)
  const address = await push(service, site, { prompt: 'consent' })
  await page.goto(`${address}&redirect_uri=https%3A%2F%2Fattacker.example%2F&scope=openid`)
  await expect(consent(page)).toBeVisible()
  const main = page.getByRole('main')
  await expect(main).toContainText(`You will continue to ${new URL(site.origin).host}`)
  await expect(main).not.toContainText('attacker.example')
  await expect(main).toContainText('Demo API')
})

test.describe('once it was answered', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('Deny reaches the client, and going back shows that it was used', async ({ page, service, site, person }) => {
    await signInQuietly(page, person)
    const address = await push(service, site, { prompt: 'consent' })
    await page.goto(address)
    await page.getByRole('button', { name: 'Deny' }).click()
    const response = await atCallback(page, site)
    expect(response.get('error')).toBe('access_denied')
    expect(response.get('state')).toBe('state-1')
    await page.goto(address)
    await expect(page.getByRole('main')).toContainText('ID9203')
  })

  test('in another tab, this one says so', async ({ page, service, site, person }) => {
    await signInQuietly(page, person)
    await page.goto(await push(service, site, { prompt: 'consent' }))
    await expect(consent(page)).toBeVisible()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await consent(other).click()
    await atCallback(other, site)
    await other.close()
    await consent(page).click()
    await expect(page.getByRole('main')).toContainText('ID9203')
  })
})

test('prompt=login asks for the password once more, and only once', async ({ page, service, site, person }) => {
  await signInQuietly(page, person)
  await page.goto(await push(service, site, { prompt: 'login' }))
  await expect(page).toHaveURL(/\/Account\/Login\?/)
  await signIn(page, person)
  await consent(page).click()
  expect((await atCallback(page, site)).get('code')).toBeTruthy()
})

test.describe('opened too late', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('is refused on a page; a sign-in that took long goes on', async ({ page, service, site, person }) => {
    const [late, begun] = [await push(service, site), await push(service, site)]
    await page.goto(begun)
    await expect(page).toHaveURL(/\/Account\/Login\?/)
    service.advance(61)
    await signIn(page, person)
    await expect(consent(page)).toBeVisible()
    await page.goto(late)
    await expect(page.getByRole('main')).toContainText('ID9202')
  })
})
