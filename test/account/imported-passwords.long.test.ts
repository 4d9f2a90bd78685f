/** People and clients whose password hash or secret another system hashed (administration.md §4). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { stalledMs } from '../../src/http/handler-switch.ts'
import { judgePeople } from '../../src/import/people.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import { heldAtMostMs } from '../../src/secrets/failure-pace.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { acceptHash, wrapHash } from '../../src/secrets/password.ts'
import { isIdle, wrapHashes } from '../../src/server/wrapping.ts'
import { noSecondFactors } from '../../src/users/second-factor.ts'
import { aspNetV2, aspNetV3, openIddictSecret } from '../fixtures/foreign-hashes.ts'
import { Browser, locationOf, postToken } from '../support/browser.ts'
import { bySecret, secretOf } from '../support/clients.ts'
import { addClient, addUser, password, serviceForFile, testUser } from '../support/service.ts'

const service = await serviceForFile({ RateLimit__LoginPerMinute: '100000' })

const stored = (text: string): string => acceptHash(text) ?? assert.fail(text)

let users = 0
async function personWith(passwordHash: string, change: Parameters<typeof testUser>[0] = {}): Promise<string> {
  users += 1
  const name = `person${users}`
  await addUser(service, name, { passwordHash, ...change })
  return name
}
const find = async (name: string) => (await service.storage.users.findByName(name)) ?? assert.fail(name)
const signIn = (username: string, typed = password) => new Browser(service).signIn({ username, password: typed })
const isIn = (response: Response) => response.headers.getSetCookie().some((line) => line.startsWith('latchkey.session'))

describe('a sign-in with a password hash of another system', () => {
  it('succeeds, and replaces the hash in the commit of the sign-in', async () => {
    for (const hash of [stored(aspNetV2(password)), await wrapHash(stored(aspNetV3(password, 1, 1000)))]) {
      const name = await personWith(hash ?? assert.fail())
      const before = await find(name)
      assert.ok(isIn(await signIn(name)))
      const after = await find(name)
      assert.match(after.passwordHash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      assert.equal(after.version, before.version + 1)
      assert.equal(after.sessionsEndedAtMs, null)
      assert.ok(isIn(await signIn(name)), 'the new hash is of the same password')
    }
  })

  it('is refused like that of an unknown user, counted, and changes no hash', async () => {
    const name = await personWith(stored(aspNetV2(password)))
    const { passwordHash } = await find(name)
    const wrong = await signIn(name, 'wrong password')
    const unknown = await signIn('nobody-here', 'wrong password')
    const shown = (response: Response) => {
      const location = locationOf(response)
      location.searchParams.delete('username')
      return [response.status, location.href, response.headers.getSetCookie().length]
    }
    assert.deepEqual(shown(wrong), shown(unknown))
    assert.equal((await find(name)).passwordHash, passwordHash)
    assert.equal((await find(name)).failedAttempts, 1)
  })

  it('that fails is answered before its connection counts as stalled, however slow the machine is', () => {
    assert.ok(heldAtMostMs <= stalledMs / 2)
  })

  it('succeeds twice at once, and while housekeeping wraps the hash', async () => {
    const name = await personWith(stored(aspNetV3(password, 1, 200_000)))
    const { id, passwordHash } = await find(name)
    const wrapped = (await wrapHash(passwordHash ?? '')) ?? assert.fail()
    const attempts = [signIn(name), signIn(name), signIn(name)]
    await service.storage.weakPasswords.replace({ userId: id, hash: passwordHash }, wrapped)
    for (const response of await Promise.all(attempts)) assert.ok(isIn(response))
    const after = await find(name)
    assert.match(after.passwordHash ?? '', /^\$argon2id\$/)
    assert.equal(after.failedAttempts, 0)
  })

  it('with a hash that wrapping replaced since then does not bring the old one back', async () => {
    const name = await personWith(stored(aspNetV2(password)))
    const { id, passwordHash } = await find(name)
    assert.ok(isIn(await signIn(name)))
    const wrapped = (await wrapHash(passwordHash ?? '')) ?? assert.fail()
    assert.equal(await service.storage.weakPasswords.replace({ userId: id, hash: passwordHash }, wrapped), false)
    assert.match((await find(name)).passwordHash ?? '', /^\$argon2id\$/)
  })

  it('that goes on with a second factor replaces the hash as well', async () => {
    const name = await personWith(stored(aspNetV2(password)))
    const { id } = await find(name)
    const totp = { sealedSecret: 'sealed', sinceMs: service.now(), lastStep: 0 }
    await service.storage.secondFactors.change(id, () => ({ factors: { ...noSecondFactors(id), totp } }))
    assert.ok(!isIn(await signIn(name)))
    assert.match((await find(name)).passwordHash ?? '', /^\$argon2id\$/)
  })
})

describe('weak password hashes of other systems', () => {
  it('are wrapped one after another while nobody signs in, and the passwords stay good', async () => {
    const { storage } = service
    const context = { weakPasswords: storage.weakPasswords, random: randomBytes }
    const counts = { read: 0, created: 0, updated: 0, skipped: 0, failed: 0 }
    const hashes = [aspNetV2(password), aspNetV2(password), aspNetV3(password, 1, 1000), aspNetV3(password, 2, 210_000)]
    const people = hashes.map((hash, at) => ({
      user: testUser({ name: `weak${at}`, email: `weak${at}@example.com`, passwordHash: stored(hash) }),
      before: undefined,
      logins: [],
      isWeak: true,
    }))
    const progress = { id: 'weak', kind: 'users', recordsRead: 4, counts, notKept: {}, startedAtMs: 0 }
    await storage.imports.store({ before: undefined, progress, people, failures: [] })
    assert.ok(isIn(await signIn('weak0')))
    assert.equal(await wrapHashes(context, (done) => done < 2), 2)
    assert.equal(await storage.weakPasswords.count(), 2)
    assert.equal(await wrapHashes(context, () => true), 2)
    assert.equal(await storage.weakPasswords.count(), 0)
    const kinds = await Promise.all(people.map(async ({ user }) => (await find(user.name)).passwordHash?.slice(0, 9)))
    assert.deepEqual(kinds, ['$argon2id', 'wrapped:$', 'wrapped:$', '$pbkdf2-s'])
    for (const { user } of people) assert.ok(isIn(await signIn(user.name)))
    assert.equal(isIdle(), true)
  })
})

describe('a person who was imported with an authenticator app', () => {
  it('signs in with the password, and its codes or a recovery code of the old service, each once', async () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const nowMs = service.now()
    const judge = judgePeople({
      origin: 'users',
      storage: service.storage,
      rules: {
        nowMs,
        judgeHash: (text) => ({ stored: stored(text) }),
        roleFault: () => undefined,
        attributes: { declared: new Map(), matches: () => true },
      },
      ...{ onConflict: 'fail', isWrapped: true, keys: async () => service.keys, random: randomBytes },
    })
    const judged = await judge.judge({
      ...{
        id: 'moved-1',
        username: 'moved',
        email: 'moved@example.com',
        password_hash: aspNetV3(password, 2, 100_000),
      },
      ...{ totp_secret: secret, recovery_codes: ['2V7XK-9QWRT', '3d5c9a0175'] },
    })
    const { person } = 'entry' in judged ? judged.entry : assert.fail(judged.fault)
    const counts = { read: 1, created: 1, updated: 0, skipped: 0, failed: 0 }
    const progress = { id: 'moved', kind: 'users', recordsRead: 1, counts, notKept: {}, startedAtMs: nowMs }
    await service.storage.imports.store({ before: undefined, progress, people: [person], failures: [] })

    const codeNow = () => new TOTP({ secret }).generate({ timestamp: service.now() })
    const attempt = async (fields: Readonly<Record<string, string>>) => {
      const browser = new Browser(service)
      const asked = await browser.signIn({ username: 'moved' })
      assert.equal(locationOf(asked).pathname, '/Account/SecondFactor')
      return isIn(await browser.submit('/Account/SecondFactor', fields))
    }
    const code = codeNow()
    const outcomes = [
      await attempt({ method: 'totp', code }),
      await attempt({ method: 'totp', code }),
      await attempt({ method: 'recovery', code: '2v7xk9qwrt' }),
      await attempt({ method: 'recovery', code: '2V7XK-9QWRT' }),
      await attempt({ method: 'recovery', code: '3D5C9A0175' }),
      await attempt({ method: 'recovery', code: '3d5c9a' }),
    ]
    assert.deepEqual(outcomes, [true, false, true, false, true, false])
    service.advance(60)
    assert.equal(await attempt({ method: 'totp', code: codeNow() }), true)
    assert.match((await find('moved')).passwordHash ?? '', /^\$argon2id\$/)
    assert.equal((await find('moved')).id, 'moved-1')
  })
})

describe('a client whose secret another system hashed', () => {
  const long = '901564a5-e7fe-42cb-b10d-61ef6a8f3654'
  let clients = 0
  async function machine(secretHash: string): Promise<string> {
    clients += 1
    const id = `machine${clients}`
    const change: Partial<Client> = { id, authentication: bySecret(secretHash), grantTypes: ['client_credentials'] }
    await addClient(service, { ...change, redirectUris: [], postLogoutRedirectUris: [] })
    return id
  }
  const hashOf = async (id: string) => secretOf(await service.storage.clients.find(id)).secretHash
  const request = (id: string, secret: string) =>
    postToken(service, { grant_type: 'client_credentials', client_id: id, client_secret: secret })

  it('is let in, and a long secret is stored like one of ours at its first use, in the trail without the secret', async () => {
    const id = await machine(stored(`aspnet:${openIddictSecret(long)}`))
    assert.equal((await request(id, long)).status, 200)
    assert.equal(await hashOf(id), hashSecret(long))
    assert.equal((await request(id, long)).status, 200)
    assert.equal((await request(id, `${long}x`)).status, 401)
    await service.storage.audit.flush()
    const entries = await service.storage.audit.list({ clientId: id, kind: 'client_changed' }, undefined, 10)
    assert.deepEqual(
      entries.map(({ details }) => details),
      [{ change: 'secret_hashed' }],
    )
  })

  it('keeps the slow hash of a short secret, which could be guessed', async () => {
    const hash = stored(`aspnet:${openIddictSecret('short secret')}`)
    const id = await machine(hash)
    for (const status of [200, 200]) assert.equal((await request(id, 'short secret')).status, status)
    assert.equal((await request(id, 'Short secret')).status, 401)
    assert.equal(await hashOf(id), hash)
  })

  it('is refused with a wrong secret, and a flood of them is bounded without delaying sign-ins', async () => {
    const id = await machine(stored(`aspnet:${openIddictSecret(long)}`))
    const { status, body } = await request(id, 'wrong')
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
    const flood = Array.from({ length: 200 }, (_, at) => request(id, `wrong ${at}`))
    assert.ok(isIn(await signIn('alice')))
    const answers = await Promise.all(flood)
    const statuses = new Set(answers.map((one) => one.status))
    assert.deepEqual([...statuses].sort(), [401, 503])
    assert.equal((await request(id, long)).status, 200)
  })
})
