/** The page that tells clients of a sign-out in frames (OpenID Connect Front-Channel Logout 1.0). */
import { AxeBuilder } from '@axe-core/playwright'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { authorizeParameters, codeFields, postToken } from '../support/browser.ts'
import { addClient, type TestService } from '../support/service.ts'
import { type ClientSite, expect, type Page, signInQuietly, test } from './fixtures.ts'

/** Signs in at a new client that is told in a frame at `address`. */
async function visit(page: Page, service: TestService, site: ClientSite, person: string, address: string) {
  const id = `framed-${person}`
  const metadata = { ...defaultClientMetadata, frontchannel_logout_uri: address }
  const redirectUris = [site.callback]
  await addClient(service, { id, name: 'Framed', consent: 'implicit', redirectUris, metadata })
  await signInQuietly(page, person)
  const parameters = new URLSearchParams(authorizeParameters({ client_id: id, redirect_uri: site.callback }))
  const response = await page.context().request.get(`/connect/authorize?${parameters}`, { maxRedirects: 0 })
  const code = new URL(response.headers().location ?? '').searchParams.get('code') ?? ''
  const change = { client_id: id, redirect_uri: site.callback }
  const { status } = await postToken(service, codeFields(code, change))
  expect(status).toBe(200)
}

async function signOut(page: Page, site?: ClientSite, beforeClick = async () => {}): Promise<void> {
  const back = { client_id: 'orchard', post_logout_redirect_uri: site?.signedOut ?? '', state: 'kept' }
  await page.goto(`/connect/logout${site === undefined ? '' : `?${new URLSearchParams(back)}`}`)
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await beforeClick()
  await page.getByRole('button', { name: 'Sign out' }).click()
}

test('loads the frame of the client, then goes on to the post-logout address', async ({
  page,
  service,
  site,
  person,
}) => {
  await visit(page, service, site, person, `${site.origin}/frame`)
  const framed = page.waitForRequest((request) => request.url().startsWith(`${site.origin}/frame`))
  await signOut(page, site)
  const { searchParams } = new URL((await framed).url())
  expect(searchParams.get('iss')).toBe(service.issuer)
  expect(searchParams.get('sid')).toMatch(/^[\w-]{43}$/)
  await expect(page).toHaveURL(`${site.signedOut}?state=kept`)
})

test.describe('by a clock that the test drives', () => {
  // It cannot be taken out of a page again.
  test.use({ ownPage: true })

  test('goes on after five seconds if a frame never loads', async ({ page, service, site, person }) => {
    await visit(page, service, site, person, `${site.origin}/never`)
    await page.route(`${site.origin}/never*`, () => {})
    const left: string[] = []
    page.on('request', (request) => void (request.url().startsWith(site.signedOut) && left.push(request.url())))
    await page.clock.install()
    await signOut(page, site, async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000)))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out')
    await page.clock.runFor(4999)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out')
    expect(left).toEqual([])
    await page.clock.runFor(1)
    await expect(page).toHaveURL(`${site.signedOut}?state=kept`)
  })
})

for (const [theme, width] of [
  ['light', 360],
  ['dark', 1280],
] as const) {
  test(`stays without a post-logout address and is accessible, ${theme} and ${width} pixels wide`, async ({
    page,
    service,
    site,
    person,
  }) => {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 700 })
    await visit(page, service, site, person, `${site.origin}/frame`)
    await signOut(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out')
    await expect(page.getByRole('main')).toContainText('You can close this page.')
    await expect(page).toHaveTitle('You are signed out · Latchkey')
    const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze()
    expect(violations).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${theme}.png` })
    await page.emulateMedia({ colorScheme: null })
    await page.setViewportSize({ width: 1280, height: 720 })
  })
}
