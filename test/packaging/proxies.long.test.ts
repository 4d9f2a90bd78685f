/** The proxies of deploy/ in front of three processes of the service, as docs/deploy.md says. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { openStorage } from '../../src/storage/open.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import {
  authorizeParameters,
  authorizePath,
  Browser,
  codeFields,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { thisFile } from '../support/lifetime.ts'
import { startServer } from '../support/postgres.ts'
import { seedStorage } from '../support/seed.ts'
import { freePort } from '../support/service.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { type ProxyKind, proxies, type RunningProxy, startProxy } from './proxies.ts'

const users = ['ann', 'ben', 'cleo', 'dora']

const postgres = await startServer()
thisFile.after(() => postgres.stop())

type Site = {
  readonly proxy: RunningProxy
  readonly nodes: ServiceProcess[]
  readonly storage: Storage
  /** Stops a process as an upgrade does, and starts it again. */
  restart(node: number): Promise<void>
}

/** Three processes of the service on one PostgreSQL, and the proxy before them. */
async function startSite(t: TestContext, kind: ProxyKind, { drainSeconds = 0 } = {}): Promise<Site> {
  const closers: (() => Promise<unknown>)[] = []
  t.after(async () => {
    for (const close of closers.reverse()) await close()
  })
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-site-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const url = await postgres.createDatabase()
  const storage = await openStorage({ kind: 'postgres', url }, { migrate: true })
  closers.push(() => storage.close())
  await seedStorage(storage, users)
  const ports = [await freePort(), await freePort(), await freePort()]
  const [http, https] = [await freePort(), await freePort()]
  const env = {
    Database__Url: url,
    Keys__MasterKey: Buffer.alloc(32, 7).toString('base64'),
    OAuth__Issuer: `https://localhost:${https}/`,
    OAuth__RefreshTokenReuseLeeway: '3600',
    Server__TrustProxy: '127.0.0.1',
    Server__DrainDelay: String(drainSeconds),
    Log__Level: 'info',
  }
  const start = (port: number) => startProcess({ port, folder, env })
  const nodes = await Promise.all(ports.map(start))
  closers.push(() => Promise.all(nodes.map((node) => node.kill())))
  const proxy = await startProxy(kind, { nodes: ports, http, https })
  closers.push(() => proxy.stop())
  return {
    proxy,
    nodes,
    storage,
    async restart(index) {
      assert.equal(await nodes[index]?.stop(), 0)
      nodes[index] = await start(ports[index] ?? 0)
    },
  }
}

type Load = {
  answered: number
  readonly failures: string[]
}

/**
 * Four people refresh, ask for codes and read documents without pause while `work` is done, two requests each at a time.
 * Every request must be answered, and as it should be.
 */
async function underLoad(
  { proxy }: Site,
  work: (answered: (more: number) => Promise<void>) => Promise<void>,
): Promise<Load> {
  const load: Load = { answered: 0, failures: [] }
  const service = { issuer: proxy.address }
  let stopped = false
  let waiting: { readonly at: number; readonly resolve: () => void } | undefined
  const attempt = async <T>(what: string, expected: number, send: () => Promise<T & { status: number }>) => {
    const answer = await send().catch((error: Error) => {
      load.failures.push(`${what}: ${error.message} ${error.cause ?? ''}`)
      return undefined
    })
    if (answer === undefined) return undefined
    if (answer.status !== expected) {
      load.failures.push(`${what}: ${answer.status}`)
      return undefined
    }
    load.answered += 1
    if (waiting !== undefined && load.answered >= waiting.at) waiting.resolve()
    return answer
  }
  const read = async (): Promise<void> => {
    while (!stopped) {
      for (const path of ['.well-known/openid-configuration', '.well-known/jwks', 'Account/Login']) {
        const answer = await attempt(`GET ${path}`, 200, () => fetch(new URL(path, proxy.address)))
        await answer?.text()
      }
    }
  }
  const use = async (username: string): Promise<void> => {
    const browser = new Browser(service)
    assert.equal((await browser.signIn({ username })).status, 302)
    const parameters = { ...authorizeParameters(), 'submit.Accept': 'Yes' }
    assert.equal((await browser.submit('/connect/authorize', parameters)).status, 302)
    while (!stopped) {
      const path = `/connect/authorize?${new URLSearchParams(authorizeParameters())}`
      const asked = await attempt('GET authorize', 302, () => browser.get(path))
      const code = new URL(asked?.headers.get('location') ?? 'about:blank').searchParams.get('code')
      if (code === null) continue
      const redeemed = await attempt('POST token, code', 200, () => postToken(service, codeFields(code)))
      if (redeemed === undefined) continue
      let live: string = redeemed.body.refresh_token
      for (let rotation = 0; rotation < 4; rotation += 1) {
        const refreshed = await attempt('POST token, refresh', 200, () => postToken(service, refreshFields(live)))
        live = refreshed?.body.refresh_token ?? live
      }
    }
  }
  const all = Promise.all(users.flatMap((name) => [use(name), read()]))
  const answered = async (more: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting = { at: load.answered + more, resolve }
    await Promise.race([promise, all])
  }
  try {
    await answered(200)
    await work(answered)
    await answered(200)
  } finally {
    stopped = true
    await all
  }
  return load
}

type Sent = {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** A loopback address that is not the proxy's. */
  readonly localAddress?: string
}

/** A request of which headers and answer may be larger than `fetch` allows. */
function send(address: string, { method = 'GET', headers, body = '', localAddress }: Sent) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; headers: IncomingHttpHeaders }>()
  const options = { method, headers, localAddress, family: 4, agent: false, maxHeaderSize: 128 * 1024 } as const
  request(address, options, (answer) => {
    answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }))
  })
    .on('error', reject)
    .end(body)
  return promise
}

