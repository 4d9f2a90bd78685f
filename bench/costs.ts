/**
 * What a request costs the event loop, for each public endpoint and each way of making a request long or odd: the processor
 * time of the thread that serves, for a request and for each byte of it.
 *
 *   node bench/costs.ts [--requests N] [--only PART] [--shape PART] [--json]      default 10 of each kind in each of five rounds, of which the quietest counts
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import type { Route } from '../src/http/router.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    shape: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})

/** Headers and body of a request, and what is appended to its path. */
type Sent = { readonly query?: string; readonly headers?: readonly string[]; readonly body?: string }
type Shape = { readonly name: string; readonly of: (route: Named) => Sent | undefined }
type Named = Pick<Route, 'method' | 'path' | 'body'>
type Job = { readonly port: number; readonly requests: readonly string[] }
type Cost = {
  readonly endpoint: string
  readonly shape: string
  readonly bytes: number
  readonly us: number
  readonly status: string
}

/** Other programs make a round dearer, never cheaper. */
const rounds = 5
const kib = 1024
/** What is accepted of headers and of a body. */
const [headBytes, bodyBytes] = [60 * kib, 64 * kib - 64]
const fill = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length))
const numbered = (bytes: number, one: (at: number) => string): string => {
  let text = ''
  for (let at = 0; ; at += 1) {
    const next = one(at)
    if (text.length + next.length > bytes) return text
    text += next
  }
}
const form = (body: string): Sent => ({ headers: ['Content-Type: application/x-www-form-urlencoded'], body })
const json = (body: string): Sent => ({ headers: ['Content-Type: application/json'], body })
const takesForms = ({ method, body }: Named): boolean => method === 'POST' && (body ?? 'form') === 'form'
const takesJson = ({ path, method, body }: Named): boolean =>
  body === 'json' || (path.startsWith('/connect/register') && method !== 'GET' && method !== 'DELETE')
