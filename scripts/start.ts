/**
 * The quick start: the service with its demo data, and the demo client beside it, until Ctrl-C. Arguments go on to
 * `latchkey serve`; settings come from where the service reads them (`Server__Port`, `latchkey.json`, …). The demo
 * client listens on DEMO_CLIENT_PORT, default 5081.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { demoMailFile } from '../src/server/demo-mail.ts'
import { readyMessage } from '../src/server/workers.ts'
import { demo } from '../src/settings/demo.ts'
import { readSettings } from '../src/settings/read.ts'
import type { Settings } from '../src/settings/settings.ts'

type Part = { readonly title: string; readonly process: ChildProcess; readonly url: string }

const root = fileURLToPath(new URL('../', import.meta.url))
/** As long as the service may take to finish what it has begun. */
const patienceMs = 15_000
const pollingMs = 25

/** Where mails go, unless the settings say otherwise; the mailbox of the demo client shows them. */
const mailFolder = 'data/mail'

const serveArguments = process.argv.slice(2)
const clientPort = process.env.DEMO_CLIENT_PORT || '5081'
const clientUrl = `http://localhost:${clientPort}/`
const parts: Part[] = []
let stopping = false

const reading = readSettings({ file: configFile(serveArguments) })
if (reading.ok) {
  await start(reading.settings)
} else {
  for (const problem of reading.problems) console.error(problem)
  process.exitCode = 1
}

async function start({ oauth, cors, mail, accounts, database }: Settings): Promise<void> {
  const { issuer } = oauth
  const { origins } = cors
  // Ctrl-C at a terminal, a signal to npm, or the end of the process that started this one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  process.on('disconnect', stop)

  const origin = new URL(clientUrl).origin
  const isMailUnset = mail.url === null
  const mailbox = mail.url === null ? resolve(root, mailFolder) : mail.url.kind === 'file' ? mail.url.folder : ''
  const service = add(
    'The service',
    new URL('.well-known/openid-configuration', issuer),
    ['bin/latchkey', 'serve', '--demo', ...serveArguments],
    {
      // The bundle, which `prepare.mjs` has made.
      LATCHKEY_BUILT: '1',
      // Unless the settings name origins of their own, the demo client's is the one that may call.
      ...(origins.length === 0 ? { Cors__Origins__0: origin } : {}),
      ...(isMailUnset && { Mail__Url: `file:${mailFolder}` }),
      // Every page can be tried: nobody else reaches the demo.
      ...(isMailUnset && accounts.registration === 'closed' && { Accounts__Registration: 'open' }),
    },
  )
  add('The demo client', new URL(clientUrl), [process.execPath, 'examples/demo-client/server.ts'], {
    DEMO_CLIENT_PORT: clientPort,
    DEMO_ISSUER: issuer,
    DEMO_MAILBOX: mailbox,
  })

  const answers = await Promise.all([...parts.map(untilAnswers), untilAnnounced(service)])
  if (stopping || !answers.every(Boolean)) return
  const note = isMailUnset ? demoMailFile(database.url) : undefined
  if (note !== undefined) {
    writeFileSync(note, `file:${mailbox}`)
    process.on('exit', () => rmSync(note, { force: true }))
  }
  // At a terminal the service has said who can sign in, and how it is stopped.
  const isSaid = process.stdout.isTTY
  const lines = [
    ['Demo client', `${clientUrl}  (an application that signs people in with Latchkey)`],
    ...(mailbox === '' ? [] : [['Mailbox', `${clientUrl}mailbox  (every mail that the service sends)`]]),
    ...(isSaid ? [] : [['Sign in', `as ${demo.userName} with the password ${demo.password}`]]),
    ...(isSaid ? [] : [['Stop', 'Ctrl-C']]),
  ]
  console.log(lines.map(([name = '', text]) => `  ${name.padEnd(11)}  ${text}\n`).join(''))
  if (clientPort !== '5081') {
    console.log(`  The demo's registration knows only http://localhost:5081/. For this port register another client:
  npx latchkey client add my-demo --redirect-uri ${clientUrl}callback --post-logout-redirect-uri ${clientUrl} \\
    --scope offline_access --scope demo_api     and start again with DEMO_CLIENT_ID=my-demo
`)
  }
  if (origins.length > 0 && !origins.includes(origin)) {
    console.log(`  Cors:Origins does not list ${origin}, so the demo client cannot call the service.\n`)
  }
}

function add(title: string, url: URL, command: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const [program = '', ...rest] = command
  const child = spawn(program, rest, {
    cwd: root,
    env: { ...process.env, ...env },
    // The service sends one message, once everything that it prints at the start is printed.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A terminal sends Ctrl-C to everything in its group; each part is to get one signal, from here.
    detached: true,
  })
  const part = { title, process: child, url: url.href }
  parts.push(part)
  child.on('error', (error) => console.error(`${title} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (!stopping) {
      console.error(`${title} has ended (${signal ?? `exit code ${code}`}), so everything stops.`)
      process.exitCode = 1
    }
    stop()
  })
  return child
}

/** Resolves when the service has printed where it is, and how it is set up: what follows stands below that. */
function untilAnnounced(service: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    service.on('message', (message) => message === readyMessage && resolve(true))
    service.on('exit', () => resolve(false))
  })
}

/** False: the part ended, or everything is being stopped. */
async function untilAnswers(part: Part): Promise<boolean> {
  while (!stopping) {
    const response = await fetch(part.url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return true
    await pause(pollingMs)
  }
  return false
}

/** Asks every part to finish, once. This process ends by itself when they have. */
function stop(): void {
  if (stopping) return
  stopping = true
  for (const { process: child } of parts) child.kill('SIGTERM')
  // The channel to the parent would keep this process alive.
  if (process.connected) process.disconnect?.()
  setTimeout(() => {
    for (const { title, process: child } of parts) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      console.error(`${title} did not end within ${patienceMs / 1000} s and was killed.`)
      process.exitCode = 1
      child.kill('SIGKILL')
    }
  }, patienceMs).unref()
}

function configFile(parameters: readonly string[]): string | undefined {
  const { values } = parseArgs({ args: [...parameters], options: { config: { type: 'string' } }, strict: false })
  return typeof values.config === 'string' ? values.config : undefined
}
