/** `latchkey serve` as an operator runs it: a process of its own with a folder, signals and a log. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/service.ts'
import { guard } from '../support/service-process.ts'
import { makeDatabaseFile } from '../support/sqlite.ts'

const program = fileURLToPath(new URL('../../bin/latchkey', import.meta.url))

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string; readonly level: number }

export type Running = {
  readonly child: ChildProcess
  readonly folder: string
  readonly port: number
  readonly issuer: string
  /** The lines that were logged so far. */
  log(): LogLine[]
  /** The first line with this message that was logged after the first `since` lines. */
  logged(msg: string, since?: number): Promise<LogLine>
  /** Writes `latchkey.json`. */
  configure(settings: object): void
  /** Resolves to how the process ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

export type RunningOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly settings?: object
  /** Further parameters of `serve`. */
  readonly args?: readonly string[]
  /** Default: that of this checkout. */
  readonly command?: readonly [file: string, ...parameters: string[]]
}

/** What is done when a test ends; a `TestContext` is one. */
export type EndOfTest = { after(stop: () => Promise<unknown>): unknown }

/**
 * Starts the demo service in a fresh folder and waits until it is ready. It is killed when the test ends. Unless `env` names
 * another database, there is one with the schema in place.
 */
export async function serve(t: EndOfTest, options: RunningOptions = {}): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-operations-'))
  const configure = (settings: object) => writeFileSync(join(folder, 'latchkey.json'), JSON.stringify(settings))
  configure(options.settings ?? {})
  if (options.env?.Database__Url === undefined) await makeDatabaseFile(join(folder, 'data', 'latchkey.db'))
  const port = await freePort()
  const { PATH = '' } = process.env
  const [file, ...parameters] = options.command ?? [program]
  const child = spawn(file, [...parameters, 'serve', '--demo', ...(options.args ?? [])], {
    cwd: folder,
    env: { PATH, ...guard, Server__Host: '127.0.0.1', Server__Port: String(port), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const log = (): LogLine[] =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const logged = async (msg: string, since = 0): Promise<LogLine> => {
    for (;;) {
      const found = log().find((line, index) => index >= since && line.msg === msg)
      if (found !== undefined) return found
      const news = await Promise.race([once(child.stdout, 'data'), ended])
      if (!Array.isArray(news) && !log().some((line) => line.msg === msg)) {
        throw new Error(`the service ended before it logged '${msg}':\n${stdout}${stderr}`)
      }
    }
  }
  await logged('ready')
  return { child, folder, port, issuer: `http://localhost:${port}/`, log, logged, configure, ended }
}

export type PartialRequest = {
  readonly socket: Socket
  /** Sends the rest; resolves to everything that was answered until the server closed the connection. */
  finish(): Promise<string>
}

/**
 * A form post of which the server has read the header and waits for the body: it is under way for as long as the test
 * wants. The interim answer proves that the header was read (RFC 9110 §10.1.1).
 */
export async function beginPost(
  port: number,
  path: string,
  fields: Readonly<Record<string, string>>,
  cookie = '',
): Promise<PartialRequest> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const body = new URLSearchParams(fields).toString()
  const header = [
    `POST ${path} HTTP/1.1`,
    `Host: localhost:${port}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    ...(cookie === '' ? [] : [`Cookie: ${cookie}`]),
    'Expect: 100-continue',
  ]
  socket.write(`${header.join('\r\n')}\r\n\r\n`)
  const [interim] = await once(socket, 'data')
  if (!String(interim).startsWith('HTTP/1.1 100 ')) throw new Error(`no interim answer: ${interim}`)
  return {
    socket,
    async finish() {
      let answer = ''
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text
      })
      const closed = once(socket, 'close')
      socket.write(body)
      await closed
      return answer
    },
  }
}
