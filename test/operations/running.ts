import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Lifetime } from '../support/lifetime.ts'
import { type LogLine, type StartedProgram, startProgram } from '../support/program.ts'
import { freePort } from '../support/service.ts'
import { makeDatabaseFile } from '../support/sqlite.ts'

export type { LogLine }

export type Running = StartedProgram & {
  readonly port: number
  readonly issuer: string
  /** Writes `latchkey.json`. */
  configure(settings: object): void
}

export type RunningOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly settings?: object
  /** Further parameters of `serve`. */
  readonly args?: readonly string[]
  /** Default: that of this checkout. */
  readonly command?: readonly [file: string, ...parameters: string[]]
}

/**
 * Starts the demo service in a fresh folder and waits until it is ready. It is killed when the test ends. Unless `env` names
 * another database, there is one with the schema in place.
 */
export async function serve(t: Lifetime, options: RunningOptions = {}): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-operations-'))
  const configure = (settings: object) => writeFileSync(join(folder, 'latchkey.json'), JSON.stringify(settings))
  configure(options.settings ?? {})
  if (options.env?.Database__Url === undefined) await makeDatabaseFile(join(folder, 'data', 'latchkey.db'))
  const port = await freePort()
  const started = startProgram(t, ['serve', '--demo', ...(options.args ?? [])], {
    folder,
    env: { Server__Host: '127.0.0.1', Server__Port: String(port), ...options.env },
    ...(options.command && { command: options.command }),
  })
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await started.logged('ready')
  return { ...started, port, issuer: `http://localhost:${port}/`, configure }
}

/** As `serve`, with two workers, once both answer. */
export async function twoWorkers(t: Lifetime, options: RunningOptions = {}): Promise<Running> {
  const running = await serve(t, { ...options, args: ['--workers', '2'] })
  await running.logged('all workers answer')
  return running
}

/** It ends with 0 when it is asked to. */
export async function assertStops({ child, ended }: StartedProgram): Promise<void> {
  child.kill('SIGTERM')
  assert.deepEqual(await ended, { code: 0, signal: null })
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
