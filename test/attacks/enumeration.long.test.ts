/** Answers and timing do not reveal who has an account, and no user can impersonate another by a similar name. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { HashRequest } from '../../src/secrets/argon2.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { countedStorage } from '../support/counted-storage.ts'
import { startFakeGithub } from '../support/fake-github.ts'
import { addUser, password, serviceForFile, startService, testUser } from '../support/service.ts'
import { arriveFromProvider } from './attacker.ts'
import { exchange, request } from './wire.ts'

/** What the threads that hash passwords were asked for, in order. */
const hashes: string[] = []
const post = Worker.prototype.postMessage
Worker.prototype.postMessage = function (...message: Parameters<typeof post>) {
  const { memory, passes, parallelism, tagLength, nonce } = message[0] as HashRequest
  if (passes !== undefined) hashes.push([memory, passes, parallelism, tagLength, nonce.length].join())
  post.apply(this, message)
}

/** What the database was asked for. */
const database = { reads: 0, commits: 0 }

const github = await startFakeGithub()
const service = await serviceForFile(
  {
    ...github.env,
    RateLimit__LoginPerMinute: '1000',
    Accounts__RequireConfirmedEmail: 'true',
    Accounts__Registration: 'open',
    Mail__Url: 'file:/nowhere',
    Accounts__Lockout__MaxFailedAttempts: '1000',
  },
  { storage: await countedStorage(database) },
)
const nowMs = service.now()
for (const [name, change] of [
  ['ordinary', {}],
  ['lockedby', { lockedUntilMs: nowMs + 1e9 }],
  ['disabled', { disabled: true }],
  ['unproven', { emailConfirmed: false }],
  ['external', { passwordHash: null }],
  ['k\u00f6nigin', {}],
  ['masse123', {}],
] as const) {
  await addUser(service, name, { ...change })
}
after(async () => {
  await github.stop()
})

const names = ['nobody00', 'nobody01', 'ordinary', 'lockedby', 'disabled', 'unproven', 'external'] as const
/** User names and e-mail addresses, each kind of one length, so that nothing differs but the account. */
const everybody: readonly string[] = [...names, ...names.map((name) => `${name}@example.com`)]
/** Those whose accounts refuse even the right password, and those that do not exist. */
const refused = everybody.filter((typed) => /^(?:nobody00|lockedby|disabled|external)/.test(typed))

async function attempt(username: string, secret: string) {
  const browser = new Browser(service)
  const token = await browser.antiforgeryToken()
  const body = new URLSearchParams({
    ReturnUrl: '/x',
    username,
    password: secret,
    __RequestVerificationToken: token,
  }).toString()
  const lines = [
    'POST /Account/Login HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Cookie: latchkey.antiforgery=${browser.cookies.get('latchkey.antiforgery')}`,
    'Connection: close',
  ]
  const [answer] = await exchange(service, request(lines, body))
  assert.ok(answer)
  // Everything but the time of day and the name that was typed has to be the same, byte for byte.
  return `${answer.head.replace(/^date: .*$/im, '')}\n\n${answer.body}`.replaceAll(
    encodeURIComponent(username),
    '<name>',
  )
}

