/** The end of a process: nothing that was begun is cut off, and nobody waits for ever. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { Browser } from '../support/browser.ts'
import { password } from '../support/service.ts'
import { assertNone } from '../support/values.ts'
import { assertStops, beginPost, serve } from './running.ts'

const cookiesOf = (browser: Browser) => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Whether a new connection is accepted; false only when it is refused. */
async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    // A reset: the connection came between the end of listening and that of its queue.
    const { code } = error as NodeJS.ErrnoException
    assert.match(code ?? '', /^ECONN(?:REFUSED|RESET)$/)
    return code === 'ECONNRESET'
  } finally {
    socket.destroy()
  }
}

describe('SIGTERM', () => {
  it('lets a sign-in that is under way succeed, takes no new connection, and ends with 0', async (t) => {
    const service = await serve(t)
    const browser = new Browser(service)
    const token = await browser.antiforgeryToken()
    const fields = { username: 'alice', password, __RequestVerificationToken: token }
    const signIn = await beginPost(service.port, '/Account/Login', fields, cookiesOf(browser))
    service.child.kill('SIGTERM')
    await service.logged('stopping')
    // The line is written just before the listening ends.
    while (await accepts(service.port));
    // The password is hashed and the session stored only now.
    const answer = await signIn.finish()
    assert.match(answer, /^HTTP\/1\.1 302 /)
    assert.match(answer, /^set-cookie: latchkey\.session=[^;]{20,}/im)
    assert.deepEqual(await service.ended, { code: 0, signal: null })
    assert.deepEqual(
      service
        .log()
        .slice(-2)
        .map(({ msg }) => msg),
      ['signed in', 'stopped'],
    )
  })

  it('turns /readyz to 503 first, and answers everything else for as long as Server:DrainDelay says', async (t) => {
    const service = await serve(t, { env: { Server__DrainDelay: '600' } })
    assert.equal((await fetch(`${service.issuer}readyz`)).status, 200)
    service.child.kill('SIGTERM')
    await service.logged('stopping')
    const readiness = await fetch(`${service.issuer}readyz`)
    assert.equal(readiness.status, 503)
    assert.deepEqual(await readiness.json(), { status: 'stopping' })
    assert.equal((await fetch(`${service.issuer}healthz`)).status, 200)
    assert.match((await new Browser(service).signIn()).headers.get('set-cookie') ?? '', /latchkey\.session=/)
    // Ten minutes are left; who wants it sooner says it twice.
    service.child.kill('SIGTERM')
    assert.deepEqual(await service.ended, { code: null, signal: 'SIGTERM' })
  })

  it('closes each connection with its next answer meanwhile, so that a proxy meets no closed one', async (t) => {
    const service = await serve(t, { env: { Server__DrainDelay: '1' } })
    const kept = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    t.after(() => {
      for (const agent of kept) agent.destroy()
    })
    const ask = (agent: Agent) =>
      new Promise<{ readonly connection: string | undefined; readonly reused: boolean; readonly error?: string }>(
        (resolve) => {
          const sent = request({ agent, port: service.port, host: '127.0.0.1', path: '/healthz' }, (answer) => {
            answer.resume().once('end', () => {
              resolve({ connection: answer.headers.connection, reused: sent.reusedSocket })
            })
          })
          sent.once('error', ({ code, message }: NodeJS.ErrnoException) => {
            resolve({ connection: undefined, reused: sent.reusedSocket, error: code ?? message })
          })
          sent.end()
        },
      )
    for (const { connection } of await Promise.all(kept.map(ask))) assert.equal(connection, 'keep-alive')
    service.child.kill('SIGTERM')
    await service.logged('stopping')
    const [first = [], ...others] = await Promise.all(
      kept.map(async (agent) => {
        const answers = [await ask(agent)]
        while (answers.at(-1)?.error === undefined) answers.push(await ask(agent))
        return answers
      }),
    )
    assert.ok(first.length > 5, `only ${first.length} answers`)
    for (const answers of [first, ...others]) {
      assert.equal(answers[0]?.reused, true)
      // On a connection that was used before nothing fails; the last one of all is refused, or was never accepted.
      assertNone(answers.filter(({ reused, error }) => reused && error !== undefined))
      assert.deepEqual([...new Set(answers.slice(0, -1).map(({ connection }) => connection))], ['close'])
    }
    assert.deepEqual(await service.ended, { code: 0, signal: null })
  })

  it('answers the request of a connection that was made before the listening ended and sent nothing until after', async (t) => {
    const service = await serve(t)
    const socket = connect(service.port, '127.0.0.1').setEncoding('utf8')
    await once(socket, 'connect')
    service.child.kill('SIGTERM')
    await service.logged('stopping')
    while (await accepts(service.port));
    const answered = once(socket, 'data')
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost:${service.port}\r\n\r\n`)
    assert.match(String(await answered), /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
    assert.deepEqual(await service.ended, { code: 0, signal: null })
  })

  it('does not wait for a connection that sends nothing', async (t) => {
    const service = await serve(t)
    const socket = connect(service.port, '127.0.0.1')
    await once(socket, 'connect')
    await assertStops(service)
    assertNone(service.log().filter(({ msg }) => msg.includes('in time')))
    socket.destroy()
  })

  it('ends at once when it comes a second time, whatever is under way', async (t) => {
    const service = await serve(t)
    const signIn = await beginPost(service.port, '/Account/Login', { username: 'alice' })
    signIn.socket.on('error', () => {})
    service.child.kill('SIGTERM')
    await service.logged('stopping')
    service.child.kill('SIGINT')
    assert.deepEqual(await service.ended, { code: null, signal: 'SIGINT' })
  })
})
