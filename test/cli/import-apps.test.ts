/** Authenticator apps of another system: several, and of other forms than ours (connections, section 7). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { adminProgram } from '../support/admin.ts'
import type { Browser } from '../support/browser.ts'
import { codeNow, halfWay, keycloakApp, keycloakCodes, proved, realmOf, serviceOn } from './factors-place.ts'
import { find, lines, placeWith, result } from './import-place.ts'
import { realmPlace } from './keycloak-data.ts'

const phone = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const tablet = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const two = {
  alice: [keycloakApp(phone, {}, 'phone'), keycloakApp(tablet, {}, 'tablet'), keycloakCodes(['7JJD2WJI2FCU'])],
}
type Listed = { readonly id: string; readonly name: string | null }
const appsOf = async (browser: Browser): Promise<readonly Listed[]> => (await browser.self('GET', '')).body.sign_in.apps

describe('two authenticator apps of one person', () => {
  it('are two: each code of either is accepted, once', async (t) => {
    const at = placeWith(t, { 'realm.json': realmOf(two) })
    assert.deepEqual((await result(at, 'keycloak realm.json')).findings, [])
    await using service = await serviceOn(at)
    const [first, second] = [codeNow(service, phone), codeNow(service, tablet)]
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', second), null)
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', second), 'code_invalid')
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', first), null)
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', first), 'code_invalid')
    service.advance(90)
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', codeNow(service, phone)), null)
  })

  it('are one if they have one secret, so that no code counts twice (RFC 6238 §5.2)', async (t) => {
    const twice = { alice: [keycloakApp(phone, {}, 'phone'), keycloakApp(phone, {}, 'old phone')] }
    const at = placeWith(t, { 'realm.json': realmOf(twice) })
    await result(at, 'keycloak realm.json')
    await using service = await serviceOn(at)
    const browser = await halfWay(service, 'alice')
    const code = codeNow(service, phone)
    assert.equal(await proved(browser, 'totp', code), null)
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', code), 'code_invalid')
    assert.deepEqual(
      (await appsOf(browser)).map(({ name }) => name),
      ['phone'],
    )
  })

  it('are one if they have one secret in two forms, and a finding names the one that does not come', async (t) => {
    const forms = { alice: [keycloakApp(phone, {}, 'phone'), keycloakApp(phone, { digits: 8 }, 'bank')] }
    const at = placeWith(t, {
      'realm.json': realmOf(forms),
      'people.jsonl': lines({
        ...{ username: 'bob', email: 'bob@acme.example', totp_secret: tablet },
        authenticator_apps: [{ secret: tablet }, { secret: tablet, algorithm: 'SHA256' }],
      }),
    })
    const left = (name: string, called: string, form: string) => ({
      ...{ kind: 'person', source: name, member: 'authenticator_apps', severity: 'lost' },
      reason: `An authenticator app${called} of ${name} has the secret of another one for other codes (${form}), and does not come: its codes are refused. The person sets up the app anew.`,
    })
    const { findings } = await result(at, 'keycloak realm.json')
    assert.deepEqual(findings, [left('alice', ' "bank"', 'SHA1, 8 digits, 30 s')])
    const tried = await result(at, 'users people.jsonl --dry-run')
    assert.deepEqual(tried.findings, [left('bob', '', 'SHA256, 6 digits, 30 s')])
    await using service = await serviceOn(at)
    const wrong = codeNow(service, phone, { digits: 8 })
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', wrong), 'code_invalid')
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', codeNow(service, phone)), null)
  })

  it('count once of two browsers at the same time', async (t) => {
    const at = placeWith(t, { 'realm.json': realmOf(two) })
    await result(at, 'keycloak realm.json')
    await using service = await serviceOn(at)
    const browsers = [await halfWay(service, 'alice'), await halfWay(service, 'alice')]
    const code = codeNow(service, tablet)
    assert.deepEqual((await Promise.all(browsers.map((one) => proved(one, 'totp', code)))).sort(), [
      'code_invalid',
      null,
    ])
  })

  it('are listed, renamed and removed one by one; the last one ends what stood in for it', async (t) => {
    const at = placeWith(t, { 'realm.json': realmOf(two) })
    await result(at, 'keycloak realm.json')
    await using service = await serviceOn(at, { Mail__Url: 'file:/nowhere' })
    const browser = await halfWay(service, 'alice')
    assert.equal(await proved(browser, 'totp', codeNow(service, phone)), null)
    const [one, other] = await appsOf(browser)
    assert.deepEqual([one?.name, other?.name], ['phone', 'tablet'])
    assert.equal((await browser.self('PATCH', `/totp/${other?.id}`, { name: ' ' })).status, 400)
    const renamed = await browser.self('PATCH', `/totp/${other?.id}`, { name: 'Desk' })
    assert.deepEqual(
      renamed.body.apps.map(({ name }: Listed) => name),
      ['phone', 'Desk'],
    )
    assert.equal((await browser.self('DELETE', '/totp/nobody')).body.error, 'not_found')
    assert.equal((await browser.self('DELETE', `/totp/${one?.id}`)).status, 204)
    assert.equal((await browser.self('DELETE', `/totp/${one?.id}`)).status, 404)
    service.advance(90)
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', codeNow(service, phone)), 'code_invalid')
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', codeNow(service, tablet)), null)
    const { id } = await find(at, 'alice')
    assert.equal((await service.storage.secondFactors.find(id))?.recoveryHashes.length, 1)
    assert.equal((await browser.self('DELETE', `/totp/${other?.id}`)).status, 204)
    const left = await service.storage.secondFactors.find(id)
    assert.deepEqual([left?.totp, left?.furtherApps, left?.recoveryHashes], [null, undefined, []])
    // Either removal is told to the owner.
    const told = (await service.storage.mails.list()).map(({ purpose }) => purpose)
    assert.deepEqual(told.filter((one) => /removed|_off/.test(one)).toSorted(), ['app_removed', 'second_factor_off'])
  })

  it('are listed with their last use, and removed one by one, by operators; the last one ends what stood in for it', async (t) => {
    const at = placeWith(t, {
      'realm.json': realmOf({
        alice: [
          keycloakApp(phone, {}, 'phone'),
          keycloakApp(tablet, { period: 60 }, ''),
          keycloakCodes(['7JJD2WJI2FCU']),
        ],
      }),
    })
    await result(at, 'keycloak realm.json')
    const { id: userId } = await find(at, 'alice')
    await using service = await serviceOn(at, { Mail__Url: 'file:/nowhere' })
    const [program, reader] = [await adminProgram(service), await adminProgram(service, ['admin:users:read'])]
    const path = `/users/${userId}/authenticator-apps`
    const fresh = (await reader.get(path)).body.items as readonly {
      readonly name: string | null
      readonly last_used_at: null
    }[]
    assert.deepEqual(fresh.map(({ name, last_used_at }) => [name, last_used_at]).toSorted(), [
      [null, null],
      ['phone', null],
    ])
    const codes = [codeNow(service, phone), codeNow(service, tablet, { period: 60 })]
    for (const code of codes) assert.equal(await proved(await halfWay(service, 'alice'), 'totp', code), null)
    type Shown = {
      readonly id: string
      readonly name: string | null
      readonly created_at: string
      readonly last_used_at: string
    }
    const { items } = (await reader.get(path)).body as { readonly items: readonly Shown[] }
    const [one, other] = [items.find(({ name }) => name === 'phone'), items.find(({ name }) => name === null)]
    assert.ok(one && other)
    for (const app of items) {
      assert.deepEqual(Object.keys(app), ['id', 'name', 'created_at', 'last_used_at'])
      assert.ok(Math.abs(Date.parse(app.last_used_at) - service.now()) <= 60_000, app.last_used_at)
      assert.equal(app.created_at, new Date(at.nowMs).toISOString())
    }
    // As the command says it.
    const listed = (await at.json('user authenticator-apps alice')) as readonly Shown[]
    assert.deepEqual(
      listed.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      items,
    )
    assert.equal((await reader.delete(`${path}/${one.id}`)).status, 403)
    assert.equal((await program.delete(`${path}/nobody`)).status, 404)
    assert.equal((await program.delete(`/users/nobody/authenticator-apps/${one.id}`)).status, 404)
    assert.equal((await program.delete(`${path}/${one.id}`)).status, 204)
    assert.equal((await program.delete(`${path}/${one.id}`)).status, 404)
    service.advance(120)
    assert.equal(await proved(await halfWay(service, 'alice'), 'totp', codeNow(service, phone)), 'code_invalid')
    const left = async () => service.storage.secondFactors.find(userId)
    assert.equal((await left())?.recoveryHashes.length, 1)
    assert.equal((await program.delete(`${path}/${other.id}`)).status, 204)
    assert.deepEqual(
      [(await left())?.totp, (await left())?.furtherApps, (await left())?.recoveryHashes],
      [null, undefined, []],
    )
    await service.storage.audit.flush()
    const changes = (await service.storage.audit.list({ userId, kind: 'user_changed' }, undefined, 50)).map(
      ({ details }) => details.change,
    )
    assert.deepEqual(
      changes.filter((change) => String(change).startsWith('totp')),
      ['totp_removed', 'totp_off'],
    )
    const told = (await service.storage.mails.list()).map(({ purpose }) => purpose)
    assert.deepEqual(told.filter((purpose) => /removed|_off/.test(purpose)).toSorted(), [
      'app_removed',
      'second_factor_off',
    ])
  })

  it('are removed by a command, with a word about what is left, an entry and a mail', async (t) => {
    const at = placeWith(t, { 'realm.json': realmOf(two) })
    await result(at, 'keycloak realm.json')
    const { stdout } = await at.run('user authenticator-apps alice')
    assert.match(
      stdout,
      /^ID +NAME +SINCE +LAST USE\n[0-9a-f]{22} +phone +2027-01-01 \S+ +never\n[0-9a-f]{22} +tablet /,
    )
    const [one, other] = (await at.json('user authenticator-apps alice')) as readonly Listed[]
    await at.refuses('user remove-authenticator-app alice nobody', /alice has no authenticator app nobody/)
    await at.refuses(`user remove-authenticator-app nobody ${one?.id}`, /nobody/)
    const env = { Mail__Url: 'file:/nowhere' }
    const first = await at.run(`user remove-authenticator-app alice ${one?.id}`, { env })
    assert.deepEqual([first.code, first.stdout], [0, 'alice has 1 authenticator app left.\n'])
    await at.refuses(`user remove-authenticator-app alice ${one?.id}`, /has no authenticator app/)
    const last = await at.run(`user remove-authenticator-app alice ${other?.id} --json`, { env })
    assert.deepEqual(JSON.parse(last.stdout), { id: other?.id, left: 0 })
    const none = await at.run('user authenticator-apps alice')
    assert.equal(none.stdout, 'alice has no authenticator app.\n')
    const { id: userId } = await find(at, 'alice')
    const [changes, told] = await at.withStorage(async ({ audit, mails }) => [
      (await audit.list({ userId, kind: 'user_changed' }, undefined, 50))
        .map(({ details }) => details.change)
        .toSorted(),
      (await mails.list()).map(({ purpose }) => purpose).toSorted(),
    ])
    assert.deepEqual(changes, ['totp_off', 'totp_removed'])
    assert.deepEqual(told, ['app_removed', 'second_factor_off'])
  })

  it('end with an operator’s reset, with being turned off, and with a new app', async (t) => {
    const people = { alice: two.alice, bob: two.alice, carol: two.alice }
    const at = placeWith(t, { 'realm.json': realmOf(people) })
    await result(at, 'keycloak realm.json')
    await at.run('user reset-second-factor alice')
    await using service = await serviceOn(at)
    const bob = await halfWay(service, 'bob')
    assert.equal(await proved(bob, 'totp', codeNow(service, phone)), null)
    await bob.self('DELETE', '/totp')
    const carol = await halfWay(service, 'carol')
    assert.equal(await proved(carol, 'totp', codeNow(service, tablet)), null)
    const { secret } = (await carol.self('POST', '/totp')).body
    assert.equal((await carol.self('POST', '/totp/confirm', { code: codeNow(service, secret) })).status, 200)
    const kept = async (name: string) => {
      const factors = await service.storage.secondFactors.find((await find(at, name)).id)
      return [factors?.totp === null, factors?.furtherApps]
    }
    assert.deepEqual(
      [await kept('alice'), await kept('bob'), await kept('carol')],
      [
        [true, undefined],
        [true, undefined],
        [false, undefined],
      ],
    )
  })

  it('leave with an export of either kind, with their names and forms', async (t) => {
    const form = { algorithm: 'HmacSHA512', digits: 8, period: 60 }
    const at = placeWith(t, {
      'realm.json': realmOf({ alice: [keycloakApp(phone, {}, 'phone'), keycloakApp(tablet, form, 'tablet')] }),
    })
    await result(at, 'keycloak realm.json')
    for (const kind of ['users', 'keycloak']) {
      assert.equal((await at.run(`export ${kind} ${kind}.out`)).code, 0)
      const there = placeWith(t, { 'all.out': readFileSync(join(at.folder, `${kind}.out`), 'utf8') })
      assert.equal((await result(there, `${kind} all.out`)).created, 1)
      await using service = await serviceOn(there)
      const code = codeNow(service, tablet, { algorithm: 'SHA512', digits: 8, period: 60 })
      const browser = await halfWay(service, 'alice')
      assert.equal(await proved(browser, 'totp', code), null)
      assert.deepEqual(
        (await appsOf(browser)).map(({ name }) => name),
        ['phone', 'tablet'],
      )
      assert.equal(await proved(await halfWay(service, 'alice'), 'totp', codeNow(service, phone)), null)
    }
    const data = (await at.json('user export alice')) as { sign_in: { authenticator_apps: readonly Listed[] } }
    assert.deepEqual(
      data.sign_in.authenticator_apps.map(({ name }) => name),
      ['phone', 'tablet'],
    )
  })
})

describe('an authenticator app of another form', () => {
  it('works with its algorithm, digits and period, and a code of another form is refused', async (t) => {
    const forms = [
      { algorithm: 'SHA256', digits: 8, period: 30 },
      { algorithm: 'SHA512', digits: 6, period: 60 },
      { algorithm: 'SHA1', digits: 8, period: 60 },
    ]
    const people = forms.map((form, at) => [
      `p${at}`,
      [keycloakApp(phone, { ...form, algorithm: `Hmac${form.algorithm}` })],
    ])
    const at = placeWith(t, { 'realm.json': realmOf(Object.fromEntries(people)) })
    assert.deepEqual((await result(at, 'keycloak realm.json')).findings, [])
    await using service = await serviceOn(at)
    for (const [number, form] of forms.entries()) {
      const browser = await halfWay(service, `p${number}`)
      assert.equal(await proved(browser, 'totp', codeNow(service, phone)), 'code_invalid')
      assert.equal(await proved(browser, 'totp', codeNow(service, phone, form)), null)
    }
  })

  it('that is not checked here is named, and whoever has no other is held', async (t) => {
    const bad = [
      keycloakApp(phone, { subType: 'hotp' }),
      keycloakApp(phone, { digits: 7 }),
      keycloakApp(phone, { period: 15 }),
      keycloakApp('!'),
    ]
    const people = Object.fromEntries(bad.map((one, at) => [`p${at}`, [one]]))
    const at = placeWith(t, { 'realm.json': realmOf({ ...people, both: [keycloakApp(phone), bad[0] ?? {}] }) })
    const { findings } = await result(at, 'keycloak realm.json')
    for (const number of bad.keys()) {
      const said = findings.filter(({ source }) => source === `p${number}`).map(({ severity }) => severity)
      assert.deepEqual(said, ['lost', 'held'])
      assert.equal((await find(at, `p${number}`)).hadSecondFactor, true)
    }
    assert.deepEqual(
      findings.filter(({ source }) => source === 'both').map(({ severity }) => severity),
      ['lost'],
    )
  })

  it('of a real realm proves the second factor', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    await result(at, 'keycloak realm.json')
    const { id } = await find(at, 'otp.two')
    const factors = await at.withStorage((storage) => storage.secondFactors.find(id))
    assert.deepEqual([factors?.totp?.name, factors?.furtherApps?.map(({ name }) => name)], ['first', ['second']])
    assert.equal((await find(at, 'otp.sha256')).hadSecondFactor, undefined)
    assert.equal((await find(at, 'otp.hotp')).hadSecondFactor, true)
  })
})

describe('authenticator apps in a file of users', () => {
  it('have a secret and a form, and what is none leaves the person out', async (t) => {
    const person = (username: string, authenticator_apps: unknown) => ({ username, authenticator_apps })
    const at = placeWith(t, {
      'people.jsonl': lines(
        person('good', [
          { secret: phone, name: 'phone' },
          { secret: tablet, algorithm: 'SHA256', digits: 8 },
        ]),
        person(
          'many',
          Array.from({ length: 6 }, () => ({ secret: phone })),
        ),
        person('form', [{ secret: phone, algorithm: 'MD5' }]),
        person('none', [{ name: 'phone' }]),
        person('text', 'x'),
      ),
    })
    const { created, rows } = await result(at, 'users people.jsonl')
    assert.deepEqual([created, rows.map(({ line }) => line)], [1, [2, 3, 4, 5]])
    for (const { reason } of rows) assert.match(reason, /authenticator_apps must be a list of at most 5 objects/)
  })
})
