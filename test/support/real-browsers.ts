/**
 * Firefox and WebKit as the machine's packages bring them, driven by what they speak themselves: Firefox by WebDriver BiDi,
 * WebKitGTK by WebDriver (W3C) through `WebKitWebDriver`. Both reach this machine alone.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import { freePort } from './service.ts'

export type RealBrowser = {
  /** Resolves when the page has loaded. */
  open(address: string): Promise<void>
  /** The value of a JavaScript expression in the page; JSON types alone. Rejects while a page makes room for another. */
  evaluate(expression: string): Promise<unknown>
  /** Presses the main button of the mouse at a point of the viewport, in CSS pixels. */
  click(x: number, y: number): Promise<void>
  /** Types characters, or keys by their code points (W3C WebDriver §17.4.2). */
  type(text: string): Promise<void>
  /** CSS pixels of the viewport. */
  resize(width: number, height: number): Promise<void>
  /** Errors that scripts threw or wrote to the console; undefined where the protocol does not tell. */
  readonly errors: readonly string[] | undefined
  close(): Promise<void>
}

export type BrowserKind = {
  readonly name: string
  /** Programs that it needs. */
  readonly programs: readonly string[]
  start(): Promise<RealBrowser>
}

export const realBrowsers: readonly BrowserKind[] = [
  { name: 'Firefox', programs: ['firefox-esr'], start: startFirefox },
  { name: 'WebKit', programs: ['WebKitWebDriver', 'Xvfb'], start: startWebKit },
]

