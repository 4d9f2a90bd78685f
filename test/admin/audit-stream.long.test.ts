/** `/audit/stream` of the admin API: who hears what, from where on, and when it ends. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { auditFeed } from '../../src/admin/audit-feed.ts'
import type { BodyStream } from '../../src/http/body-stream.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { anEvent } from '../storage/records.ts'
import { type AdminCaller, adminPerson, adminProgram } from '../support/admin.ts'
import { addUser, serviceForFile, startService } from '../support/service.ts'
import { openDatabase } from '../support/sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-audit-stream-'))
const database = { kind: 'sqlite', file: join(folder, 'latchkey.db') } as const
/** Whether the database can be read. */
let isAway = false

/** Another process with the same database, which has chains of its own. */
let admin: AdminCaller
const real = await openDatabase(database)
const list: Storage['audit']['list'] = (...rest) =>
  isAway ? Promise.reject(new StorageUnavailable('away')) : real.audit.list(...rest)
const storage = { ...real, audit: { ...real.audit, list } }
const service = await serviceForFile({ Database__Url: `sqlite:${database.file}` }, { storage, followEveryMs: 20 })
const other = await openDatabase(database)
admin = await adminProgram(service, ['admin:audit:read'])
await addUser(service, 'chief', { roles: ['latchkey-admin'] })
after(async () => {
  await other.close()
  rmSync(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: what a stream holds
type Received = { readonly id: string; readonly data: any }

/** A client of the stream, which hangs up at the end of its test. */
class Stream {
  readonly #response: Response
  readonly #decoder = new TextDecoder()
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #controller: AbortController
  #text = ''
  comments = 0

  constructor(response: Response, controller: AbortController) {
    this.#response = response
    this.#controller = controller
  }

  /** Resolves to the next event; undefined: the end. */
  async next(): Promise<Received | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end === -1) {
        this.#reader ??= this.#response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
        const { value, done } = await this.#reader.read()
        if (done) return undefined
        this.#text += this.#decoder.decode(value, { stream: true })
        continue
      }
      const lines = this.#text.slice(0, end).split('\n')
      this.#text = this.#text.slice(end + 2)
      if (lines[0] === ':') this.comments += 1
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = field('data')
      if (data !== undefined) return { id: field('id') ?? '', data: JSON.parse(data) }
      if (lines[0] === ':' || lines[0]?.startsWith('retry')) return { id: field('id') ?? '', data: undefined }
    }
  }

  async take(count: number): Promise<Received[]> {
    const all: Received[] = []
    while (all.length < count) {
      const one = await this.next()
      assert.ok(one, `ended after ${all.length} of ${count} events`)
      if (one.data !== undefined) all.push(one)
    }
    return all
  }

  /** Resolves to the events up to the end. */
  async rest(): Promise<Received[]> {
    const all: Received[] = []
    for (let one = await this.next(); one !== undefined; one = await this.next()) {
      if (one.data !== undefined) all.push(one)
    }
    return all
  }

  hangUp(): void {
    this.#controller.abort()
  }
}

/** `code`: of the problem. */
type Opened = {
  readonly status: number
  readonly code: string | undefined
  readonly response: Response
  readonly stream: Stream
}

async function open(caller: AdminCaller, query = '', headers: Record<string, string> = {}): Promise<Opened> {
  const controller = new AbortController()
  const response = await fetch(new URL(`admin/api/v1/audit/stream${query}`, service.issuer), {
    headers: { authorization: `Bearer ${caller.token}`, ...headers },
    signal: controller.signal,
  })
  const code = response.status === 200 ? '' : /"code":"(ID\d+)"/.exec(await response.text())?.[1]
  return { status: response.status, response, code, stream: new Stream(response, controller) }
}

async function listen(t: TestContext, ...of: Parameters<typeof open>): Promise<Stream> {
  const { status, stream } = await open(...of)
  assert.equal(status, 200)
  t.after(() => stream.hangUp())
  return stream
}

let written = 0
/** Appends entries with a number each, and returns the numbers. */
async function write(count: number, to: Storage = service.storage, atMs = service.now()): Promise<number[]> {
  const numbers = Array.from({ length: count }, () => {
    written += 1
    return written
  })
  await to.audit.append(numbers.map((number) => anEvent({ atMs, kind: 'sign_out', details: { number } })))
  return numbers
}
const numbersOf = (received: readonly Received[]) => received.map(({ data }) => data.details.number)
const marked = '?kind=sign_out'

