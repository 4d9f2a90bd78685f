/** A stolen session and the address of an account: what it began ends with it, and its owner takes everything back. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { Browser, codeFields, locationOf, postToken, refreshFields } from '../support/browser.ts'
import { githubForFile, throughGithub } from '../support/fake-github.ts'
import { mailTo, purposesTo, waitingMails } from '../support/mails.ts'
import { addClient, password, serviceForFile, testUser } from '../support/service.ts'

const chosen = 'kT7-vw2q-new'
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const github = await githubForFile()
const service = await serviceForFile({
  ...github.env,
  Accounts__Registration: 'open',
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '1000',
})
const redirectUris = { redirectUris: [], postLogoutRedirectUris: [] }
await addClient(service, { id: 'tv', grantTypes: [deviceGrant], ...redirectUris })
await addClient(service, { id: 'unasked', consent: 'implicit', createdAtMs: service.now() })
// The limits of mails are of an hour, and the outbox shows a bounded number.
beforeEach(async () => {
  service.advance(3601)
  for (const { id } of await waitingMails(service)) await service.storage.mails.sent(id)
})

let number = 0
/** Somebody whose user name is the address, signed in in a browser of their own. */
async function victim() {
  number += 1
  const email = `victim${number}@example.com`
  const user = testUser({ name: email, email, createdAtMs: service.now() })
  await service.storage.users.create(user)
  return { user, email, owner: await signedIn(email), thief: await signedIn(email) }
}
const signedIn = (username: string, secret = password) => Browser.signedIn(service, { username, password: secret })
const target = (response: Response) => {
  const { pathname, searchParams } = locationOf(response)
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}
const confirm = async (browser: Browser, purpose: string, fields: Readonly<Record<string, string>>) =>
  target(await browser.submit('/Account/Confirm', { purpose, ...fields }))
const emailOf = async ({ id }: { readonly id: string }) => (await service.storage.users.find(id))?.email
async function change(browser: Browser, email: string) {
  assert.equal((await browser.self('POST', '/email', { email })).status, 204)
  assert.equal(
    await confirm(browser, 'email', { code: (await mailTo(service, email, 'email')).code }),
    '/Account/Profile?changed=email',
  )
}
const sessionOf = async (browser: Browser) =>
  ((await browser.self('GET', '/sessions')).body.items as { id: string; current: boolean }[]).find((one) => one.current)

describe('a change of the address that a stolen session asked for', () => {
  type Scene = Awaited<ReturnType<typeof victim>>
  const ends: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
    'the end of the session': async ({ owner, thief }) =>
      owner.self('DELETE', `/sessions/${(await sessionOf(thief))?.id}`),
    'the end of all others': ({ owner }) => owner.self('DELETE', '/sessions'),
    'a sign-out': ({ thief }) => thief.submit('/connect/logout', { Confirm: 'Yes' }),
    'the end of the session by an operator': async ({ thief, email }) => {
      const program = await adminProgram(service, ['admin:users'], { id: `ends-${email}` })
      assert.equal((await program.delete(`/sessions/${(await sessionOf(thief))?.id}`)).status, 204)
    },
    'a new password': ({ owner }) => owner.self('POST', '/password', { current: password, password: chosen }),
    'a reset by mail': async ({ email }) => {
      const browser = new Browser(service)
      await browser.submit('/Account/ForgotPassword', { email })
      await confirm(browser, 'reset', { token: (await mailTo(service, email, 'reset')).token })
      await browser.submit('/Account/ResetPassword', { password: chosen })
    },
    'the time of the session': async ({ thief }) => {
      const { id = '' } = (await sessionOf(thief)) ?? {}
      await service.storage.sessions.renew(id, service.now() + 1000, service.now())
      service.advance(2)
    },
  }
  for (const [name, end] of Object.entries(ends)) {
    it(`ends with ${name}: neither its code nor its link changes anything`, async () => {
      const scene = await victim()
      const next = `thief-${scene.email}`
      await scene.thief.self('POST', '/email', { email: next })
      const { code, token } = await mailTo(service, next, 'email')
      await end(scene)
      assert.match(await confirm(new Browser(service), 'email', { token }), /error=code_invalid/)
      assert.match(await confirm(scene.thief, 'email', { code }), /error=code_invalid/)
      // Nor does another mail come for it.
      const sent = (await purposesTo(service, next)).length
      await confirm(scene.thief, 'email', { resend: 'true' })
      assert.equal((await purposesTo(service, next)).length, sent)
      assert.equal(await emailOf(scene.user), scene.email)
    })
  }

  it('goes on in a browser that signs in again, and by its link elsewhere', async () => {
    const { user, email, owner } = await victim()
    await owner.self('POST', '/email', { email: `next-${email}` })
    const { token } = await mailTo(service, `next-${email}`, 'email')
    await owner.signIn({ username: email })
    assert.equal(await confirm(new Browser(service), 'email', { token }), '/Account/Login')
    assert.equal(await emailOf(user), `next-${email}`)
  })

  it('is told to the address in use when it is asked for, without a word that the thief chose', async () => {
    const { email, thief } = await victim()
    await thief.self('POST', '/email', { email: 'read-this-at-evil@example.net' })
    assert.deepEqual(await purposesTo(service, email), ['email_change_asked'])
    const told = (await waitingMails(service)).find(({ purpose }) => purpose === 'email_change_asked')
    assert.doesNotMatch(JSON.stringify(told), /evil/)
    // The present address is not changed by proving it.
    await thief.self('POST', '/email', { email })
    assert.deepEqual(await purposesTo(service, email), ['email_change_asked', 'email'])
  })
})