const jwsOf = (header: object, bytes: number): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part(header)}.${part({ x: 'x'.repeat(Math.floor((bytes * 3) / 4)) })}.${'A'.repeat(86)}`
}
const wideJwk = { kty: 'RSA', n: 'z'.repeat(342), e: 'z'.repeat(342) }
const deepest = '['.repeat(10_000)

const authorization =
  'client_id=demo&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%3A5081%2Fcallback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=s'
const isAuthorization = ({ path }: Named): boolean => path === '/connect/authorize' || path === '/connect/par'
const asSent = (route: Named, parameters: string): Sent =>
  route.method === 'GET' ? { query: `?${parameters}` } : form(parameters)
/** Grants whose value is parsed before anything is known of it. */
const grants = [
  `grant_type=authorization_code&client_id=demo&redirect_uri=x&code_verifier=${'v'.repeat(64)}&code=${'c'.repeat(16_000)}`,
  `grant_type=refresh_token&client_id=demo&refresh_token=${'r'.repeat(8000)}`,
  `grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&client_id=demo&device_code=${'d'.repeat(2000)}`,
  `grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&client_id=demo&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token&subject_token=${jwsOf({ alg: 'ES256' }, 15_000)}`,
]

const shapes: readonly Shape[] = [
  { name: 'plain', of: () => ({}) },
  { name: 'languages', of: () => ({ headers: [`Accept-Language: ${fill('de;q=0.5, ', headBytes)}`] }) },
  { name: 'cookies', of: () => ({ headers: [`Cookie: ${numbered(headBytes, (at) => `c${at}=1; `)}`] }) },
  {
    name: 'cookies of ours',
    of: () => ({ headers: [`Cookie: ${numbered(headBytes, (at) => `latchkey.state.${at}=1; `)}`] }),
  },
  {
    name: 'many headers',
    of: () => ({
      headers: numbered(headBytes, (at) => `x${at}: 1\n`)
        .trim()
        .split('\n'),
    }),
  },
  { name: 'bearer token', of: () => ({ headers: [`Authorization: Bearer ${jwsOf({ alg: 'ES256' }, headBytes)}`] }) },
  { name: 'basic', of: () => ({ headers: [`Authorization: Basic ${fill('Ojo6', headBytes)}`] }) },
  {
    name: 'DPoP proof, wide key',
    of: () => ({ headers: [`DPoP: ${jwsOf({ typ: 'dpop+jwt', alg: 'PS256', jwk: wideJwk }, 1000)}`] }),
  },
  { name: 'parameters', of: () => ({ query: `?${numbered(headBytes, (at) => `p${at}=1&`)}` }) },
  {
    name: '256 parameters',
    of: () => ({ query: `?${Array.from({ length: 256 }, (_, at) => `p${at}=${'v'.repeat(220)}`).join('&')}` }),
  },
  { name: 'accepted types', of: () => ({ headers: [`Accept: ${fill('text/plain;q=0.5,', headBytes)}`] }) },
  {
    name: 'entity tags',
    of: () => ({ headers: [`If-None-Match: "a"${' '.repeat(headBytes / 2)}${fill(',', headBytes / 2)}"b"`] }),
  },
  { name: 'user agent', of: () => ({ headers: [`User-Agent: ${fill('Version/1 ', headBytes)}`] }) },
  { name: 'plus signs in the query', of: () => ({ query: `?p=${fill('+', headBytes)}` }) },
  { name: 'escapes in the query', of: () => ({ query: `?p=${fill('%C3%A9', headBytes)}` }) },
  {
    name: 'form of fields',
    of: (route) => (takesForms(route) ? form(numbered(bodyBytes, (at) => `p${at}=1&`)) : undefined),
  },
  {
    name: 'form of 250 fields',
    of: (route) =>
      takesForms(route)
        ? form(`client_id=demo&${Array.from({ length: 250 }, (_, at) => `p${at}=${fill('%41', 250)}`).join('&')}`)
        : undefined,
  },
  { name: 'form of escapes', of: (route) => (takesForms(route) ? form(`p=${fill('%C3%A9', bodyBytes)}`) : undefined) },
  { name: 'form of plus signs', of: (route) => (takesForms(route) ? form(`p=${fill('+', bodyBytes)}`) : undefined) },
  {
    name: 'form of one value',
    of: (route) => (takesForms(route) ? form(`client_id=${fill('x', bodyBytes - 16)}`) : undefined),
  },
  { name: 'JSON, nested', of: (route) => (takesJson(route) ? json(deepest) : undefined) },
  {
    name: 'JSON, members',
    of: (route) => (takesJson(route) ? json(`{${numbered(31 * kib, (at) => `"m${at}":1,`)}"z":1}`) : undefined),
  },
  {
    name: 'metadata',
    of: (route) =>
      route.path === '/connect/register'
        ? json(
            `{"redirect_uris":[${Array.from({ length: 400 }, (_, at) => `"https://x${at}.example/${'p'.repeat(40)}"`)}]}`,
          )
        : undefined,
  },
  {
    name: 'metadata, languages',
    of: (route) =>
      route.path === '/connect/register'
        ? json(
            `{"redirect_uris":["https://x.example/"],${numbered(31 * kib, (at) => `"client_name#de-x-${at}":"n",`)}"z":1}`,
          )
        : undefined,
  },
  {
    name: 'metadata, keys',
    of: (route) =>
      route.path === '/connect/register'
        ? json(
            `{"redirect_uris":["https://x.example/"],"jwks":{"keys":[${Array.from({ length: 70 }, () => JSON.stringify(wideJwk).slice(0, 400)).map(() => '{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}')}]}}`,
          )
        : undefined,
  },
  {
    name: 'claims',
    of: (route) =>
      isAuthorization(route)
        ? asSent(
            route,
            `${authorization}&scope=openid&claims=${encodeURIComponent(`{"id_token":{${numbered(3900, (at) => `"c${at}":null,`)}"z":null}}`)}`,
          )
        : undefined,
  },
  // As many as are looked up, and as many as there is room for, which are counted alone.
  ...[
    { name: '256 scopes', scopes: Array.from({ length: 255 }, (_, at) => `s${at}`).join('+') },
    { name: 'scopes', scopes: numbered(4000, (at) => `s${at}+`) },
  ].map(({ name, scopes }) => ({
    name,
    of: (route: Named) =>
      isAuthorization(route) || route.path === '/connect/device'
        ? asSent(route, `${authorization}&scope=openid+${scopes}`)
        : undefined,
  })),
  // What is not known of a request is passed on to the page for the sign-in.
  {
    name: 'request and escapes',
    of: (route) =>
      isAuthorization(route)
        ? asSent(route, `${authorization}&scope=openid&p=${fill('%C3%A9', headBytes - 2048)}`)
        : undefined,
  },
  {
    name: 'request and parameters',
    of: (route) =>
      isAuthorization(route)
        ? asSent(
            route,
            `${authorization}&scope=openid&${Array.from({ length: 240 }, (_, at) => `p${at}=${'v'.repeat(220)}`).join('&')}`,
          )
        : undefined,
  },
  {
    name: 'request object',
    of: (route) =>
      isAuthorization(route)
        ? asSent(route, `client_id=demo&request=${jwsOf({ alg: 'PS256', typ: 'oauth-authz-req+jwt' }, 5500)}`)
        : undefined,
  },
  ...grants.map((body, at) => ({
    name: ['code', 'refresh token', 'device code', 'exchange'][at] ?? '',
    of: (route: Named) => (route.path === '/connect/token' ? form(body) : undefined),
  })),
  {
    name: 'client assertion',
    of: (route) =>
      takesForms(route) && route.path.startsWith('/connect/')
        ? form(
            `client_id=demo&grant_type=client_credentials&token=x&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&client_assertion=${jwsOf({ alg: 'PS256' }, 8000)}`,
          )
        : undefined,
  },
  {
    name: 'token',
    of: (route) =>
      ['/connect/introspect', '/connect/revocation'].includes(route.path)
        ? form(`client_id=demo&token=${jwsOf({ alg: 'ES256' }, 15_000)}`)
        : undefined,
  },
  {
    name: 'id token hint',
    of: (route) =>
      ['/connect/authorize', '/connect/logout', '/Account/LogoutContext'].includes(route.path)
        ? asSent(route, `${authorization}&scope=openid&id_token_hint=${jwsOf({ alg: 'RS256' }, 15_000)}`)
        : undefined,
  },
]

/** Each request comes from another address, so that no budget answers for the endpoint. */
function textOf({ method, path }: Named, { query = '', headers = [], body }: Sent, at: number): string {
  const lines = [
    `${method} ${path.replace('/*', '/x').replace(/:\w+/g, 'x')}${query} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: 10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`,
    ...headers,
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

if (isMainThread) await measure()
else parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await send(job)))

async function measure(): Promise<void> {
  const { startService } = await import('../test/support/service.ts')
  const { routesOf } = await import('../src/routes.ts')
  const service = await startService({
    OAuth__DynamicRegistration: 'open',
    OAuth__ClientIdMetadataDocuments: 'true',
    OAuth__External__GitHub__ClientId: 'client',
    OAuth__External__GitHub__ClientSecret: 'secret',
    Accounts__Registration: 'open',
    Mail__Url: 'file:/nowhere',
    Server__TrustProxy: '127.0.0.1',
    Log__Level: 'fatal',
  })
  // What the table itself asks of a service.
  const provider = { name: 'github' }
  const parts = { ...service, clock: service.now, providers: { list: [provider] }, mail: { enabled: true } }
  const routes = routesOf(parts as never, { isStopping: false })
  const count = Number(values.requests)
  const port = Number(new URL(service.address).port)
  const costs: Cost[] = []
  const worker = new Worker(new URL(import.meta.url))
  let at = 0
  try {
    for (const route of routes.filter(({ path }) => path.includes(values.only))) {
      const endpoint = `${route.everyMethod ? 'ANY' : route.method} ${route.path}`
      for (const shape of shapes.filter(({ name }) => name.includes(values.shape))) {
        const sent = shape.of(route)
        if (sent === undefined) continue
        const requests = Array.from({ length: count }, () => {
          at += 1
          return textOf(route, sent, at)
        })
        // Modules are loaded, and functions compiled, before the measurement.
        await sentBy(worker, { port, requests: requests.slice(0, count / 2) })
        const runs: number[] = []
        const statuses = new Set<number>()
        for (let run = 0; run < rounds; run += 1) {
          const before = process.threadCpuUsage()
          for (const status of await sentBy(worker, { port, requests })) statuses.add(status)
          const { user, system } = process.threadCpuUsage(before)
          runs.push((user + system) / count)
        }
        const bytes = requests[0]?.length ?? 0
        costs.push({
          endpoint,
          shape: shape.name,
          bytes,
          us: Math.min(...runs),
          status: [...statuses].join(' '),
        })
      }
      process.stderr.write(`${endpoint}\n`)
    }
  } finally {
    await worker.terminate()
    await service.stop()
  }
  process.stdout.write(values.json ? `${JSON.stringify(costs, null, 2)}\n` : tableOf(costs))
}

/** Another thread sends, so that the time of this one is the server's. */
async function sentBy(worker: Worker, job: Job): Promise<readonly number[]> {
  worker.postMessage(job)
  const [answer] = (await once(worker, 'message')) as [readonly number[]]
  return answer
}

/** One after the other, on one connection. Returns the statuses. */
async function send({ port, requests }: Job): Promise<number[]> {
  const statuses: number[] = []
  let socket = await opened(port)
  for (const one of requests) {
    if (socket.destroyed) socket = await opened(port)
    statuses.push(await answerTo(socket, one))
  }
  socket.destroy()
  return statuses
}

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject)
  })

function answerTo(socket: Socket, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const done = (status: number) => {
      socket.off('data', read).off('close', closed)
      resolve(status)
    }
    const statusOf = () => Number(/^HTTP\/1\.1 (\d{3})/.exec(received.toString('latin1'))?.[1] ?? Number.NaN)
    const read = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const end = received.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = received.subarray(0, end).toString('latin1')
      const length = /\ncontent-length: (\d+)/i.exec(head)?.[1]
      const isWhole =
        length === undefined
          ? !/\ntransfer-encoding: chunked/i.test(head) || received.subarray(-5).toString() === '0\r\n\r\n'
          : received.length >= end + 4 + Number(length)
      if (!isWhole) return
      if (/\nconnection: close/i.test(head)) socket.destroy()
      done(statusOf())
    }
    const closed = () => {
      if (received.length === 0) reject(new Error(`closed without an answer: ${text.slice(0, 60)}`))
      else done(statusOf())
    }
    socket.on('data', read).once('close', closed).write(text)
  })
}

/** A row for each endpoint: a plain request, the dearest one, and the one that costs most for a byte of it. */
function tableOf(costs: readonly Cost[]): string {
  const byEndpoint = Map.groupBy(costs, ({ endpoint }) => endpoint)
  const rows = [...byEndpoint].map(([endpoint, all]) => {
    const plain = all.find(({ shape }) => shape === 'plain')
    const [dearest] = all.toSorted((a, b) => b.us - a.us)
    const perByte = ({ us, bytes }: Cost) => ((us - (plain?.us ?? 0)) * 1000) / bytes
    const [steepest] = all.filter(({ shape }) => shape !== 'plain').toSorted((a, b) => perByte(b) - perByte(a))
    return {
      us: dearest?.us ?? 0,
      text: `| \`${endpoint}\` | ${Math.round(plain?.us ?? 0)} | ${Math.round(dearest?.us ?? 0)} | ${dearest?.shape}, ${dearest?.bytes} bytes, ${dearest?.status} | ${steepest ? perByte(steepest).toFixed(0) : ''} | ${steepest?.shape ?? ''} |`,
    }
  })
  const lines = rows.toSorted((a, b) => b.us - a.us).map(({ text }) => text)
  const heading =
    '| Endpoint | plain, µs | dearest, µs | by | ns for a byte beyond the plain one | by |\n|---|---:|---:|---|---:|---|'
  return `${heading}\n${lines.join('\n')}\n`
}
