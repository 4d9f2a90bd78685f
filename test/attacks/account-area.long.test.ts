/** Every endpoint of the account area, from the attacker's side: those of the table of routes, also the ones to come. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Browser, type SelfAnswer, selfAnswer } from '../support/browser.ts'
import { addUser, serviceForFile } from '../support/service.ts'

const source = readFileSync(new URL('../../src/routes.ts', import.meta.url), 'utf8')
const routes = [...source.matchAll(/\bself\('(GET|POST|PATCH|DELETE)', '([^']*)'/g)].map(
  ([, method = '', below = '']) => ({
    method,
    below: below.replaceAll(/:\w+/g, 'some-id'),
    name: `${method} ${below}`,
  }),
)
const changes = routes.filter(({ method }) => method !== 'GET')

const [alice, mallory] = [() => browsers[0] as Browser, () => browsers[1] as Browser]
let browsers: readonly Browser[] = []
const service = await serviceForFile({ Mail__Url: 'file:mails' })
await addUser(service, 'mallory')
browsers = [new Browser(service), new Browser(service)]
await alice().signIn()
await mallory().signIn({ username: 'mallory' })

type Sent = { readonly method: string; readonly below: string }
async function send(browser: Browser, { method, below }: Sent, headers: Record<string, string>, body?: string) {
  const init = { method, headers, ...(body !== undefined && method !== 'GET' && { body }) }
  return selfAnswer(await browser.fetch(`/Account/Self${below}`, init))
}
const refusal = ({ status, body }: SelfAnswer) => [status, body?.code]
const json = { 'content-type': 'application/json' }
const stateOf = async () => {
  const user = await service.storage.users.findByName('alice')
  assert.ok(user)
  const { storage } = service
  return [
    user,
    (await storage.sessions.ofUser(user.id)).length,
    await storage.passkeys.list(user.id),
    await storage.secondFactors.find(user.id),
    await storage.externalLogins.list(user.id),
  ]
}

describe('the account area', () => {
  it('is found in the table of routes', () => {
    assert.ok(routes.length >= 20)
    assert.ok(changes.length >= 14)
  })

  it('does nothing for a visitor, whatever is sent', async () => {
    for (const route of routes) {
      const visitor = new Browser(service)
      const token = await visitor.antiforgeryToken()
      const answer = await send(visitor, route, { ...json, RequestVerificationToken: token }, '{}')
      assert.equal(answer.status, 401, route.name)
      assert.equal(answer.body.error, 'login_required', route.name)
      assert.equal(answer.headers.get('content-type'), 'application/problem+json')
    }
  })

  it("changes nothing for another site: without the header, with the attacker's token, with a token in the body", async () => {
    const state = await stateOf()
    const [own, stolen] = [await alice().antiforgeryToken(), await mallory().antiforgeryToken()]
    const inBody = JSON.stringify({ __RequestVerificationToken: own })
    for (const route of changes) {
      const attempts = [
        await send(alice(), route, {}),
        await send(alice(), route, { 'content-type': 'text/plain' }, '{}'),
        await send(alice(), route, { ...json, RequestVerificationToken: stolen }, '{}'),
        await send(alice(), route, { ...json, RequestVerificationToken: `${own}x` }, '{}'),
        await send(alice(), route, json, inBody),
        await send(
          alice(),
          route,
          { 'content-type': 'application/x-www-form-urlencoded' },
          `__RequestVerificationToken=${own}`,
        ),
      ]
      for (const attempt of attempts) assert.deepEqual(refusal(attempt), [400, 'ID9007'], route.name)
    }
    assert.deepEqual(await stateOf(), state)
  })

  it('answers no page of another origin', async () => {
    for (const route of routes) {
      const preflight = await alice().fetch(`/Account/Self${route.below}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': route.method },
      })
      assert.equal(preflight.headers.get('access-control-allow-origin'), null, route.name)
    }
    const read = await alice().get('/Account/Self', { origin: 'https://evil.example' })
    assert.equal(read.headers.get('access-control-allow-origin'), null)
  })

  it('asks for a recent sign-in in every change but those of names and those that only take access away', async () => {
    const harmless = [
      'PATCH ',
      'PATCH /passkeys/:id',
      'PATCH /totp/:id',
      'DELETE /sessions',
      'DELETE /sessions/:id',
      'DELETE /browsers/:id',
      'DELETE /applications/:client',
      'DELETE /deletion',
    ]
    const old = await Browser.signedIn(service, { username: 'mallory' })
    service.advance(601)
    const token = await old.antiforgeryToken()
    const spared: string[] = []
    for (const route of changes) {
      if (harmless.includes(route.name)) continue
      const answer = await send(old, route, { ...json, RequestVerificationToken: token }, '{}')
      if (answer.body?.error !== 'reauthentication_required') spared.push(`${route.name} ${answer.status}`)
    }
    assert.deepEqual(spared, [])
    assert.equal((await old.self('GET', '/export')).body.error, 'reauthentication_required')
  })

  it('takes no member that it does not name, and never fails, whatever the body is', async () => {
    await alice().signIn()
    const token = await alice().antiforgeryToken()
    const { id } = (await mallory().self('GET', '')).body
    const bodies = [
      JSON.stringify({ user_id: id, userId: id, id, sub: id, roles: ['root'], email_verified: true }),
      '{"__proto__":{"roles":["root"]},"constructor":{"prototype":{}}}',
      JSON.stringify({ username: { $ne: '' }, current: ['x'], credential: null, code: 123456, name: [] }),
      `{"name":"${'\\u0000'.repeat(50)}","username":"\\ud800"}`,
      '[]',
      'null',
      '{',
    ]
    for (const route of changes.filter(({ method }) => method !== 'DELETE')) {
      for (const body of bodies) {
        const { status } = await send(alice(), route, { ...json, RequestVerificationToken: token }, body)
        assert.ok(status < 500, `${route.name} ${body}: ${status}`)
      }
    }
    const user = await service.storage.users.findByName('alice')
    assert.deepEqual([user?.roles, user?.claims, user?.deletionDueAtMs], [['admin'], {}, null])
  })

  it('finds nothing of another person by its id', async () => {
    const { storage } = service
    const user = await storage.users.findByName('alice')
    assert.ok(user)
    const [session] = await storage.sessions.ofUser(user.id)
    const [browser] = await storage.knownBrowsers.list(user.id)
    await mallory().signIn({ username: 'mallory' })
    const token = await mallory().antiforgeryToken()
    for (const below of [
      `/sessions/${session?.id}`,
      `/browsers/${browser?.id}`,
      `/passkeys/${session?.id}`,
      '/applications/demo',
      '/external-logins/GitHub',
    ]) {
      const answer = await send(mallory(), { method: 'DELETE', below }, { RequestVerificationToken: token })
      assert.equal(answer.status, 404, below)
    }
    assert.ok((await storage.sessions.ofUser(user.id)).some(({ id }) => id === session?.id))
    assert.equal((await storage.knownBrowsers.list(user.id)).length >= 1, true)
  })
})
