/** Single-page applications, each with a library that is not ours and its defaults (`examples/clients/spa`), in Chromium. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Browser, expect } from '@playwright/test'
import { addClient, freePort, password, startService, type TestService, testScope } from '../support/service.ts'
import { launchChromium } from './chromium.ts'
import { nodeProgram, notInstalled, startProgram } from './programs.ts'

const apps = ['oidc-client-ts', 'react-oidc-context', 'angular-oauth2-oidc', 'keycloak-js']

describe('single-page applications with libraries of others', { skip: notInstalled }, () => {
  let service: TestService
  let browser: Browser
  let port: number
  before(async () => {
    port = await freePort()
    service = await startService({ Cors__Origins__0: `http://localhost:${port}` })
    for (const name of ['profile', 'email']) await service.storage.scopes.create(testScope(name))
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  for (const name of apps) {
    it(`${name} signs in, reads the profile, refreshes and signs out`, async (t) => {
      const origin = `http://localhost:${port}`
      const scopes = ['profile', 'email', 'offline_access']
      const addresses = { redirectUris: [`${origin}/`], postLogoutRedirectUris: [`${origin}/`] }
      const metadata = { claim_shape: name === 'keycloak-js' ? 'keycloak' : 'plain' } as const
      await addClient(service, { id: name, name, scopes, metadata, ...addresses })
      const program = await startProgram([...nodeProgram('spa'), name], {
        ISSUER: service.issuer,
        CLIENT_ID: name,
        CLIENT_SECRET: '',
        PORT: String(port),
      })
      t.after(() => program.stop())
      const context = await browser.newContext({ baseURL: origin })
      t.after(() => context.close())
      const page = await context.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (message) => {
        // Chromium asks for the icon of the program, which has none, when it has the time.
        const isIcon = message.location().url.endsWith('/favicon.ico')
        if (message.type() === 'error' && !isIcon) problems.push(`${message.text()} ${message.location().url}`)
      })

      await page.goto('/')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('textbox', { name: 'Username' }).fill('alice')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await expect(page.getByText('alice <alice@example.com>'))
        .toBeVisible({ timeout: 60_000 })
        .catch((error) => assert.fail(`${error}\n${problems.join('\n')}`))

      const before = await page.locator('output').textContent()
      assert.notEqual(before, '')
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.locator('output')).not.toHaveText(before ?? '', { timeout: 60_000 })

      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL(`${origin}/**`)
      await expect(page.getByText('Signed out')).toBeVisible({ timeout: 60_000 })
      const session = await context.request.get(`${service.issuer}Account/Session`)
      assert.deepEqual(await session.json(), { user: null })
      assert.deepEqual(problems, [])
    })
  }
})
