import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type FoundChromium = {
  readonly executablePath: string
  /** What the browser's process needs beyond the environment of this one. */
  readonly env: Readonly<Record<string, string>>
  readonly source: 'CHROMIUM_PATH' | 'machine' | 'package'
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

/**
 * The Chromium to test with: the one that `CHROMIUM_PATH` names, else the one in the `@sparticuz/chromium` package, unpacked
 * once into `node_modules/.cache`, else one on the `PATH`, whose version nothing pins. Throws an Error that says what is
 * missing when none of them starts.
 */
export async function findChromium(env: NodeJS.ProcessEnv = process.env): Promise<FoundChromium> {
  if (env.CHROMIUM_PATH) {
    const problem = problemStarting(env.CHROMIUM_PATH, {})
    if (problem) throw new Error(`CHROMIUM_PATH names ${env.CHROMIUM_PATH}, which does not start: ${problem}`)
    return { executablePath: env.CHROMIUM_PATH, env: {}, source: 'CHROMIUM_PATH' }
  }
  try {
    return await fromPackage()
  } catch (error) {
    const onMachine = (env.PATH ?? '')
      .split(delimiter)
      .flatMap((folder) => names.map((name) => join(folder, name)))
      .find((file) => isExecutable(file) && !problemStarting(file, {}))
    if (onMachine === undefined) throw error
    return { executablePath: onMachine, env: {}, source: 'machine' }
  }
}

/** The package's own Chromium, whatever else is on the machine. */
export async function fromPackage(): Promise<FoundChromium> {
  const folder = await unpack()
  const executablePath = join(folder, 'chromium')
  const fonts = { FONTCONFIG_PATH: join(folder, 'fonts') }
  if (!problemStarting(executablePath, fonts)) return { executablePath, env: fonts, source: 'package' }
  // A machine without a desktop lacks NSS and expat; the package brings them, built against glibc 2.34.
  const brought = { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  const problem = problemStarting(executablePath, brought)
  if (!problem) return { executablePath, env: brought, source: 'package' }
  throw new Error(
    `No Chromium starts on this machine. The packaged one says: ${problem}. ` +
      'Install what it names, or install Chromium, or name one in CHROMIUM_PATH.',
  )
}

/**
 * Unpacks the package's archives and answers with the folder. The package itself writes into the shared temporary
 * folder, takes whatever lies there under the right name for finished, and leaves its libraries out unless it believes
 * to be in a cloud function. So it runs in a process with a temporary folder of our own, which gets its name only when
 * it is complete; several processes may do this at once.
 */
async function unpack(): Promise<string> {
  const manifest = readFileSync(join(root, 'node_modules', '@sparticuz', 'chromium', 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const cache = join(root, 'node_modules', '.cache')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const making = mkdtempSync(`${folder}-`)
  try {
    const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"
    const result = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: making, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    })
    if (result.status !== 0) throw new Error(`The packaged Chromium could not be unpacked:\n${result.stderr}`)
    // Its font settings name the shared temporary folder too.
    const fonts = join(making, 'fonts', 'fonts.conf')
    writeFileSync(fonts, readFileSync(fonts, 'utf8').replaceAll('>/tmp/fonts', `>${join(folder, 'fonts')}`))
    try {
      renameSync(making, folder)
    } catch (error) {
      // Another process was first; its folder is complete.
      if (!existsSync(folder)) throw error
    }
    return folder
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

/** Asks for the version, which loads every shared library. Undefined: it starts. */
function problemStarting(executablePath: string, env: Readonly<Record<string, string>>): string | undefined {
  const result = spawnSync(executablePath, ['--version'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 120_000,
  })
  if (result.error) return result.error.message
  if (result.status === 0) return undefined
  return result.stderr.trim().split('\n').at(-1) || `it ended with ${result.signal ?? result.status}`
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