describe('who has an account', () => {
  it('gives one answer to a wrong password for unknown, known, locked, disabled, unconfirmed and external accounts', async () => {
    assert.equal(everybody.length, 14)
    const answers = new Set<string>()
    for (const name of everybody) answers.add(await attempt(name, 'wrong'))
    assert.equal(answers.size, 1, [...answers].join('\n----\n'))
    const [only = ''] = answers
    assert.match(only, /^HTTP\/1\.1 302 /)
    assert.match(only, /error=invalid_credentials/)
    assert.doesNotMatch(only, /set-cookie|x-trace-id/i)
  })

  it('gives one answer to the right password of accounts that may not sign in and to any password of nobody', async () => {
    const answers = new Set<string>()
    for (const name of refused) answers.add(await attempt(name, password))
    assert.equal(answers.size, 1, [...answers].join('\n----\n'))
  })

  it('gives one answer to an empty, an over-long and a malformed password for each account', async () => {
    for (const secret of ['', 'x'.repeat(5000), '\ud7ff\u0001', ' ']) {
      const answers = new Set<string>()
      for (const name of everybody) answers.add(await attempt(name, secret))
      assert.equal(answers.size, 1, secret.slice(0, 10))
    }
  })

  it('answers guesses at an unknown name as those at an account that gets locked, guess by guess', async () => {
    await using strict = await startService({
      RateLimit__LoginPerMinute: '1000',
      Accounts__Lockout__MaxFailedAttempts: '2',
    })
    const seen = await Promise.all(
      ['alice', 'nobob'].map(async (username) => {
        const told: string[] = []
        for (let guess = 0; guess < 4; guess += 1) {
          const answer = await new Browser(strict).signIn({ username, password: 'wrong' })
          told.push(`${answer.status} ${answer.headers.get('location')?.replace(username, '<name>')}`)
        }
        return told
      }),
    )
    assert.deepEqual(seen[0], seen[1])
    const right = await new Browser(strict).signIn({ password })
    assert.equal(locationOf(right).searchParams.get('error'), 'invalid_credentials')
  })

  it('computes as many hashes of the same cost for every name and every password', async () => {
    for (const secret of ['wrong', password, '', 'x'.repeat(1024), 'x'.repeat(1025)]) {
      const work = new Map<string, string>()
      for (const name of everybody) {
        if (secret === password && !refused.includes(name)) continue
        hashes.length = 0
        await attempt(name, secret)
        work.set(name, hashes.join(' '))
      }
      assert.equal(new Set(work.values()).size, 1, JSON.stringify([...work]))
      const expected = secret.length > 1024 ? '' : '19456,2,1,32,16'
      assert.equal(work.get('nobody00'), expected)
    }
  })

  it('gives one answer, after the same work, to who registers or forgot a password, with and without an account', async () => {
    const steps: Readonly<Record<string, (name: string) => readonly [string, Readonly<Record<string, string>>]>> = {
      register: (name) => ['/Account/Register', { email: `${name}@example.com`, password: 'kT7-vw2q-new' }],
      'register again': () => ['/Account/Confirm', { purpose: 'register', resend: '' }],
      'guess a registration': () => ['/Account/Confirm', { purpose: 'register', code: '123456' }],
      'forget by address': (name) => ['/Account/ForgotPassword', { email: `${name}@example.com` }],
      'forget by name': (name) => ['/Account/ForgotPassword', { email: name }],
      'forget again': () => ['/Account/Confirm', { purpose: 'reset', resend: '' }],
      'guess a reset': () => ['/Account/Confirm', { purpose: 'reset', code: '123456' }],
    }
    // Whoever registers first has the declared attributes read, once for the process.
    await new Browser(service).get('/Account/RegisterContext')
    const browsers = new Map(names.map((name) => [name, new Browser(service)]))
    for (const [step, request] of Object.entries(steps)) {
      const seen = new Map<string, string>()
      for (const [name, browser] of browsers) {
        // The limits of mails are of an hour.
        service.advance(3601)
        const token = await browser.antiforgeryToken()
        const [path, fields] = request(name)
        hashes.length = 0
        Object.assign(database, { reads: 0, commits: 0 })
        const answer = await browser.post(path, { ...fields, __RequestVerificationToken: token })
        const cookies = browser.setCookies.map((line) => line.replace(/=[\w-]{64};/, '=…;'))
        const headers = [...answer.headers].filter(([header]) => header !== 'date' && header !== 'set-cookie')
        seen.set(name, JSON.stringify([answer.status, headers, cookies, hashes, database, await answer.text()]))
      }
      assert.equal(new Set(seen.values()).size, 1, `${step}\n${[...seen].join('\n')}`)
    }
  })

  it('reads once and commits once for a failure, with or without an account', async () => {
    for (const name of everybody) {
      Object.assign(database, { reads: 0, commits: 0 })
      await attempt(name, 'wrong')
      assert.deepEqual(database, { reads: 1, commits: 1 }, name)
    }
  })

  it('shows the same login page and gives the same silent answer for every hinted name', async () => {
    for (const prompt of ['none', 'login']) {
      const seen = new Set<string>()
      for (const login_hint of everybody) {
        const query = new URLSearchParams({
          client_id: 'demo',
          redirect_uri: 'http://localhost:5081/callback',
          response_type: 'code',
          scope: 'openid',
          code_challenge: 'A'.repeat(43),
          code_challenge_method: 'S256',
          prompt,
          login_hint,
        })
        const answer = await new Browser(service).get(`/connect/authorize?${query}`)
        // The address holds the request, which holds the hint: encoded twice.
        const location = decodeURIComponent(decodeURIComponent(answer.headers.get('location') ?? ''))
        seen.add(`${answer.status} ${location.replaceAll(login_hint, '<name>')}`)
      }
      assert.equal(seen.size, 1)
    }
  })
})

/** Comes from the provider as somebody new. */
let nextId = 70_000
async function newcomer() {
  nextId += 1
  github.user = { id: nextId, login: `user${nextId}`, name: null, email: null }
  const browser = new Browser(service)
  await arriveFromProvider(browser)
  return browser
}
const register = async (browser: Awaited<ReturnType<typeof newcomer>>, email: string): Promise<string> =>
  locationOf(await browser.submit('/Account/ExternalLoginRegister', { email })).searchParams.get('error') ?? ''

