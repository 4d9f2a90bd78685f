/** The service as a process of its own, which a test may stop or kill at any moment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ownProgram = fileURLToPath(new URL('../../bin/latchkey', import.meta.url))

/**
 * What a run of the tests hands on to processes with an environment of their own: what keeps them on this machine
 * (`loopback-only.ts`), and that `bin/latchkey` runs the bundle where the run has built it from these sources.
 */
export const guard: Readonly<Record<string, string>> = Object.fromEntries(
  ['NODE_OPTIONS', 'LATCHKEY_BUILT'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

export type ServiceProcess = {
  /** The address of this process; behind a proxy not the issuer. */
  readonly address: string
  readonly pid: number
  /** What it wrote so far. */
  output(): string
  /** Resolves when it has written what `pattern` matches. Rejects when it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves to the exit code when it has ended. */
  readonly ended: Promise<number | null>
  /** Asks it to stop (SIGTERM) and waits for its end; the exit code. */
  stop(): Promise<number | null>
  /** Ends it at once (SIGKILL), as a power cut would. */
  kill(): Promise<void>
}

/** Starts `latchkey serve` on `port` and waits until it answers. Rejects with its output when it ends before. */
export async function startProcess(options: {
  readonly port: number
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Default: that of this checkout. */
  readonly program?: string
}): Promise<ServiceProcess> {
  const { PATH = '' } = process.env
  const { program = ownProgram } = options
  // Earlier releases have a launcher that is no program by itself.
  const launcher = program.endsWith('.js') ? [process.execPath, program] : [program]
  const [file = '', ...first] = launcher
  const child: ChildProcess = spawn(file, [...first, 'serve', ...(options.args ?? [])], {
    cwd: options.folder,
    env: { PATH, ...guard, Server__Host: '127.0.0.1', Server__Port: String(options.port), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'close')
  const { promise: ready, resolve } = Promise.withResolvers<'ready'>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
      if (output.includes('"msg":"ready"')) resolve('ready')
    })
  }
  if ((await Promise.race([ready, ended])) !== 'ready') throw new Error(`the service ended: ${output}`)
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    return code
  }
  return {
    address: `http://127.0.0.1:${options.port}/`,
    pid: child.pid ?? 0,
    output: () => output,
    async says(pattern) {
      for (;;) {
        const found = pattern.exec(output)
        if (found !== null) return found
        const news = child.stdout === null ? ended : once(child.stdout, 'data').then(() => 'data')
        if ((await Promise.race([news, ended])) !== 'data') throw new Error(`the service ended: ${output}`)
      }
    },
    ended: ended.then(([code]) => code as number | null),
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
    },
  }
}
