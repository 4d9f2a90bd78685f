/** What the matrix stands on: a service that can be stopped and started again, a provider, a client's site. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rotateKeys } from '../../src/keys/rotate.ts'
import { authorizePath } from '../support/browser.ts'
import { type FakeGithub, startFakeGithub } from '../support/fake-github.ts'
import { password, startService, type TestService, testClient, testUser } from '../support/service.ts'
import { test as base, expect, type Page } from './fixtures.ts'

export type Ground = {
  readonly github: FakeGithub
  /** The client's origin. */
  readonly site: string
  /** As it runs now. */
  service(): TestService
  down(): Promise<void>
  up(): Promise<void>
  /** New keys, and so much later that they are the ones in use. */
  rotateKeys(): Promise<void>
}

/** One cell: a person nobody else has used, a client of its own, and a request of that client. */
export type Cell = {
  readonly page: Page
  readonly ground: Ground
  readonly person: string
  readonly other: string
  readonly clientId: string
  /** The path of an authorization request with these changes. */
  request(change?: Readonly<Record<string, string>>): string
}

export const test = base.extend<{ cell: Cell }, { ground: Ground; groundEnv: Readonly<Record<string, string>> }>({
  /** Settings of the service besides. */
  groundEnv: [{}, { option: true, scope: 'worker' }],

  ground: [
    async ({ groundEnv }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'latchkey-matrix-'))
      const github = await startFakeGithub()
      const env = {
        ...github.env,
        Database__Url: `sqlite:${join(folder, 'latchkey.db')}`,
        RateLimit__LoginPerMinute: '1000',
        ...groundEnv,
      }
      let service = await startService(env)
      // As the service, it reads an address of 16,384 characters.
      const site = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
        const start = new URL(request.url ?? '/', service.issuer).searchParams.get('start')
        const link =
          start === null ? '' : `<a href="${new URL(start, service.issuer).href.replaceAll('&', '&amp;')}">Begin</a>`
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(`<!doctype html><html lang="en"><title>Orchard</title><h1>Orchard</h1><main>${link}</main>`)
      })
      await new Promise<void>((resolve) => {
        site.listen(0, '127.0.0.1', resolve)
      })
      const restart = async (): Promise<void> => {
        service = await startService(env, { after: service })
      }
      await use({
        github,
        site: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
        service: () => service,
        down: () => service.stop(),
        up: restart,
        async rotateKeys() {
          const { storage, settings, now } = service
          await rotateKeys({ storage, settings, clock: now })
          service.advance(10 * 60)
          await service.stop()
          await restart()
        },
      })
      site.closeAllConnections()
      site.close()
      await service.stop()
      await github.stop()
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],

  issuer: async ({ ground }, use) => use(ground.service().issuer),

  cell: async ({ page, ground }, use) => {
    const id = randomUUID().slice(0, 8)
    const [person, other, clientId] = [`person-${id}`, `other-${id}`, `client-${id}`]
    const { users, clients } = ground.service().storage
    for (const name of [person, other]) await users.create(testUser({ name, email: `${name}@example.com` }))
    const redirectUri = `${ground.site}/callback`
    await clients.create(
      testClient({
        id: clientId,
        name: 'Orchard Planner',
        redirectUris: [redirectUri],
        postLogoutRedirectUris: [`${ground.site}/signed-out`],
      }),
    )
    ground.github.behaviour = 'normal'
    ground.github.user = { id: Number.parseInt(id, 16), login: `cat-${id}`, name: null, email: null }
    ground.github.emails = [{ email: `cat-${id}@example.com`, primary: true, verified: true }]
    const request: Cell['request'] = (change = {}) =>
      authorizePath({ client_id: clientId, redirect_uri: redirectUri, scope: 'openid', ...change })
    await use({ page, ground, person, other, clientId, request })
  },
})

/** Begins where people come from: at the client, whose link leads to `address`. */
export async function startAtClient({ page, ground }: Cell, address: string): Promise<void> {
  await page.goto(`${ground.site}/?${new URLSearchParams({ start: address })}`)
}

/** Another tab's sign-in, of which this tab gets to know nothing but the cookies. */
export async function signInElsewhere(page: Page, name: string): Promise<void> {
  const { request } = page.context()
  await request.post('/Account/Login', { form: { username: name, password, ...(await antiforgery(page)) } })
  // The sign-in itself may lead to what the person has yet to fill in.
  expect(await (await request.get('/Account/Session')).json()).toEqual({ user: { name } })
}

export async function signOutElsewhere(page: Page): Promise<void> {
  const form = { Confirm: 'Yes', ...(await antiforgery(page)) }
  const answer = await page.context().request.post('/connect/logout', { form, maxRedirects: 0 })
  expect(answer.status()).toBe(302)
}

async function antiforgery(page: Page): Promise<Record<string, string>> {
  const { token } = (await (await page.context().request.get('/Account/Antiforgery')).json()) as { token: string }
  return { __RequestVerificationToken: token }
}