describe('an address that was taken from its owner', () => {
  it('is nobody else’s while it can be taken back, as an address or as a name', async () => {
    const { user, email, thief } = await victim()
    await change(thief, `thief-${email}`)
    const taker = new Browser(service)
    await signInAtGithub(taker, 500 + number)
    const registered = await taker.submit('/Account/ExternalLoginRegister', { email, ReturnUrl: '/' })
    assert.match(target(registered), /error=email_in_use/)
    const stranger = new Browser(service)
    await stranger.submit('/Account/Register', { email, password: chosen })
    const { token } = await mailTo(service, email, 'register')
    assert.match(await confirm(stranger, 'register', { token }), /error=username_taken/)
    await stranger.submit('/Account/Register', { email, username: `named-${number}`, password: chosen })
    const again = await mailTo(service, email, 'register')
    assert.match(await confirm(stranger, 'register', { token: again.token }), /error=code_invalid/)
    const admin = await adminProgram(service, ['admin:write'], { id: `admin-${email}` })
    const named = { username: email, email: `another-${email}` }
    for (const body of [{ username: 'somebody', email }, named]) {
      assert.equal((await admin.post('/users', body)).status, 409)
    }
    const undo = await mailTo(service, email, 'email_changed_undo')
    assert.equal(
      await confirm(new Browser(service), 'undo', { token: undo.token }),
      '/Account/ResetPassword?undone=true&ReturnUrl=%2FAccount',
    )
    const restored = await service.storage.users.find(user.id)
    assert.deepEqual([restored?.email, restored?.name], [email, email])
  })

  it('comes back whole: the thief keeps no session, no grant and no consent, however old and with whichever client', async () => {
    const { user, email, thief } = await victim()
    // One that asks people, and one that does not: without a consent that is taken back, the grant alone ends its tokens.
    const early = [await tokensOf(thief, 'demo'), await tokensOf(thief, 'unasked')]
    service.advance(3 * 86_400)
    await thief.signIn({ username: email })
    await change(thief, `thief-${email}`)
    const late = [await tokensOf(thief, 'demo'), await tokensOf(thief, 'unasked')]
    const fresh = await Promise.all(early.map(({ refresh_token, client }) => refresh(refresh_token, client)))
    const given = [...late, ...fresh.map(({ body }, at) => ({ ...body, client: early[at]?.client }))]
    const statusOf = async ({ access_token }: { readonly access_token: string }) =>
      (await new Browser(service).get('/connect/userinfo', { authorization: `Bearer ${access_token}` })).status
    assert.deepEqual(await Promise.all(given.map(statusOf)), [200, 200, 200, 200])
    const { token } = await mailTo(service, email, 'email_changed_undo')
    await confirm(new Browser(service), 'undo', { token })
    assert.deepEqual(await Promise.all(given.map(statusOf)), [401, 401, 401, 401])
    for (const { refresh_token, client } of given) {
      const refused = await refresh(refresh_token, client)
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'], client)
    }
    assert.deepEqual(await service.storage.sessions.ofUser(user.id), [])
  })

  it('leaves no grant to a thief who signs in between the undo and the new password', async () => {
    const { user, email, thief } = await victim()
    await change(thief, `thief-${email}`)
    const owner = new Browser(service)
    await confirm(owner, 'undo', { token: (await mailTo(service, email, 'email_changed_undo')).token })
    const between = await Promise.all(['demo', 'unasked'].map(async (id) => tokensOf(await signedIn(email), id)))
    assert.equal(target(await owner.submit('/Account/ResetPassword', { password: chosen })), '/')
    for (const { refresh_token, client } of between) {
      const refused = await refresh(refresh_token, client)
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'], client)
    }
    assert.equal((await service.storage.sessions.ofUser(user.id)).length, 1, "the owner's")
  })

  it('comes back after any number of further changes, from the newest mail or the first, with all that was added since', async () => {
    for (const which of ['first', 'newest']) {
      const { user, email, thief } = await victim()
      const [second, third] = [`second-${email}`, `third-${email}`]
      await change(thief, second)
      const first = await mailTo(service, email, 'email_changed_undo')
      await link(thief, 700 + number)
      service.advance(5 * 86_400)
      await thief.signIn({ username: second })
      await change(thief, third)
      // The address in between was proven for five days, and may be the thief's.
      assert.equal((await purposesTo(service, second)).includes('email_changed_undo'), false)
      const newest = await mailTo(service, email, 'email_changed_undo')
      assert.notEqual(newest.token, first.token)
      if (which === 'newest') service.advance(5 * 86_400)
      const { token } = which === 'first' ? first : newest
      assert.equal(
        await confirm(new Browser(service), 'undo', { token }),
        '/Account/ResetPassword?undone=true&ReturnUrl=%2FAccount',
        which,
      )
      assert.equal(await emailOf(user), email)
      assert.deepEqual(await service.storage.externalLogins.list(user.id), [])
      for (const { token } of [first, newest]) {
        assert.match(await confirm(new Browser(service), 'undo', { token }), /error=code_invalid/)
      }
    }
  })

  it('is the owner’s again by their own correction, and no undo leads away from it', async () => {
    const { user, email, owner, thief } = await victim()
    const stolen = `thief-${email}`
    await change(thief, stolen)
    const { token } = await mailTo(service, email, 'email_changed_undo')
    await change(owner, email)
    assert.deepEqual(
      (await purposesTo(service, stolen)).filter((purpose) => purpose === 'email_changed_undo'),
      [],
    )
    assert.match(await confirm(new Browser(service), 'undo', { token }), /error=code_invalid/)
    assert.equal(await emailOf(user), email)
    // A later change begins anew.
    await change(owner, `next-${email}`)
    assert.ok((await purposesTo(service, email)).includes('email_changed_undo'))
  })
})

