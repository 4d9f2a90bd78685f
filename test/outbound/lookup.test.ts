import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate as tick } from 'node:timers/promises'
import { askMachine, boundedLookups, lookupsWith } from '../../src/outbound/lookup.ts'
import { outboundWith } from '../../src/outbound/outbound.ts'
import { dnsServer } from '../support/dns-server.ts'

const forever = new AbortController().signal

/** A machine whose every answer the test gives. */
function machine() {
  const asked: string[] = []
  const open = new Map<string, (addresses: readonly string[]) => void>()
  const resolve = boundedLookups((hostname) => {
    asked.push(hostname)
    return new Promise((answer) => open.set(hostname, answer))
  })
  return { asked, resolve, answer: (name: string, ...addresses: string[]) => open.get(name)?.(addresses) }
}

describe('names resolve as the machine resolves them', () => {
  it('by the hosts file', () => {
    const lines = readFileSync('/etc/hosts', 'utf8').split('\n')
    const entries = lines.map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
    const [address = '', name = ''] =
      entries.find(([ip = '', host = 'localhost']) => isIP(ip) > 0 && !/localhost/.test(host)) ?? []
    assert.notEqual(name, '', 'the hosts file has a name of its own')
    const lookup = new URL('../../src/outbound/lookup.ts', import.meta.url).href
    const script = `const { askMachine } = await import('${lookup}'); console.log(JSON.stringify(await askMachine('${name}')))`
    const { NODE_OPTIONS: _, ...env } = process.env
    // Without the guard of the tests, which lets only `localhost` be asked for: no question leaves the machine.
    const parameters = ['--input-type=module', '--eval', script]
    const found: string[] = JSON.parse(execFileSync(process.execPath, parameters, { env, encoding: 'utf8' }))
    assert.ok(found.includes(address), `${name}: ${found}`)
  })

  it('and nothing is asked for names that mean this machine (RFC 6761 §6.3)', async () => {
    const { resolve, asked } = machine()
    assert.deepEqual(await resolve('localhost', forever, 'anybody'), ['127.0.0.1', '::1'])
    assert.deepEqual(await resolve('app.localhost', forever, 'anybody'), ['127.0.0.1', '::1'])
    assert.deepEqual(asked, [])
    assert.ok((await askMachine('localhost')).every((address) => /^127\.|^::1$/.test(address)))
  })

  it('and one that does not exist has no address', async () => {
    const client = outboundWith({ issuer: 'https://id.example/', clock: () => 0 })
    assert.deepEqual(await client.get('https://name.invalid/'), { failed: 'name.invalid cannot be resolved' })
    assert.equal(await client.check('https://name.invalid/'), undefined)
  })
})

describe('look-ups', () => {
  it('are two at once, so that they take no more threads than the runtime lends them', async () => {
    const { asked, resolve, answer } = machine()
    const found = ['a', 'b', 'c'].map((name) => resolve(name, forever, 'operator'))
    await tick()
    assert.deepEqual(asked, ['a', 'b'])
    answer('b', '192.0.2.2')
    assert.deepEqual(await found[1], ['192.0.2.2'])
    await tick()
    assert.deepEqual(asked, ['a', 'b', 'c'])
    answer('a', '192.0.2.1')
    answer('c')
    assert.deepEqual(await Promise.all(found), [['192.0.2.1'], ['192.0.2.2'], []])
  })

  it('for strangers have one place, and operators come first', async () => {
    const { asked, resolve, answer } = machine()
    const strangers = ['s1', 's2'].map((name) => resolve(name, forever, 'anybody'))
    await tick()
    assert.deepEqual(asked, ['s1'])
    const operators = ['o1', 'o2'].map((name) => resolve(name, forever, 'operator'))
    await tick()
    assert.deepEqual(asked, ['s1', 'o1'])
    answer('s1')
    await tick()
    assert.deepEqual(asked, ['s1', 'o1', 'o2'], 'before the stranger that waited longer')
    answer('o1')
    answer('o2')
    await Promise.all(operators)
    await tick()
    answer('s2')
    await Promise.all(strangers)
    assert.deepEqual(asked, ['s1', 'o1', 'o2', 's2'])
  })

  it('for holders of an initial access token do not wait for those of strangers', async () => {
    const { asked, resolve, answer } = machine()
    const slow = resolve('s1', forever, 'anybody')
    const found = resolve('t1', forever, 'token')
    await tick()
    assert.deepEqual(asked, ['s1', 't1'])
    answer('t1', '192.0.2.1')
    assert.deepEqual(await found, ['192.0.2.1'])
    answer('s1')
    await slow
  })

  it('for one name are one', async () => {
    const { asked, resolve, answer } = machine()
    const found = Array.from({ length: 20 }, () => resolve('a', forever, 'operator'))
    await tick()
    answer('a', '192.0.2.1')
    assert.deepEqual(await Promise.all(found), Array(20).fill(['192.0.2.1']))
    assert.deepEqual(asked, ['a'])
  })

  it('end for those who wait at their deadline, and keep their place until the machine answers', async () => {
    const { asked, resolve, answer } = machine()
    const deadline = new AbortController()
    const slow = ['a', 'b', 'c'].map((name) => resolve(name, deadline.signal, 'operator'))
    await tick()
    deadline.abort()
    assert.deepEqual(await Promise.all(slow), [[], [], []])
    const later = resolve('d', forever, 'operator')
    await tick()
    assert.deepEqual(asked, ['a', 'b'], 'who gave up while waiting is never asked for')
    answer('a', '192.0.2.1')
    await tick()
    assert.deepEqual(asked, ['a', 'b', 'd'])
    answer('d', '192.0.2.4')
    assert.deepEqual(await later, ['192.0.2.4'])
    answer('b')
  })
})

