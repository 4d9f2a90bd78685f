/** OpenID Connect Back-Channel Logout 1.0, as certification tests it, and what an attacker tries with it. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { Client } from '../../src/protocol/client/client.ts'
import { lock, withPassword } from '../../src/users/changes.ts'
import {
  Browser,
  claimsOf,
  codeFields,
  headerOf,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { relyingParty, senderOf } from '../support/relying-party.ts'
import { addClient, addUser, serviceForFile, type testUser } from '../support/service.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** At another host, always well. */
/** How the relying party answers, by the path of the logout address. */
const statuses = new Map<string, number>()

const service = await serviceForFile()
const other = await relyingParty()
const rp = await relyingParty((response, { path }) => {
  const status = statuses.get(path) ?? 200
  if (status === 0) return
  if (status === 302) response.setHeader('location', `${rp.origin}/elsewhere`)
  response.statusCode = status
  if (path === '/huge') {
    const chunk = Buffer.alloc(1 << 20)
    const write = () => {
      while (!response.destroyed && response.write(chunk)) {}
    }
    response.on('drain', write)
    response.on('error', () => {})
    write()
  } else response.end('')
})
after(async () => {
  await rp.close()
  await other.close()
})

const registerClient = (id: string, change: Partial<Client['metadata']> = {}, path = `/${id}`) =>
  addClient(service, { id, metadata: { backchannel_logout_uri: rp.origin + path, ...change } })

/** Signs a new user in at the client: returns the browser and the tokens. */
async function signInAt(client: string, browser = new Browser(service)) {
  const code = await obtainCode(browser, { client_id: client })
  const { body } = await postToken(service, codeFields(code, { client_id: client }))
  return { browser, tokens: body }
}

async function newUser(name: string) {
  return await addUser(service, name)
}

/** Signs the user in at each client. */
async function visit(name: string, ...clients: string[]) {
  const browser = await Browser.signedIn(service, { username: name })
  const tokens = []
  for (const client_id of clients) {
    // A client of a document that nobody can fetch gets none.
    const code = locationOf(await browser.allow({ client_id })).searchParams.get('code') ?? ''
    tokens.push((await postToken(service, codeFields(code, { client_id }))).body)
  }
  return { browser, tokens }
}

const signOut = (browser: Browser) => browser.submit('/connect/logout', { Confirm: 'Yes' })
const receivedAt = (path: string) => rp.received.filter((one) => one.path === path)
const tokenOf = (one: { form: URLSearchParams } | undefined) => one?.form.get('logout_token') ?? ''

async function drain(): Promise<ReturnType<typeof senderOf>> {
  const sender = senderOf(service)
  await sender.drain()
  return sender
}

