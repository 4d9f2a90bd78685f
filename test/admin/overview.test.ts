/** `/doctor` and `/stats` of the admin API, on a service whose mail server accepts connections and says nothing. */
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { anEvent } from '../storage/records.ts'
import { type AdminCaller, adminPerson, adminProgram } from '../support/admin.ts'
import { Browser } from '../support/browser.ts'
import { serviceForFile } from '../support/service.ts'

type Finding = { readonly check: string; readonly status: string; readonly message: string; readonly advice: string }

const connections: Socket[] = []
let admin: AdminCaller
const silent = createServer((socket) => connections.push(socket))
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
const { port } = silent.address() as AddressInfo
const env = { Mail__Url: `smtp://postman:hush-hush@127.0.0.1:${port}`, Keys__MasterKey: `${'A'.repeat(43)}=` }
const service = await serviceForFile(env, { checkDeadlineMs: 2000 })
admin = await adminProgram(service, ['admin:read'])
after(async () => {
  for (const socket of connections) socket.destroy()
  silent.close()
})

describe('GET /doctor', () => {
  it('says what the command says, within its deadline although one check hangs, and shows no secret', async () => {
    const { status, headers, body } = await admin.get('/doctor')
    assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
    const found = new Map((body as Finding[]).map((one) => [one.check, one]))
    assert.deepEqual([...found.keys()].sort(), [
      'address',
      'audit',
      'clock',
      'database',
      'files',
      'keys',
      'mail',
      'passwords',
      'settings',
    ])
    assert.deepEqual(found.get('mail'), {
      check: 'mail',
      status: 'failed',
      message: 'The check of mail did not end within 2 seconds.',
      advice: 'Look at the log, and run: latchkey doctor',
    })
    assert.match(found.get('database')?.message ?? '', /in memory/)
    assert.equal(found.get('keys')?.message, 'All keys can be decrypted.')
    assert.doesNotMatch(JSON.stringify(body), /hush|postman|A{9}/)
  })

  it('shares one run among callers who come at once, and starts no check again that still hangs', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.get('/doctor')))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(connections.length, 1)
  })

  it('needs the permission to read everything', async () => {
    const { caller } = await adminPerson(service, ['latchkey-viewer'], { scopes: ['admin:read'] })
    assert.equal((await caller.get('/doctor')).status, 200)
    for (const scope of ['admin:users', 'admin:clients:read', 'admin:audit', 'admin:keys']) {
      assert.equal((await (await adminProgram(service, [scope])).get('/doctor')).status, 403, scope)
    }
  })
})

type Point = readonly [string, number]
type Series = { readonly kind: string; readonly points: readonly Point[] }

