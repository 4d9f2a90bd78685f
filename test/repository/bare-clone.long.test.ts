import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { root } from './sources.ts'

/** Set for everything that runs in the clone: it must not clone itself again. */
const insideClone = 'LATCHKEY_INSIDE_CLONE'
/** Installing takes 20 to 40 seconds with a warm package cache, and a machine of tests is busy. */
const patience = { timeout: 600_000 }

if (process.env[insideClone] === undefined) {
  describe('a bare clone', patience, () => {
    let clone: string
    let ports: { readonly service: number; readonly client: number }

    before(async () => {
      clone = await mkdtemp(join(tmpdir(), 'latchkey-clone-'))
      execFileSync('git', ['clone', '--quiet', '--depth=1', pathToFileURL(root).href, clone])
      ports = { service: await freePort(), client: await freePort() }
    })
    after(() => rm(clone, { recursive: true, force: true }))

    it('installs, builds and starts the quick start with `npm start`, and ends well at Ctrl-C', patience, async () => {
      const npm = start()
      const printed = await untilRunning(npm)
      assert.match(printed, /^Installing the dependencies … \d/m)
      assert.match(printed, /^Building the pages … \d/m)
      await assertAnswers(printed)
      await assertEndsAtCtrlC(npm)
    })

    it('installs and builds nothing when it is started again', patience, async () => {
      const npm = start()
      const printed = await untilRunning(npm)
      assert.doesNotMatch(printed, /Installing|Building/)
      await assertAnswers(printed)
      await assertEndsAtCtrlC(npm)
    })

    it('passes `npm run check`', patience, async () => {
      const npm = npmIn(clone, ['run', 'check'])
      const output = collect(npm)
      const [code] = await once(npm, 'close')
      assert.equal(code, 0, output())
      assert.match(output(), /^Everything holds/m)
    })

    function start(): ChildProcess {
      return npmIn(clone, ['start'], { Server__Port: String(ports.service), DEMO_CLIENT_PORT: String(ports.client) })
    }

    async function assertAnswers(printed: string): Promise<void> {
      const issuer = `http://localhost:${ports.service}/`
      const page = `http://localhost:${ports.client}/`
      assert.ok(printed.includes(page), printed)
      assert.match(printed, /alice.*Passw0rd!/)
      const discovery = await fetch(`${issuer}.well-known/openid-configuration`, {
        headers: { Origin: page.slice(0, -1) },
      })
      assert.equal(discovery.status, 200)
      assert.equal(discovery.headers.get('access-control-allow-origin'), page.slice(0, -1))
      assert.equal(((await discovery.json()) as { issuer: string }).issuer, issuer)
      assert.match(await (await fetch(page)).text(), /<h1>Demo client<\/h1>/)
      assert.equal((await fetch(`${issuer}Account/Login`)).status, 200)
      const env = { ...freshEnvironment(), Server__Port: String(ports.service) }
      const invite = ['user', 'invite', 'ann@example.com']
      const invited = execFileSync(join(clone, 'bin', 'latchkey'), invite, { cwd: clone, env, encoding: 'utf8' })
      assert.match(invited, /^Invited ann@example\.com/)
    }

    /** As a terminal does it: the signal goes to every process of the foreground group. */
    async function assertEndsAtCtrlC(npm: ChildProcess): Promise<void> {
      const output = collect(npm)
      const closed = once(npm, 'close')
      process.kill(-(npm.pid ?? Number.NaN), 'SIGINT')
      const [code, signal] = await closed
      assert.deepEqual({ code, signal }, { code: 0, signal: null }, output())
      assert.ok(!existsSync(join(clone, 'data', 'demo-mail')))
      for (const port of [ports.service, ports.client]) {
        await assert.rejects(fetch(`http://localhost:${port}/`), `something still listens on port ${port}`)
      }
    }
  })
}

function npmIn(
  folder: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn('npm', parameters, {
    cwd: folder,
    env: { ...freshEnvironment(), [insideClone]: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
}

/** This process's environment without what the npm that started it has put there. */
function freshEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_(registry|cache|userconfig))|NODE_|INIT_CWD)/.test(name),
  )
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) }
}

function collect(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return () => output
}

/** Resolves to what was printed up to the line that says it runs; rejects with what was printed when it ends instead. */
function untilRunning(npm: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const output = collect(npm)
  npm.stdout?.on('data', () => {
    if (/Stop +Ctrl-C\n/.test(output())) resolve(output())
  })
  npm.on('close', (code) => reject(new Error(`npm start ended with ${code}:\n${output()}`)))
  npm.on('error', reject)
  return promise
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
