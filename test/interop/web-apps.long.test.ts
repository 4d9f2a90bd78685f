/** Web applications on servers, each with a library that is not ours and its defaults (`examples/clients`). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { mintClientSecret } from '../../src/secrets/opaque.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, freePort, startService, type TestService, testScope } from '../support/service.ts'
import { nodeProgram, notInstalled, startProgram } from './programs.ts'
import { Visitor } from './visitor.ts'

type App = {
  readonly file: string
  readonly callback?: string
  /** Whether the library shows a page with a button first. */
  readonly hasOwnPage?: true
  readonly requirePkce?: boolean
  /** Absent: the library has no way to refresh by hand. */
  readonly refresh?: string
  /** Absent: the library signs out of the application alone. */
  readonly logout?: string
}

const apps: readonly App[] = [
  { file: 'openid-client', refresh: '/refresh', logout: '/logout' },
  { file: 'oauth4webapi', refresh: '/refresh', logout: '/logout' },
  { file: 'passport-openidconnect', requirePkce: false, refresh: '/refresh', logout: '/logout' },
  { file: 'express-openid-connect', refresh: '/refresh', logout: '/logout' },
  { file: 'auth-js', hasOwnPage: true, callback: '/auth/callback/latchkey' },
  { file: 'fastify-oauth2', refresh: '/refresh', logout: '/logout' },
  { file: 'arctic', refresh: '/refresh', logout: '/logout' },
  { file: 'better-auth', callback: '/api/auth/callback/latchkey', refresh: '/refresh' },
]

const { secret, hash } = mintClientSecret(randomBytes)

describe('web applications with libraries of others', { skip: notInstalled }, () => {
  let service: TestService
  before(async () => {
    service = await startService()
    for (const name of ['profile', 'email']) await service.storage.scopes.create(testScope(name))
  })
  after(() => service.stop())

  for (const app of apps) {
    const { file, hasOwnPage, callback = '/callback', requirePkce = true, refresh, logout } = app
    const does = ['signs in', 'reads userinfo', ...(refresh ? ['refreshes'] : []), ...(logout ? ['signs out'] : [])]
    it(`${file} ${does.join(', ')}`, async (t) => {
      const port = await freePort()
      const origin = `http://localhost:${port}`
      await addClient(service, {
        id: file,
        authentication: bySecret(hash),
        requirePkce,
        redirectUris: [`${origin}${callback}`],
        postLogoutRedirectUris: [`${origin}/`, origin],
        scopes: ['profile', 'email', 'offline_access'],
      })
      const program = await startProgram(nodeProgram(file), {
        ISSUER: service.issuer,
        CLIENT_ID: file,
        CLIENT_SECRET: secret,
        PORT: String(port),
      })
      t.after(() => program.stop())
      const visitor = new Visitor()
      const said = (page: unknown) => `${JSON.stringify(page)}\n${program.output()}`

      const first = await visitor.open(`${origin}/login`)
      const signedIn = hasOwnPage ? await visitor.press(first) : first
      assert.equal(signedIn.status, 200, said(signedIn))
      const home = await visitor.open(`${origin}/`)
      const person = JSON.parse(home.text)
      assert.equal(person?.name, 'alice', said(home))
      assert.equal(person?.email, 'alice@example.com')

      if (refresh !== undefined) {
        const refreshed = await visitor.open(`${origin}${refresh}`)
        assert.deepEqual(refreshed.text, '{"refreshed":true}', said(refreshed))
      }
      if (logout !== undefined) {
        const left = await visitor.open(`${origin}${logout}`)
        assert.equal(left.url.origin, origin, said(left))
        const session = await visitor.fetch(`${service.issuer}Account/Session`)
        assert.deepEqual(await session.json(), { user: null })
      }
    })
  }
})
