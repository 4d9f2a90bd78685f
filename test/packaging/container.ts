/**
 * Builds the image with `deploy/image/build.sh`, in a storage of its own, and runs what is in it as a container engine
 * does: a file system that is read-only but for its volumes, the account, the environment and the folder of the image.
 * Mounts are made in a mount namespace of each process, so none is left however it ends.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../repository/sources.ts'
import { freshEnvironment } from './fresh-environment.ts'

/** Of the image, as its builder wrote it down. */
export type Configuration = {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly Volumes: Readonly<Record<string, unknown>>
  readonly ExposedPorts: Readonly<Record<string, unknown>>
  readonly StopSignal: string
  readonly Healthcheck: { readonly Test: readonly string[] }
  readonly Labels: Readonly<Record<string, string>>
}

export type Container = {
  /** What it wrote so far. */
  output(): string
  /** Resolves when it wrote what `pattern` matches; rejects with its output if it ends before. */
  says(pattern: RegExp): Promise<void>
  /** The exit code, at its end. */
  ended(): Promise<number | null>
  /** As `docker stop` does; the exit code. */
  stop(): Promise<number | null>
}

const programs = ['buildah', 'mmdebstrap', 'npm', 'unshare', 'mount', 'sh'] as const
const paths = programs.map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
const missing = programs.filter((_name, index) => paths[index] === '')
const [, , , unshare = '', mount = '', shell = ''] = paths

/** Why this machine cannot build the image; undefined: it can. */
export const notHere: string | undefined =
  process.getuid?.() !== 0
    ? 'not on this machine: the rights of root'
    : missing.length > 0
      ? `not on this machine: ${missing.join(', ')}`
      : undefined

/** In memory where there is enough: nothing here has to last. */
function temporaryFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

export type BuiltImage = {
  readonly configuration: Configuration
  /** Its file system. */
  readonly files: string
  /** A new volume for `/data`, which belongs to the account as in the image. */
  volume(): string
  /** As `docker run --read-only --tmpfs /tmp --volume VOLUME:/data --env … IMAGE PARAMETERS` does. */
  run(volume: string, env: Readonly<Record<string, string>>, ...parameters: readonly string[]): Container
  /** The same with another program than the entry point, up to its end. */
  execute(
    volume: string,
    env: Readonly<Record<string, string>>,
    command: readonly string[],
  ): Promise<{ code: number | null; output: string }>
  /** Kills what still runs, and removes everything. */
  remove(): void
}

/** What programs say when there is no network. */
const unreachable = /ENOTFOUND|EAI_AGAIN|ENETUNREACH|Temporary failure resolving|Could not resolve|Could not connect/

/** Returns the reason if the packages cannot be reached. Removes everything if the build fails. */
export function buildImage(tag: string): BuiltImage | string {
  const folder = mkdtempSync(join(temporaryFolder(), 'latchkey-container-'))
  const storage = { root: join(folder, 'root'), runroot: join(folder, 'run') }
  const children = new Set<ChildProcess>()
  const remove = () => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  const buildah = (...parameters: string[]) => {
    const options = ['--root', storage.root, '--runroot', storage.runroot, '--storage-driver', 'vfs']
    return execFileSync('buildah', [...options, ...parameters], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  }
  try {
    const env = { ...freshEnvironment(), TMPDIR: folder, BUILDAH_ROOT: storage.root, BUILDAH_RUNROOT: storage.runroot }
    const script = join(root, 'deploy/image/build.sh')
    const { status, stdout, stderr } = spawnSync(script, ['--tag', tag], { env, encoding: 'utf8' })
    if (status !== 0 && unreachable.test(stderr)) {
      remove()
      return 'not on this machine: a way to the packages of Debian and of npm'
    }
    assert.equal(status, 0, stderr)
    assert.equal(stdout.trim(), tag)
    const configuration: Configuration = JSON.parse(buildah('inspect', '--type', 'image', tag)).Docker.config
    // With the storage driver that the script uses this is a folder: nothing is mounted.
    const files = buildah('mount', buildah('from', tag))
    const place = join(folder, 'place')
    mkdirSync(place)

    const start = (volume: string, more: Readonly<Record<string, string>>, command: readonly string[]): Container => {
      const { User, Env, WorkingDir, StopSignal } = configuration
      const [uid, gid] = User.split(':')
      const lines = [
        `${mount} -o bind,ro ${files} ${place}`,
        `${mount} -t tmpfs -o mode=1777 tmpfs ${place}/tmp`,
        `${mount} --bind ${volume} ${place}/data`,
        `${mount} --rbind /dev ${place}/dev`,
        `${mount} -t proc proc ${place}/proc`,
        `exec ${unshare} --root ${place} --wd ${WorkingDir} --setgid ${gid} --setuid ${uid} "$@"`,
      ]
      const child = spawn(unshare, ['--mount', shell, '-c', lines.join(' && '), 'sh', ...command], {
        env: { ...Object.fromEntries(Env.map((each) => each.split(/=(.*)/s))), ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      children.add(child)
      const closed = once(child, 'close').then(([code]) => {
        children.delete(child)
        return code as number | null
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => (output += text))
      return {
        output: () => output,
        async says(pattern) {
          const { promise, resolve, reject } = Promise.withResolvers<void>()
          const look = () => pattern.test(output) && resolve()
          for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
          closed.then(() => reject(new Error(`it ended: ${output}`)))
          look()
          await promise
        },
        ended: () => closed,
        async stop() {
          child.kill(StopSignal as NodeJS.Signals)
          return closed
        },
      }
    }

    return {
      configuration,
      files,
      volume() {
        const volume = mkdtempSync(join(folder, 'data-'))
        const [uid = 0, gid = 0] = configuration.User.split(':').map(Number)
        chownSync(volume, uid, gid)
        return volume
      },
      run: (volume, more, ...parameters) =>
        start(volume, more, [...configuration.Entrypoint, ...(parameters.length > 0 ? parameters : configuration.Cmd)]),
      async execute(volume, more, command) {
        const container = start(volume, more, command)
        const code = await container.ended()
        return { code, output: container.output() }
      },
      remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}
