/** The package as somebody gets it: packed, installed into an empty folder, started, signed in to. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertStops, serve } from '../operations/running.ts'
import { importsOf, read } from '../repository/sources.ts'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { freePort } from '../support/service.ts'
import { assertNone } from '../support/values.ts'
import { freshEnvironment } from './fresh-environment.ts'
import { layOutImage } from './image.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Installing takes about ten seconds with a warm package cache, and a machine of tests is busy. */
const patience = { timeout: 300_000 }

function npm(folder: string, ...parameters: string[]): string {
  return execFileSync('npm', [...parameters, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: freshEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Returns the names of the files of the bundle that a start of the service loads, on an SQLite file. */
function filesLoadedAtStart(folder: string): string[] {
  const tell = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (console.error('loaded ' + url), next(url, context)) })`
  const hooks = `data:text/javascript,${encodeURIComponent(tell)}`
  const program = join(folder, 'node_modules', 'latchkey', 'dist', 'server', 'main.js')
  const { stderr, status } = spawnSync(process.execPath, ['--import', hooks, program, 'serve', '--check'], {
    cwd: folder,
    env: {
      ...freshEnvironment(),
      Server__Port: '0',
      OAuth__Issuer: 'http://localhost:5080/',
      Database__Url: 'sqlite:start.db',
    },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return [...stderr.matchAll(/^loaded file:.*\/dist\/server\/(.+)$/gm)].map(([, name = '']) => name)
}

describe('the package', patience, () => {
  let folder: string
  let files: string[]

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-package-'))
    // The build before it may print; the list of what was packed is the JSON at the end.
    const printed = npm(root, 'pack', '--json', '--pack-destination', folder)
    const packed = JSON.parse(printed.slice(printed.search(/^[[{]/m)))
    const [{ files: list, filename }] = Array.isArray(packed) ? packed : Object.values(packed)
    files = list.map(({ path }: { path: string }) => path)
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    npm(folder, 'install', '--prefer-offline', '--omit=dev', join(folder, filename))
  }, patience)
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('holds what runs, and nothing else', () => {
    for (const wanted of [
      'bin/latchkey',
      'dist/server/main.js',
      'dist/pages/index.html',
      'dist/messages/de.json',
      'LICENSE',
      'README.md',
    ]) {
      assert.ok(files.includes(wanted), `${wanted} is missing`)
    }
    for (const thread of ['worker', 'migrate-worker', 'hash-worker']) {
      assert.ok(files.includes(`dist/server/${thread}.js`), thread)
    }
    assertNone(
      files.filter(
        (file) => !/^(?:bin|dist\/(?:server|pages|messages))\/|^[A-Z]+(?:\.md)?$|^package\.json$/.test(file),
      ),
    )
    assertNone(files.filter((file) => file.endsWith('.ts')))
  })

  it('is a bundle: no file imports a package, and the licences of the packages in it are beside it', () => {
    const bundle = files.filter((file) => /^dist\/server\/.+\.js$/.test(file))
    assert.ok(bundle.length >= 50, `only ${bundle.length}`)
    const imported = bundle
      .flatMap((file) => importsOf(file))
      .map(({ specifier }) => specifier)
      .filter((name) => !/^(?:\.|node:)/.test(name))
    assertNone(imported.filter((name) => !isBuiltin(name)))
    assert.match(read('dist/server/LICENSES.txt'), /^node_modules\/jose: jose \d/m)
  })

  it('starts with few files, and with the statements of the database in use', () => {
    const loaded = filesLoadedAtStart(folder)
    assert.ok(loaded.length > 3 && loaded.length <= 20, loaded.join('\n'))
    assert.ok(loaded.some((file) => file.startsWith('sqlite-')))
    assertNone(
      loaded.filter((file) => /postgres|commander|program|nodemailer|opentelemetry|prometheus|openid|otp/i.test(file)),
    )
  })

  it('serves in an empty folder: discovery, a sign-in, tokens, numbers', patience, async (t) => {
    const command = [join(folder, 'node_modules', '.bin', 'latchkey')] as const
    const service = await serve(t, { command, env: { Metrics__Port: '0' } })
    const discovery = await fetch(`${service.issuer}.well-known/openid-configuration`)
    assert.equal(((await discovery.json()) as { issuer: string }).issuer, service.issuer)
    assert.match(await (await fetch(`${service.issuer}Account/Login`)).text(), /<script type="module"/)
    const { status, body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    assert.equal(status, 200)
    assert.equal(body.token_type, 'Bearer')
    const { address } = await service.logged('metrics')
    assert.match(await (await fetch(String(address))).text(), /latchkey_info\{version="\d+\.\d+\.\d+"\} 1/)
    await assertStops(service)
  })

  it('is where the systemd unit looks for it', () => {
    const [, command = ''] = /^ExecStart=(.+)$/m.exec(read('deploy/latchkey.service')) ?? []
    const paths = command.split(' ').filter((word) => word.startsWith('/opt/latchkey/'))
    assert.equal(paths.length, 1)
    for (const path of paths) assert.ok(existsSync(path.replace('/opt/latchkey', folder)), path)
  })

  it(
    'serves as the image does: under its account, on a tree that it cannot write, with its health check',
    patience,
    async (t) => {
      chmodSync(folder, 0o755)
      const port = await freePort()
      const issuer = 'https://id.example.com/'
      const image = layOutImage({ checkout: root, modules: join(folder, 'node_modules'), port, issuer })
      t.after(() => image.remove())
      assert.deepEqual(image.writable(), ['data', 'tmp'])
      assert.equal(image.checkHealth(), 1, 'nothing serves yet')

      const service = image.start()
      t.after(() => service.kill('SIGKILL'))
      await image.ready(service)
      assert.equal(image.checkHealth(), 0)
      const discovery = await fetch(`http://127.0.0.1:${port}/.well-known/openid-configuration`)
      assert.equal(((await discovery.json()) as { issuer: string }).issuer, issuer)
      assert.match(await (await fetch(`http://127.0.0.1:${port}/Account/Login`)).text(), /<script type="module"/)
      assert.deepEqual(JSON.parse(image.execute('user', 'list', '--json')), [])
      image.execute('scope', 'add', 'notes')
      assert.match(image.execute('scope', 'list'), /notes/)
      assert.equal(await image.stop(service), 0)
      assert.equal(image.checkHealth(), 1)
      assert.deepEqual(image.filesIn('data'), ['latchkey.db', 'latchkey.db.key'])
    },
  )
})
