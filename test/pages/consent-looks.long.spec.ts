/** The consent page in a real browser: logos and documents of applications, many scopes, sessions that are gone (specification 4.1, 4.9). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { addClient, testScope } from '../support/service.ts'
import { axeFor } from './accessible.ts'
import { authorizeAt, expect, expectArrived, loginAddress, loginForm, signIn, signInQuietly, test } from './fixtures.ts'

test.beforeEach(async ({ page, site, person }) => {
  await signInQuietly(page, person)
  await page.goto(authorizeAt(site, { scope: 'openid offline_access demo_api profile roles' }))
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
})

test('names the documents of a registered application, and warns of one that registered itself', async ({
  service,
  page,
  site,
}) => {
  const documents = { policy_uri: 'https://orchard.example/privacy', tos_uri: 'https://orchard.example/terms' }
  const add = (id: string, metadata: Partial<ClientMetadata>) =>
    addClient(service, {
      id,
      redirectUris: [site.callback],
      metadata: { ...documents, ...metadata },
    })
  await add('documented', {})
  await add('unknown', { registration: 'open' })
  const main = page.getByRole('main')
  await page.goto(authorizeAt(site, { client_id: 'documented', scope: 'openid' }))
  await expect(main.getByRole('link', { name: 'Privacy policy' })).toHaveAttribute('href', documents.policy_uri)
  await expect(main.getByRole('link', { name: 'Terms of service' })).toHaveAttribute('href', documents.tos_uri)
  await expect(main).not.toContainText('Nobody here has checked')
  await page.goto(authorizeAt(site, { client_id: 'unknown', scope: 'openid' }))
  const warning = main.getByRole('note')
  await expect(warning).toContainText('Nobody here has checked this application')
  await page.setViewportSize({ width: 390, height: 600 })
  await expect(warning).toBeInViewport({ ratio: 1 })
  const [note, list] = [await warning.boundingBox(), await page.getByRole('list').boundingBox()]
  expect((note?.y ?? 0) + (note?.height ?? 0)).toBeLessThanOrEqual(list?.y ?? 0)
  await expect(main.getByRole('link', { name: 'Privacy policy' })).toHaveCount(0)
})

test.describe('of an application with a logo', () => {
  test.use({ ownPage: true })

  /** Everything that is asked of the application's own site. */
  let requested: string[]
  let logo: string
  let leave: () => void
  const registered = {
    client_uri: 'https://orchard.example/',
    policy_uri: 'https://orchard.example/privacy',
    contacts: ['help@orchard.example', 'Orchard Ltd., Pomona Street 1', 'a@b.example?bcc=c@d.example'],
  }

  test.beforeEach(async ({ service, page, site }, { testId }) => {
    requested = []
    let origin = ''
    const server = createServer((request, response) => {
      requested.push(request.url ?? '')
      const drawn = `<rect width="96" height="48" rx="8" fill="#b3402a"/><circle cx="48" cy="24" r="14" fill="#fff"/>`
      const attack = `<script>fetch('${origin}/script')</script><image href="${origin}/image" width="1" height="1"/>
        <style>@import '${origin}/style';</style>`
      const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 48">${drawn}${attack}</svg>`
      if (request.url !== '/logo') response.writeHead(404).end()
      else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(image)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    leave = () => {
      server.closeAllConnections()
      server.close()
    }
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const add = (id: string, logo_uri: string | null) =>
      addClient(service, {
        id,
        name: 'Orchard Planner',
        redirectUris: [site.callback],
        metadata: { ...registered, logo_uri },
      })
    const id = `logo-${testId.slice(-12)}`
    await add(id, `${origin}/logo`)
    await add(`${id}-broken`, `${origin}/broken`)
    logo = `/Account/ClientLogo?client_id=${id}`
    await page.goto(authorizeAt(site, { client_id: id, scope: 'openid' }))
  })

  test.afterEach(() => leave())

  test('shows it from this origin, in a square', async ({ page }) => {
    const image = page.locator('main img')
    await expect(image).toBeVisible()
    await expect(image).toHaveAttribute('alt', '')
    await expect(image).toHaveAttribute('src', logo)
    const { width, height } = (await image.boundingBox()) ?? {}
    expect([width, height]).toEqual([48, 48])
    expect(requested).toEqual(['/logo'])
  })

  test.describe('which cannot be fetched', () => {
    test.use({ expectedErrors: /404/ })

    test('looks as without one: nothing moves', async ({ page, site }) => {
      const image = page.locator('main img')
      await expect(image).toBeVisible()
      const place = () => page.getByRole('heading', { level: 1 }).boundingBox()
      const withLogo = await place()
      await page.goto(authorizeAt(site, { client_id: `${logo.split('=')[1]}-broken`, scope: 'openid' }))
      await expect.poll(() => requested).toContain('/broken')
      await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
      await expect(image).toBeHidden()
      expect(await place()).toEqual(withLogo)
    })
  })

  test.describe('opened by itself', () => {
    test.use({ expectedErrors: /Content Security Policy|sandboxed/ })

    test('runs no script and loads nothing, saved or shown', async ({ page }) => {
      await expect(page.locator('main img')).toBeVisible()
      const download = page.waitForEvent('download')
      await page.goto(logo).catch(() => undefined)
      expect((await download).suggestedFilename()).toBe('logo.svg')
      await page.route(logo, async (route) => {
        const response = await route.fetch()
        const { 'content-disposition': _, ...headers } = response.headers()
        await route.fulfill({ response, headers })
      })
      await page.goto(logo)
      await expect(page.locator('circle')).toBeAttached()
      await page.waitForLoadState('networkidle')
      expect(requested).toEqual(['/logo'])
    })
  })

  test('links its name in another tab, and its contacts', async ({ page }) => {
    const link = page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Orchard Planner' })
    await expect(link).toHaveAttribute('href', registered.client_uri)
    for (const each of [link, page.getByRole('link', { name: 'Privacy policy' })]) {
      await expect(each).toHaveAttribute('target', '_blank')
      await expect(each).toHaveAttribute('rel', 'noreferrer')
    }
    const contacts = page.getByText(`Contact ${registered.contacts.join(' · ')}`)
    await expect(contacts).toBeVisible()
    // An address that would fill in the message is a text.
    await expect(contacts.getByRole('link')).toHaveText(['help@orchard.example'])
    await expect(contacts.getByRole('link')).toHaveAttribute('href', 'mailto:help@orchard.example')
  })

  test('is accessible, in both themes, on a telephone as well (WCAG 2.2 AA)', async ({ page }) => {
    await expect(page.locator('main img')).toBeVisible()
    for (const [width, height] of [
      [1280, 800],
      [320, 568],
    ] as const) {
      await page.setViewportSize({ width, height })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect((await axeFor(page, colorScheme).analyze()).violations).toEqual([])
      }
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
  })
})

