/** Commands work on the database; a server that runs beside them sees the change at its next request (contract 2). */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { startFakeGithub } from '../support/fake-github.ts'
import { serviceFor } from '../support/lifetime.ts'
import { password, type TestService, testClient } from '../support/service.ts'
import { type Workplace, workplace } from './run.ts'

/** A server on the database that the commands of the workplace use. */
async function beside(
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<{ place: Workplace; service: TestService }> {
  const place = workplace(t)
  const service = await serviceFor(t, { Database__Url: `sqlite:${join(place.folder, 'data', 'latchkey.db')}`, ...env })
  // Never before what the service did already.
  Object.defineProperty(place, 'nowMs', { get: () => service.now() })
  return { place, service }
}

const signedIn = async (browser: Browser): Promise<boolean> =>
  ((await (await browser.get('/Account/Session')).json()) as { user: unknown }).user !== null

describe('a server that runs while commands are given', () => {
  it('refuses a locked user at the next use of session, refresh token and password, and for good (user lock) [S1.12, C2.13, C2.14, C4.20]', async (t) => {
    const { place, service } = await beside(t)
    const browser = new Browser(service)
    const { body } = await postToken(service, codeFields(await obtainCode(browser)))
    const code = locationOf(await browser.get(authorizePath())).searchParams.get('code') ?? ''
    await place.json('user lock alice')
    assert.equal(await signedIn(browser), false)
    assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Login')
    for (const fields of [refreshFields(body.refresh_token), codeFields(code)]) {
      assert.equal((await postToken(service, fields)).body.error, 'invalid_grant')
    }
    assert.equal(locationOf(await new Browser(service).signIn()).searchParams.get('error'), 'invalid_credentials')
    service.advance(1)
    await place.json('user unlock alice')
    assert.equal((await new Browser(service).signIn()).headers.get('location'), '/')
    assert.equal(await signedIn(browser), false, 'what was there before the lock does not come back')
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).body.error, 'invalid_grant')
  })

  for (const [what, until] of [
    ['without an end', ''],
    ['with an end', ' --until 2999-01-31T12:00:00Z'],
  ] as const) {
    it(`sends a person who is locked ${what} back from the provider with account_locked (specification 4.7, user lock) [S4.7.17]`, async (t) => {
      const github = await startFakeGithub()
      t.after(() => github.stop())
      const { place, service } = await beside(t, github.env)
      const comeIn = async (browser: Browser) => {
        const started = await browser.submit('/Account/ExternalLogin?returnUrl=/after', { provider: 'GitHub' })
        const answered = await fetch(locationOf(started), { redirect: 'manual' })
        return browser.fetch(locationOf(await browser.fetch(locationOf(answered).href)).href)
      }
      const first = new Browser(service)
      await comeIn(first)
      await first.submit('/Account/ExternalLoginRegister', { email: 'octocat@example.com', ReturnUrl: '/after' })
      assert.equal((await comeIn(new Browser(service))).headers.get('location'), '/after')
      await place.json(`user lock octocat@example.com${until}`)
      const refused = await comeIn(new Browser(service))
      assert.equal(refused.headers.get('location'), '/Account/Login?ReturnUrl=%2Fafter&error=account_locked')
    })
  }

  it('ends the other sessions with a new password, and leaves the refresh tokens (user set-password) [C2.15]', async (t) => {
    const { place, service } = await beside(t)
    const browser = new Browser(service)
    const { body } = await postToken(service, codeFields(await obtainCode(browser)))
    await place.json('user set-password alice --password-stdin', { stdin: 'An0ther-one!' })
    assert.equal(await signedIn(browser), false)
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).status, 200)
    service.advance(1)
    assert.equal(locationOf(await new Browser(service).signIn()).searchParams.get('error'), 'invalid_credentials')
    const again = await new Browser(service).signIn({ password: 'An0ther-one!' })
    assert.equal(again.headers.get('location'), '/')
  })

  it('lets people in at once after a command on a machine whose clock is a minute ahead (user set-password, lock, unlock)', async (t) => {
    const { place, service } = await beside(t)
    Object.defineProperty(place, 'nowMs', { get: () => service.now() + 60_000 })
    for (const command of ['user set-password alice --password-stdin', 'user lock alice']) {
      const before = new Browser(service)
      const { body } = await postToken(service, codeFields(await obtainCode(before)))
      await place.json(command, { stdin: password })
      assert.equal(await signedIn(before), false, command)
      await place.json('user unlock alice')
      const after = new Browser(service)
      const next = (await postToken(service, codeFields(await obtainCode(after)))).body
      assert.equal(await signedIn(after), true, command)
      assert.equal((await postToken(service, refreshFields(next.refresh_token))).status, 200, command)
      const former = await postToken(service, refreshFields(body.refresh_token))
      assert.equal(former.status, command.startsWith('user lock') ? 400 : 200, command)
    }
    Object.defineProperty(place, 'nowMs', { get: () => service.now() })
    const last = new Browser(service)
    const { body } = await postToken(service, codeFields(await obtainCode(last)))
    await place.json('user lock alice')
    await place.json('user unlock alice')
    assert.equal(await signedIn(last), false, 'what began after the end that was ahead ends with the next one')
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).body.error, 'invalid_grant')
  })

  it('ends the sessions and known browsers that a machine began whose clock is a minute ahead (user set-password)', async (t) => {
    const { place, service } = await beside(t)
    const browser = new Browser(service)
    await browser.signIn()
    Object.defineProperty(place, 'nowMs', { get: () => service.now() - 60_000 })
    await place.json('user set-password alice --password-stdin', { stdin: 'An0ther-one!' })
    assert.equal(await signedIn(browser), false)
    const [device] = [...browser.cookies].filter(([name]) => name.endsWith('latchkey.device'))
    assert.ok(device, 'the browser still says who it is')
    for (let failure = 0; failure < 5; failure += 1) await new Browser(service).signIn({ password: 'wrong' })
    const refused = await browser.signIn({ password: 'An0ther-one!' })
    assert.equal(locationOf(refused).searchParams.get('error'), 'invalid_credentials', 'and is a stranger')
  })

  it('takes a changed redirect address at the next request, and asks nobody for consent again (client set) [C2.27]', async (t) => {
    const { place, service } = await beside(t)
    const browser = new Browser(service)
    const { body } = await postToken(service, codeFields(await obtainCode(browser)))
    const moved = 'http://localhost:5081/moved'
    const at = (address: string) => authorizePath({ redirect_uri: address })
    assert.equal((await browser.get(at(moved))).status, 400)
    await place.json(`client set demo redirect_uris=${moved} 'client_name=Moved'`)
    const answer = locationOf(await browser.get(at(moved)))
    assert.equal(`${answer.origin}${answer.pathname}`, moved, 'with a code, and without a page in between')
    assert.ok(answer.searchParams.has('code'))
    assert.equal((await browser.get(at('http://localhost:5081/callback'))).status, 400)
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).status, 200)
  })

  it('takes the old and the new secret for the overlap, and then the new one alone (client rotate-secret) [C2.28]', async (t) => {
    const { place, service } = await beside(t)
    const add = 'client add web --redirect-uri http://localhost:5081/callback --scope offline_access --confidential'
    const { client_secret: old } = (await place.json(add)) as { client_secret: string }
    const browser = new Browser(service)
    const asked = { client_id: 'web', scope: 'openid offline_access' }
    const first = codeFields(await obtainCode(browser, asked), { client_id: 'web', client_secret: old })
    let { refresh_token: token } = (await postToken(service, first)).body
    const rotate = 'client rotate-secret web --overlap 60'
    const { client_secret: next } = (await place.json(rotate)) as { client_secret: string }
    const refresh = async (secret: string) => {
      const answer = await postToken(service, refreshFields(token, { client_id: 'web', client_secret: secret }))
      if (answer.status === 200) token = answer.body.refresh_token
      return answer.body.error ?? 'refreshed'
    }
    const revoke = (secret: string) =>
      postToken(service, { client_id: 'web', client_secret: secret, token: 'x' }, {}, 'connect/revocation')
    assert.deepEqual([await refresh(next), await refresh(old)], ['refreshed', 'refreshed'])
    assert.deepEqual([(await revoke(next)).status, (await revoke(old)).status], [200, 200])
    assert.equal(await refresh('another'), 'invalid_client')
    service.advance(60)
    assert.deepEqual([await refresh(old), await refresh(next)], ['invalid_client', 'refreshed'])
    assert.equal((await revoke(old)).status, 401)
  })

  it('gives a changed name and address with the next tokens, and goes on with sessions and chains (user set) [C2.26]', async (t) => {
    const { place, service } = await beside(t)
    const browser = new Browser(service)
    const { body } = await postToken(service, codeFields(await obtainCode(browser)))
    const { sub } = claimsOf(body.access_token)
    await place.json('user set alice username=ally email=ally@example.com')
    assert.equal(await signedIn(browser), true)
    const { access_token: next } = (await postToken(service, refreshFields(body.refresh_token))).body
    const claims = claimsOf(next)
    assert.deepEqual([claims.sub, claims.name, claims.email], [sub, 'ally', 'ally@example.com'])
    assert.equal(locationOf(await new Browser(service).signIn()).searchParams.get('error'), 'invalid_credentials')
    assert.equal((await new Browser(service).signIn({ username: 'Ally' })).headers.get('location'), '/')
  })

  it('goes on with people and clients that could not be registered any more (UTS 39, RFC 8252 §7.1)', async (t) => {
    const { place, service } = await beside(t)
    const name = 'аli\u200dce'
    const { id } = (await service.storage.users.findByName('alice')) ?? { id: '' }
    await service.storage.users.update(id, (user) => ({ ...user, name }))
    await service.storage.clients.create(testClient({ id: 'old', redirectUris: ['myapp:/cb'], consent: 'implicit' }))
    const browser = new Browser(service)
    assert.equal((await browser.signIn({ username: name })).headers.get('location'), '/')
    const answer = await browser.get(authorizePath({ client_id: 'old', redirect_uri: 'myapp:/cb', scope: 'openid' }))
    assert.match(answer.headers.get('location') ?? '', /^myapp:\/cb\?code=/)
    await place.json(`user set '${name}' email_verified=true`)
  })

  it('knows a new client, scope and user at once, and a deleted one no more [C2.4, C2.19]', async (t) => {
    const { place, service } = await beside(t)
    const request = authorizePath({
      client_id: 'notes',
      redirect_uri: 'https://notes.example/cb',
      scope: 'openid notes',
    })
    assert.equal((await new Browser(service).get(request)).status, 400)
    await place.json('scope add notes')
    await place.json('client add notes --redirect-uri https://notes.example/cb --scope notes')
    await place.json('user add bob --email bob@example.com --password-stdin', { stdin: 'An0ther-one!' })
    const browser = new Browser(service)
    assert.equal(locationOf(await browser.get(request)).pathname, '/Account/Login')
    await browser.signIn({ username: 'bob', password: 'An0ther-one!' })
    assert.equal(locationOf(await browser.get(request)).pathname, '/Account/Consent')
    await place.json('user delete bob --yes')
    assert.equal(await signedIn(browser), false)
    await place.json('client delete notes --yes')
    assert.equal((await new Browser(service).get(request)).status, 400)
  })

  it('asks again for a consent that was taken back (authorizations revoke) [C2.23]', async (t) => {
    const { place, service } = await beside(t)
    const browser = new Browser(service)
    await obtainCode(browser)
    assert.ok(locationOf(await browser.get(authorizePath())).searchParams.get('code'))
    const [consent] = (await place.json('authorizations list --user alice')) as { id: string }[]
    await place.json(`authorizations revoke ${consent?.id}`)
    assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Consent')
  })
})
