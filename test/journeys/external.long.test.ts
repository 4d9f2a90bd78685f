/** Two Latchkeys: one is the other's OpenID Connect provider. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, serviceForFile, startService, testScope } from '../support/service.ts'

const provider = await startService()
const service = await serviceForFile({
  OAuth__External__Upstream__ClientId: 'downstream',
  OAuth__External__Upstream__ClientSecret: 'upstream secret',
  OAuth__External__Upstream__Issuer: provider.issuer,
  OAuth__External__Upstream__DisplayName: 'Upstream Inc.',
  OAuth__External__Other__ClientId: 'downstream',
  OAuth__External__Other__Issuer: provider.issuer,
})
await provider.storage.scopes.create(testScope('profile'))
await provider.storage.scopes.create(testScope('email'))
await addClient(provider, {
  id: 'downstream',
  authentication: bySecret(hashSecret('upstream secret')),
  scopes: ['profile', 'email'],
  consent: 'implicit',
  redirectUris: [`${service.issuer}callback/login/Upstream`, `${service.issuer}callback/login/Other`],
})
after(async () => {
  await provider.stop()
})

/** Starts at the service and signs in at the provider; the provider's answer, not yet delivered. */
async function toAnswer(here: Browser, name = 'Upstream'): Promise<URL> {
  const started = await here.submit('/Account/ExternalLogin?returnUrl=/after', { provider: name })
  assert.equal(started.status, 302, await started.text())
  const there = new Browser(provider)
  const login = locationOf(await there.fetch(locationOf(started).href))
  assert.equal(login.pathname, '/Account/Login')
  const signedIn = await there.signIn({ ReturnUrl: login.searchParams.get('ReturnUrl') ?? '' })
  return locationOf(await there.fetch(locationOf(signedIn).href))
}

describe('one Latchkey as the OpenID Connect provider of another', () => {
  it('lists its button by display name [S2.8.1, S2.8.2, C3.17]', async () => {
    const listed = (await (await new Browser(service).get('/Account/ExternalProviders')).json()) as {
      displayName: string
    }[]
    assert.deepEqual(listed.map(({ displayName }) => displayName).sort(), ['Other', 'Upstream Inc.'])
  })

  it('signs a new visitor up once, and straight in from then on [S2.9.1, C3.16]', async () => {
    const here = new Browser(service)
    const callback = await here.fetch((await toAnswer(here)).href)
    const confirm = await here.fetch(locationOf(callback).href)
    assert.equal(confirm.headers.get('location'), '/Account/ExternalLoginConfirm?returnUrl=%2Fafter')
    const pending = (await (await here.get('/Account/ExternalLoginPending')).json()) as Record<string, string>
    assert.deepEqual(pending, { provider: 'Upstream', displayName: 'Upstream Inc.', email: 'alice@example.com' })
    const registered = await here.submit('/Account/ExternalLoginRegister', {
      email: 'alice@upstream.test',
      ReturnUrl: '/after',
    })
    assert.equal(registered.headers.get('location'), '/after')
    const again = new Browser(service)
    const done = await again.fetch(locationOf(await again.fetch((await toAnswer(again)).href)).href)
    assert.equal(done.headers.get('location'), '/after')
    assert.equal(await again.userName(), 'alice@upstream.test')
  })

  it('refuses the answer of one provider at the callback of another', async () => {
    const here = new Browser(service)
    const answer = await toAnswer(here)
    answer.pathname = '/callback/login/Other'
    assert.equal((await here.fetch(answer.href)).status, 400)
  })

  it('refuses an answer with another issuer (RFC 9207 mix-up)', async () => {
    const here = new Browser(service)
    const answer = await toAnswer(here)
    answer.searchParams.set('iss', 'https://evil.test/')
    assert.equal((await here.fetch(answer.href)).status, 502)
    const without = new Browser(service)
    const stripped = await toAnswer(without)
    stripped.searchParams.delete('iss')
    assert.equal((await without.fetch(stripped.href)).status, 502, 'the provider says that it always sends iss')
  })

  it('refuses a code that was made for another sign-in', async () => {
    const attacker = new Browser(service)
    const attackersAnswer = await toAnswer(attacker)
    const victim = new Browser(service)
    const answer = await toAnswer(victim)
    answer.searchParams.set('code', attackersAnswer.searchParams.get('code') ?? '')
    assert.equal((await victim.fetch(answer.href)).status, 502)
  })
})
