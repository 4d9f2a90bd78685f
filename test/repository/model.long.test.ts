import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { bottlenecks, parts, peopleOfPrimary, regionsFor, sizeOf } from '../../bench/model/bottlenecks.ts'
import { needsOf, peakRates } from '../../bench/model/demand.ts'
import { Heap } from '../../bench/model/heap.ts'
import { type Inputs, merged, parseInputs, WrongInputs } from '../../bench/model/inputs.ts'
import { readModelOptions, Usage } from '../../bench/model/options.ts'
import { dealt, interpolated, predict } from '../../bench/model/prediction.ts'
import { type Outcome, type Plan, simulate } from '../../bench/model/simulation.ts'
import { amount, bytes } from '../../bench/model/text.ts'
import { type Passed, startRelay } from '../../bench/relay.ts'
import { root } from './sources.ts'

const core = { name: 'core', servers: 1, machine: 0 }
const disk = { name: 'disk', servers: 1, machine: null }
const long = { seconds: 200, warmUpSeconds: 5 }

/** Requests of 1 ms arrive at random at one place. */
function arriving(perSecond: number, plan: Partial<Plan> = {}): Outcome {
  return simulate({
    machines: [1],
    places: [core],
    journeys: [[{ place: 0, us: 1000 }]],
    load: { kind: 'open', journeys: [{ journey: 0, perSecond }] },
    times: 'exponential',
    ...long,
    ...plan,
  })
}

const near = (actual: number, wanted: number, within: number, what: string) =>
  assert.ok(Math.abs(actual / wanted - 1) <= within, `${what}: ${actual} instead of ${wanted}`)

const connections = (count: number) => ({
  kind: 'closed' as const,
  connections: Array.from({ length: count }, () => ({ journey: 0 })),
})

describe('the simulation of a single place', () => {
  it('waits as long as the theory of queues says where times are random (M/M/1)', () => {
    for (const load of [0.3, 0.6, 0.8]) {
      const { meanUs, p99Us, inUse } = arriving(load * 1000)
      near(meanUs, 1000 / (1 - load), 0.06, `mean at ${load}`)
      // The time in the system is exponential, too.
      near(p99Us, (1000 / (1 - load)) * Math.log(100), 0.12, `p99 at ${load}`)
      near(inUse[0] as number, load, 0.03, `use at ${load}`)
    }
  })

  it('waits half as long where each request takes the same time (M/D/1)', () => {
    for (const load of [0.5, 0.8]) {
      const { meanUs } = arriving(load * 1000, { times: 'fixed' })
      near(meanUs, 1000 + (load * 1000) / (2 * (1 - load)), 0.05, `mean at ${load}`)
    }
  })

  it('shares a core among threads, whatever the times are (M/G/1 with processor sharing)', () => {
    const threads = { ...core, servers: Number.POSITIVE_INFINITY }
    for (const times of ['fixed', 'exponential'] as const) {
      near(arriving(700, { places: [threads], times }).meanUs, 1000 / 0.3, 0.08, times)
    }
  })

  it('shares two cores among two threads so that neither waits for the other', () => {
    const threads = { ...core, servers: 2 }
    const { rate } = simulate({
      machines: [2],
      places: [threads],
      journeys: [[{ place: 0, us: 1000 }]],
      load: connections(2),
      times: 'fixed',
      seconds: 5,
      warmUpSeconds: 1,
    })
    near(rate, 2000, 0.01, 'rate')
  })
})

