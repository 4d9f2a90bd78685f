/** Traces as a collector receives them: OTLP over HTTP, from a real process. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import postgres from 'postgres'
import { Browser, codeFields, obtainCode } from '../support/browser.ts'
import { postgresServer } from '../support/postgres.ts'
import { freePort } from '../support/service.ts'
import { valuesOf } from '../support/values.ts'
import { assertStops, serve } from './running.ts'

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }
type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly links?: readonly { readonly spanId: string }[]
  readonly attributes: readonly Attribute[]
}

async function collector(t: TestContext) {
  const spans: Span[] = []
  const resources: Attribute[] = []
  let text = ''
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    text += body
    for (const resource of JSON.parse(body).resourceSpans) {
      resources.push(...resource.resource.attributes)
      for (const scope of resource.scopeSpans) spans.push(...scope.spans)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    OTEL_SERVICE_NAME: 'id-test',
  }
  return { spans, resources, env, text: () => text }
}

const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736'
const callersSpan = '00f067aa0ba902b7'

describe('traces', () => {
  it("hold a span for each request, in the caller's trace, with its storage verbs below it", async (t) => {
    const { spans, resources, env, text } = await collector(t)
    const service = await serve(t, { env })
    const code = await obtainCode(new Browser(service))
    const exchange = (traceparent: string) =>
      fetch(`${service.issuer}connect/token`, {
        method: 'POST',
        body: new URLSearchParams(codeFields(code)),
        headers: { traceparent },
      })
    const exchanged = await exchange(`00-${callersTrace}-${callersSpan}-01`)
    const tokens = (await exchanged.json()) as { access_token: string; refresh_token: string }
    const refused = await exchange('00-nonsense')
    const ownTrace = refused.headers.get('x-trace-id') ?? ''
    // The end waits until the collector has everything.
    await assertStops(service)

    const request = spans.find(({ name, traceId }) => name === 'POST /connect/token' && traceId === callersTrace)
    assert.equal(request?.parentSpanId, callersSpan)
    assert.deepEqual(request?.attributes.find(({ key }) => key === 'http.response.status_code')?.value, {
      intValue: 200,
    })
    const below = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId).map(({ name }) => name)
    assert.deepEqual(below, ['storage grants.findForExchange', 'storage grants.redeem'])
    // The id on the error page, in the log and of the trace is one.
    assert.match(ownTrace, /^[0-9a-f]{32}$/)
    assert.ok(spans.some(({ name, traceId }) => name === 'POST /connect/token' && traceId === ownTrace))
    assert.ok(service.log().some((line) => line.traceId === ownTrace && line.msg === 'refused'))
    assert.deepEqual(resources.find(({ key }) => key === 'service.name')?.value, { stringValue: 'id-test' })
    for (const secret of [code, tokens.access_token, tokens.refresh_token, 'alice', 'Passw0rd']) {
      assert.ok(!text().includes(secret), `${secret} was sent to the collector`)
    }
  })

  it('hold a span for a statement that reads for several verbs on PostgreSQL, with a link to each of these', async (t) => {
    const masterKey = Buffer.alloc(32, 9).toString('base64')
    const server = await postgresServer()
    const url = await server.createDatabase()
    const direct = postgres(url, { max: 2, onnotice: () => {} })
    t.after(async () => {
      await direct.end()
      await server.stop()
    })
    const { spans, env } = await collector(t)
    const service = await serve(t, { env: { ...env, Database__Url: url, Keys__MasterKey: masterKey } })
    const page = `${service.issuer}connect/authorize?client_id=nobody`
    let answers: Promise<number[]> | undefined
    await direct.begin(async (holding) => {
      // Whoever reads clients waits for this, and then for those that wait.
      await holding`lock table clients in access exclusive mode`
      answers = Promise.all(Array.from({ length: 20 }, () => fetch(page).then(({ status }) => status)))
      const waiting = () =>
        direct`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%gathered%'`
      while ((await waiting()).length === 0);
    })
    assert.deepEqual(new Set(await answers), new Set([400]))
    service.child.kill('SIGTERM')
    assert.deepEqual(await service.ended, { code: 0, signal: null })

    const verbs = spans.filter(({ name }) => name === 'storage authorizations.findForRequest')
    assert.equal(verbs.length, 20)
    const batches = spans.filter(({ name }) => name === 'storage batch')
    assert.ok(batches.length > 0)
    for (const { parentSpanId, links = [], attributes } of batches) {
      assert.ok(!parentSpanId)
      assert.ok(links.length > 1)
      const ofVerbs = links.filter((link) => verbs.some(({ spanId }) => spanId === link.spanId))
      assert.equal(ofVerbs.length, links.length)
      assert.deepEqual(attributes.find(({ key }) => key === 'db.operation.batch.size')?.value, {
        intValue: links.length,
      })
    }
  })

  it('change nothing when the collector is away, but for one line in the log', async (t) => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    }
    const service = await serve(t, { env })
    assert.equal((await new Browser(service).signIn()).status, 302)
    const warning = /^traces cannot be delivered/
    await assertStops(service)
    assert.equal(service.log().filter(({ msg }) => warning.test(msg)).length, 1)
  })
})

describe('traceparent', () => {
  const parent = (version: string, flags: string, more = '') =>
    `${version}-${callersTrace}-${callersSpan}-${flags}${more}`
  const continued = [parent('00', '01'), parent('cc', '01', '-what-comes')]
  const passedOver = [
    '',
    `00-${callersTrace}-${callersSpan}`,
    parent('00', '01', '-more'),
    parent('ff', '01'),
    `00-${'0'.repeat(32)}-${callersSpan}-01`,
    `00-${callersTrace}-${'0'.repeat(16)}-01`,
    `00-${callersTrace.toUpperCase()}-${callersSpan}-01`,
    `${parent('00', '01')}, ${parent('00', '01')}`,
    `00-${'a'.repeat(20_000)}`,
  ]

  it('is continued when it is well-formed (W3C Trace Context §3.2.2), and otherwise the trace is a new one', async (t) => {
    const { spans, env } = await collector(t)
    const service = await serve(t, { env })
    for (const traceparent of [...continued, ...passedOver]) {
      const answer = await fetch(`${service.issuer}.well-known/jwks`, { headers: { traceparent } })
      assert.equal(answer.status, 200)
    }
    await assertStops(service)
    const requests = spans.filter(({ name }) => name === 'GET /.well-known/jwks')
    assert.equal(requests.length, continued.length + passedOver.length)
    const known = requests.filter(({ traceId }) => traceId === callersTrace)
    assert.deepEqual(
      valuesOf(known, 'parentSpanId'),
      continued.map(() => callersSpan),
    )
    for (const { traceId, parentSpanId } of requests) {
      if (traceId !== callersTrace) assert.ok(!parentSpanId, `${traceId} hangs on ${parentSpanId}`)
    }
  })
})
