/** The beginning of a process: it answers everything as soon as it listens, or ends with the reason. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { handlerSwitch } from '../../src/http/handler-switch.ts'
import { authorizeParameters } from '../support/browser.ts'
import { serviceFor } from '../support/lifetime.ts'
import { startProgram } from '../support/program.ts'
import { rawRequest } from '../support/raw-request.ts'
import { freePort } from '../support/service.ts'

/** A service that has just begun to listen. */
async function justListening(t: TestContext, host = '127.0.0.1') {
  const whole = await serviceFor(t)
  const { settings, storage, keys } = whole
  const log = pino({ level: 'silent' })
  const app = await buildApp({ settings, storage, keys, clock: Date.now, random: randomBytes, log })
  const handlers = handlerSwitch(app)
  const origins = await handlers.listen({ host, port: 0 })
  t.after(() => handlers.close())
  return { origins }
}

type Asked = readonly [path: string, init?: RequestInit]

const json = { accept: 'application/json' }
const form = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) })
const requests: readonly Asked[] = [
  ['/.well-known/openid-configuration'],
  ['/.well-known/jwks'],
  ['/.well-known/JWKS'],
  ['/.well-known/jwks', { headers: { origin: 'http://localhost:5081' } }],
  ['/connect/token', form({ grant_type: 'authorization_code', code: 'x', client_id: 'demo' })],
  ['/connect/token', { ...form({ grant_type: 'refresh_token', refresh_token: 'x' }), headers: { cookie: 'a=b' } }],
  ['/connect/token', { headers: json }],
  ['/connect/revocation', form({ token: 'x', client_id: 'demo' })],
  [`/connect/authorize?${new URLSearchParams(authorizeParameters())}`],
  ['/connect/authorize', form(authorizeParameters())],
  ['/connect/authorize?client_id=nobody', { headers: { cookie: 'a=b' } }],
  ['/Account/Session', { headers: { cookie: 'latchkey.session=x' } }],
  ['/Account/Login'],
  ['/Account/Login', form({ username: 'alice', password: 'x' })],
  ['/healthz'],
  ['/readyz'],
  ['/assets/none.js', { headers: json }],
  ['/nowhere', { method: 'DELETE', headers: json }],
]

/** What is the same whenever it is asked for. */
async function ask(origin: string, [path, init]: Asked) {
  const answer = await fetch(origin + path, { ...init, redirect: 'manual' })
  const { date: _, 'x-trace-id': traceId, 'set-cookie': cookie, ...headers } = Object.fromEntries(answer.headers)
  const body = (await answer.text()).replaceAll(/[0-9a-f]{32}/g, '…')
  return { path, status: answer.status, headers, traced: traceId !== undefined, sets: cookie?.split('=')[0], body }
}

describe('requests that come as soon as the service listens', () => {
  it('are answered as later ones are, all at once and each as the first', async (t) => {
    const { origins } = await justListening(t)
    const [origin = ''] = origins
    const early = await Promise.all(requests.map((one) => ask(origin, one)))
    const late = await Promise.all(requests.map((one) => ask(origin, one)))
    assert.deepEqual(withoutChallenges(early), withoutChallenges(late))
    for (const status of [200, 302, 400, 404])
      assert.ok(
        early.some((answer) => answer.status === status),
        `${status}`,
      )
  })

  for (const one of requests) {
    it(`may be the very first: ${one[1]?.method ?? 'GET'} ${one[0].split('?', 1)[0]}`, async (t) => {
      const { origins } = await justListening(t)
      assert.ok((await ask(origins[0] ?? '', one)).status < 500)
    })
  }

  it('are answered too when they are no HTTP at all', async (t) => {
    const { origins } = await justListening(t)
    assert.match(
      await rawRequest(origins[0] ?? '', 'nonsense\r\n\r\n', false),
      /^HTTP\/1\.1 400 .*x-trace-id: [0-9a-f]{32}\r\n/s,
    )
  })
})

/** The id of a challenge is in the address of the login page. */
function withoutChallenges(answers: ReadonlyArray<Awaited<ReturnType<typeof ask>>>) {
  return answers.map(({ headers, ...others }) => ({
    ...others,
    headers: { ...headers, location: headers.location?.replace(/challenge=[^&]+/, 'challenge=…') },
  }))
}

describe('a service that listens on localhost', () => {
  it('listens on every address of that name, under one port', async (t) => {
    const { origins } = await justListening(t, 'localhost')
    const ports = new Set(origins.map((origin) => new URL(origin).port))
    assert.equal(ports.size, 1)
    for (const origin of origins) assert.equal((await ask(origin, ['/healthz'])).status, 200)
    const [port] = ports
    for (const { address, family } of await lookup('localhost', { all: true })) {
      const origin = `http://${family === 6 ? `[${address}]` : address}:${port}`
      // Only an address that this machine does not have may be missing.
      assert.equal(origins.includes(origin), await isHere(address), origin)
    }
  })
})

async function isHere(host: string): Promise<boolean> {
  const probe = createServer().listen({ host, port: 0 })
  const here = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  probe.close()
  return here
}

describe('a service of which a part cannot be loaded', () => {
  const hooks = `import { registerHooks } from 'node:module'
    registerHooks({
      resolve(name, context, next) {
        if (name === './housekeeping.ts') throw new Error('a part is missing')
        return next(name, context)
      },
    })`

  for (const args of [['serve'], ['serve', '--check']]) {
    it(`ends with the reason, and leaves nobody waiting (${args.join(' ')})`, async (t) => {
      const port = await freePort()
      const started = startProgram(t, args, {
        env: {
          Server__Host: '127.0.0.1',
          Server__Port: String(port),
          NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}`,
          // The hooks know the parts of the sources.
          LATCHKEY_BUILT: '',
        },
      })
      let asked: Promise<unknown> | undefined
      started.child.stdout?.on('data', () => {
        if (!started.stdout().includes('listening at')) return
        // May come before the process has found out.
        asked ??= fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
      })
      assert.deepEqual(await started.ended, { code: 1, signal: null })
      assert.match(started.stderr(), /^error: something unexpected happened\. Error: a part is missing\n/)
      assert.doesNotMatch(started.stdout(), /"msg":"ready"/)
      assert.ok(asked !== undefined, started.stdout())
      await asked
    })
  }
})