describe('GET /audit/stream', () => {
  it('tells of entries as the list does, in the order in which each writer wrote them', async (t) => {
    await write(3)
    const { response, stream } = await open(admin, marked)
    t.after(() => stream.hangUp())
    assert.deepEqual(
      ['content-type', 'cache-control', 'content-length'].map((name) => response.headers.get(name)),
      ['text/event-stream', 'no-store', null],
    )
    const numbers = await write(3)
    const received = await stream.take(3)
    assert.deepEqual(numbersOf(received), numbers)
    const { body } = await admin.get(`/audit${marked}&limit=3`)
    assert.deepEqual(received.map(({ data }) => data).reverse(), body.items)
    // Committed with an earlier time than the newest entry.
    const late = await write(2, other, service.now() - 5000)
    assert.deepEqual(numbersOf(await stream.take(2)), late)
    const next = await write(1)
    assert.deepEqual(numbersOf(await stream.take(1)), next)
  })

  it('filters by kind, person, application, trace id and period', async (t) => {
    const event = { kind: 'sign_out', userId: 'u1', clientId: 'c1', traceId: 'a'.repeat(32) } as const
    const streams = await Promise.all(
      ['user_id=u1', `client_id=c1&trace_id=${'A'.repeat(32)}`].map((query) =>
        listen(t, admin, `?kind=sign_out&${query}`),
      ),
    )
    const others = [{ userId: 'u2', traceId: 'b'.repeat(32) }, { kind: 'sign_in' }, {}] as const
    await service.storage.audit.append(others.map((change) => anEvent({ ...event, ...change, atMs: service.now() })))
    for (const stream of streams) {
      const [first] = await stream.take(1)
      assert.deepEqual(
        [first?.data.kind, first?.data.user_id, first?.data.trace_id],
        ['sign_out', 'u1', 'a'.repeat(32)],
      )
    }
    for (const query of ['?since=x', '?until=', '?kind=%00', '?limit=3', '?cursor=x', `?user_id=${'u'.repeat(257)}`]) {
      assert.equal((await open(admin, query)).status, 400, query)
    }
    // A period that is over has no more to tell.
    assert.deepEqual(await (await open(admin, '?until=1970-01-01T00:00:00Z')).stream.rest(), [])
  })

  it('goes on after Last-Event-ID: nothing is lost, nothing comes twice', async (t) => {
    const first = await listen(t, admin, marked)
    const numbers = await write(4)
    const seen = await first.take(2)
    first.hangUp()
    const late = await write(2, other, service.now() - 4000)
    const more = await write(700)
    const expected = new Set([...numbers.slice(2), ...late, ...more])
    const second = await listen(t, admin, marked, { 'last-event-id': seen[1]?.id ?? '' })
    const received = await second.take(expected.size)
    assert.deepEqual(new Set(numbersOf(received)), expected)
    const live = await write(1)
    assert.deepEqual(numbersOf(await second.take(1)), live)
    // Each id leads to what came after it.
    const middle = received[350]
    const third = await listen(t, admin, marked, { 'last-event-id': middle?.id ?? '' })
    const rest = numbersOf(await third.take(expected.size - 351 + 1))
    assert.deepEqual(rest, [...numbersOf(received.slice(351)), ...live])
  })

  it('begins with `since` where that is in the past', async (t) => {
    service.advance(60)
    const since = new Date(service.now()).toISOString()
    const numbers = await write(5)
    const stream = await listen(t, admin, `${marked}&since=${since}`)
    assert.deepEqual(numbersOf(await stream.take(5)), numbers)
    const live = await write(1)
    assert.deepEqual(numbersOf(await stream.take(1)), live)
  })

  it('takes a position as it came, and leads to no more than the filters and the token allow', async (t) => {
    const forged = [
      'x',
      '-1',
      '1_2',
      `1_${'0'.repeat(16)}.`,
      '1; DROP',
      '9'.repeat(16),
      `1${`_${'a'.repeat(16)}.1`.repeat(51)}`,
    ]
    for (const id of forged) {
      const { status, code } = await open(admin, '', { 'last-event-id': id })
      assert.deepEqual([status, code], [400, 'ID9661'], id)
    }
    assert.equal((await open(admin, '', { 'last-event-id': '1'.repeat(70_000) })).status, 431)
    const since = new Date(service.now()).toISOString()
    const numbers = await write(1)
    for (const id of ['0', `999999999999999_${'0'.repeat(16)}.1`]) {
      const stream = await listen(t, admin, `${marked}&since=${since}`, {
        'last-event-id': id,
      })
      assert.deepEqual(numbersOf(await stream.take(1)), numbers, id)
    }
    const outsider = await adminProgram(service, ['admin:clients'], { id: 'outsider' })
    assert.equal((await open(outsider, '', { 'last-event-id': '0' })).status, 403)
  })

  it('keeps a quiet connection alive, and says from where to go on', async (t) => {
    const stream = await listen(t, admin, '?kind=unheard')
    const begun = await stream.next()
    await write(1)
    const [number] = await write(1)
    const alive = await stream.next()
    assert.deepEqual([begun?.data, alive?.data], [undefined, undefined])
    const again = await listen(t, admin, marked, { 'last-event-id': begun?.id ?? '' })
    assert.deepEqual(numbersOf(await again.take(2)).at(-1), number)
    const later = await listen(t, admin, marked, { 'last-event-id': alive?.id ?? '' })
    const next = await write(1)
    assert.deepEqual(numbersOf(await later.take(1)), next)
  })

  it('answers HEAD without listening', async () => {
    for (let time = 0; time < 6; time += 1) {
      const url = new URL('admin/api/v1/audit/stream', service.issuer)
      const response = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${admin.token}` } })
      assert.deepEqual([response.status, await response.text()], [200, ''])
    }
  })
})

describe('the audit trail is not for everybody', () => {
  it('neither to read, to follow nor to verify', async () => {
    const helper = await adminProgram(service, ['admin:users', 'admin:clients', 'admin:keys'], { id: 'helper' })
    const person = await adminPerson(service, [], { name: 'nobody' })
    for (const caller of [helper, person.caller]) {
      assert.equal((await caller.get('/audit')).status, 403)
      assert.equal((await open(caller)).status, 403)
      assert.equal((await caller.post('/audit/verify')).status, 403)
    }
    assert.equal((await fetch(new URL('admin/api/v1/audit/stream', service.issuer))).status, 401)
  })
})

describe('a stream ends', () => {
  const update = (id: string, change: object) => service.storage.users.update(id, (found) => ({ ...found, ...change }))
  const endings: Readonly<Record<string, (id: string, clientId: string) => Promise<unknown>>> = {
    'with the role': (id) => update(id, { roles: [] }),
    'with a lock': (id) => update(id, { disabled: true }),
    'with the person': (id) => service.storage.users.delete(id, []),
    'with the scope of the client': (_id, clientId) =>
      service.storage.clients.update(clientId, (client) => ({ ...client, scopes: [] })),
    'with the client': (_id, clientId) => service.storage.clients.delete(clientId),
    'with the token': async () => service.advance(3600),
  }
  for (const [name, end] of Object.entries(endings)) {
    it(`${name}, before the next entry`, async (t) => {
      const at = Object.keys(endings).indexOf(name)
      const scopes = ['admin:audit', ...(at === 3 ? ['admin:keys'] : at === 4 ? ['admin:clients'] : [])]
      const { user, caller } = await adminPerson(service, ['latchkey-admin'], { name: `auditor-${at}`, scopes })
      const stream = await listen(t, caller, marked)
      const [number] = await write(1)
      assert.deepEqual(numbersOf(await stream.take(1)), [number])
      await end(user.id, `app-${scopes.join('-')}`)
      await write(1)
      assert.deepEqual(await stream.rest(), [])
    })
  }

  it('when the database cannot be read, and goes on where it was', async (t) => {
    admin = await adminProgram(service, ['admin:audit:read'], { id: 'after an hour' })
    const stream = await listen(t, admin, marked)
    await write(1)
    const [last] = await stream.take(1)
    isAway = true
    t.after(() => {
      isAway = false
    })
    assert.deepEqual(await stream.rest(), [])
    const [missed] = await write(1)
    isAway = false
    const again = await listen(t, admin, marked, { 'last-event-id': last?.id ?? '' })
    assert.deepEqual(numbersOf(await again.take(1)), [missed])
  })
})

describe('many streams', () => {
  it('are four for a caller, and thirty-two in a process', async () => {
    const callers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => adminProgram(service, ['admin:audit:read'], { id: `listener-${at}` })),
    )
    const mine = await Promise.all(Array.from({ length: 10 }, () => open(callers[0] ?? admin)))
    assert.deepEqual(mine.map(({ status }) => status).sort(), [...Array(4).fill(200), ...Array(6).fill(429)])
    const refused = mine.find(({ status }) => status === 429)
    assert.deepEqual([refused?.response.headers.get('retry-after'), refused?.code], ['5', 'ID9662'])
    const all = await Promise.all(callers.slice(1).flatMap((caller) => Array.from({ length: 10 }, () => open(caller))))
    assert.equal(all.filter(({ status }) => status === 200).length, 28)
    const opened = [...mine, ...all].filter(({ status }) => status === 200)
    const numbers = await write(2)
    await Promise.all(
      opened.map(async ({ stream }) => {
        let received: Received[] = []
        while (received.length < 2)
          received = [...received, ...(await stream.take(1)).filter(({ data }) => data.kind === 'sign_out')]
        assert.deepEqual(numbersOf(received), numbers)
      }),
    )
    for (const { stream } of opened) stream.hangUp()
    // Whoever hung up counts no more.
    for (let status = 0; status !== 200; ) {
      const last = await open(callers[0] ?? admin)
      status = last.status
      last.stream.hangUp()
    }
  })

  it('lose nothing for a client that reads slowly, and keep little for it', async () => {
    const never = new AbortController()
    const { audit } = service.storage
    const feed = auditFeed({ audit, clock: service.now, everyMs: 5, ended: never.signal })
    const request = { filter: { kind: 'sign_out' }, from: undefined, mayGoOn: async () => true }
    const [slow, quick] = await Promise.all([1, 2].map(() => feed.listen({ ...request, owner: 'x' })))
    assert.ok(slow && quick)
    const numbers: number[] = []
    const numbersIn = (text: string) => [...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number))
    let parts: string[] = []
    const readAll = async (listener: BodyStream) => {
      const told: number[] = []
      parts = []
      while (told.length < numbers.length) {
        const part = await listener.next()
        assert.ok(part !== undefined)
        parts.push(part)
        told.push(...numbersIn(part))
      }
      return told
    }
    for (let round = 0; round < 10; round += 1) numbers.push(...(await write(300)))
    assert.deepEqual(await readAll(quick), numbers)
    assert.deepEqual(await readAll(slow), numbers)
    assert.ok(parts.every((part) => part.length < 300_000))
    never.abort()
    assert.deepEqual([await slow.next(), await quick.next(), feed.count()], [undefined, undefined, 0])
  })

  it('leave nothing running when the service stops while the first of them begins', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const stop = new AbortController()
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    let looks = 0
    const { audit } = service.storage
    const tails: typeof audit.tails = (...range) => held.then(() => audit.tails(...range))
    const list: typeof audit.list = (...page) => {
      looks += 1
      return audit.list(...page)
    }
    const feed = auditFeed({ audit: { tails, list }, clock: service.now, everyMs: 1, ended: stop.signal })
    const request = { owner: 'x', filter: {}, from: undefined, mayGoOn: async () => true }
    const listening = feed.listen(request)
    stop.abort()
    letGo()
    const listener = await listening
    assert.equal(await listener?.next(), undefined)
    assert.equal(feed.count(), 0)
    t.mock.timers.tick(10)
    assert.equal(looks, 0)
  })

  it('end when the service stops, and when another application takes over', async () => {
    const own = await startService({}, { followEveryMs: 20 })
    const caller = await adminProgram(own, ['admin:audit:read'])
    const url = new URL('admin/api/v1/audit/stream', own.issuer)
    const response = await fetch(url, { headers: { authorization: `Bearer ${caller.token}` } })
    const [text] = await Promise.all([response.text(), own.stop()])
    assert.match(text, /^retry: /)
  })
})
