/** Passwords that a system of before checks (connections, section 7, Sources without hashes). */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { after, describe, it } from 'node:test'
import { readSettings } from '../../src/settings/read.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { serviceForFile, testUser, userNamed } from '../support/service.ts'

const key = Buffer.alloc(32, 7)
const secret = `whsec_${key.toString('base64')}`
type Asked = { readonly username: string; readonly password: string }
const asked: Asked[] = []
const signed: boolean[] = []
/** By user name: the status, and the record where it is 200. */
const answers = new Map<string, readonly [number, unknown]>()
const old = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  const header = (name: string) => String(request.headers[name])
  const text = `${header('webhook-id')}.${header('webhook-timestamp')}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  signed.push(header('webhook-signature') === expected && request.method === 'POST')
  const fields = JSON.parse(body) as Asked
  asked.push(fields)
  const [status, record] = answers.get(fields.username) ?? [404, {}]
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(fields.password === 'right horse battery' || status >= 500 ? JSON.stringify(record) : '')
  if (fields.password !== 'right horse battery' && status === 200) response.destroy()
})
const url = `${await listen(old)}/check`
after(() => old.close())
const env = { Accounts__Legacy__Url: url, Accounts__Legacy__Secret: secret, Outbound__AllowHttp: 'true' }
const service = await serviceForFile({ ...env, RateLimit__LoginPerMinute: '1000' })
const password = 'right horse battery'

const signIn = (username: string, secretText = password) =>
  new Browser(service).signIn({ username, password: secretText, ReturnUrl: '/Account?x=1' })
const errorOf = (response: Response) => locationOf(response).searchParams.get('error')
const asksOf = (name: string) => asked.filter(({ username }) => username === name).length

describe('a name without a local password', () => {
  it('is asked about once, with a signature, and made with what its record has', async () => {
    answers.set('ada', [
      200,
      { id: 'old-1', username: 'ada', email: 'ada@acme.example', email_verified: true, roles: ['sales'] },
    ])
    assert.equal(locationOf(await signIn('ada')).pathname, '/Account')
    assert.deepEqual(asked.at(-1), { username: 'ada', password })
    assert.ok(signed.every((isRight) => isRight))
    const ada = await userNamed(service, 'ada')
    assert.deepEqual([ada.id, ada.email, ada.emailConfirmed, ada.roles], ['old-1', 'ada@acme.example', true, ['sales']])
    assert.match(ada.passwordHash ?? '', /^\$argon2id\$/)
    assert.equal(locationOf(await signIn('ada')).pathname, '/Account')
    assert.equal(errorOf(await signIn('ada', 'wrong')), 'invalid_credentials')
    assert.equal(asksOf('ada'), 1)
  })

  it('completes the person who came without a password, and nobody else', async () => {
    await service.storage.users.create(
      testUser({ name: 'bob', email: 'bob@acme.example', passwordHash: null, emailConfirmed: true }),
    )
    await service.storage.users.create(
      testUser({ name: 'eve', email: 'eve@acme.example', passwordHash: null, emailConfirmed: true }),
    )
    answers.set('bob', [200, { given_name: 'Bob', email: 'Bob@acme.example' }])
    answers.set('eve', [200, { username: 'bob' }])
    assert.equal(locationOf(await signIn('bob')).pathname, '/Account')
    assert.equal((await userNamed(service, 'bob')).claims.given_name, 'Bob')
    assert.equal(errorOf(await signIn('eve')), 'invalid_credentials')
    assert.equal((await userNamed(service, 'eve')).passwordHash, null)
  })

  it('is not taken for the account that a stranger made under it, with a way in of their own', async () => {
    const { storage, now } = service
    const lurking = async (name: string, change: Parameters<typeof testUser>[0]) => {
      const user = testUser({
        name,
        email: `${name}@evil.example`,
        emailConfirmed: true,
        passwordHash: null,
        roles: [],
        ...change,
      })
      assert.equal(await storage.users.create(user), 'created')
      answers.set(name, [200, { username: name, email: 'carl@acme.example', email_verified: true, roles: ['sales'] }])
      return user
    }
    // Registered with a passkey or a code by mail; at a provider, with the victim's address.
    await lurking('carl', {})
    await lurking('carl@acme.example', { email: 'carl@acme.example', emailConfirmed: false, isUnclaimed: true })
    // With an account at a provider, and another address, none, or the victim's, which nobody has proven.
    await lurking('linked', { emailConfirmed: false })
    await lurking('nowhere', { email: '', emailConfirmed: false })
    await lurking('same', { email: 'same@acme.example', emailConfirmed: false })
    answers.set('same', [200, { username: 'same', email: 'same@acme.example', email_verified: true }])
    const linked = ['linked', 'nowhere', 'same']
    for (const name of linked) {
      const { id } = await userNamed(service, name)
      const login = { provider: 'github', subject: `mallory ${name}`, userId: id, createdAtMs: now() }
      assert.equal(await storage.externalLogins.link(login), 'linked')
    }
    for (const name of ['carl', 'carl@acme.example', ...linked]) {
      assert.equal(errorOf(await signIn(name)), 'invalid_credentials', name)
      const { passwordHash, roles, emailConfirmed } = await userNamed(service, name)
      assert.deepEqual([passwordHash, roles, emailConfirmed], [null, [], name === 'carl'], name)
      // Unusable records pause the questions.
      service.advance(60)
    }
    // Nobody has entered this one.
    await lurking('waiting', { emailConfirmed: false })
    assert.equal(locationOf(await signIn('waiting')).pathname, '/Account')
  })

  it('comes without the roles of administrators, and an administrator is not asked about', async () => {
    answers.set('root', [200, { username: 'root', roles: ['latchkey-admin', 'sales'] }])
    assert.equal(locationOf(await signIn('root')).pathname, '/Account')
    assert.deepEqual((await userNamed(service, 'root')).roles, ['sales'])
    await service.storage.users.create(
      testUser({ name: 'boss', email: 'boss@acme.example', passwordHash: null, roles: ['latchkey-admin'] }),
    )
    answers.set('boss', [200, { username: 'boss' }])
    assert.equal(errorOf(await signIn('boss')), 'invalid_credentials')
    assert.equal(asksOf('boss'), 0)
  })

  it('is made once by sign-ins at the same time', async () => {
    answers.set('twin', [200, { username: 'twin', email: 'twin@acme.example' }])
    const both = await Promise.all([signIn('twin'), signIn('twin'), signIn('twin')])
    assert.deepEqual(
      both.map((one) => locationOf(one).pathname),
      ['/Account', '/Account', '/Account'],
    )
    assert.equal((await service.storage.users.list()).filter(({ name }) => name === 'twin').length, 1)
  })

  it('is locked after failed passwords, with an account or without, and asked about no more', async () => {
    const { maxFailedAttempts, durationSeconds } = service.settings.accounts.lockout
    for (let tried = 0; tried < maxFailedAttempts + 3; tried += 1) {
      assert.equal(errorOf(await signIn('nobody', 'wrong')), 'invalid_credentials')
    }
    assert.equal(asksOf('nobody'), maxFailedAttempts)
    service.advance(durationSeconds + 1)
    answers.set('nobody', [200, { username: 'nobody' }])
    assert.equal(locationOf(await signIn('nobody')).pathname, '/Account')
  })

  it('is refused like a wrong password without an answer, which is not counted; five in a row are 30 seconds without questions', async () => {
    answers.set('late', [500, {}])
    for (let tried = 0; tried < 8; tried += 1) assert.equal(errorOf(await signIn('late')), 'invalid_credentials')
    assert.equal(asksOf('late'), 5)
    answers.set('late', [200, { username: 'late' }])
    assert.equal(errorOf(await signIn('late')), 'invalid_credentials')
    service.advance(31)
    assert.equal(locationOf(await signIn('late')).pathname, '/Account')
  })

  it('takes a redirect and a record that is none for no answer', async () => {
    answers.set('moved', [302, {}])
    answers.set('odd', [200, { username: 'odd', email: 'no address' }])
    for (const name of ['moved', 'odd']) assert.equal(errorOf(await signIn(name)), 'invalid_credentials')
    assert.equal(await service.storage.users.findByName('odd'), undefined)
  })
})

describe('Accounts:Legacy', () => {
  const problemsOf = (change: Record<string, string>) => {
    const read = readSettings({ env: { ...env, ...change } })
    return read.ok ? [] : read.problems
  }
  it('needs https but for loopback with Outbound:AllowHttp, and both settings', () => {
    assert.deepEqual(problemsOf({}), [])
    assert.match(problemsOf({ Outbound__AllowHttp: 'false' }).join(), /Accounts:Legacy:Url must be https/)
    assert.match(problemsOf({ Accounts__Legacy__Url: 'http://old.example/check' }).join(), /Accounts:Legacy:Url/)
    assert.deepEqual(
      problemsOf({ Accounts__Legacy__Url: 'https://old.example/check', Outbound__AllowHttp: 'false' }),
      [],
    )
    assert.match(problemsOf({ Accounts__Legacy__Secret: '' }).join(), /set together|whsec_/)
    for (const host of ['169.254.169.254', '0xa9fea9fe', '[fe80::1]', '[fd00:ec2::254]', '[::ffff:169.254.0.1]']) {
      const said = problemsOf({ Accounts__Legacy__Url: `https://${host}/check` }).join()
      assert.match(said, /Accounts:Legacy:Url must not be a link-local address/, host)
    }
    assert.deepEqual(problemsOf({ Accounts__Legacy__Url: 'https://10.0.0.5/check' }), [])
    const short = problemsOf({ Accounts__Legacy__Secret: 'whsec_c2hvcnQ=' }).join()
    assert.match(short, /must be whsec_/)
    assert.doesNotMatch(short, /c2hvcnQ/)
  })
})
