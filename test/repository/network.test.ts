/** What keeps the tests on this machine: `test/support/loopback-only.ts`, loaded by both runs. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { guardedEnvironment } from '../../scripts/test-step.ts'

/** 192.0.2.0/24 is nobody's (RFC 5737): without the guard a connection to it waits for minutes. */
const attempts: Readonly<Record<string, string>> = {
  'a request to a name': `fetch('http://example.com/').catch((error) => { throw error.cause })`,
  'a request to an address': `fetch('https://192.0.2.1/').catch((error) => { throw error.cause })`,
  'a request by node:http': `new Promise((_, no) => http.get('http://192.0.2.1/').on('error', no))`,
  'a connection': `new Promise((_, no) => net.connect(443, '192.0.2.1').on('error', no))`,
  'a connection by options': `new Promise((_, no) => net.connect({ port: 443, host: '2001:db8::1' }).on('error', no))`,
  'a connection under TLS': `new Promise((_, no) => tls.connect(443, '192.0.2.1').on('error', no))`,
  'a question for an address': `new Promise((_, no) => lookup('example.com', no))`,
  'a question that is a promise': `promises.resolve4('example.com')`,
  'a question of a resolver': `new promises.Resolver().resolve4('example.com')`,
  'a datagram': `new Promise((_, no) => { try { dgram.createSocket('udp4').send('x', 9, '192.0.2.1') } catch (error) { no(error) } })`,
  'a thread': `new Promise((_, no) => new Worker("import('node:net').then(({ connect }) => connect(1, '192.0.2.1'))", { eval: true }).on('error', no))
    .catch(({ message }) => { throw { code: /ERR_LEAVES_THE_MACHINE|loopback addresses alone/.test(message) ? 'ERR_LEAVES_THE_MACHINE' : message } })`,
}

const imports = `
  import dgram from 'node:dgram'
  import { lookup, promises } from 'node:dns'
  import http from 'node:http'
  import net from 'node:net'
  import tls from 'node:tls'
  import { Worker } from 'node:worker_threads'
  const server = http.createServer((_, answer) => answer.end()).listen(0, 'localhost')
  await new Promise((resolve) => server.on('listening', resolve))
  const { port } = server.address()`

/** The code of the error that each expression ends with, in one process; `passed` when it ends well. */
function outcomes(expressions: readonly string[]): string[] {
  const script = `${imports}
    const said = []
    for (const attempt of [${expressions.map((expression) => `() => ${expression}`).join(', ')}]) {
      said.push(await attempt().then(() => 'passed', (error) => error.code))
    }
    console.log(JSON.stringify(said))
    process.exit()`
  const parameters = ['--input-type=module', '--eval', script]
  return JSON.parse(execFileSync(process.execPath, parameters, { env: guardedEnvironment(), encoding: 'utf8' }))
}

describe('the network of the tests', () => {
  it('ends at this machine, whatever is tried', () => {
    const said = outcomes(Object.values(attempts))
    assert.deepEqual(
      Object.fromEntries(Object.keys(attempts).map((what, at) => [what, said[at]])),
      Object.fromEntries(Object.keys(attempts).map((what) => [what, 'ERR_LEAVES_THE_MACHINE'])),
    )
  })

  it('has loopback addresses, and names that never exist', () => {
    const said = outcomes([
      "fetch('http://127.0.0.1:' + port)",
      "fetch('http://localhost:' + port)",
      `new Promise((yes, no) => net.connect(port, '127.0.0.1').on('connect', yes).on('error', no))`,
      'new Promise((yes, no) => net.connect({ port }).on("connect", yes).on("error", no))',
      `promises.lookup('localhost')`,
      `promises.lookup('no-such-host.invalid')`,
    ])
    assert.deepEqual(said, [...Array(5).fill('passed'), 'ENOTFOUND'])
  })
})
