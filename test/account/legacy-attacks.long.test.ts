/** What a former system that checks passwords may not do, and what it tells nobody (connections, section 7). */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import type { User } from '../../src/users/user.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { serviceFor, temporaryFolder } from '../support/lifetime.ts'
import { listen } from '../support/listen.ts'
import { serviceForFile, type TestService, testUser, userNamed } from '../support/service.ts'

const password = 'right horse battery'
/** By the name that is asked about. */
const records = new Map<string, unknown>()
const asked: string[] = []
const former = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { username, password: given } = JSON.parse(Buffer.concat(chunks).toString())
  asked.push(username)
  const isRight = records.has(username) && (given === password || given.length > 1000)
  response.writeHead(isRight ? 200 : 401).end(isRight ? JSON.stringify(records.get(username)) : '')
})
const env = {
  ...{ Accounts__Legacy__Url: `${await listen(former)}/check`, Outbound__AllowHttp: 'true' },
  ...{ Accounts__Legacy__Secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  ...{ RateLimit__LoginPerMinute: '1000', Mail__Url: 'file:/nowhere' },
}
after(() => {
  former.closeAllConnections()
  former.close()
})
const service = await serviceForFile(env)
// Records that cannot be used count as no answer, of which five in a row are thirty seconds without questions.
beforeEach(() => service.advance(60))

const signIn = (username: string, secret = password, at: TestService = service, browser = new Browser(at)) =>
  browser.signIn({ username, password: secret, ReturnUrl: '/Account?x=1' })
const placeOf = (response: Response) => {
  const { pathname, searchParams } = locationOf(response)
  return searchParams.get('error') ?? pathname
}
const everybody = async () =>
  (await service.storage.users.list()).map((user) => JSON.stringify(user)).sort((a, b) => (a < b ? -1 : 1))

async function add(name: string, change: Partial<User> = {}): Promise<User> {
  const user = testUser({ name, email: `${name}@acme.example`, emailConfirmed: true, passwordHash: null, ...change })
  assert.equal(await service.storage.users.create(user), 'created')
  return user
}

/** The sign-in is refused like a wrong password, and nobody was made or changed. */
async function assertNothing(username: string, record: unknown): Promise<void> {
  const before = await everybody()
  records.set(username, record)
  const countBefore = asked.length
  assert.equal(placeOf(await signIn(username)), 'invalid_credentials', JSON.stringify(record).slice(0, 200))
  assert.equal(asked.length, countBefore + 1)
  assert.deepEqual(await everybody(), before, JSON.stringify(record).slice(0, 200))
  service.advance(60)
}

describe('a record of a former system', () => {
  it('of another person makes and changes nobody: by name, id, address or an account at a provider', async () => {
    const victim = await add('victim', { passwordHash: await hashOf() })
    const linked = { provider: 'github', subject: '77', userId: victim.id, createdAtMs: service.now() }
    assert.equal(await service.storage.externalLogins.link(linked), 'linked')
    const bare = await add('bare')
    for (const record of [
      { username: 'somebody-new' },
      { username: 'somebody-new', email: 'new@acme.example' },
      { username: 'victim' },
      { username: 'bare' },
      { id: victim.id },
      { id: bare.id },
      { email: victim.email },
      { email: 'victim' },
      { external_logins: [{ provider: 'GitHub', subject: '77' }] },
    ])
      await assertNothing('mallory', record)
    for (const record of [{ username: 'victim' }, { id: victim.id }, { external_logins: linked }])
      await assertNothing('bare', record)
    // The address is a name of the person, too.
    records.set('ann@acme.example', { username: 'ann', email: 'Ann@acme.example' })
    assert.equal(placeOf(await signIn('ann@acme.example')), '/Account')
    assert.equal((await userNamed(service, 'ann')).email, 'Ann@acme.example')
  })

  it('of another person is a wrong password for the name that was typed, and opens the breaker for nobody', async () => {
    for (const n of [1, 2, 3, 4, 5, 6]) {
      records.set(`alias ${n}`, { username: 'owner-of-aliases' })
      assert.equal(placeOf(await signIn(`alias ${n}`)), 'invalid_credentials')
    }
    records.set('alias 1', { username: 'alias 1' })
    records.set('honest', { username: 'honest' })
    assert.equal(placeOf(await signIn('honest')), '/Account')
    const attempts = service.settings.accounts.lockout.maxFailedAttempts
    records.set('counted', { username: 'owner-of-aliases' })
    for (let n = 0; n < attempts; n += 1) await signIn('counted')
    const before = asked.length
    assert.equal(placeOf(await signIn('counted')), 'invalid_credentials')
    assert.equal(asked.length, before, 'it is locked like a name whose password was wrong')
  })

  it('is asked for the spellings of a name that a database may not tell apart as for one name', async () => {
    const attempts = service.settings.accounts.lockout.maxFailedAttempts
    const spellings = ['zoe', 'zo\u00e9', 'ZO\u00cb', '\uff5aoe', 'zo\u200be', 'z oe', 'zo\u0304e']
    assert.ok(spellings.length > attempts)
    const before = asked.length
    for (const spelling of spellings) await signIn(spelling, 'a wrong guess')
    assert.equal(asked.length - before, attempts)
  })

  it('brings no rights: no role that gives some, no group, and no more than 50 roles', async () => {
    const { storage, now } = service
    await storage.roles.change(
      () =>
        ({
          changes: [{ name: 'chief', description: null, includes: ['latchkey-viewer'], createdAtMs: now() }],
        }) as never,
      [],
    )
    for (const member of ['groups', 'consents', 'pairwise_subjects', 'effective_roles', 'version', '__proto__'])
      await assertNothing('grouped', JSON.parse(`{"${member}": ["/board"]}`))
    const many = Array.from({ length: 60 }, (_, at) => `role-${String(at).padStart(2, '0')}`)
    records.set('many', { roles: [...many, 'latchkey-admin', 'latchkey-viewer', 'chief', 'a\0b'] })
    assert.equal(placeOf(await signIn('many')), '/Account')
    assert.deepEqual((await userNamed(service, 'many')).roles, many.slice(0, 50))
  })

  it('brings no password hash, and locks whom it says to be locked', async () => {
    records.set('hashed', { password_hash: '$2b$04$abcdefghijklmnopqrstuuvJuvEYnKk3AfKCkCIVuGiNmoLlvYgS6' })
    assert.equal(placeOf(await signIn('hashed')), '/Account')
    assert.match((await userNamed(service, 'hashed')).passwordHash ?? '', /^\$argon2id\$/)
    records.set('gone', { disabled: true })
    records.set('later', { locked_until: new Date(service.now() + 3_600_000).toISOString() })
    for (const name of ['gone', 'later']) {
      assert.equal(placeOf(await signIn(name)), 'invalid_credentials')
      assert.equal(placeOf(await signIn(name)), 'invalid_credentials')
      assert.equal(asked.filter((one) => one === name).length, 1)
    }
    assert.equal((await userNamed(service, 'gone')).disabled, true)
  })

  it('with values of another kind is no answer, and no error', async () => {
    const odd: readonly (readonly [string, unknown])[] = [
      ...(['id', 'username', 'email', 'totp_secret', 'created_at'] as const).flatMap((member) => [
        ...([[member, 7]] as const),
        ...([[member, { toString: 1 }]] as const),
        ...([[member, '\0']] as const),
      ]),
      ...(['external_logins', 'address', 'attributes', 'roles', 'recovery_codes'] as const).map(
        (member) => [member, 'text'] as const,
      ),
      ...([['roles', ['sales', 7]]] as const),
      ...([['external_logins', [null, 'x', { provider: 7 }]]] as const),
      ...([['attributes', { constructor: 1 }]] as const),
      ...([['required_actions', ['none']]] as const),
      ...([['username', '\ud800']] as const),
    ]
    for (const [member, value] of odd) {
      records.set('odd', { [member]: value })
      const answered = await signIn('odd')
      const what = `${member} ${JSON.stringify(value)}`
      assert.deepEqual([answered.status, placeOf(answered)], [302, 'invalid_credentials'], what)
      service.advance(60)
    }
    assert.equal(await service.storage.users.findByName('odd'), undefined)
  })

  it('completes a person: what the person has stays, and no less is asked', async () => {
    const stored = await add('held', {
      ...{ roles: ['sales'], claims: { given_name: 'Here', phone_number: '+49 1' } },
      ...{ requiredActions: ['update_password'], hadSecondFactor: true },
    })
    const origin = { kind: 'person', origin: 'users', key: 'held', id: stored.id, marks: null, seenAtMs: 0 } as const
    await service.storage.imports.rememberOrigin(origin)
    records.set('held', {
      ...{ username: 'HELD', email: 'other@acme.example', email_verified: true, roles: ['boss'], disabled: false },
      ...{ given_name: 'There', family_name: 'Liddell', phone_number: '+49 2', phone_number_verified: true },
      ...{ required_actions: ['verify_email'], had_second_factor: false },
    })
    assert.equal(placeOf(await signIn('held')), '/Account/Confirm')
    const { name, email, emailConfirmed, roles, claims, requiredActions, hadSecondFactor } = await userNamed(
      service,
      'held',
    )
    assert.deepEqual([name, email, emailConfirmed, roles], ['held', stored.email, true, ['sales']])
    const { updated_at: _, ...others } = claims
    assert.deepEqual(others, { given_name: 'Here', family_name: 'Liddell', phone_number: '+49 1' })
    assert.deepEqual([requiredActions, hadSecondFactor], [['update_password', 'verify_email'], true])
    // What the person does not have comes.
    await add('blank', { email: '', emailConfirmed: false, roles: [] })
    records.set('blank', { email: 'blank@acme.example', email_verified: true, roles: ['boss'] })
    assert.equal(placeOf(await signIn('blank')), '/Account')
    const blank = await userNamed(service, 'blank')
    assert.deepEqual([blank.email, blank.emailConfirmed, blank.roles], ['blank@acme.example', true, ['boss']])
  })

  it('with an authenticator app lets nobody in without its code', async () => {
    records.set('factor', { totp_secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' })
    const browser = new Browser(service)
    assert.equal(placeOf(await signIn('factor', password, service, browser)), '/Account/SecondFactor')
    assert.equal(await browser.userName(), undefined)
  })
})

describe('a password for a former system', () => {
  it('that could not be kept here is not asked about', async () => {
    records.set('long', {})
    const before = asked.length
    for (const secret of ['x'.repeat(1025), '\u20ac'.repeat(400)]) {
      assert.equal(placeOf(await signIn('long', secret)), 'invalid_credentials')
    }
    assert.equal(asked.length, before)
  })
})

describe('an answer that does not come', () => {
  const deadline = { timeout: 30_000 }
  it(
    'within five seconds, or whose end does not, is none, and holds a failed sign-in no longer',
    deadline,
    async (t) => {
      const slow = createServer((request, response) => {
        request.resume()
        if (request.headers['webhook-id'] === undefined || slowKind === 'silent') return
        response.writeHead(200)
        const drip = setInterval(() => response.write(' '), 100)
        response.on('close', () => clearInterval(drip))
      })
      let slowKind: 'silent' | 'dripping' = 'silent'
      const Accounts__Legacy__Url = `${await listen(slow)}/check`
      t.after(() => {
        slow.closeAllConnections()
        slow.close()
      })
      for (const kind of ['silent', 'dripping'] as const) {
        slowKind = kind
        const at = await serviceFor(t, { ...env, Accounts__Legacy__Url })
        const beganMs = performance.now()
        assert.equal(placeOf(await signIn('waiting', password, at)), 'invalid_credentials')
        const tookMs = performance.now() - beganMs
        assert.ok(tookMs > 4900 && tookMs < 9000, `${kind}: ${tookMs} ms`)
      }
    },
  )
})

describe('two processes at the same time', () => {
  it('make one person, whom both let in, and one lets nobody in by the other’s name', async (t) => {
    const database = { ...env, Database__Url: `sqlite:${join(temporaryFolder(t), 'shared.db')}` }
    const [one, two] = [await serviceFor(t, database), await serviceFor(t, database)]
    records.set('twin', { username: 'twin', email: 'twin@acme.example' })
    const answers = await Promise.all([one, two, one, two].map((at) => signIn('twin', password, at)))
    assert.deepEqual(answers.map(placeOf), ['/Account', '/Account', '/Account', '/Account'])
    assert.equal((await one.storage.users.list()).filter(({ name }) => name === 'twin').length, 1)
    // Of two people with one address, one comes.
    records.set('left', { email: 'same@acme.example' })
    records.set('right', { email: 'same@acme.example' })
    const both = await Promise.all([signIn('left', password, one), signIn('right', password, two)])
    assert.deepEqual(both.map(placeOf).sort(), ['/Account', 'invalid_credentials'])
  })

  it('count failed passwords together', async (t) => {
    const database = { ...env, Database__Url: `sqlite:${join(temporaryFolder(t), 'shared.db')}` }
    const [one, two] = [await serviceFor(t, database), await serviceFor(t, database)]
    const before = asked.length
    const { maxFailedAttempts } = one.settings.accounts.lockout
    await Promise.all(
      Array.from({ length: maxFailedAttempts + 5 }, (_, at) => signIn('guessed', 'wrong', at % 2 === 0 ? one : two)),
    )
    assert.equal(asked.length - before, maxFailedAttempts)
  })
})

async function hashOf(): Promise<string> {
  const { passwordHash } = await userNamed(service, 'alice')
  return passwordHash ?? assert.fail()
}
