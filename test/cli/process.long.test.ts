/** The program as people start it: real processes, real signals. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { temporaryFolder } from '../support/lifetime.ts'
import { program, runProgram, startProgram } from '../support/program.ts'
import { freePort } from '../support/service.ts'

/** A server that answers; `port` is free. */
async function serve(t: TestContext, folder: string, env: Record<string, string> = {}, ...args: string[]) {
  const port = await freePort()
  const started = startProgram(t, ['serve', ...args], { folder, env: { Server__Port: String(port), ...env } })
  await started.logged('ready')
  return { ...started, port, base: `http://localhost:${port}` }
}

describe('a command whose reader has seen enough', () => {
  it('ends quietly', async (t) => {
    const folder = temporaryFolder(t)
    const shell = spawnSync('sh', ['-c', '("$0" --help; echo "ended: $?" >&2) | true', program], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.equal(shell.stderr, 'ended: 0\n')
  })

  it('says that the disk is full, and fails', async (t) => {
    const shell = spawnSync('sh', ['-c', '"$0" --help > /dev/full; echo "ended: $?" >&2', program], {
      cwd: temporaryFolder(t),
      encoding: 'utf8',
    })
    assert.equal(shell.stderr, 'error: Standard output cannot be written (ENOSPC).\nended: 1\n')
  })
})

describe('latchkey serve', () => {
  it('starts on an empty folder, writes JSON lines, and ends with 0 when asked to [C3.7]', async (t) => {
    const folder = temporaryFolder(t)
    const server = await serve(t, folder)
    const discovery = await fetch(`${server.base}/.well-known/openid-configuration`)
    assert.equal(((await discovery.json()) as { issuer: string }).issuer, `${server.base}/`)
    const keySet = await (await fetch(`${server.base}/.well-known/jwks`)).json()
    assert.equal((keySet as { keys: unknown[] }).keys.length, 2)
    server.child.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
    const lines = server
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
    assert.equal(lines.at(-1)?.msg, 'stopped')
    assert.match(lines[0]?.time ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    assert.deepEqual(readdirSync(join(folder, 'data')).sort(), ['latchkey.db', 'latchkey.db.key'])
  })

  it('lets a request that is under way finish before it ends', async (t) => {
    const server = await serve(t, temporaryFolder(t))
    const { Socket } = await import('node:net')
    const socket = new Socket()
    socket.connect(server.port, 'localhost')
    await once(socket, 'connect')
    socket.write(
      'POST /connect/revocation HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n',
    )
    socket.write('Content-Length: 7\r\nExpect: 100-continue\r\n\r\n')
    const [interim] = await once(socket, 'data')
    assert.match(String(interim), /^HTTP\/1\.1 100 /)
    server.child.kill('SIGTERM')
    while (!server.stdout().includes('"stopping"')) await once(server.child.stdout ?? socket, 'data')
    socket.write('token=x')
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 4\d\d /)
    socket.destroy()
    assert.equal((await server.ended).code, 0)
  })

  it('adds the demo, again and again, and lets its client call [S2.4.1, S2.4.5, C2.4, C2.8, C5.1, C5.2]', async (t) => {
    const folder = temporaryFolder(t)
    for (let round = 0; round < 2; round += 1) {
      const server = await serve(t, folder, {}, '--demo')
      const preflight = await fetch(`${server.base}/.well-known/openid-configuration`, {
        headers: { origin: 'http://localhost:5081' },
      })
      assert.equal(preflight.headers.get('access-control-allow-origin'), 'http://localhost:5081')
      // Beside the running server, on the same database.
      const users = JSON.parse((await runProgram(['user', 'list', '--json'], { folder })).stdout)
      assert.deepEqual(
        users.map(({ username, email, email_verified, roles }: Record<string, unknown>) => [
          username,
          email,
          email_verified,
          roles,
        ]),
        [['alice', 'alice@example.com', true, ['admin']]],
      )
      server.child.kill('SIGINT')
      assert.equal((await server.ended).code, 0)
    }
    const [client] = JSON.parse((await runProgram(['client', 'list', '--json'], { folder })).stdout)
    assert.equal(client.scope, 'openid offline_access demo_api')
    assert.deepEqual(client.redirect_uris, ['http://localhost:5081/callback'])
    assert.deepEqual(client.post_logout_redirect_uris, ['http://localhost:5081/'])
    assert.deepEqual([client.consent, client.token_endpoint_auth_method], ['explicit', 'none'])
    const scopes = JSON.parse((await runProgram(['scope', 'list', '--json'], { folder })).stdout)
    assert.deepEqual(
      scopes.map(({ name }: { name: string }) => name),
      ['demo_api'],
    )
  })

  it('listens on the address of Server:Host and on no other [C3.7]', async (t) => {
    // Two addresses of every machine, and what stands for both.
    const [one, other, all] =
      process.platform === 'linux'
        ? (['127.0.0.1', '127.0.0.2', '0.0.0.0'] as const)
        : (['127.0.0.1', '[::1]', '::'] as const)
    const answer = async (address: string, port: number) => (await fetch(`http://${address}:${port}/healthz`)).status
    const alone = await serve(t, temporaryFolder(t), { Server__Host: one })
    assert.equal(await answer(one, alone.port), 200)
    await assert.rejects(answer(other, alone.port), ({ cause }) => cause.code === 'ECONNREFUSED')
    const open = await serve(t, temporaryFolder(t), { Server__Host: all, OAuth__Issuer: 'https://id.example.com' })
    assert.deepEqual([await answer(one, open.port), await answer(other, open.port)], [200, 200])
  })

  it('refuses the demo unless the issuer is a loopback address, and makes nothing [C2.9]', async (t) => {
    const folder = temporaryFolder(t)
    const { code, stderr } = await runProgram(['serve', '--demo'], {
      folder,
      env: { OAuth__Issuer: 'https://id.example.com' },
    })
    assert.equal(code, 1)
    assert.match(stderr, /^error: --demo adds a user with a published password[^\n]+https:\/\/id\.example\.com\/\.\n$/)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('refuses the demo on an address that other machines can reach, whoever is trusted, and makes nothing [C2.9]', async (t) => {
    const folder = temporaryFolder(t)
    for (const host of ['0.0.0.0', '::', 'latchkey.example']) {
      const env = { Server__Host: host, Server__TrustProxy: 'true' }
      const { code, stderr } = await runProgram(['serve', '--demo'], { folder, env })
      assert.equal(code, 1)
      assert.match(stderr, /^error: --demo adds a user with a published password, but Server:Host is [^\n]+\n$/)
    }
    assert.deepEqual(readdirSync(folder), [])
  })

  it('refuses plain http on an address that other machines can reach, unless a proxy is trusted, and makes nothing [C3.7a]', async (t) => {
    const folder = temporaryFolder(t)
    for (const args of [['serve'], ['serve', '--check'], ['serve', '--workers', '2']]) {
      const { code, stderr } = await runProgram(args, { folder, env: { Server__Host: '0.0.0.0' } })
      assert.equal(code, 1)
      assert.match(stderr, /^error: OAuth:Issuer is http:\/\/localhost:5080\/, which is plain http, but [^\n]+\n$/)
    }
    assert.deepEqual(readdirSync(folder), [])
    const env = { Server__Host: '0.0.0.0', Server__TrustProxy: '10.0.0.1', Server__Port: String(await freePort()) }
    assert.equal((await runProgram(['serve', '--check'], { folder, env })).code, 0)
  })

  it('says in one line that its port is in use [C3.7]', async (t) => {
    const blocker = createServer().listen(0, 'localhost')
    await once(blocker, 'listening')
    t.after(() => blocker.close())
    const address = blocker.address()
    assert.ok(typeof address === 'object' && address !== null)
    const env = { Server__Port: String(address.port), Log__Level: 'silent' }
    const { code, stderr } = await runProgram(['serve'], { env })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /error: localhost:\d+ cannot be listened on: another program is using the port\. [^\n]+Server:Port\.\n$/,
    )
  })

  it('says in one line which setting is wrong [C3.4]', async () => {
    const { code, stderr } = await runProgram(['serve'], { env: { OAuth__Isuer: 'x' } })
    assert.equal(code, 1)
    assert.equal(
      stderr,
      'error: OAuth:Isuer (OAuth__Isuer in the environment) is not a setting. Did you mean OAuth:Issuer?\n',
    )
  })
})

describe('bin/latchkey', () => {
  it('hands over arguments, standard input and exit codes [C2.3]', async (t) => {
    const folder = temporaryFolder(t)
    assert.equal((await runProgram(['db', 'migrate'], { folder })).code, 0)
    const add = ['user', 'add', 'Alice B', '--email', 'a@b', '--password-stdin', '--json']
    const added = await runProgram(add, { folder, stdin: 'Passw0rd!\n' })
    assert.equal(added.code, 0, added.stderr)
    assert.equal(JSON.parse(added.stdout).username, 'Alice B')
    assert.equal((await runProgram(add, { folder, stdin: 'Passw0rd!\n' })).code, 1)
    assert.equal((await runProgram(['user', 'add'], { folder })).code, 2)
  })

  it('is found behind links from anywhere', (t) => {
    const folder = temporaryFolder(t)
    symlinkSync(program, join(folder, 'latchkey'))
    mkdirSync(join(folder, 'bin'))
    symlinkSync('../latchkey', join(folder, 'bin', 'latchkey'))
    const run = () => spawnSync(join(folder, 'bin', 'latchkey'), ['--version'], { cwd: folder, encoding: 'utf8' })
    const { stdout, stderr } = run()
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/, stderr)
  })

  it('runs on a Node.js of the shell that is new enough when the pinned one is missing, and on no older one', (t) => {
    const folder = temporaryFolder(t)
    for (const name of ['bin', 'src', 'tools']) mkdirSync(join(folder, name))
    copyFileSync(program, join(folder, 'bin', 'latchkey'))
    copyFileSync(new URL('../../package.json', import.meta.url), join(folder, 'package.json'))
    writeFileSync(join(folder, 'src', 'main.ts'), '')
    const runWith = (version: string) => {
      const pretended = `#!/bin/sh\n[ "$1" = --print ] && echo ${version} || echo "ran: $*"\n`
      writeFileSync(join(folder, 'tools', 'node'), pretended, { mode: 0o755 })
      const env = { PATH: `${join(folder, 'tools')}:/usr/bin:/bin` }
      return spawnSync(join(folder, 'bin', 'latchkey'), ['serve', 'two words'], { env, encoding: 'utf8' })
    }
    assert.match(runWith('99.1.0').stdout, /^ran: --.* \S+\/src\/main\.ts serve two words\n$/)
    const { status, stdout, stderr } = runWith('20.20.2')
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /^error: The pinned runtime \(node \d+\.\d+\.\d+\) is not installed\. Run: npm ci\n$/)
    rmSync(join(folder, 'src'), { recursive: true })
    assert.match(
      runWith('99.1.0').stderr,
      /^error: \S+\/dist\/server\/main\.js is missing\. Install the package again\.\n$/,
    )
  })
})