test('promises only what there is: people withdraw the access in their account', async ({ page }) => {
  const scopes = page.getByRole('list', { name: 'It is asking to' })
  await expect(scopes).toContainText('Keep access while you are awayUntil you remove it in your account.')
})

test.describe('with many scopes', () => {
  const many = Array.from({ length: 14 }, (_, at) => `many_${at}`)

  test.beforeEach(async ({ service, page, site }) => {
    const { scopes } = service.storage
    const texts = { displayName: 'Read and change your calendars', description: 'Every event that you can see.' }
    for (const name of many) await scopes.create(testScope(name, texts))
    await addClient(service, { id: 'many', name: 'Orchard Planner', redirectUris: [site.callback], scopes: many })
    await page.goto(authorizeAt(site, { client_id: 'many', scope: `openid ${many.join(' ')}` }))
    await expect(page.getByRole('listitem')).toHaveCount(many.length + 1)
  })

  test('Deny and Allow stay in view on small screens, and cover nothing for good', async ({ page }) => {
    const buttons = [page.getByRole('button', { name: 'Deny' }), page.getByRole('button', { name: 'Allow' })]
    for (const [width, height] of [
      [320, 568],
      [568, 320],
      [390, 844],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      for (const place of ['0', '600', 'document.documentElement.scrollHeight']) {
        await page.evaluate(`scrollTo(0, ${place})`)
        for (const button of buttons) await expect(button).toBeInViewport({ ratio: 1 })
      }
      // At the end of the page everything stands above the buttons.
      const end = await page.getByText('You will continue to').evaluate((aside) => aside.getBoundingClientRect())
      const answer = await page.locator('.decision').evaluate((form) => form.getBoundingClientRect())
      expect(end.bottom).toBeLessThanOrEqual(answer.top)
      // What the keyboard reaches is not underneath them (WCAG 2.4.11).
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await page.getByRole('link', { name: 'Not you?' }).focus()
      const focused = await page.getByRole('link', { name: 'Not you?' }).boundingBox()
      const above = await page.locator('.decision').boundingBox()
      expect((focused?.y ?? 0) + (focused?.height ?? 0)).toBeLessThanOrEqual(above?.y ?? 0)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
  })

  test('is accessible at 320 × 568, in both themes (WCAG 2.2 AA)', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 568 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect((await axeFor(page, colorScheme).analyze()).violations).toEqual([])
    }
  })

  test('Deny and Allow scroll with the page where it is only a few lines high (WCAG 1.4.10)', async ({ page }) => {
    await page.setViewportSize({ width: 640, height: 256 })
    await page.evaluate('scrollTo(0, 0)')
    await expect(page.getByRole('button', { name: 'Allow' })).not.toBeInViewport()
  })
})

test('another person who signed in meanwhile is shown before anything is allowed', async ({ page, context }) => {
  const other = await context.newPage()
  await other.goto(loginAddress)
  await signIn(other, 'alice')
  await expectArrived(other, 'alice')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('alert')).toContainText('Something changed in another tab')
  await expect(page.getByRole('main')).toContainText('Signed in asalice')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
})

test.describe('when the session is gone', () => {
  test.use({ expectedErrors: /status of 401/ })

  test('the answer leads over the login page back here, and on to the client', async ({ page, context, person }) => {
    await context.clearCookies()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(loginForm(page).submit).toBeVisible()
    await signIn(page, person)
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { name: 'Orchard', exact: true })).toBeVisible()
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
  })

  test('it is the same when only the service forgot it', async ({ page, service, person }) => {
    service.advance(14 * 24 * 3600 + 60)
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(loginForm(page).submit).toBeVisible()
    await signIn(page, person)
    await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  })
})
