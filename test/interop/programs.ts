/** The programs in `examples/clients`, each as a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { guard } from '../support/service-process.ts'

export const clientsFolder = fileURLToPath(new URL('../../examples/clients/', import.meta.url))

/** Undefined: the programs' own packages are installed. */
export const notInstalled: string | undefined = existsSync(`${clientsFolder}node_modules/.latchkey-install`)
  ? undefined
  : 'not on this machine: the packages of examples/clients (npm run test:long -- clients)'

export type Program = {
  readonly origin: string
  output(): string
  /** Resolves when it has written what `pattern` matches. Rejects with its output if it ends before, or after 20 s. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  stop(): Promise<void>
}

export type ProgramSettings = {
  readonly ISSUER: string
  readonly CLIENT_ID: string
  readonly PORT: string
  readonly [more: string]: string
}

/**
 * Starts a program and waits until it answers at its port, if it has one. Rejects with its output if it ends before, or
 * does not within 30 s.
 */
export async function startProgram(
  command: readonly string[],
  settings: ProgramSettings,
  cwd: string = clientsFolder,
): Promise<Program> {
  const [file = '', ...parameters] = command
  const child = spawn(file, parameters, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...guard, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = once(child, 'close').then(() => 'ended' as const)
  const origin = `http://localhost:${settings.PORT}`
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(timer)
  }
  const says = async (pattern: RegExp): Promise<RegExpExecArray> => {
    const signal = AbortSignal.timeout(60_000)
    for (;;) {
      const found = pattern.exec(output)
      if (found !== null) return found
      const news = once(child.stdout, 'data', { signal }).then(
        () => 'data',
        () => 'timeout',
      )
      const event = await Promise.race([news, ended])
      if (event !== 'data' && !pattern.test(output)) throw new Error(`never wrote ${pattern}:\n${output}`)
    }
  }
  const asked = () =>
    fetch(origin, { signal: AbortSignal.timeout(5_000), redirect: 'manual' }).then(
      async (answer) => {
        await answer.text()
        return true
      },
      () => false,
    )
  if (settings.PORT === '') return { origin, output: () => output, says, stop }
  const endsAt = performance.now() + 120_000
  for (;;) {
    const answered = await Promise.race([asked(), ended])
    if (answered === true) return { origin, output: () => output, says, stop }
    if (answered === 'ended' || performance.now() > endsAt) {
      await stop()
      throw new Error(`${command.join(' ')} did not start:\n${output}`)
    }
  }
}

/** A program of `examples/clients` that Node.js runs. */
export const nodeProgram = (name: string): readonly string[] => [process.execPath, `${clientsFolder}${name}.mjs`]