describe('names of strangers', () => {
  const slow = Array.from({ length: 20 }, (_, at) => `slow${at}.example`)
  const known = { 'app.example': '192.0.2.1', ...Object.fromEntries(slow.map((name) => [name, null])) }
  const machines = { 'app.example': '10.0.0.1', 'hosts.example': '10.0.0.2' } as Readonly<Record<string, string>>

  async function both() {
    const dns = await dnsServer(known)
    const asked: string[] = []
    const ask = async (name: string): Promise<readonly string[]> => {
      asked.push(name)
      return machines[name] === undefined ? [] : [machines[name]]
    }
    return { dns, asked, ...lookupsWith(ask, [dns.address]) }
  }

  it('are resolved by DNS alone, so that slow ones stop nobody, and end at their deadline', async () => {
    const { dns, asked, resolve } = await both()
    const deadline = new AbortController()
    const waiting = slow.map((name) => resolve(name, deadline.signal, 'anybody'))
    assert.deepEqual(await resolve('app.example', forever, 'anybody'), ['192.0.2.1'])
    assert.deepEqual(await resolve('app.example', forever, 'token'), ['192.0.2.1'])
    assert.deepEqual(await resolve('hosts.example', forever, 'anybody'), [])
    assert.deepEqual(await resolve('app.example', forever, 'operator'), ['10.0.0.1'])
    assert.deepEqual(asked, ['app.example'], 'of the machine, for the operator')
    assert.deepEqual(
      dns.asked.filter((name) => name.startsWith('slow')).sort(),
      slow.toSorted(),
      'each of them was asked for',
    )
    deadline.abort()
    assert.deepEqual(await Promise.all(waiting), Array(20).fill([]))
  })

  it('that a proxy resolves are asked of DNS, then of the machine, unless DNS does not answer', async () => {
    const { asked, known } = await both()
    assert.deepEqual(await known('app.example', forever, 'anybody'), ['192.0.2.1', '10.0.0.1'])
    assert.deepEqual(await known('hosts.example', forever, 'token'), ['10.0.0.2'])
    const deadline = new AbortController()
    const waiting = known('slow0.example', deadline.signal, 'anybody')
    await tick()
    deadline.abort()
    assert.deepEqual(await waiting, [])
    assert.deepEqual(asked, ['app.example', 'hosts.example'])
  })

  it('that mean this machine or never exist are asked of nobody (RFC 6761 §6.3, §6.4)', async () => {
    const { dns, asked, resolve, known } = await both()
    for (const by of ['anybody', 'operator'] as const) {
      for (const lookUp of [resolve, known]) {
        assert.ok((await lookUp('app.localhost', forever, by)).includes('127.0.0.1'))
        assert.deepEqual(await lookUp('name.invalid', forever, by), [])
      }
    }
    assert.deepEqual([...dns.asked, ...asked], [])
  })
})
