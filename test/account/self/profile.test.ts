/** `/Account/Self`: what every endpoint of the account area checks, and the profile. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser, selfAnswer } from '../../support/browser.ts'
import { addUser, serviceForFile } from '../../support/service.ts'

const service = await serviceForFile({ Accounts__RecentSignIn: '600' })
await addUser(service, 'bob')

const alice = await Browser.signedIn(service)

const patch = async (
  browser: Browser,
  headers: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer> = '{"nickname":"x"}',
) => selfAnswer(await browser.fetch('/Account/Self', { method: 'PATCH', headers, body }))

describe('every endpoint of the account area', () => {
  it('answers a visitor 401 with problem details (RFC 9457)', async () => {
    const { status, headers, body } = await new Browser(service).self('GET', '')
    assert.equal(status, 401)
    assert.equal(headers.get('content-type'), 'application/problem+json')
    assert.equal(headers.get('cache-control'), 'no-store')
    const { type, title, detail, trace_id: traceId, code, ...rest } = body
    assert.deepEqual(rest, { status: 401, error: 'login_required' })
    assert.equal(type, `${service.issuer}errors#${code}`)
    assert.match(traceId, /^[0-9a-f]{32}$/)
    assert.equal(headers.get('x-trace-id'), traceId)
    assert.ok(title.length > 0 && detail.length > 0)
    assert.equal((await new Browser(service).self('PATCH', '', { nickname: 'x' })).status, 401)
  })

  it('refuses a change without the anti-forgery header, with a token of another person, and with one in the body', async () => {
    const token = await alice.antiforgeryToken()
    const bob = await Browser.signedIn(service, { username: 'bob' })
    const json = { 'content-type': 'application/json' }
    const attempts: readonly (readonly [Record<string, string>, string])[] = [
      [json, '{"nickname":"x"}'],
      [{ ...json, RequestVerificationToken: '' }, '{"nickname":"x"}'],
      [{ ...json, RequestVerificationToken: await bob.antiforgeryToken() }, '{"nickname":"x"}'],
      [json, JSON.stringify({ nickname: 'x', __RequestVerificationToken: token })],
      [
        { 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams({ nickname: 'x', __RequestVerificationToken: token }).toString(),
      ],
    ]
    for (const [headers, body] of attempts) {
      const refused = await patch(alice, headers, body)
      assert.equal(refused.status, 400)
      assert.equal(refused.body.code, 'ID9007')
    }
    assert.equal((await alice.self('GET', '')).body.nickname, undefined)
  })

  it('refuses a body that is no JSON object: another type, broken, nested too deeply, not UTF-8, too large', async () => {
    const token = { RequestVerificationToken: await alice.antiforgeryToken() }
    const json = { ...token, 'content-type': 'application/json' }
    const good = '{"nickname":"x"}'
    const bodies: readonly (readonly [Record<string, string>, string | Uint8Array<ArrayBuffer>])[] = [
      [{ ...token, 'content-type': 'text/plain' }, good],
      [{ ...token, 'content-type': 'application/x-www-form-urlencoded' }, good],
      [{ ...token, 'content-type': 'application/jsonp' }, good],
      [json, ''],
      [json, '[]'],
      [json, 'null'],
      [json, '{"nickname":'],
      [json, `{"address":${'['.repeat(4000)}${']'.repeat(4000)}}`],
      [json, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      [json, `{"nickname":"${'x'.repeat(40_000)}"}`],
    ]
    for (const [headers, body] of bodies) {
      const refused = await patch(alice, headers, body)
      assert.deepEqual([refused.status, refused.body.error, refused.body.code], [400, 'invalid_request', 'ID9366'])
    }
    const huge = await patch(alice, json, `{"nickname":"${'x'.repeat(80_000)}"}`)
    assert.equal(huge.status, 413)
    assert.equal(huge.headers.get('content-type'), 'application/problem+json')
  })

  it('has no page and no other method below its address', async () => {
    assert.equal((await alice.get('/Account/Self/nothing')).status, 404)
    assert.equal((await alice.fetch('/Account/Self', { method: 'PUT' })).status, 404)
  })
})

describe('the profile', () => {
  it('says who one is, how one signs in, and what the page needs to know, without what concerns operators', async () => {
    const { status, body } = await alice.self('GET', '')
    assert.equal(status, 200)
    assert.equal(body.username, 'alice')
    assert.equal(body.email, 'alice@example.com')
    assert.equal(body.email_verified, true)
    const nothing = { passkeys: 0, totp: null, apps: [], recovery_codes: 0, external_logins: [] }
    const { password_changed_at: passwordSet, ...signIn } = body.sign_in
    assert.deepEqual(signIn, { password: true, ...nothing })
    // The account came with its password, by the command line.
    assert.equal(passwordSet, null)
    assert.deepEqual(body.next, ['add_passkey', 'set_up_totp'])
    assert.equal(Date.parse(body.session.recent_until) - Date.parse(body.session.authenticated_at), 600_000)
    assert.equal(body.settings.languages.length, 12)
    for (const member of ['disabled', 'locked_until', 'password_hash', 'failed_attempts']) assert.ok(!(member in body))
  })

  it('changes claims, answers with what is now, and records the names of what changed', async () => {
    const changes = {
      name: 'Alice Liddell',
      locale: 'pt-BR',
      phone_number: '+44 20 7946 0000',
      address: { country: 'GB' },
    }
    const { status, body } = await alice.self('PATCH', '', changes)
    assert.equal(status, 200)
    assert.deepEqual([body.name, body.locale, body.address], [changes.name, changes.locale, changes.address])
    assert.equal((await alice.self('PATCH', '', { name: null })).body.name, undefined)
    const recorded = await service.storage.audit.newest({ kind: 'user_changed', userId: body.id }, 10)
    assert.deepEqual(
      recorded.map(({ details }) => [...(details.members as string[])].sort()),
      [Object.keys(changes).sort(), ['name']],
    )
    await alice.self('PATCH', '', { locale: 'pt-BR' })
    assert.equal((await service.storage.audit.newest({ kind: 'user_changed', userId: body.id }, 10)).length, 2)
  })

  it('changes nothing else: names every member that is unknown, not settable or not valid', async () => {
    const before = await service.storage.users.findByName('alice')
    const forbidden = {
      ...{ id: 'x', sub: 'x', username: 'root', preferred_username: 'bob', email: 'bob@example.com' },
      ...{ email_verified: true, phone_number_verified: true, roles: ['admin'], updated_at: 1, created_at: 'x' },
      ...{ disabled: false, locked_until: null, password: 'x', password_hash: 'x', version: 9, constructor: 'x' },
    }
    for (const [member, value] of Object.entries(forbidden)) {
      const { status, body } = await alice.self('PATCH', '', { nickname: 'x', [member]: value })
      assert.equal(status, 400)
      assert.equal(body.error, 'member_unknown')
      assert.deepEqual(
        body.errors.map(({ path }: { path: string }) => path),
        [`/${member}`],
      )
    }
    const proto = await patch(
      alice,
      { 'content-type': 'application/json', RequestVerificationToken: await alice.antiforgeryToken() },
      '{"__proto__":{"roles":["admin"]}}',
    )
    assert.equal(proto.status, 400)
    const invalid = await alice.self('PATCH', '', {
      locale: 'xx',
      birthdate: 'soon',
      website: 'javascript:x',
      gender: 1,
    })
    const paths = invalid.body.errors.map(({ path }: { path: string }) => path)
    assert.deepEqual(paths.sort(), ['/birthdate', '/gender', '/locale', '/website'])
    assert.deepEqual(await service.storage.users.findByName('alice'), before)
  })

  it('loses nothing when changes of different claims arrive at the same time', async () => {
    const changes = [{ given_name: 'A' }, { family_name: 'B' }, { middle_name: 'C' }, { gender: 'D' }]
    const answers = await Promise.all(changes.map((change) => alice.self('PATCH', '', change)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const { given_name: a, family_name: b, middle_name: c, gender: d } = (await alice.self('GET', '')).body
    assert.deepEqual([a, b, c, d], ['A', 'B', 'C', 'D'])
  })
})

describe('a service without Mail:Url', () => {
  it('has no registration, no form for forgotten passwords and no change of the address: unknown paths, as before', async () => {
    const browser = new Browser(service)
    const fields = { email: 'new@example.com', username: 'new', password: 'kT7-vw2q-new' }
    for (const path of ['/Account/Register', '/Account/ForgotPassword', '/Account/Unknown'])
      assert.equal((await browser.submit(path, fields)).status, 404, path)
    assert.equal((await alice.self('POST', '/email', { email: 'new@example.com' })).status, 404)
    assert.equal(await service.storage.users.findByName('new'), undefined)
    const confirmed = await browser.submit('/Account/Confirm', { purpose: 'register', code: '123456' })
    assert.equal(confirmed.headers.get('location'), '/Account/Confirm?purpose=register&error=code_invalid')
    const reset = await browser.submit('/Account/ResetPassword', { password: 'kT7-vw2q-new' })
    assert.equal(reset.headers.get('location'), '/Account/ForgotPassword?error=code_invalid')
  })
})
