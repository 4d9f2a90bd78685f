/** `/Account/Self/external-logins`: linking and unlinking accounts at providers, and what attackers try with it. */
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { Browser, locationOf } from '../../support/browser.ts'
import { githubForFile } from '../../support/fake-github.ts'
import { addUser, changeUser, serviceForFile } from '../../support/service.ts'

const github = await githubForFile()
const service = await serviceForFile({ ...github.env, Mail__Url: 'file:mails' })
for (const name of ['bob', 'carol', 'dave', 'erin', 'frank']) {
  await addUser(service, name)
}
let nextId = 5000
afterEach(() => {
  github.behaviour = 'normal'
  nextId += 1
  github.user = { id: nextId, login: `user${nextId}`, name: null, email: null }
  github.emails = [{ email: 'alice@example.com', primary: true, verified: true }]
})

const signedIn = (username: string) => Browser.signedIn(service, { username })

/** Begins a link; the address of the provider's answer, not yet delivered. */
async function begin(browser: Browser): Promise<URL> {
  const { status, body } = await browser.self('POST', '/external-logins/GitHub')
  assert.equal(status, 200)
  return locationOf(await fetch(body.location, { redirect: 'manual' }))
}

/** Delivers the provider's answer; where it ends. */
async function deliver(browser: Browser, answer: URL): Promise<URL> {
  const called = await browser.fetch(answer.href)
  if (called.status !== 302) return new URL(`about:${called.status}`)
  const next = locationOf(called)
  assert.equal(next.pathname, '/Account/ExternalLinkCallback')
  return locationOf(await browser.fetch(next.href))
}

const link = async (browser: Browser) => deliver(browser, await begin(browser))
const loginsOf = async (name: string) => {
  const user = await service.storage.users.findByName(name)
  return (await service.storage.externalLogins.list(user?.id ?? '')).map(
    ({ provider, subject }) => `${provider} ${subject}`,
  )
}