describe('the return address of a recovery', () => {
  const steered = '/connect/authorize?client_id=evil&redirect_uri=https%3A%2F%2Fevil.example%2F'
  const led = (address: string) => new URL(address, service.issuer).searchParams.get('ReturnUrl')

  it('is followed in the browser that asked, and leads everybody else to their account, also a link that was used', async () => {
    const { email, owner } = await victim()
    const stranger = new Browser(service)
    await stranger.submit('/Account/ForgotPassword', { email, ReturnUrl: steered })
    const { token } = await mailTo(service, email, 'reset')
    // Somebody else opens the link, and comes back to it.
    const browser = new Browser(service)
    const opened = await confirm(browser, 'reset', { token })
    assert.deepEqual([opened.split('?')[0], led(opened)], ['/Account/ResetPassword', '/Account'])
    for (const each of [browser, stranger, new Browser(service)]) {
      const again = await confirm(each, 'reset', { token })
      assert.equal(led(again), '/Account', again)
    }
    assert.equal(
      target(await browser.submit('/Account/ResetPassword', { password: chosen, ReturnUrl: '/Account' })),
      '/Account',
    )

    service.advance(60)
    await owner.submit('/Account/ForgotPassword', { email, ReturnUrl: '/connect/authorize?client_id=demo' })
    const mine = await mailTo(service, email, 'reset')
    for (let at = 0; at < 2; at += 1) {
      const own = await confirm(owner, 'reset', { token: mine.token })
      assert.deepEqual([own.split('?')[0], led(own)], ['/Account/ResetPassword', '/connect/authorize?client_id=demo'])
    }
  })

  it('of a registration that somebody else began leads to the account as well', async () => {
    const [stranger, email] = [new Browser(service), `new-${service.now()}@example.com`]
    await stranger.submit('/Account/Register', { email, password: chosen, ReturnUrl: steered })
    const { token } = await mailTo(service, email, 'register')
    const browser = new Browser(service)
    assert.equal(await confirm(browser, 'register', { token }), '/Account/Login?ReturnUrl=%2FAccount')
  })
})

