/**
 * Makes a bare clone ready, then hands over to the pinned runtime. The only file that has to run on Node.js 20, and it
 * uses nothing that is not part of it. When everything is in place it costs a few file reads.
 *
 *   node scripts/prepare.mjs <task> [arguments]
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const runtime = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
const installStamp = join(modules, '.latchkey-install')
const pagesStamp = join(root, 'dist', 'pages.stamp')
const serviceStamp = join(root, 'dist', 'server.stamp')
const messagesStamp = join(root, 'dist', 'messages.stamp')
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'compile')

/** What each npm script runs on the pinned runtime once everything is in place. */
const tasks = {
  start: ['scripts/start.ts'],
  test: ['scripts/test.ts'],
  'test:long': ['scripts/test.ts', '--long'],
  'test:cluster': ['scripts/test.ts', '--cluster'],
  check: ['scripts/test.ts', 'types', 'lint'],
  'test:unit': ['scripts/test.ts', 'unit'],
  'test:pages': ['scripts/test.ts', 'pages'],
  generate: ['scripts/generate-docs.ts'],
  build: ['scripts/build.ts'],
  'build:pages': undefined,
  release: ['scripts/release.ts'],
}

/** The tasks that start the service often enough for its bundle to save more time than it takes to build. */
const withBundle = new Set(['start', 'test', 'test:unit'])

/** A problem that one line explains. */
class Plain extends Error {}

function main() {
  const [task = '', ...rest] = process.argv.slice(2)
  if (!(task in tasks)) throw new Plain(`usage: node scripts/prepare.mjs ${Object.keys(tasks).join(' | ')}`)
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Plain(`Node.js 20 or newer is needed; this is ${process.versions.node}.`)
  }
  process.chdir(root)
  install()
  compileMessages()
  buildPages()
  const isBuilt = withBundle.has(task)
  const isNew = isBuilt && buildService()
  if (task === 'start' && (isNew || !existsSync(compileCache))) warmUp()
  // `bin/latchkey` runs the bundle then.
  if (tasks[task]) run([...tasks[task], ...rest], isBuilt ? { LATCHKEY_BUILT: '1' } : {})
}

/** Installs what the lockfile says, unless that is what is installed. */
function install() {
  const wanted = hash([join(root, 'package-lock.json')])
  if (read(installStamp) === wanted && existsSync(runtime)) return
  if (!installedMatchesLockfile()) {
    progress('Installing the dependencies', () => {
      // Never `--omit=dev`, whatever the environment says: the pages are built with development dependencies.
      const result = npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
      if (result.status !== 0) throw new Plain(explainInstall(`${result.stderr ?? ''}${result.error?.message ?? ''}`))
    })
  }
  const pinned = JSON.parse(read(join(root, 'package.json')) ?? '{}').dependencies.node
  const found = spawnSync(runtime, ['--version'], { encoding: 'utf8' }).stdout?.trim()
  if (found !== `v${pinned}`) {
    throw new Plain(
      `The pinned runtime (node ${pinned}) was not installed: ${found || 'it does not start'}. ` +
        'Its package needs its install script; check that npm is not set to ignore scripts.',
    )
  }
  writeFileSync(installStamp, wanted)
}

/** Compares with what npm recorded, so that a manual `npm install` is not repeated. */
function installedMatchesLockfile() {
  const installed = packagesOf(join(modules, '.package-lock.json'))
  const locked = packagesOf(join(root, 'package-lock.json'))
  if (!installed || !locked || !existsSync(runtime)) return false
  const same = (path) => installed[path]?.version === locked[path]?.version
  // Those of others depend on the platform. Our own are installed on each, and bring what the platform needs.
  const own = Object.keys(locked[''].optionalDependencies ?? {}).map((name) => `node_modules/${name}`)
  const maybeMissing = (path) => path === '' || locked[path].peer || (locked[path].optional && !own.includes(path))
  return Object.keys(installed).every(same) && Object.keys(locked).every((path) => maybeMissing(path) || same(path))
}

function packagesOf(lockfile) {
  const text = read(lockfile)
  return text === undefined ? undefined : JSON.parse(text).packages
}

function npm(parameters) {
  const cli = process.env.npm_execpath
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] }
  return cli?.endsWith('npm-cli.js')
    ? // The Node that started npm: this process may be running on the very runtime that npm is about to replace.
      spawnSync(process.env.npm_node_execpath ?? process.execPath, [cli, ...parameters], options)
    : spawnSync('npm', parameters, { ...options, shell: process.platform === 'win32' })
}

