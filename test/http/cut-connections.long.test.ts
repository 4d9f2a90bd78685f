/**
 * A client that hangs up stops nothing. Every endpoint that commits is cut at every stage: before its request is whole
 * nothing happens; from then on the act happens, is recorded with address and trace id, and what comes later is recorded too.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { AuditEntry, AuditKind } from '../../src/audit/entry.ts'
import { type Metrics, noMetrics } from '../../src/telemetry/metrics.ts'
import { type Observe, observedStorage } from '../../src/telemetry/observed-storage.ts'
import { answerOfProvider, arriveFromProvider } from '../attacks/attacker.ts'
import {
  authorizeParameters,
  Browser,
  codeFields,
  type Fields,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { type FakeGithub, startFakeGithub } from '../support/fake-github.ts'
import { postgresServer } from '../support/postgres.ts'
import { password, startService, type TestService, testUser } from '../support/service.ts'
import { openDatabase } from '../support/sqlite.ts'
import { assertNone } from '../support/values.ts'

/** Where the connection is cut. The last three while a storage verb waits for it. */
const stages = ['before it is whole', 'as soon as it is sent', 'while it is read', 'in the commit', 'after it'] as const
type Stage = (typeof stages)[number]

type Ground = { readonly service: TestService; readonly github: FakeGithub; readonly userName: string }
type Raw = { readonly path: string; readonly body?: Fields; readonly browser: Browser }
type Act = {
  readonly what: string
  /** The storage verb that commits it. */
  readonly verb: string
  /** Default: POST. A GET is whole as soon as its head is. */
  readonly method?: 'GET'
  /** What the trail then has; undefined: the act is of no interest to it. */
  readonly kind?: AuditKind
  /** Brings everything up to the request that is cut. `effect` says whether the act happened. */
  readonly prepare: (ground: Ground) => Promise<Raw & { readonly effect: () => Promise<boolean> }>
}

const withToken = async (browser: Browser, fields: Readonly<Record<string, string>>): Promise<Fields> => ({
  ...fields,
  __RequestVerificationToken: await browser.antiforgeryToken(),
})

async function signedIn(service: TestService, username: string): Promise<Browser> {
  const browser = new Browser(service)
  await browser.signIn({ username })
  return browser
}

async function isSignedOut(browser: Browser): Promise<boolean> {
  const { user } = (await (await browser.get('/Account/Session')).json()) as { user: unknown }
  return user === null
}