describe('GET /stats', () => {
  const sums = async (query = '') => {
    const { status, body } = await admin.get(`/stats${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    const series = body.series as Series[]
    return Object.fromEntries(series.map(({ kind, points }) => [kind, points.reduce((sum, [, n]) => sum + n, 0)]))
  }

  it('counts what happened by hour and by day in UTC, from the first request on', async () => {
    service.advance(3 * 86_400)
    admin = await adminProgram(service, ['admin:read'], { id: 'days-later' })
    const nothing = { sign_in: 0, sign_in_failed: 0, tokens_issued: 1, refusal: 0, error: 0 }
    assert.deepEqual(await sums(), nothing)
    const before = await sums('?step=day')
    const browser = await Browser.signedIn(service, { password: 'wrong' })
    await browser.signIn()
    await adminProgram(service, ['admin:read'], { id: 'counted' })
    const refused = new URL('connect/authorize?client_id=unknown', service.issuer)
    for (let at = 0; at < 3; at += 1) await fetch(refused, { redirect: 'manual' })
    await fetch(new URL('nowhere', service.issuer))
    // What whoever looks at the figures causes is left out; that somebody failed to is not.
    await service.storage.audit.append(
      (['sign_in', 'tokens_issued'] as const).map((kind) =>
        anEvent({ atMs: service.now(), kind, clientId: 'latchkey-console' }),
      ),
    )
    const { body } = await admin.get('/stats')
    const counted = { ...nothing, sign_in: 1, sign_in_failed: 1, tokens_issued: 2, refusal: 3 }
    assert.deepEqual(await sums(), counted)
    const days = await sums('?step=day')
    assert.deepEqual(
      Object.keys(before).map((kind) => (days[kind] ?? 0) - (before[kind] ?? 0)),
      [1, 1, 1, 3, 0],
    )
    const points = (body.series as Series[])[0]?.points ?? []
    assert.equal(points.length, 24)
    const hour = new Date(Math.floor(service.now() / 3_600_000) * 3_600_000).toISOString()
    assert.deepEqual([points.at(-1), points.at(0)?.[1]], [[hour, 1], 0])
    assert.deepEqual([body.step, body.since], ['hour', points[0]?.[0]])
    const byDay = (await admin.get('/stats?step=day')).body.series[0].points as Point[]
    assert.deepEqual([byDay.length, byDay.at(-1)], [30, [`${hour.slice(0, 10)}T00:00:00.000Z`, 1]])
  })

  it('takes a period of whole steps, and refuses one that is too long, reversed or none', async () => {
    const of = async (query: string) => (await admin.get(`/stats?${query}`)).body
    const day = await of('since=2030-01-31T10:59:00Z&until=2030-01-31T12:01:00%2B01:00')
    assert.deepEqual([day.since, day.until], ['2030-01-31T10:00:00.000Z', '2030-01-31T12:00:00.000Z'])
    assert.deepEqual(
      day.series[0].points.map(([at]: Point) => at),
      ['2030-01-31T10:00:00.000Z', '2030-01-31T11:00:00.000Z'],
    )
    const month = await of('since=2030-01-01T00:00:00Z&until=2030-01-31T23:59:59Z')
    assert.equal(month.series[0].points.length, 31 * 24)
    const year = await of('since=2029-01-01T00:00:00Z&until=2030-02-04T00:00:00Z&step=day')
    assert.equal(year.series[0].points.length, 400)
    assert.equal((await of('since=2999-01-01T00:00:00Z')).series[0].points.length, 1)
    for (const query of [
      'since=2030-01-01T00:00:00Z&until=2030-02-01T00:00:00Z',
      'since=2029-01-01T00:00:00Z&until=2030-02-05T00:00:00Z&step=day',
      'since=2030-01-02T00:00:00Z&until=2030-01-01T00:00:00Z',
      'since=-000009-01-01T00:00:00Z',
      'since=0009-01-01T00:00:00Z&until=0009-01-01T00:00:00Z',
      'since=%2B275760-09-13T00:00:00Z',
      'until=tomorrow',
      'step=minute',
      'step=hour&step=day',
      'kind=sign_in',
    ]) {
      const { status, body } = await admin.get(`/stats?${query}`)
      assert.deepEqual([status, body.errors.length], [400, 1], query)
    }
  })

  it('counts people, clients, sessions and grants that have not ended', async () => {
    // A busy machine counts in the background, and not again for a while.
    const counts = async () => {
      service.advance(600)
      for (;;) {
        const { counts } = (await admin.get('/stats')).body
        if (counts.exact && Date.parse(counts.at) > service.now() - 300_000) return counts
      }
    }
    const { at, ...before } = await counts()
    assert.ok(Date.parse(at) <= service.now())
    await adminPerson(service, [], { name: 'one-more', scopes: ['demo_api'] })
    const { at: _, ...after } = await counts()
    assert.deepEqual(after, {
      people: before.people + 1,
      clients: before.clients + 1,
      sessions: before.sessions + 1,
      grants: before.grants + 1,
      exact: true,
    })
    service.advance(400 * 86_400)
    admin = await adminProgram(service, ['admin:read'], { id: 'later' })
    const { sessions, grants, people } = await counts()
    assert.deepEqual([sessions, grants, people], [0, 0, after.people])
  })

  it('needs the permission to read everything', async () => {
    for (const scope of ['admin:users:read', 'admin:clients', 'admin:audit:read']) {
      const caller = await adminProgram(service, [scope], { id: `stats-${scope}` })
      assert.equal((await caller.get('/stats')).status, 403, scope)
    }
  })
})