describe('what else hangs on the session that began it', () => {
  it('an account at a provider is linked in the session alone that asked for it', async () => {
    const { user, thief } = await victim()
    const back = await beginLink(thief, 900 + number)
    await thief.submit('/connect/logout', { Confirm: 'Yes' })
    await thief.signIn({ username: user.email })
    assert.equal(await followLink(thief, back), '/Account/Security?error=external_login_unavailable')
    assert.deepEqual(await service.storage.externalLogins.list(user.id), [])
    await link(thief, 900 + number)
    assert.equal((await service.storage.externalLogins.list(user.id)).length, 1)
  })

  it('a device that was let in gets no tokens once the session was ended from elsewhere, and does after a sign-out', async () => {
    const begin = async () => {
      const fields = { client_id: 'tv', scope: 'openid' }
      return (await postToken(service, fields, {}, 'connect/device')).body as { device_code: string; user_code: string }
    }
    const poll = async ({ device_code }: { readonly device_code: string }) =>
      (await postToken(service, { grant_type: deviceGrant, client_id: 'tv', device_code })).body.error
    const letIn = async (browser: Browser) => {
      const device = await begin()
      await browser.submit('/Account/Device', { user_code: device.user_code, 'submit.Accept': 'Yes' })
      return device
    }
    type Scene = Awaited<ReturnType<typeof victim>>
    const change = { current: password, password: chosen }
    const ends: readonly {
      readonly end: (scene: Scene) => Promise<unknown>
      readonly refuses: readonly ('thief' | 'owner')[]
    }[] = [
      {
        end: async ({ owner, thief }) => owner.self('DELETE', `/sessions/${(await sessionOf(thief))?.id}`),
        refuses: ['thief'],
      },
      { end: ({ owner }) => owner.self('DELETE', '/sessions'), refuses: ['thief'] },
      { end: ({ owner }) => owner.self('POST', '/password', change), refuses: ['thief', 'owner'] },
      { end: ({ thief }) => thief.submit('/connect/logout', { Confirm: 'Yes' }), refuses: [] },
    ]
    for (const { end, refuses } of ends) {
      const scene = await victim()
      const [redeemed, waiting, own] = [await letIn(scene.thief), await letIn(scene.thief), await letIn(scene.owner)]
      assert.equal(await poll(redeemed), undefined)
      await end(scene)
      assert.equal(await poll(redeemed), 'invalid_grant')
      assert.equal(await poll(waiting), refuses.includes('thief') ? 'access_denied' : undefined)
      assert.equal(await poll(own), refuses.includes('owner') ? 'access_denied' : undefined)
    }
    // It goes on with the browser, and ends with the session that the browser has by then.
    const { owner, thief, email } = await victim()
    const device = await letIn(thief)
    await thief.signIn({ username: email })
    await owner.self('DELETE', `/sessions/${(await sessionOf(thief))?.id}`)
    assert.equal(await poll(device), 'access_denied')
  })

  it('an invitation ends with the session of whoever sent it, or a new password, and goes on after their sign-out', async () => {
    const ends: readonly (readonly [boolean, (userId: string, sessionId: string) => Promise<unknown>])[] = [
      [true, (userId, id) => service.storage.sessions.delete({ id, userId })],
      [false, (userId, id) => service.storage.sessions.end({ id, userId })],
      [
        false,
        (userId) => service.storage.users.update(userId, (stored) => ({ ...stored, sessionsEndedAtMs: service.now() })),
      ],
    ]
    for (const [at, [isKept, end]] of ends.entries()) {
      const { user, caller } = await adminPerson(service, ['latchkey-admin'], {
        name: `inviter${at}`,
        scopes: [`admin:write`, ...(at === 0 ? [] : [`admin:users`]), ...(at === 2 ? ['admin:audit'] : [])],
      })
      const email = `invited${at}@example.com`
      assert.equal((await caller.post('/invitations', { email, roles: ['latchkey-admin'] })).status, 201)
      const { token } = await mailTo(service, email, 'invite')
      const [session] = await service.storage.sessions.ofUser(user.id)
      await end(user.id, session?.id ?? '')
      const opened = await confirm(new Browser(service), 'invite', { token })
      assert.equal(opened, isKept ? '/Account/Register' : '/Account/Confirm?purpose=invite&error=code_invalid', `${at}`)
    }
  })
})

/** Allows the client what it asks for. */
async function tokensOf(browser: Browser, client: string) {
  const code = await browser.allowedCode({ client_id: client })
  const { body } = await postToken(service, codeFields(code, { client_id: client }))
  return { ...(body as { readonly access_token: string; readonly refresh_token: string }), client }
}
const refresh = (token: string, client: string) => postToken(service, refreshFields(token, { client_id: client }))

function asAtGithub(id: number): void {
  github.user = { id, login: `user${id}`, name: null, email: null }
  github.emails = [{ email: `user${id}@github.example`, primary: true, verified: true }]
}
function signInAtGithub(browser: Browser, id: number): Promise<URL> {
  asAtGithub(id)
  return throughGithub(browser)
}
/** Returns where the browser goes on once the provider has confirmed the account. */
async function beginLink(browser: Browser, id: number): Promise<string> {
  asAtGithub(id)
  const { body } = await browser.self('POST', '/external-logins/GitHub')
  const called = await browser.fetch(locationOf(await fetch(body.location, { redirect: 'manual' })).href)
  return locationOf(called).href
}
const followLink = async (browser: Browser, address: string) => target(await browser.fetch(address))
async function link(browser: Browser, id: number): Promise<void> {
  assert.equal(await followLink(browser, await beginLink(browser, id)), '/Account/Security?linked=github')
}