function explainInstall(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network/i.test(output)) {
    return 'npm ci failed: the package registry cannot be reached. Check the network, or what `npm config get registry` names.'
  }
  if (/ENOSPC/.test(output)) return 'npm ci failed: the disk is full. The dependencies need about 600 MB.'
  process.stderr.write(output)
  return 'npm ci failed; npm says why above.'
}

const messageSources = [join(root, 'scripts', 'messages.ts'), ...filesIn(join(root, 'messages'))]

/** Compiles the texts of mails and the declaration of all texts, unless that was done from exactly these files. */
function compileMessages() {
  const wanted = hash([
    join(root, 'package-lock.json'),
    join(root, 'scripts', 'compile-messages.ts'),
    ...messageSources,
  ])
  if (read(messagesStamp) === wanted) return
  const result = spawnSync(runtime, ['scripts/compile-messages.ts'], { cwd: root, encoding: 'utf8' })
  if (result.status !== 0) {
    process.stderr.write(result.stderr)
    throw new Plain('The texts could not be compiled; the lines above say why.')
  }
  writeFileSync(messagesStamp, wanted)
}

/** Builds the pages, unless they were built from exactly these sources. */
function buildPages() {
  const sources = [
    join(root, 'package-lock.json'),
    join(root, 'vite.config.ts'),
    join(root, 'scripts', 'tokens.ts'),
    ...messageSources,
    ...filesIn(join(root, 'pages')),
  ]
  const wanted = hash(sources)
  if (read(pagesStamp) === wanted && existsSync(join(root, 'dist', 'pages', 'index.html'))) return
  progress('Building the pages', () => {
    rmSync(pagesStamp, { force: true })
    const vite = join(modules, 'vite', 'bin', 'vite.js')
    const result = spawnSync(runtime, [vite, 'build', '--logLevel', 'warn'], { cwd: root, encoding: 'utf8' })
    if (result.status !== 0) {
      process.stderr.write(`${result.stdout}${result.stderr}`)
      throw new Plain('The pages could not be built; vite says why above.')
    }
    writeFileSync(pagesStamp, wanted)
  })
}

/** Bundles the service, unless the bundle was made from exactly these sources. Returns whether it is new. */
function buildService() {
  const scripts = ['build.ts', 'compiled-statements.ts'].map((name) => join(root, 'scripts', name))
  const wanted = hash([join(root, 'package-lock.json'), ...scripts, ...filesIn(join(root, 'src'))])
  if (read(serviceStamp) === wanted && existsSync(join(root, 'dist', 'server', 'main.js'))) return false
  progress('Building the service', () => {
    rmSync(serviceStamp, { force: true })
    const result = spawnSync(runtime, ['scripts/build.ts'], { cwd: root, encoding: 'utf8' })
    if (result.status !== 0) {
      process.stderr.write(`${result.stdout}${result.stderr}`)
      throw new Plain('The service could not be built; the bundler says why above.')
    }
    writeFileSync(serviceStamp, wanted)
  })
  return true
}

/**
 * Starts and stops the service once with a database that is thrown away. Node.js then finds everything compiled, so
 * that the first real start is as quick and as small as every later one.
 */
function warmUp() {
  progress('Compiling the service', () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
    const env = {
      ...process.env,
      LATCHKEY_BUILT: '1',
      NODE_COMPILE_CACHE: compileCache,
      Database__Url: `sqlite:${join(folder, 'latchkey.db')}`,
      Server__Port: '0',
      OAuth__Issuer: 'http://localhost:5080/',
    }
    // Only saves time: when it fails, the start itself says why.
    spawnSync(join(root, 'bin', 'latchkey'), ['serve', '--demo', '--check'], {
      cwd: folder,
      env,
      timeout: 30_000,
    })
    rmSync(folder, { recursive: true, force: true })
  })
}

/** Hands over to the pinned runtime, with `env` added to the environment, and ends as it ends. */
function run(parameters, env) {
  const child = spawn(runtime, parameters, {
    cwd: root,
    // The channel tells the task when this process is gone, however it went.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...env,
      NODE_COMPILE_CACHE: compileCache,
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
  })
}

/** One line that says what takes long, and how long it took. */
function progress(what, work) {
  process.stdout.write(`${what} … `)
  const started = performance.now()
  try {
    work()
  } catch (error) {
    process.stdout.write('failed\n')
    throw error
  }
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

/** SHA-256 over names and contents, so that a renamed file counts as a change. */
function hash(files) {
  const digest = createHash('sha256')
  for (const file of files) digest.update(`${relative(root, file)}\0${read(file) ?? ''}\0`)
  return digest.digest('hex')
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort()
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

try {
  main()
} catch (error) {
  if (!(error instanceof Plain)) throw error
  process.stderr.write(`latchkey: ${error.message}\n`)
  process.exitCode = 1
}
