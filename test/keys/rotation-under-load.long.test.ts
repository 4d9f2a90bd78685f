import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { handlerSwitch } from '../../src/http/handler-switch.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { rotateWhenDue } from '../../src/keys/rotate.ts'
import { readSettings } from '../../src/settings/read.ts'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { freePort, testClient, testScope, testUser } from '../support/service.ts'
import { openDatabase } from '../support/sqlite.ts'

const minute = 60_000

/** Two nodes on one database, which rotate every hour; whoever asks for the time gets that of the test. */
async function twoNodes(t: TestContext) {
  const ports = [await freePort(), await freePort()]
  const issuer = `http://127.0.0.1:${ports[0]}/`
  const read = readSettings({
    env: { OAuth__Issuer: issuer, Keys__RotateEvery: '3600', Keys__MasterKey: randomBytes(32).toString('base64') },
    cwd: join(tmpdir(), 'latchkey-no-settings-here'),
  })
  assert.ok(read.ok)
  const { settings } = read
  const storage = await openDatabase({ kind: 'sqlite-memory' })
  t.after(() => storage.close())
  const common = { settings, storage, clock: Date.now, random: randomBytes, log: pino({ level: 'silent' }) }
  const nodes = await Promise.all(
    ports.map(async (port) => {
      const keys = await openKeyRing(common)
      const handlers = handlerSwitch(await buildApp({ ...common, keys }))
      await handlers.listen({ host: '127.0.0.1', port })
      t.after(() => handlers.close())
      return { keys, address: `http://127.0.0.1:${port}/` }
    }),
  )
  await storage.scopes.create(testScope('demo_api'))
  await storage.clients.create(testClient({ consent: 'implicit' }))
  await storage.users.create(testUser({ createdAtMs: Date.now() }))
  return { issuer, nodes, storage, rotate: () => rotateWhenDue(common) }
}

/** What an application built on a client library that caches the key set does: refresh, and check the id token. */
async function application(issuer: string, address: string, firstRefreshToken: string) {
  const options = { [oauth.allowInsecureRequests]: true }
  const found = await oauth.discoveryRequest(new URL(issuer), options)
  const metadata = await oauth.processDiscoveryResponse(new URL(issuer), found)
  const server = { ...metadata, token_endpoint: `${address}connect/token` }
  const client: oauth.Client = { client_id: 'demo' }
  let refreshToken = firstRefreshToken
  return async (): Promise<{ accessToken: string; idToken: string }> => {
    const answer = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options)
    const tokens = await oauth.processRefreshTokenResponse(server, client, answer)
    await oauth.validateApplicationLevelSignature(server, answer, options)
    refreshToken = tokens.refresh_token ?? ''
    return { accessToken: tokens.access_token, idToken: tokens.id_token ?? '' }
  }
}

it('never breaks a client that caches the key set (RFC 7517 §5), nor a refresh chain, over three rotations [S4.8.3, C2.22]', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 })
  const { issuer, nodes, storage, rotate } = await twoNodes(t)
  const applications = await Promise.all(
    [0, 1, 0, 1].map(async (node) => {
      const browser = await Browser.signedIn({ issuer })
      const { body } = await postToken({ issuer }, codeFields(await obtainCode(browser)))
      return application(issuer, nodes[node]?.address ?? '', body.refresh_token)
    }),
  )
  // A resource server of its own, which has each token for as long as it is valid.
  const keySet = createRemoteJWKSet(new URL(`${issuer}.well-known/jwks`))
  const valid: { readonly token: string; readonly untilMs: number }[] = []
  const kids = new Set<string>()
  let rotations = 0
  for (let step = 0; step < 105; step += 1) {
    t.mock.timers.tick(2 * minute)
    // A node reads the ring every ten seconds; here one of the two is minutes behind the other.
    await nodes[step % 2]?.keys.refresh(0)
    const rotated = await Promise.all(nodes.map(rotate))
    rotations += rotated.filter((added) => added !== undefined).length
    await storage.sweep(Date.now(), 100)
    const issued = await Promise.all(applications.map((refresh) => refresh()))
    for (const { accessToken, idToken } of issued) {
      valid.push({ token: accessToken, untilMs: Date.now() + 60 * minute })
      valid.push({ token: idToken, untilMs: Date.now() + 20 * minute })
    }
    const held = valid.filter(({ untilMs }, at) => Date.now() < untilMs && (at + step) % 5 === 0)
    for (const { token } of [...held, ...valid.slice(-2)]) {
      await jwtVerify(token, keySet, { issuer })
      kids.add(decodeProtectedHeader(token).kid ?? '')
    }
  }
  assert.equal(rotations, 3)
  // Each of the four generations signed with both algorithms.
  assert.equal(kids.size, 8)
})