describe('the simulation of several places', () => {
  const journey = [
    { place: 0, us: 200 },
    { place: 1, us: 500 },
    { place: 0, us: 100 },
  ]

  it('goes as fast as its busiest place when enough connections keep it busy, and not faster', () => {
    const { rate, inUse } = simulate({
      machines: [1],
      places: [core, disk],
      journeys: [journey],
      load: connections(32),
      times: 'fixed',
      seconds: 20,
      warmUpSeconds: 1,
    })
    near(rate, 2000, 0.01, 'rate')
    near(inUse[1] as number, 1, 0.01, 'use of the disk')
  })

  it('is bound by the cores when places share them', () => {
    const { rate } = simulate({
      machines: [1],
      places: [core, { ...core, name: 'other' }],
      journeys: [journey],
      load: connections(32),
      times: 'fixed',
      seconds: 20,
      warmUpSeconds: 1,
    })
    near(rate, 1e6 / 800, 0.01, 'rate')
  })

  it('loses no request and invents none, and keeps to the law of Little', () => {
    for (const load of [connections(9), { kind: 'open' as const, journeys: [{ journey: 0, perSecond: 1500 }] }]) {
      const { arrived, answered, left, rate, meanUs, underWay } = simulate({
        machines: [2],
        places: [core, disk],
        journeys: [journey],
        load,
        times: 'exponential',
        seconds: 60,
        warmUpSeconds: 5,
      })
      assert.equal(arrived, answered + left)
      near(underWay, (rate * meanUs) / 1e6, 0.01, 'requests under way')
    }
  })

  it('commits together what waits for the disk, and no more than there are connections to the database', () => {
    const writing = (servers: number) =>
      simulate({
        machines: [4],
        places: [
          { name: 'database', servers, machine: 0 },
          { name: 'flush', servers: 1, machine: null, together: true },
        ],
        journeys: [
          [
            { place: 0, us: 10, holds: true },
            { place: 1, us: 1000 },
          ],
        ],
        load: connections(64),
        times: 'fixed',
        seconds: 5,
        warmUpSeconds: 1,
      })
    const ten = writing(10)
    assert.ok((ten.together[1] as number) <= 10, `${ten.together[1]} together`)
    near(writing(20).rate, 2 * ten.rate, 0.1, 'rate with twice as many connections')
  })

  it('gives the same figures again for the same seed, and others for another', () => {
    const shortly = { seconds: 2, warmUpSeconds: 0 }
    assert.deepEqual(arriving(500, shortly), arriving(500, shortly))
    assert.notDeepEqual(arriving(500, { ...shortly, seed: 2 }), arriving(500, shortly))
  })
})

describe('the order of events', () => {
  it('is that of their times, and of their arrival where times are equal', () => {
    const heap = new Heap<string>()
    for (const [key, value] of [
      [3, 'd'],
      [1, 'a'],
      [2, 'b'],
      [2, 'c'],
    ] as const)
      heap.add(key, value)
    assert.deepEqual(
      Array.from({ length: 4 }, () => heap.take()),
      ['a', 'b', 'c', 'd'],
    )
    assert.equal(heap.take(), undefined)
    assert.equal(heap.first(), undefined)
  })
})