/** The first of these programs that is not on the `PATH`; undefined when all are. */
export function missing(programs: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return programs.find((program) => !folders.some((folder) => isExecutable(join(folder, program))))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const startsWithinMs = 180_000
/** No command takes longer, or the browser is stuck. */
const answersWithinMs = 120_000

/**
 * Runs a program in a process group of its own, and ends all of the group when its input ends: also when the process
 * that started it was killed.
 */
const supervisor = '"$0" "$@" </dev/null & read -r word; kill -9 0'

/** A folder and processes that end and go together. */
function belongings() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-browser-'))
  const children: ChildProcess[] = []
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LANG: 'C.UTF-8' }
  return {
    folder,
    /** Starts a program, and resolves to the first match of what it says on its standard error or another descriptor. */
    async start(
      program: string,
      parameters: readonly string[],
      {
        says,
        more = {},
        descriptor = 2,
      }: { says: RegExp; more?: Readonly<Record<string, string>>; descriptor?: 2 | 3 },
    ): Promise<RegExpExecArray> {
      const child = spawn('/bin/sh', ['-c', supervisor, program, ...parameters], {
        cwd: folder,
        env: { ...env, ...more },
        detached: true,
        stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      })
      children.push(child)
      let output = ''
      const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
      const timer = setTimeout(() => reject(new Error(`${program} does not start: ${output}`)), startsWithinMs)
      child.once('error', reject).once('exit', () => reject(new Error(`${program} ended: ${output}`)))
      for (const at of [2, 3] as const) {
        ;(child.stdio[at] as Readable).on('data', (chunk) => {
          if (at !== descriptor) return
          output += chunk
          const found = says.exec(output)
          if (found !== null) resolve(found)
        })
      }
      try {
        return await promise
      } finally {
        clearTimeout(timer)
      }
    },
    async end(): Promise<void> {
      for (const child of children.reverse()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const gone = once(child, 'exit')
        child.stdin?.end()
        await gone
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

const pressed = (x: number, y: number) => [
  {
    type: 'pointer',
    id: 'mouse',
    actions: [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
]

const typed = (text: string) => [
  {
    type: 'key',
    id: 'keyboard',
    actions: [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  },
]

/** Preferences of a new profile: nothing is fetched, asked or shown that a test did not ask for. */
const firefoxPreferences: Readonly<Record<string, string | number | boolean>> = {
  // A proxy that does not exist stands before every host but this machine.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': 'localhost, 127.0.0.1',
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'signon.rememberSignons': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
}

async function startFirefox(): Promise<RealBrowser> {
  const own = belongings()
  try {
    const lines = Object.entries(firefoxPreferences).map(([name, value]) => [
      JSON.stringify(name),
      JSON.stringify(value),
    ])
    writeFileSync(join(own.folder, 'user.js'), lines.map((pair) => `user_pref(${pair.join(', ')})\n`).join(''))
    const parameters = [
      '--headless',
      '--no-remote',
      '--profile',
      own.folder,
      '--remote-debugging-port=0',
      'about:blank',
    ]
    const [, address] = await own.start('firefox-esr', parameters, { says: /BiDi listening on (ws:\S+)/ })
    const { send, on, end } = await connect(`${address}/session`)
    await send('session.new', { capabilities: {} })
    const tree = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] }
    const context = tree.contexts[0]?.context ?? ''
    const errors: string[] = []
    on('log.entryAdded', (entry) => {
      const { level, text } = entry as { level: string; text: string | null }
      if (level === 'error') errors.push(text ?? '')
    })
    await send('session.subscribe', { events: ['log.entryAdded'] })
    return {
      errors,
      open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
      async evaluate(expression) {
        const answer = (await send('script.evaluate', {
          expression: `JSON.stringify(${expression}) ?? 'null'`,
          target: { context },
          awaitPromise: true,
        })) as { type: string; result?: { value: string }; exceptionDetails?: { text: string } }
        if (answer.result === undefined) throw new Error(answer.exceptionDetails?.text)
        return JSON.parse(answer.result.value)
      },
      click: async (x, y) => void (await send('input.performActions', { context, actions: pressed(x, y) })),
      type: async (text) => void (await send('input.performActions', { context, actions: typed(text) })),
      resize: async (width, height) =>
        void (await send('browsingContext.setViewport', { context, viewport: { width, height } })),
      async close() {
        end()
        await own.end()
      },
    }
  } catch (error) {
    await own.end()
    throw error
  }
}

/** A connection of WebDriver BiDi: commands and their answers, and events. */
async function connect(address: string) {
  const socket = new WebSocket(address)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const listeners = new Map<string, (parameters: unknown) => void>()
  let sent = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as { type: string; id?: number; method?: string; [name: string]: unknown }
    if (message.type === 'event') return listeners.get(message.method ?? '')?.(message.params)
    const { resolve, reject } = waiting.get(message.id ?? -1) ?? {}
    if (message.type === 'success') resolve?.(message.result)
    else reject?.(new Error(`${message.error}: ${message.message}`))
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser closed the connection'))
  })
  await once(socket, 'open')
  return {
    async send(method: string, params: unknown): Promise<unknown> {
      sent += 1
      const id = sent
      const answer = Promise.withResolvers<unknown>()
      waiting.set(id, answer)
      socket.send(JSON.stringify({ id, method, params }))
      try {
        return await answer.promise
      } finally {
        waiting.delete(id)
      }
    },
    on: (event: string, listener: (parameters: unknown) => void) => void listeners.set(event, listener),
    end: () => socket.close(),
  }
}

async function startWebKit(): Promise<RealBrowser> {
  const own = belongings()
  try {
    const screen = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
    const [display] = await own.start('Xvfb', screen, { says: /^\d+(?=\n)/, descriptor: 3 })
    // The bar of its window would be wider than a phone.
    mkdirSync(join(own.folder, '.config/gtk-3.0'), { recursive: true })
    writeFileSync(
      join(own.folder, '.config/gtk-3.0/gtk.css'),
      '* { min-width: 0; margin: 0; padding: 0; font-size: 1px }',
    )
    const port = await freePort()
    const more = {
      DISPLAY: `:${display}`,
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
      NO_AT_BRIDGE: '1',
      // With its just-in-time compiler, its process for pages crashes now and then.
      JSC_useJIT: '0',
    }
    // It says nothing when it listens, but who connects to it is answered.
    const ready = own.start('WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], { says: /(?!)/, more })
    ready.catch(() => {})
    const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        signal: AbortSignal.timeout(answersWithinMs),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { value } = (await answer.json()) as { value: unknown }
      if (answer.ok) return value
      const { error, message } = value as { error: string; message: string }
      throw new Error(`${error}: ${message}`)
    }
    await Promise.race([ready, until(async () => Boolean(await call('GET', '/status')))])
    const proxy = {
      proxyType: 'manual',
      httpProxy: '127.0.0.1:9',
      sslProxy: '127.0.0.1:9',
      noProxy: ['localhost', '127.0.0.1'],
    }
    const { sessionId } = (await call('POST', '/session', { capabilities: { alwaysMatch: { proxy } } })) as {
      sessionId: string
    }
    const command = (path: string, body: unknown) => call('POST', `/session/${sessionId}/${path}`, body)
    const evaluate = async (expression: string) =>
      JSON.parse(
        String(await command('execute/sync', { script: `return JSON.stringify(${expression}) ?? 'null'`, args: [] })),
      )
    return {
      errors: undefined,
      open: async (url) => void (await command('url', { url })),
      evaluate,
      click: async (x, y) => void (await command('actions', { actions: pressed(x, y) })),
      type: async (text) => void (await command('actions', { actions: typed(text) })),
      async resize(width, height) {
        await command('window/rect', { width, height })
        // The rest is the window's own, and the page hears of its size a moment later.
        await until(async () => {
          const [across = 0, down = 0] = (await evaluate('[innerWidth, innerHeight]')) as number[]
          if (across === width && down === height) return true
          const rect = (await call('GET', `/session/${sessionId}/window/rect`)) as { width: number; height: number }
          await command('window/rect', { width: rect.width + width - across, height: rect.height + height - down })
          return false
        })
      },
      async close() {
        await call('DELETE', `/session/${sessionId}`)
        await own.end()
      },
    }
  } catch (error) {
    await own.end()
    throw error
  }
}

/** Asks until the answer is true; errors count as no answer while there is time. */
async function until(ask: () => Promise<boolean>): Promise<void> {
  const latest = performance.now() + startsWithinMs
  for (;;) {
    try {
      if (await ask()) return
    } catch (error) {
      if (performance.now() > latest) throw error
    }
    if (performance.now() > latest) throw new Error('the browser does not come to it')
    await after(50)
  }
}