describe('oidcc-backchannel-rp-initiated-logout', () => {
  it('posts a logout token alone, signed, with the sid and sub of the id token (§2.4, §2.5)', async () => {
    await registerClient('told')
    const { browser, tokens } = await signInAt('told')
    const id = claimsOf(tokens.id_token)
    assert.match(id.sid, /^[\w-]{43}$/)
    await signOut(browser)
    await drain()
    const [one, ...more] = receivedAt('/told')
    assert.deepEqual(more, [])
    assert.equal(one?.method, 'POST')
    assert.equal(one?.headers['content-type'], 'application/x-www-form-urlencoded')
    assert.deepEqual([...(one?.form.keys() ?? [])], ['logout_token'])
    const keySet = createRemoteJWKSet(new URL('.well-known/jwks', service.issuer))
    const checked = await jwtVerify(tokenOf(one), keySet, { issuer: service.issuer, audience: 'told' })
    const { payload, protectedHeader } = checked
    assert.equal(protectedHeader.typ, 'logout+jwt')
    assert.equal(protectedHeader.alg, 'RS256')
    const members = ['aud', 'events', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']
    assert.deepEqual(Object.keys(payload).sort(), members, 'and no nonce')
    assert.deepEqual(payload.events, { [event]: {} })
    assert.equal(payload.sid, id.sid)
    assert.equal(payload.sub, id.sub)
    assert.equal(Number(payload.exp) - Number(payload.iat), 120)
  })

  it('states its support in discovery (§2.1)', async () => {
    const response = await fetch(new URL('.well-known/openid-configuration', service.issuer))
    const metadata = (await response.json()) as Record<string, unknown>
    assert.equal(metadata.backchannel_logout_supported, true)
    assert.equal(metadata.backchannel_logout_session_supported, true)
  })

  it('signs with the algorithm of the client’s id tokens', async () => {
    await registerClient('by-ps256', { id_token_signed_response_alg: 'PS256' })
    const { browser, tokens } = await signInAt('by-ps256')
    await signOut(browser)
    await drain()
    assert.equal(headerOf(tokens.id_token).alg, 'PS256')
    assert.equal(headerOf(tokenOf(receivedAt('/by-ps256')[0])).alg, 'PS256')
  })

  it('names the session only to clients that registered a logout address, and keeps the sid over a refresh', async () => {
    await registerClient('refreshes')
    const { tokens } = await signInAt('refreshes')
    const refreshed = await postToken(service, refreshFields(tokens.refresh_token, { client_id: 'refreshes' }))
    assert.equal(claimsOf(refreshed.body.id_token).sid, claimsOf(tokens.id_token).sid)
    const { tokens: plain } = await signInAt('demo')
    assert.equal('sid' in claimsOf(plain.id_token), false)
    await registerClient('framed', { backchannel_logout_uri: null, frontchannel_logout_uri: `${rp.origin}/frame` })
    const { tokens: framed } = await signInAt('framed')
    assert.ok(claimsOf(framed.id_token).sid)
  })

  it('names the session by something that its cookie does not contain', async () => {
    const { browser, tokens } = await signInAt('told')
    const cookies = [...browser.cookies.values()].join(' ')
    assert.ok(!cookies.includes(claimsOf(tokens.id_token).sid))
    const [sessionId = ''] = cookies.split('.')
    assert.ok(!JSON.stringify(claimsOf(tokens.id_token)).includes(sessionId))
  })
})

describe('the end of a session', () => {
  it('is told to every client of it, and to none of another browser', async () => {
    await newUser('bob')
    for (const id of ['first', 'second', 'third']) await registerClient(id)
    const { browser, tokens } = await visit('bob', 'first', 'second', 'demo')
    await visit('bob', 'third')
    await signOut(browser)
    await drain()
    assert.equal(receivedAt('/first').length, 1)
    assert.equal(claimsOf(tokenOf(receivedAt('/second')[0])).sid, claimsOf(tokens[1].id_token).sid)
    assert.deepEqual(receivedAt('/third'), [])
  })

  it('is told hours later, when the grant of a client without refresh tokens was swept', async () => {
    await newUser('carol')
    await registerClient('short')
    const { browser } = await visit('carol', 'short')
    service.advance(40 * 3600)
    await service.storage.sweep(service.now(), 500)
    await signOut(browser)
    await drain()
    assert.equal(receivedAt('/short').length, 1)
  })

  for (const [what, change] of [
    ['a lock', (user) => lock(user, null, service.now()) as typeof user],
    ['a new password', (user) => withPassword(user, 'x', service.now())],
  ] satisfies [string, (user: ReturnType<typeof testUser>) => ReturnType<typeof testUser>][]) {
    it(`is told when ${what} ends the sessions of the user, for each of them`, async () => {
      const name = what.replaceAll(' ', '')
      const user = await newUser(name)
      await registerClient(name)
      await visit(name, name)
      await visit(name, name)
      await service.storage.users.update(user.id, change)
      await drain()
      assert.equal(new Set(receivedAt(`/${name}`).map((one) => claimsOf(tokenOf(one)).sid)).size, 2)
    })
  }

  it('is not what another sign-in of the same person in the same browser is; the end of that one is told', async () => {
    await newUser('dave')
    await registerClient('again')
    const { browser, tokens } = await visit('dave', 'again')
    await browser.signIn({ username: 'dave' })
    await drain()
    assert.deepEqual(receivedAt('/again'), [])
    await signOut(browser)
    await drain()
    assert.deepEqual(
      receivedAt('/again').map((one) => claimsOf(tokenOf(one)).sid),
      [claimsOf(tokens[0].id_token).sid],
    )
  })

  it('is told when another person signs in in the same browser', async () => {
    await newUser('erin')
    await newUser('frank')
    await registerClient('shared')
    const { browser } = await visit('erin', 'shared')
    await browser.signIn({ username: 'frank' })
    await drain()
    assert.equal(receivedAt('/shared').length, 1)
  })

  it('queues nothing without a client to tell', async () => {
    const { browser } = await signInAt('demo')
    await signOut(browser)
    assert.deepEqual(await service.storage.logoutNotices.due(service.now(), []), [])
  })
})

describe('delivery (§2.8)', () => {
  it('repeats a failure three times within two minutes, then gives up, with an entry in the audit trail', async () => {
    await newUser('grace')
    await registerClient('failing')
    statuses.set('/failing', 500)
    const { browser } = await visit('grace', 'failing')
    await signOut(browser)
    const startedAt = service.now()
    const sender = senderOf(service)
    await sender.drain()
    assert.equal(receivedAt('/failing').length, 1)
    while (service.now() - startedAt < 120_000) {
      service.advance(5)
      await sender.drain()
    }
    assert.equal(receivedAt('/failing').length, 4)
    const ids = receivedAt('/failing').map((one) => claimsOf(tokenOf(one)).jti)
    assert.equal(new Set(ids).size, 4, 'each attempt is a token of its own, so that none is a replay')
    assert.equal(sender.counts.failed, 1)
    service.advance(3600)
    await sender.drain()
    assert.equal(receivedAt('/failing').length, 4)
    const [last] = await service.storage.audit.newest({ clientId: 'failing', kind: 'logout_notice' }, 1)
    assert.equal(last?.details.outcome, 'given_up')
  })

  it('is repeated after a crash in the middle, and by one of several processes only', async () => {
    await newUser('heidi')
    await registerClient('crashing')
    const { browser } = await visit('heidi', 'crashing')
    await signOut(browser)
    const [notice] = await service.storage.logoutNotices.due(service.now(), [])
    // A process claimed it and was killed.
    assert.ok(await service.storage.logoutNotices.claim(notice?.id ?? '', 0, service.now() + 10_000))
    await drain()
    assert.equal(receivedAt('/crashing').length, 0)
    service.advance(10)
    await Promise.all([drain(), drain(), drain()])
    assert.equal(receivedAt('/crashing').length, 1)
  })

  for (const [what, path, status] of [
    ['never answers', '/silent', 0],
    ['redirects', '/redirecting', 302],
    ['answers without end', '/huge', 200],
  ] as const) {
    it(`of an address that ${what} delays no other client, and follows nothing`, async () => {
      const name = path.slice(1)
      await newUser(name)
      await registerClient(`${name}-bad`, {}, path)
      await registerClient(`${name}-good`, { backchannel_logout_uri: `${other.origin}/${name}` })
      statuses.set(path, status)
      for (let at = 0; at < 12; at += 1) await visit(name, `${name}-bad`)
      await visit(name, `${name}-good`)
      const user = await service.storage.users.findByName(name)
      await service.storage.users.update(user?.id ?? '', (found) => lock(found, null, service.now()) as typeof found)
      const sender = senderOf(service, 3000)
      const draining = sender.drain()
      const told = () => other.received.filter((one) => one.path === `/${name}`).length
      while (told() === 0) await new Promise((resolve) => setImmediate(resolve))
      if (status === 0) assert.deepEqual(sender.lines, [], 'before anything there was given up')
      await draining
      assert.equal(told(), 1)
      assert.ok(receivedAt(path).length <= 8, 'an address that is down is not tried for each notice')
      assert.deepEqual(receivedAt('/elsewhere'), [])
      await service.storage.clients.delete(`${name}-bad`)
    })
  }

  it('of clients that registered themselves leaves half of the places to those of an operator', async () => {
    await newUser('kate')
    const registered = Array.from({ length: 40 }, (_, at) => `self-${at}`)
    for (const [at, id] of registered.entries()) {
      const host = new URL(rp.origin).port
      await registerClient(id, {
        backchannel_logout_uri: `http://h${at}.localhost:${host}/slow`,
        registration: at % 2 === 0 ? 'open' : 'document',
      })
    }
    await registerClient('patient', { backchannel_logout_uri: `${other.origin}/patient` })
    statuses.set('/slow', 0)
    const { browser } = await visit('kate', ...registered, 'patient')
    await signOut(browser)
    const sender = senderOf(service, 3000)
    const draining = sender.drain()
    const told = () => other.received.filter((one) => one.path === '/patient').length
    while (told() === 0 || receivedAt('/slow').length < 16) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(sender.lines, [], 'before anything there was given up')
    assert.equal(receivedAt('/slow').length, 16)
    await draining
    assert.ok(
      sender.lines.every((line) => !JSON.stringify(line).includes('too many')),
      'none fails for want of a place',
    )
    for (const id of registered) await service.storage.clients.delete(id)
  })

  it('goes to no private address, and carries no credentials of an address (the guard of all fetches)', async () => {
    await newUser('ivan')
    const addresses = [
      'http://10.0.0.1/out',
      'https://192.168.1.1/out',
      `http://user:secret@${new URL(rp.origin).host}/x`,
    ]
    for (const [at, address] of addresses.entries())
      await registerClient(`inside-${at}`, { backchannel_logout_uri: address })
    const { browser } = await visit('ivan', 'inside-0', 'inside-1', 'inside-2')
    await signOut(browser)
    const sender = await drain()
    assert.equal(sender.lines.length, 3)
    assert.deepEqual(receivedAt('/x'), [])
    assert.ok(!JSON.stringify(sender.lines).includes('secret'))
  })

  it('drops the notice to a client that was deleted or registered no address any more', async () => {
    await newUser('judy')
    await registerClient('gone')
    await registerClient('changed')
    const { browser } = await visit('judy', 'gone', 'changed')
    await signOut(browser)
    await service.storage.clients.delete('gone')
    const without = (client: Client) => ({ ...client, metadata: { ...client.metadata, backchannel_logout_uri: null } })
    await service.storage.clients.update('changed', without)
    const sender = await drain()
    assert.deepEqual(sender.counts, { delivered: 0, failed: 0 })
    assert.deepEqual(receivedAt('/changed'), [])
    service.advance(3600)
    const left = await service.storage.logoutNotices.due(service.now(), [])
    assert.deepEqual(
      left.filter(({ clientId }) => ['gone', 'changed'].includes(clientId)),
      [],
    )
  })
})
