/**
 * The image without a container: what the last stage of the Dockerfile says, done in a folder that stands for `/`. The
 * program runs under the image's account where the tests may change accounts (as root), and cannot write what it brings.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { copies, environment, lastStage, words } from './dockerfile.ts'

export type Image = {
  /** The folders that the account can write, ascending. */
  writable(): string[]
  start(): ChildProcess
  /** Resolves when it serves; rejects with what it wrote when it ends before. */
  ready(service: ChildProcess): Promise<void>
  /** As `docker stop` does; the exit code. */
  stop(service: ChildProcess): Promise<number | null>
  /** As `docker exec … latchkey` does; what it printed. */
  execute(...parameters: string[]): string
  /** The exit code of the health check. */
  checkHealth(): number | null
  filesIn(folder: string): string[]
  remove(): void
}

/** Of Debian: the test calls `find`, which the image has not. */
const debianPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** `checkout`: with its built `dist`. `modules`: what `npm ci` leaves without development dependencies. */
export function layOutImage(from: {
  readonly checkout: string
  readonly modules: string
  readonly port: number
  /** As `docker run --env` says it. */
  readonly issuer: string
}): Image {
  const stage = lastStage()
  const rest = (name: string) => stage.findLast((each) => each.name === name)?.rest ?? assert.fail(name)
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-image-'))
  chmodSync(folder, 0o755)
  /** A path of the image, as it is here. */
  const here = (text: string) => text.replaceAll(/(?<![\w.])\/(?=(?:opt|tmp|data)\b)/g, `${folder}/`)
  const [uid = 0, gid = 0] = rest('USER').split(':').map(Number)
  const account = process.getuid?.() === 0 ? { uid, gid } : {}

  const home = here(stage.find(({ name }) => name === 'WORKDIR')?.rest ?? assert.fail('WORKDIR'))
  mkdirSync(home, { recursive: true })
  for (const { from: origin, sources, target } of copies(stage)) {
    // The system is the one of this machine.
    if (origin !== 'build') continue
    for (const source of sources) {
      const path = source.replace(/^\/build\//, '')
      const place = join(home, target.endsWith('/') ? join(target, basename(path)) : target)
      if (path === 'node_modules') symlinkSync(from.modules, place)
      else cpSync(join(from.checkout, path), place, { recursive: true })
    }
  }
  // Its first line names the runtime by its path.
  const [entry = ''] = words(stage, 'ENTRYPOINT').map(here)
  writeFileSync(entry, readFileSync(entry, 'utf8').replaceAll('/opt/latchkey/', `${home}/`))
  execFileSync('chmod', ['-R', 'a-w,a+rX', join(folder, 'opt')])
  mkdirSync(join(folder, 'tmp'))
  chmodSync(join(folder, 'tmp'), 0o1777)
  mkdirSync(here(rest('VOLUME')), { mode: 0o700 })
  if (account.uid !== undefined) chownSync(here(rest('VOLUME')), account.uid, account.gid)

  const variables = Object.entries(environment(stage)).map(([name, value]) => [
    name,
    name === 'PATH' ? `${here(value)}:${debianPath}` : here(value),
  ])
  const env = { ...Object.fromEntries(variables), Server__Port: String(from.port), OAuth__Issuer: from.issuer }
  const options = { ...account, env, cwd: here(rest('WORKDIR')) }
  const [program = '', ...parameters] = words(stage, 'ENTRYPOINT').map(here)
  const run = (command: readonly string[]) =>
    spawnSync(command[0] ?? '', command.slice(1), { ...options, encoding: 'utf8', timeout: 60_000 })

  return {
    writable() {
      const { stdout, status, stderr } = run(['find', folder, '-not', '-type', 'l', '-writable'])
      assert.equal(status, 0, stderr)
      const paths = stdout.split('\n').filter((path) => path.startsWith(`${folder}/`))
      return [...new Set(paths.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))].sort()
    },
    start: () =>
      spawn(program, [...parameters, ...words(stage, 'CMD')], { ...options, stdio: ['ignore', 'pipe', 'pipe'] }),
    async ready(service) {
      let output = ''
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      for (const stream of [service.stdout, service.stderr]) {
        stream?.on('data', (chunk) => {
          output += chunk
          if (output.includes('"msg":"ready"')) resolve()
        })
      }
      service.once('close', () => reject(new Error(`the service ended: ${output}`)))
      await promise
    },
    async stop(service) {
      const closed = once(service, 'close')
      service.kill(rest('STOPSIGNAL') as NodeJS.Signals)
      const [code] = await closed
      return code
    },
    execute(...more) {
      const { stdout, stderr, status } = run([program, ...parameters, ...more])
      assert.equal(status, 0, stderr)
      return stdout
    },
    checkHealth() {
      const { rest: port } = stage.find(({ name }) => name === 'EXPOSE') ?? assert.fail('EXPOSE')
      return run(words(stage, 'HEALTHCHECK').map((word) => word.replace(`:${port}/`, `:${from.port}/`))).status
    },
    filesIn: (name) => readdirSync(join(folder, name)).sort(),
    remove() {
      execFileSync('chmod', ['-R', 'u+w', join(folder, 'opt')])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