async function tokensOf({ service, userName }: Ground) {
  const browser = await signedIn(service, userName)
  const accepted = await browser.submit('/connect/authorize', { ...authorizeParameters(), 'submit.Accept': 'Yes' })
  const code = new URL(accepted.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const { body } = await postToken(service, codeFields(code))
  return { browser, code, refreshToken: body.refresh_token as string, accessToken: body.access_token as string }
}

/** More than sixty are cut in a minute, all from one address. */
const everyRefusal = { perNetwork: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY }

const isRefused = async (service: TestService, refreshToken: string): Promise<boolean> =>
  (await postToken(service, refreshFields(refreshToken))).status === 400

const signsIn = async ({ service, userName }: Ground): Promise<boolean> => {
  const answer = await new Browser(service).signIn({ username: userName, ReturnUrl: '/in' })
  return answer.headers.get('location') === '/in'
}

const acts: readonly Act[] = [
  {
    what: 'the revocation of a refresh token (RFC 7009)',
    verb: 'grants.revoke',
    kind: 'token_revoked',
    async prepare(ground) {
      const { browser, refreshToken } = await tokensOf(ground)
      const body = { token: refreshToken, client_id: 'demo' }
      return { path: '/connect/revocation', browser, body, effect: () => isRefused(ground.service, refreshToken) }
    },
  },
  {
    what: 'the revocation of an access token (RFC 7009)',
    verb: 'accessTokens.revoke',
    kind: 'token_revoked',
    async prepare(ground) {
      const { browser, accessToken } = await tokensOf(ground)
      const headers = { authorization: `Bearer ${accessToken}` }
      const effect = async () => (await browser.get('/weatherforecast', headers)).status === 401
      return { path: '/connect/revocation', browser, body: { token: accessToken, client_id: 'demo' }, effect }
    },
  },
  {
    what: 'the alarm of a code that came twice (RFC 6749 §4.1.2)',
    verb: 'grants.revoke',
    kind: 'code_replayed',
    async prepare(ground) {
      const { browser, code, refreshToken } = await tokensOf(ground)
      const effect = () => isRefused(ground.service, refreshToken)
      return { path: '/connect/token', browser, body: codeFields(code), effect }
    },
  },
  {
    what: 'the alarm of a stolen refresh token (RFC 9700 §4.14)',
    verb: 'grants.revoke',
    kind: 'refresh_token_replayed',
    async prepare(ground) {
      const { browser, refreshToken } = await tokensOf(ground)
      const next = (await postToken(ground.service, refreshFields(refreshToken))).body.refresh_token
      ground.service.advance(31)
      const effect = () => isRefused(ground.service, next)
      return { path: '/connect/token', browser, body: refreshFields(refreshToken), effect }
    },
  },
  {
    what: 'the exchange of a code',
    verb: 'grants.redeem',
    kind: 'tokens_issued',
    async prepare(ground) {
      const { browser } = await tokensOf(ground)
      const code = await obtainCode(browser)
      // A second exchange of a code that was redeemed is an alarm, of one that was not a success.
      const effect = async () => (await postToken(ground.service, codeFields(code))).status === 400
      return { path: '/connect/token', browser, body: codeFields(code), effect }
    },
  },
  {
    what: 'a rotation of a refresh token',
    verb: 'grants.rotate',
    kind: 'tokens_issued',
    async prepare(ground) {
      const { browser, refreshToken } = await tokensOf(ground)
      // Within the leeway a retry gets its tokens; after it the token is known to have been replaced.
      const effect = async () => {
        ground.service.advance(31)
        return isRefused(ground.service, refreshToken)
      }
      return { path: '/connect/token', browser, body: refreshFields(refreshToken), effect }
    },
  },
  {
    what: 'a consent',
    verb: 'authorizations.store',
    kind: 'consent_given',
    async prepare({ service, userName }) {
      const browser = await signedIn(service, userName)
      const body = await withToken(browser, { ...authorizeParameters(), 'submit.Accept': 'Yes' })
      const effect = async () => {
        const query = new URLSearchParams(authorizeParameters({ prompt: 'none' }))
        const answer = await browser.get(`/connect/authorize?${query}`)
        return /[?&]code=/.test(answer.headers.get('location') ?? '')
      }
      return { path: '/connect/authorize', browser, body, effect }
    },
  },
  {
    what: 'a sign-out (RP-Initiated Logout §2)',
    verb: 'sessions.delete',
    kind: 'sign_out',
    async prepare({ service, userName }) {
      const browser = await signedIn(service, userName)
      const body = await withToken(browser, { Confirm: 'Yes' })
      const effect = () => isSignedOut(browser)
      return { path: '/connect/logout', browser, body, effect }
    },
  },
  {
    what: 'a sign-in',
    verb: 'users.recordSignIn',
    kind: 'sign_in',
    async prepare({ service, userName }) {
      const browser = new Browser(service)
      const body = await withToken(browser, { username: userName, password })
      return { path: '/Account/Login', browser, body, effect: async () => true }
    },
  },
  {
    what: 'the end of the session before, at a second sign-in',
    verb: 'sessions.replace',
    kind: 'sign_out',
    async prepare({ service, userName }) {
      const browser = await signedIn(service, userName)
      const body = await withToken(browser, { username: userName, password })
      const effect = () => isSignedOut(browser)
      return { path: '/Account/Login', browser, body, effect }
    },
  },
  {
    what: 'a lockout',
    verb: 'users.recordSignIn',
    kind: 'locked_out',
    async prepare(ground) {
      const { service, userName } = ground
      for (let failure = 1; failure < 5; failure += 1) {
        await new Browser(service).signIn({ username: userName, password: 'wrong' })
      }
      const browser = new Browser(service)
      const body = await withToken(browser, { username: userName, password: 'wrong' })
      return { path: '/Account/Login', browser, body, effect: async () => !(await signsIn(ground)) }
    },
  },
  {
    what: 'the first answer of a provider',
    method: 'GET',
    verb: 'spentValues.spend',
    async prepare({ service, github, userName }) {
      meet(github, userName)
      const browser = new Browser(service)
      const answer = await answerOfProvider(browser)
      const path = answer.pathname + answer.search
      const effect = async () => (await browser.get(path)).status === 400
      return { path, browser, effect }
    },
  },
  {
    what: 'an account made from an external identity',
    verb: 'users.registerExternal',
    kind: 'account_registered',
    async prepare({ service, github, userName }) {
      meet(github, userName)
      const browser = new Browser(service)
      await arriveFromProvider(browser)
      const email = `${userName}@provider.example`
      const effect = async () => (await service.storage.users.findByName(email)) !== undefined
      return { path: '/Account/ExternalLoginRegister', browser, body: await withToken(browser, { email }), effect }
    },
  },
  {
    what: 'an external sign-in',
    method: 'GET',
    verb: 'users.recordSignIn',
    kind: 'sign_in',
    async prepare({ service, github, userName }) {
      meet(github, userName)
      const first = new Browser(service)
      await arriveFromProvider(first)
      await first.submit('/Account/ExternalLoginRegister', { email: `${userName}@provider.example` })
      const browser = new Browser(service)
      await arriveFromProvider(browser)
      return { path: '/Account/ExternalLoginCallback', browser, effect: async () => true }
    },
  },
]

let people = 0

/** Somebody whom the provider has not named before. */
function meet(github: FakeGithub, name: string): void {
  github.user = { id: 70_000 + people, login: name, name, email: null }
  github.emails = [{ email: `${name}@provider.example`, primary: true, verified: true }]
}

/** Lets a test stop the storage at a verb, and tells it when verbs have ended. */
function turnstile() {
  let stop:
    | { readonly verb: string | undefined; readonly when: 'before' | 'after'; reached(): Promise<void> }
    | undefined
  const waiting = new Map<string, () => void>()
  const observe: Observe = async (verb, work) => {
    const here = stop !== undefined && (stop.verb ?? verb) === verb ? stop : undefined
    if (here) stop = undefined
    if (here?.when === 'before') await here.reached()
    const result = await work()
    if (here?.when === 'after') await here.reached()
    waiting.get(verb)?.()
    waiting.delete(verb)
    return result
  }
  return {
    observe,
    stopAt(verb: string | undefined, when: 'before' | 'after', reached: () => Promise<void>): void {
      stop = { verb, when, reached }
    },
    ended: (verb: string) => new Promise<void>((resolve) => waiting.set(verb, resolve)),
    ran: (verb: string) => !waiting.has(verb),
  }
}

for (const [where, settings, address] of [
  ['with no proxy, on SQLite', {}, '127.0.0.1'],
  ['behind a trusted proxy, on PostgreSQL', { Server__TrustProxy: 'true' }, '203.0.113.7'],
] as const) {
  describe(`a client that hangs up, ${where}`, () => {
    const gate = turnstile()
    let gone: () => void = () => {}
    const metrics: Metrics = { ...noMetrics, request: (_method, _route, status) => void (status === 499 && gone()) }
    let github: FakeGithub
    let service: TestService
    before(async () => {
      github = await startFakeGithub()
      const database = where.endsWith('PostgreSQL')
        ? ({ kind: 'postgres', url: await (await postgresServer()).createDatabase() } as const)
        : ({ kind: 'sqlite-memory' } as const)
      const storage = await openDatabase(database, { limits: everyRefusal })
      const masterKey = Buffer.alloc(32, 7).toString('base64')
      const env = { ...github.env, ...settings, Keys__MasterKey: masterKey, RateLimit__LoginPerMinute: '10000' }
      service = await startService(env, { storage: observedStorage(storage, gate.observe), metrics })
    })
    after(async () => {
      await service.stop()
      await github.stop()
    })

    const entriesOf = async (kind: AuditKind): Promise<AuditEntry[]> => {
      await service.storage.audit.flush()
      return service.storage.audit.newest({ kind }, 10_000)
    }

    /** Sends a request on a connection that was used before, and cuts it where `stage` says. */
    async function cut({ path, body, browser }: Raw, verb: string, stage: Stage): Promise<void> {
      const socket = connect(Number(new URL(service.address).port), '127.0.0.1')
      await once(socket, 'connect')
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await once(socket, 'data')
      const request = toBytes(path, body, browser, address)
      const ended = gate.ended(verb)
      const reset = async (): Promise<void> => {
        const left = new Promise<void>((resolve) => {
          gone = resolve
        })
        socket.resetAndDestroy()
        // The service knows, too.
        await left
      }
      if (stage === 'before it is whole') {
        await written(socket, request.subarray(0, -1))
        await reset()
        assert.equal(gate.ran(verb), false)
        return
      }
      if (stage === 'while it is read') gate.stopAt(undefined, 'before', reset)
      if (stage === 'in the commit') gate.stopAt(verb, 'before', reset)
      if (stage === 'after it') gate.stopAt(verb, 'after', reset)
      await written(socket, request)
      if (stage === 'as soon as it is sent') socket.resetAndDestroy()
      await ended
    }

    for (const { what, verb, method, kind, prepare } of acts) {
      for (const stage of stages.slice(method === 'GET' ? 1 : 0)) {
        it(`${what}, cut ${stage}`, async () => {
          people += 1
          const userName = `person-${people}`
          const user = testUser({ name: userName, email: `${userName}@example.com` })
          await service.storage.users.create(user)
          const raw = await prepare({ service, github, userName })
          const before = kind === undefined ? 0 : (await entriesOf(kind)).length
          await cut(raw, verb, stage)
          if (kind !== undefined) {
            const entries = (await entriesOf(kind)).slice(before)
            assert.equal(entries.length, stage === 'before it is whole' ? 0 : 1)
            for (const entry of entries) {
              assert.equal(entry.address, address)
              assert.match(entry.traceId ?? '', /^[0-9a-f]{32}$/)
            }
          }
          if (stage !== 'before it is whole') assert.equal(await raw.effect(), true)
          // What comes later is recorded as ever.
          const refusals = (await entriesOf('refusal')).length
          await postToken(service, { grant_type: 'magic' })
          assert.equal((await entriesOf('refusal')).length, refusals + 1)
        })
      }
    }

    it('leaves nothing in the log that failed', () => {
      assertNone(service.log.filter(({ level }) => Number(level) >= 50))
    })
  })
}

function toBytes(path: string, body: Fields | undefined, browser: Browser, address: string): Buffer {
  const text = body === undefined ? '' : String(new URLSearchParams(body as Record<string, string>))
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const lines = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(cookie === '' ? [] : [`Cookie: ${cookie}`]),
    ...(address === '127.0.0.1' ? [] : [`X-Forwarded-For: ${address}`]),
    ...(body === undefined
      ? []
      : ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${text.length}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}

function written(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))
}
