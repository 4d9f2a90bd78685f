/** No secret is ever logged: whole journeys and every kind of failure, at the level that logs most. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  authorizeParameters,
  Browser,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { startFakeGithub } from '../support/fake-github.ts'
import { password } from '../support/service.ts'
import { assertStops, type Running, serve } from './running.ts'

/** Remembers what must not be seen. */
class Secrets {
  readonly values = new Map<string, string>()
  add(name: string, value: string | null | undefined): string {
    assert.ok(typeof value === 'string' && value.length >= 6, `${name} was not seen`)
    this.values.set(`${name} #${this.values.size}`, value)
    return value
  }
}

/** A browser whose every cookie is a secret. */
class WatchedBrowser extends Browser {
  readonly secrets: Secrets
  constructor(service: Running, secrets: Secrets) {
    super(service)
    this.secrets = secrets
  }
  override async fetch(pathOrUrl: string, init?: RequestInit): Promise<Response> {
    const answer = await super.fetch(pathOrUrl, init)
    for (const [name, value] of this.cookies) if (value.length >= 6) this.secrets.add(`cookie ${name}`, value)
    return answer
  }
  override async antiforgeryToken(): Promise<string> {
    return this.secrets.add('__RequestVerificationToken', await super.antiforgeryToken())
  }
}

async function localJourney(service: Running, secrets: Secrets): Promise<void> {
  const browser = new WatchedBrowser(service, secrets)
  const wrong = secrets.add('wrong password', 'wrong-password-4711')
  await browser.signIn({ password: wrong })
  await browser.signIn({ username: 'nobody', password: wrong })
  await browser.post('/Account/Login', { username: 'alice', password: wrong })
  // After this sign-in there is nothing to return to: 500, with a warning.
  await browser.signIn({ ReturnUrl: `https://evil.test/?code=${secrets.add('code', 'code-in-an-address')}` })
  const code = secrets.add('code', await obtainCode(browser))
  const verifier = secrets.add('code_verifier', codeFields('').code_verifier)
  await postToken(service, codeFields(code, { code_verifier: secrets.add('code_verifier', `wrong-${'v'.repeat(43)}`) }))
  const { body } = await postToken(service, codeFields(code, { code_verifier: verifier }))
  for (const name of ['access_token', 'id_token', 'refresh_token']) secrets.add(name, body[name])
  const refreshed = await postToken(service, refreshFields(body.refresh_token))
  for (const name of ['access_token', 'id_token', 'refresh_token']) secrets.add(name, refreshed.body[name])
  await fetch(`${service.issuer}weatherforecast`, { headers: { authorization: `Bearer ${body.access_token}` } })
  const basic = secrets.add('authorization', Buffer.from('demo:client-secret-4711').toString('base64'))
  const secret = secrets.add('client_secret', 'client-secret-4711')
  await postToken(service, { ...refreshFields(body.refresh_token), client_secret: secret })
  await postToken(
    service,
    { grant_type: 'refresh_token', refresh_token: body.refresh_token },
    { authorization: `Basic ${basic}` },
  )
  await postToken(service, { ...codeFields(code), code_verifier: verifier })
  await postToken(service, { token: refreshed.body.refresh_token, client_id: 'demo' }, {}, 'connect/revocation')
  await postToken(
    service,
    { token: body.access_token, token_type_hint: secret, client_id: 'demo' },
    {},
    'connect/revocation',
  )
  await browser.get(`/connect/authorize?${new URLSearchParams(authorizeParameters({ id_token_hint: body.id_token }))}`)
  await browser.submit('/connect/logout', { id_token_hint: body.id_token, Confirm: 'Yes' })
}

async function brokenRequests(service: Running, secrets: Secrets): Promise<void> {
  const password = secrets.add('password', 'password-in-a-broken-form')
  const post = (body: string, type: string) =>
    fetch(`${service.issuer}connect/token`, { method: 'POST', body, headers: { 'content-type': type } })
  await post(`grant_type=password&password=${password}&x=%zz`, 'application/x-www-form-urlencoded')
  await post(JSON.stringify({ password }), 'application/json')
  await post(`password=${password}${'x'.repeat(70_000)}`, 'application/x-www-form-urlencoded')
  await fetch(`${service.issuer}connect/%zz?code=${password}`)
  await fetch(`${service.issuer}nowhere?token=${password}`)
}

async function externalJourney(service: Running, secrets: Secrets): Promise<void> {
  const github = await externalProvider
  for (const behaviour of ['normal', 'wrong_code', 'nonsense', 'no_user', 'denies'] as const) {
    github.behaviour = behaviour
    const browser = new WatchedBrowser(service, secrets)
    const start = locationOf(await browser.submit('/Account/ExternalLogin?returnUrl=%2F', { provider: 'GitHub' }))
    secrets.add('state', start.searchParams.get('state'))
    const callback = locationOf(await fetch(start, { redirect: 'manual' }))
    if (behaviour !== 'denies') secrets.add('code of the provider', callback.searchParams.get('code'))
    await browser.fetch(callback.pathname + callback.search)
    await browser.get('/Account/ExternalLoginCallback?returnUrl=%2F')
    await browser.submit('/Account/ExternalLoginRegister', { email: 'octocat@example.com', ReturnUrl: '/' })
  }
  for (const form of github.tokenRequests) {
    for (const name of ['code_verifier', 'client_secret']) secrets.add(`${name} for the provider`, form.get(name))
  }
}

const externalProvider = startFakeGithub()

describe('the log at level trace', () => {
  it('holds none of the secrets that journeys, refusals and failures have to do with [C3.5]', async (t) => {
    const github = await externalProvider
    t.after(() => github.stop())
    const secrets = new Secrets()
    const masterKey = secrets.add('master key', randomBytes(32).toString('base64'))
    const env = { ...github.env, Log__Level: 'trace', Keys__MasterKey: masterKey, RateLimit__LoginPerMinute: '1000' }
    const service = await serve(t, { env })
    secrets.add('password', password)
    await localJourney(service, secrets)
    await brokenRequests(service, secrets)
    await externalJourney(service, secrets)
    await assertStops(service)

    const lines = service.log().map((line) => JSON.stringify(line))
    const levels = new Set(service.log().map(({ level }) => level))
    assert.ok(lines.length >= 15, `only ${lines.length} lines were logged`)
    assert.ok(levels.has(30) && levels.has(40), 'sign-ins and failures are logged')
    assert.ok(secrets.values.size >= 40, `only ${secrets.values.size} secrets were used`)
    for (const [name, value] of secrets.values) {
      for (const form of [value, encodeURIComponent(value), decodeURIComponent(value)]) {
        const line = lines.find((text) => text.includes(form))
        assert.equal(line, undefined, `${name} is in the log`)
      }
    }
  })

  it('names the request of every line that belongs to one', async (t) => {
    const service = await serve(t)
    const answer = await fetch(`${service.issuer}connect/token`, { method: 'POST', body: new URLSearchParams() })
    const line = await service.logged('refused')
    assert.equal(line.traceId, answer.headers.get('x-trace-id'))
    assert.match(String(line.traceId), /^[0-9a-f]{32}$/)
  })
})