describe('linking an account at a provider', () => {
  it('leads to the provider and back, is told by mail and recorded, and signs in from then on', async () => {
    const browser = await signedIn('bob')
    const { id } = (await browser.self('GET', '')).body
    assert.equal((await link(browser)).search, '?linked=github')
    assert.deepEqual(await loginsOf('bob'), [`github ${github.user.id}`])
    const { sign_in: ways } = (await browser.self('GET', '')).body
    assert.deepEqual([ways.external_logins[0].provider, ways.external_logins[0].name], ['github', 'GitHub'])
    const mails = (await service.storage.mails.list()).filter((mail) => mail.userId === id)
    assert.deepEqual(
      mails.map(({ purpose, to }) => [purpose, to]),
      [
        ['external_login_added', 'bob@example.com'],
        ['new_browser', 'bob@example.com'],
      ],
    )
    assert.equal((await service.storage.audit.newest({ userId: id, kind: 'external_login_added' }, 5)).length, 1)
    const other = new Browser(service)
    const started = await other.submit('/Account/ExternalLogin', { provider: 'GitHub' })
    const callback = await other.fetch(locationOf(await fetch(locationOf(started), { redirect: 'manual' })).href)
    await other.fetch(locationOf(callback).href)
    assert.equal((await other.self('GET', '')).body.username, 'bob')
  })

  it('needs a recent sign-in, the anti-forgery header and a provider that is configured', async () => {
    const browser = await signedIn('carol')
    assert.equal((await browser.self('POST', '/external-logins/Gitlab')).body.error, 'unknown_provider')
    const bare = await browser.fetch('/Account/Self/external-logins/GitHub', { method: 'POST' })
    assert.equal(bare.status, 400)
    service.advance(601)
    for (const method of ['POST', 'DELETE'] as const) {
      const { status, body } = await browser.self(method, '/external-logins/GitHub')
      assert.deepEqual([status, body.error], [403, 'reauthentication_required'])
    }
  })

  it('goes by nothing but the person who asked: an address that another account has changes nothing', async () => {
    const browser = await signedIn('carol')
    github.emails = [{ email: 'alice@example.com', primary: true, verified: true }]
    assert.equal((await link(browser)).search, '?linked=github')
    assert.deepEqual(await loginsOf('alice'), [])
    assert.equal((await loginsOf('carol')).length, 1)
    assert.equal((await browser.self('GET', '')).body.email, 'carol@example.com')
  })

  it('refuses an account that is linked to another person, and a second one of the same provider', async () => {
    const [dave, carol] = [await signedIn('dave'), await signedIn('carol')]
    const [, subject = ''] = ((await loginsOf('carol'))[0] ?? '').split(' ')
    github.user = { ...github.user, id: Number(subject) }
    assert.equal((await link(dave)).search, '?error=external_login_in_use')
    assert.deepEqual(await loginsOf('dave'), [])
    assert.equal((await link(carol)).search, '?linked=github')
    github.user = { ...github.user, id: nextId + 500_000 }
    assert.equal((await link(carol)).search, '?error=external_login_exists')
    assert.equal((await loginsOf('carol')).length, 1)
  })

  it('refuses the answer in another browser, for another person, after a sign-out, and a second time', async () => {
    const dave = await signedIn('dave')
    const answer = await begin(dave)
    assert.equal((await deliver(await signedIn('erin'), answer)).href, 'about:400')
    // Somebody else signs in in the same browser before the answer comes.
    await dave.signIn({ username: 'erin' })
    assert.equal((await deliver(dave, answer)).search, '?error=external_login_unavailable')
    assert.deepEqual([await loginsOf('dave'), await loginsOf('erin')], [[], []])
    assert.equal((await deliver(dave, answer)).href, 'about:400')
    const gone = await signedIn('dave')
    const late = await begin(gone)
    const [{ id: session }] = (await gone.self('GET', '/sessions')).body.items
    await gone.self('DELETE', `/sessions/${session}`)
    assert.equal((await deliver(gone, late)).search, '?error=external_login_unavailable')
    assert.deepEqual(await loginsOf('dave'), [])
  })

  it('keeps the two ways apart: a link signs nobody in, and a sign-in links nothing', async () => {
    const dave = await signedIn('dave')
    const called = await dave.fetch((await begin(dave)).href)
    const { status } = await dave.get('/Account/ExternalLoginPending')
    assert.equal(status, 404)
    const signIn = await dave.get('/Account/ExternalLoginCallback?returnUrl=/x')
    assert.match(signIn.headers.get('location') ?? '', /external_login_unavailable/)
    assert.equal(called.status, 302)
    // The attacker's identity waits in the victim's browser as a sign-in; the link page does not take it.
    const victim = await signedIn('dave')
    const started = await victim.submit('/Account/ExternalLogin', { provider: 'GitHub' })
    await victim.fetch(locationOf(await fetch(locationOf(started), { redirect: 'manual' })).href)
    const taken = await victim.get('/Account/ExternalLinkCallback')
    assert.match(taken.headers.get('location') ?? '', /error=external_login_unavailable/)
    assert.deepEqual(await loginsOf('dave'), [])
  })

  it('comes back to the security page when the provider refuses', async () => {
    const dave = await signedIn('dave')
    github.behaviour = 'denies'
    assert.equal((await link(dave)).search, '?error=external_provider_error')
  })
})

describe('unlinking', () => {
  it('works unless it is the last way to sign in, of nobody else, and of parallel requests once', async () => {
    const frank = await signedIn('frank')
    assert.equal((await link(frank)).search, '?linked=github')
    const erin = await signedIn('erin')
    assert.equal((await erin.self('DELETE', '/external-logins/github')).status, 404)
    const answers = await Promise.all([1, 2, 3].map(() => frank.self('DELETE', '/external-logins/GitHub')))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404])
    assert.equal((await link(frank)).search, '?linked=github')
    await changeUser(service, 'frank', { passwordHash: null })
    const { status, body } = await frank.self('DELETE', '/external-logins/github')
    assert.deepEqual([status, body.error, body.code], [409, 'last_sign_in_method', 'ID9368'])
    assert.equal((await loginsOf('frank')).length, 1)
  })
})