/** Where a plain request that calls the service by this name is sent to. */
function locationOf(address: string, host: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  get(address, { headers: { host }, agent: false }, (answer) => {
    answer.resume().on('end', () => resolve(answer.headers.location ?? ''))
  }).on('error', reject)
  return promise
}

/** Says so where the machine has no such proxy. */
function isOnThisMachine(t: TestContext, kind: ProxyKind): boolean {
  if (kind.isHere()) return true
  t.skip(`not on this machine: ${kind.name}`)
  return false
}

// Most of the time they wait for the drain of a process.
describe('restarts one after the other', { concurrency: true, timeout: 600_000 }, () => {
  for (const kind of proxies) {
    it(`${kind.name}: no request fails while the processes are restarted one after the other`, async (t) => {
      if (!isOnThisMachine(t, kind)) return
      // More than the proxies keep an idle connection to a process, as the files ask for.
      const site = await startSite(t, kind, { drainSeconds: 6 })
      const { answered, failures } = await underLoad(site, async (answered) => {
        for (const index of site.nodes.keys()) {
          await site.restart(index)
          await answered(300)
        }
      })
      t.diagnostic(`${answered} requests answered, ${failures.length} failed`)
      assert.deepEqual(failures, [])
      assert.ok(answered > 2000, `only ${answered} requests`)
    })
  }
})

for (const kind of proxies) {
  describe(`three processes behind ${kind.name} (${kind.file})`, { timeout: 600_000 }, () => {
    it(`${kind.name}: the service learns the address of the client, and nothing that the client claims`, async (t) => {
      if (!isOnThisMachine(t, kind)) return
      const { proxy, storage, nodes } = await startSite(t, kind)
      // Caddy listens for names of its own file, and redirects each of them to itself.
      const called = kind.name === 'Caddy' ? 'localhost' : 'evil.example'
      const sentOn = await locationOf(`${proxy.plainAddress}Account/Login?x=%20`, called)
      assert.match(sentOn, /^https:\/\/(?:localhost|id\.example\.com)(?::\d+)?\/Account\/Login\?x=%20$/)
      const { status, headers } = await send(`${proxy.address}connect/token`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': '203.0.113.9, 127.0.0.1',
          'x-forwarded-proto': 'http',
          forwarded: 'for=203.0.113.9',
        },
        body: 'grant_type=password',
        localAddress: '127.0.0.7',
      })
      const traceId = String(headers['x-trace-id'])
      assert.equal(status, 400)
      // What was noted is written when a process ends, at the latest.
      await Promise.all(nodes.map((node) => node.stop()))
      const [entry, ...others] = await storage.audit.list({ traceId }, undefined, 10)
      assert.deepEqual(others, [])
      assert.equal(entry?.address, '127.0.0.7')
    })

    it(`${kind.name}: what the service accepts gets through, and its own answers to what is larger`, async (t) => {
      if (!isOnThisMachine(t, kind)) return
      const { proxy } = await startSite(t, kind)
      const revoke = (bytes: number) => {
        const start = 'token=x&client_id=demo&filling='
        const body = start + 'x'.repeat(bytes - start.length)
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        return fetch(new URL('connect/revocation', proxy.address), { method: 'POST', body, headers })
      }
      assert.equal((await revoke(65_536)).status, 200)
      const over = await revoke(65_537)
      assert.equal(over.status, 413)
      assert.match(await over.text(), /ID9004/)
      const ask = (change: Readonly<Record<string, string>>, headers = {}) =>
        send(new URL(authorizePath(change), proxy.address).href, { headers })
      // A long address and the cookies of many tabs: together 60 KiB.
      const long = { state: 's'.repeat(4096), id_token_hint: 'x'.repeat(16_384) }
      const cookies = Array.from({ length: 10 }, (_, index) => `other-${index}=${'x'.repeat(3900)}`).join('; ')
      const asked = await ask({ ...long, prompt: 'none' }, { cookie: cookies })
      assert.equal(asked.status, 302)
      assert.match(asked.headers.location ?? '', /^http:\/\/localhost:5081\/callback\?error=/)
      // To the login page, with the whole request in the address.
      const sentOn = await ask({ state: '&'.repeat(4096) })
      assert.equal(sentOn.status, 302)
      assert.match(sentOn.headers.location ?? '', /^\/Account\/Login\?/)
      assert.ok((sentOn.headers.location ?? '').length > 20_000, `${sentOn.headers.location?.length} characters`)
      // Back to the application, with a state that is too long for the pages.
      const sentBack = await ask({ ...long, state: '&'.repeat(4096) })
      assert.match(sentBack.headers.location ?? '', /callback\?error=invalid_request&error_description=ID9110/)
    })

    it(`${kind.name}: when no process is ready, people are told so by the service, and when to come back`, async (t) => {
      if (!isOnThisMachine(t, kind)) return
      const { proxy } = await startSite(t, kind)
      await postgres.down()
      const until = async (status: number) => {
        let last: unknown
        const endsAt = performance.now() + 120_000
        while (performance.now() < endsAt) {
          const asked = fetch(new URL('readyz', proxy.address), { signal: AbortSignal.timeout(10_000) })
          const found = await asked
            .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
            .catch(String)
          if (typeof found !== 'string' && found.status === status && found.text.startsWith('{')) return
          last = found
        }
        assert.fail(
          `never ${status} within two minutes; last: ${inspect(last)}; the proxy wrote: ${proxy.output().slice(-2000)}`,
        )
      }
      await until(503)
      const refused = await postToken({ issuer: proxy.address }, refreshFields('x'.repeat(43)))
      assert.equal(refused.status, 503)
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      assert.match(refused.headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/)
      await postgres.up()
      await until(200)
    })
  })
}
