#!/usr/bin/env node
// Starts the command line on the runtime that this package pins, whatever Node.js the shell found (20 or newer).
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'src', 'main.ts')
const built = join(root, 'dist', 'server', 'main.js')
// A checkout runs its sources. Node.js does not strip types below node_modules: a package brings the built files.
const isCheckout = existsSync(source) && !root.includes(`${sep}node_modules${sep}`)
const entry = isCheckout ? source : built

/** The pinned runtime's program, wherever npm put the package. */
function pinnedRuntime() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

function fail(message) {
  process.stderr.write(`error: ${message}\n`)
  process.exitCode = 1
}

function main() {
  const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.node
  const runtime = pinnedRuntime()
  const isNewEnough = Number.parseInt(process.versions.node, 10) >= Number.parseInt(pinned, 10)
  if (!existsSync(entry)) return fail(`${entry} is missing. Install the package again.`)
  if (runtime === undefined && !isNewEnough) {
    return fail(`The pinned runtime (node ${pinned}) is not installed. Run: npm ci`)
  }
  const program = runtime ?? process.execPath
  const parameters = [...FLAGS, entry, ...process.argv.slice(2)]
  const env = { ...ENVIRONMENT, ...process.env }
  // Replaces this process, so that signals and exit codes need no go-between.
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(program, [program, ...parameters], env)
  }
  const child = spawn(program, parameters, { stdio: 'inherit', env })
  // A terminal sends Ctrl+C to both processes; passing it on would make two of it, and the second one means "at once".
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${program} cannot be started (${error.message}).`))
  child.on('exit', (code, signal) => {
    // 128 + the number of the signal, as shells count.
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1)
  })
}

// Requests that wait for one commit die together: a nursery of 4 MB holds those of 64 connections, so that they do not
// grow old; a larger one gains nothing and takes memory. The collector is exposed for one call, after the start.
const FLAGS = ['--max-semi-space-size=4', '--expose-gc', '--disable-warning=ExperimentalWarning']
const ENVIRONMENT = {
  // One arena for all threads: the C library's default keeps up to eight per core.
  MALLOC_ARENA_MAX: '1',
  // It learns from a few large blocks to keep everything it ever had: 40 MB after a busy hour. Fixed thresholds (bytes)
  // give them back, at no cost that can be measured.
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // Large blocks in large pages, where the system has them: a password hash needs 19 MiB, and 4,900 small pages each time
  // would take a quarter of it.
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
}

main()