describe('the relay that counts what passes to the database', () => {
  it('counts one round trip for all that is sent before an answer', async (t) => {
    // Answers each line that ends with a full stop.
    const server = createServer((socket) => {
      socket.on('data', (data) => socket.write('!'.repeat(data.toString().split('.').length - 1)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const relay = await startRelay(`postgres://127.0.0.1:${port}/`)
    const client = connect(Number(new URL(relay.address).port), '127.0.0.1').setNoDelay()
    t.after(() => {
      client.destroy()
      relay.stop()
      server.close()
    })
    for (const text of ['a.', 'b.c.d.', 'e.']) {
      client.write(text)
      let answered = ''
      while (answered.length < text.length / 2) answered += (await once(client, 'data'))[0]
    }
    const passed = (await (await fetch(relay.counters)).json()) as Passed
    assert.deepEqual(passed, { roundTrips: 3, toDatabase: 10, fromDatabase: 5 })
  })
})

/** Round costs: 100 µs of a node and 50 of the database for everything, and a hash of 10 ms. */
function roundInputs(): Inputs {
  const values: Record<string, number> = { 'argon2.native': 10_000, 'argon2.runtime': 25_000, flush: 100 }
  for (const act of ['signin-people', 'signin-passkey', 'authorize', 'token', 'refresh', 'introspection']) {
    const writes = act === 'authorize' || act === 'introspection' ? 0 : 1
    const costs = { writes, entries: writes, roundTrips: 1 + writes, wal: 1000 * writes }
    const traffic = { fromClient: 500, toClient: 1500, toDatabase: 400, fromDatabase: 600 }
    const node = act === 'signin-people' ? 10_100 : 100
    const cpu = { 'node.16': node, 'database.16': 50 }
    for (const [name, value] of Object.entries({ ...costs, ...traffic, ...cpu })) values[`${act}.${name}`] = value
  }
  for (const table of ['users', 'known_browsers', 'authorizations', 'sessions', 'grants', 'audit_entries']) {
    values[`rows.${table}.table`] = 300
    values[`rows.${table}.index`] = 100
  }
  const named = Object.entries(values).map(([name, value]) => [name, { value, unit: '', how: '', when: '' }] as const)
  return { machine: 'none', cores: 2, values: Object.fromEntries(named), points: [] }
}

const siteOf = (...parameters: string[]) => readModelOptions(['--users', '1000000', ...parameters]).site

describe('the model of a site', () => {
  const inputs = roundInputs()

  it('turns habits of people into requests of the busiest second', () => {
    const rates = peakRates(
      siteOf('--failures', '0', '--peak-share', '0.36', '--applications', '5', '--passkeys', '0.25'),
    )
    assert.deepEqual(
      Object.entries(rates).map(([act, rate]) => `${act} ${Math.round(rate)}`),
      ['signin-people 75', 'signin-passkey 25', 'authorize 500', 'token 500', 'refresh 1389', 'introspection 1889'],
    )
  })

  it('adds up what they cost', () => {
    const needs = needsOf(inputs, siteOf('--failures', '0', '--peak-share', '0.36'))
    near(needs.passwordCores, 1, 0.001, 'cores of passwords')
    near(needs.mainCores, (100 + 500 + 500 + 1389 + 1889) * 1e-4, 0.001, 'cores of main threads')
    near(needs.databaseCores, (100 + 500 + 500 + 1389 + 1889) * 5e-5, 0.001, 'cores of the database')
    near(needs.commits, 100 + 500 + 1389, 0.001, 'commits')
    near(needs.wal.rows, needs.commits * 1000, 0.001, 'log')
    near(needs.entriesADay, 1e6 * (1 + 5 + 40), 0.001, 'entries a day')
    near(needs.disk.audit, needs.entriesADay * 365 * 400, 0.001, 'audit trail')
    near(needs.disk.grants, 1e6 * 5 * 14 * 400 * 1.5, 0.001, 'grants')
  })

  it('needs twice as much for twice as many people', () => {
    const [one, two] = [1, 2].map((times) => sizeOf(inputs, { ...siteOf(), users: times * 1e6 }))
    for (const name of ['mainCores', 'databaseCores', 'commits', 'walBytes', 'diskBytes', 'clientNetwork'] as const) {
      near(two?.[name] as number, 2 * (one?.[name] as number), 1e-9, name)
    }
  })

  it('needs no core for passwords where all have passkeys, and more for the slower hash', () => {
    assert.equal(needsOf(inputs, siteOf('--passkeys', '1')).passwordCores, 0)
    const [native, runtime] = ['native', 'runtime'].map((hash) => needsOf(inputs, siteOf('--hash', hash)).passwordCores)
    near((runtime as number) / (native as number), 2.5, 1e-9, 'ratio')
  })

  it('keeps failed sign-ins only as long as they are retained, and never more than a hundred sessions of a person', () => {
    const kept = (days: string) =>
      needsOf(inputs, siteOf('--failures', '1', '--refreshes', '0', '--applications', '0', '--refusal-days', days)).disk
        .audit
    near(kept('365') / kept('0'), 2, 1e-9, 'ratio')
    near(needsOf(inputs, siteOf('--sign-ins', '50')).disk.sessions, 1e6 * 100 * 400, 1e-9, 'sessions')
  })

  it('finds where each part ends: there it uses what there is, and the first comes first', () => {
    const site = siteOf()
    const found = bottlenecks(inputs, site)
    assert.equal(found.length, parts.length)
    for (const { part, people } of found) {
      const used = part.uses(sizeOf(inputs, { ...site, users: people }))
      // Connections come in pools.
      near(used, part.has(site, inputs), part.name === 'connections of the primary' ? 0.05 : 1e-4, part.name)
    }
    const people = found.map((one) => one.people)
    assert.deepEqual(
      people,
      people.toSorted((a, b) => a - b),
    )
  })

  it('splits people into regions that each stay within the bounds of a primary', () => {
    const site = { ...siteOf(), users: 1e8 }
    const { regions, people } = regionsFor(inputs, site)
    const { people: most } = peopleOfPrimary(inputs, site)
    near(regions * people, 1e8, 1e-9, 'people in all regions')
    assert.ok(people <= most && site.users / (regions - 1) > most, `${regions} regions of ${people}`)
    assert.equal(regionsFor(inputs, { ...site, users: 10 }).regions, 1)
  })

  it('foretells that a process goes as fast as its main thread on cores of its own, and two twice as fast', () => {
    const measured = { operation: 'refresh', kind: 'nodes', connections: 32, othersShare: 0 } as const
    const point = {
      ...measured,
      processes: 1,
      nodeUs: 100,
      databaseUs: 50,
      generatorUs: 20,
    } as Inputs['points'][number]
    const [few, many] = [2, 16].map((cores) => ({ ...inputs, cores, points: [point] }))
    const rate = (on: Inputs | undefined, processes: number) =>
      predict(on as Inputs, { ...measured, processes, connections: 32 * processes }).rate
    near(rate(many, 1), 1e6 / 100, 0.05, 'one process')
    near(rate(many, 2) / rate(many, 1), 2, 0.05, 'two to one')
    // On two cores, everything that they do adds up.
    near(rate(few, 2), 2e6 / (100 + 50 + 20), 0.05, 'two cores')
    assert.throws(() => predict(inputs, { ...measured, processes: 1 }), WrongInputs)
  })

  it('takes costs from between the numbers of connections that were measured', () => {
    const known = [
      { at: 64, value: 50 },
      { at: 16, value: 100 },
    ]
    assert.equal(interpolated(known, 4), 100)
    assert.equal(interpolated(known, 16), 100)
    near(interpolated(known, 32), 75, 1e-9, 'half way')
    assert.equal(interpolated(known, 1000), 50)
  })

  it('deals connections out evenly to nodes, and as it comes to workers', () => {
    const counts = (kind: 'nodes' | 'workers') =>
      [0, 1, 2].map((process) => dealt(kind, 3, 300).filter(({ journey }) => journey === process).length)
    assert.deepEqual(counts('nodes'), [100, 100, 100])
    const workers = counts('workers')
    assert.equal(
      workers.reduce((sum, count) => sum + count, 0),
      300,
    )
    assert.ok(workers.every((count) => count > 60 && count < 140) && new Set(workers).size > 1, String(workers))
  })
})

describe('the inputs of the model', () => {
  it('are refused with the place that is wrong', () => {
    const value = { value: 1, unit: 'µs', how: 'so', when: '2026-01-01' }
    const whole = { machine: '', cores: 2, values: { a: value }, points: [] }
    assert.deepEqual(parseInputs(JSON.stringify(whole), 'f'), whole)
    for (const [text, wanted] of [
      ['', /^f is not JSON/],
      ['null', /^f is not an object/],
      [JSON.stringify({ ...whole, cores: 0 }), /cores/],
      [JSON.stringify({ ...whole, values: { a: { ...value, value: -1 } } }), /values: a has no number/],
      [JSON.stringify({ ...whole, values: { a: { value: 1, unit: '' } } }), /values: a does not say how/],
      [JSON.stringify({ ...whole, points: [{ operation: 'refresh' }] }), /points: number 1 is not complete/],
    ] as const) {
      assert.throws(
        () => parseInputs(text, 'f'),
        (error: Error) => error instanceof WrongInputs && wanted.test(error.message),
      )
    }
  })

  it('keep what was not measured again', () => {
    const point = (operation: string, rate: number) =>
      ({ operation, kind: 'nodes', processes: 1, connections: 16, rate }) as Inputs['points'][number]
    const before = { ...roundInputs(), points: [point('a', 1), point('b', 1)] }
    const again = { ...before, values: { flush: { value: 7, unit: '', how: '', when: '' } }, points: [point('b', 2)] }
    const { values, points } = merged(before, again)
    assert.equal(values.flush?.value, 7)
    assert.equal(values['argon2.native']?.value, 10_000)
    assert.deepEqual(
      points.map(({ operation, rate }) => [operation, rate]),
      [
        ['a', 1],
        ['b', 2],
      ],
    )
  })
})

describe('the command of the model', () => {
  it('says what is wrong with its options', () => {
    for (const wrong of [
      ['--users', 'many'],
      ['--users', '0'],
      ['--users', '1.5'],
      ['--users', ''],
      ['--hash', 'md5'],
      ['--passkeys', '2'],
      ['--tea'],
      ['tea'],
      ['--audit-days', '-1'],
    ]) {
      assert.throws(() => readModelOptions(wrong), Usage, wrong.join(' '))
    }
    assert.deepEqual(readModelOptions(['--users', '10,20']).users, [10, 20])
    assert.equal(siteOf('--disk', '2').diskBytes, 2e12)
  })

  it('computes with the inputs that are here, and ends with one line where they are not', () => {
    const model = (...parameters: string[]) =>
      spawnSync(process.execPath, [join(root, 'bench', 'model.ts'), ...parameters], { encoding: 'utf8' })
    const { status, stdout, stderr } = model('--users', '10000,1000000')
    assert.equal(status, 0, stderr)
    for (const wanted of [
      /^The busiest second/m,
      /^ +10,000 +1 million$/m,
      /^ +audit trail +\d/m,
      /^How many people/m,
    ]) {
      assert.match(stdout, wanted)
    }
    const missing = model('--inputs', '/nowhere/inputs.json')
    assert.deepEqual([missing.status, missing.stderr], [1, 'model: /nowhere/inputs.json cannot be read: ENOENT\n'])
  })

  it('writes amounts with three digits', () => {
    const of = (write: (value: number) => string, ...values: number[]) => values.map(write)
    assert.deepEqual(of(amount, 0.123, 12.34, 999.4, 1234, 999_600, 1_234_567, 2e9, Number.POSITIVE_INFINITY), [
      '0.12',
      '12',
      '999',
      '1,230',
      '1 million',
      '1.23 million',
      '2 billion',
      'no end',
    ])
    assert.deepEqual(of(bytes, 12, 1234, 123_456, 12_345_678), ['12 B', '1.2 kB', '123 kB', '12 MB'])
  })
})