describe('the registration as an oracle', () => {
  it('answers alike for taken and free addresses without an external identity', async () => {
    for (const email of ['ordinary@example.com', 'free@example.com']) {
      assert.equal(await register(new Browser(service), email), 'external_login_unavailable')
    }
  })

  it('answers no further question to an identity after its first free address (specification 4.7)', async () => {
    const browser = await newcomer()
    for (const taken of ['ordinary@example.com', 'disabled@example.com', 'external@example.com']) {
      assert.equal(await register(browser, taken), 'email_in_use')
    }
    assert.equal(await register(browser, 'free@example.com'), 'account_not_allowed')
    assert.equal(
      await register(browser, 'ordinary@example.com'),
      'external_login_unavailable',
      'the identity is used up',
    )
  })

  it('hands no account over because a provider vouches for its address', async () => {
    github.emails = [{ email: 'ordinary@example.com', primary: true, verified: true }]
    const browser = await newcomer()
    assert.equal(await register(browser, 'ordinary@example.com'), 'email_in_use')
    const stored = await service.storage.users.findByExternalLogin('github', String(nextId))
    assert.equal(stored, undefined)
  })
})

describe('names that look or fold alike', () => {
  const spellings = [
    ['capitals', 'ORDINARY@EXAMPLE.COM'],
    ['a dotless i', 'ord\u0131nary@example.com'],
    ['a sharp s in ‘masse’', 'ma\u00dfe123@example.com'],
    ['the capital sharp s in ‘masse’', 'MA\u1e9eE123@example.com'],
    ['o and a combining diaeresis', 'ko\u0308nigin@example.com'],
    ['the Kelvin sign', '\u212a\u00f6nigin@example.com'],
    ['the Kelvin sign and a combining diaeresis', '\u212ao\u0308nigin@example.com'],
    ['blanks around', '  ordinary@example.com\t'],
  ] as const

  for (const [what, email] of spellings) {
    it(`refuses to register a taken address with ${what}`, async () => {
      assert.equal(await register(await newcomer(), email), 'email_in_use')
    })
  }

  it('refuses an address with characters that cannot be seen', async () => {
    for (const hidden of ['\u200b', '\u200d', '\u202e', '\u2066', '\u00ad', '\ufeff']) {
      const email = `ordi${hidden}nary@example.com`
      assert.equal(await register(await newcomer(), email), 'email_invalid', JSON.stringify(email))
    }
  })

  it('refuses a name with letters of other scripts, widths and forms among Latin ones (UTS 39 §5.2)', async () => {
    for (const email of [
      '\uff4frdinary@example.com',
      '\u043erdinary@example.com',
      'ordinary@ex\u0430mple.com',
      'ordinary@example\uff0ecom',
      'ma\u017f\u017fe123@example.com',
    ]) {
      assert.equal(await register(await newcomer(), email), 'email_invalid', email)
    }
  })

  it('refuses a name that looks like a taken one in another script (UTS 39 §4)', async () => {
    await service.storage.users.create(testUser({ name: 'paypal@example.com', email: 'pay@elsewhere.example' }))
    for (const email of ['paypa1@example.com', 'PAYPAl@example.com', 'paypaI@example.com']) {
      assert.equal(await register(await newcomer(), email), 'email_in_use', email)
    }
  })

  it('keeps names whose letters carry other marks apart, as accounts of their own', async () => {
    const ordinary = await service.storage.users.findByName('ordinary')
    for (const email of ['ordin\u0101ry@example.com', 'ord\u0130nary@example.com']) {
      assert.equal(await register(await newcomer(), email), 'account_not_allowed', email)
      const stored = await service.storage.users.findByExternalLogin('github', String(nextId))
      assert.notEqual(stored?.id, ordinary?.id)
      assert.equal(stored?.name, email, 'kept as it was typed')
      const answer = await new Browser(service).signIn({ username: email })
      assert.equal(locationOf(answer).searchParams.get('error'), 'invalid_credentials')
    }
  })

  it('refuses a name that is the e-mail address of another account, and the other way round', async () => {
    await service.storage.users.create(testUser({ name: 'boss@example.com', email: 'boss@elsewhere.example' }))
    assert.equal(await register(await newcomer(), 'BOSS@example.com'), 'email_in_use')
    assert.equal(await register(await newcomer(), 'boss@elsewhere.example'), 'email_in_use')
  })

  it('takes a password for no other spelling of a name that belongs to another account', async () => {
    await service.storage.users.create(testUser({ name: 'stra\u00dfe', email: 'strasse@example.com' }))
    for (const [username, expected] of [
      ['STRASSE', '/x'],
      ['strasse', '/x'],
      ['stra\u00dfe', '/x'],
      ['strase', undefined],
      ['str\u0430sse', undefined],
      ['strasse\u200b', undefined],
      // Blanks around a name are no part of it.
      ['strasse ', '/x'],
      ['strasse@example.com', '/x'],
      ['STRA\u1e9eE@EXAMPLE.COM', '/x'],
      ['str\u0430sse@example.com', undefined],
      ['\uff53trasse', undefined],
      ['strasse\u0301', undefined],
    ] as const) {
      const answer = await new Browser(service).signIn({ username, ReturnUrl: '/x' })
      const location = answer.headers.get('location') ?? ''
      assert.equal(location === '/x' ? location : undefined, expected, JSON.stringify(username))
    }
  })
})
