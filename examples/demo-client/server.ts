/**
 * Serves the demo client on an origin of its own, so that everything it does crosses origins as a real client's would.
 *
 *   DEMO_CLIENT_PORT  the port to listen on; default 5081
 *   DEMO_ISSUER       the identity provider; default http://localhost:5080/
 *   DEMO_CLIENT_ID    the `client_id` it is registered under; default demo
 *   DEMO_MAILBOX      a folder of mails, shown at /mailbox; default: none
 */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'

export type DemoClientSettings = {
  readonly issuer: string
  readonly clientId: string
  /** The folder of the mails that the page /mailbox shows; absent: there is no such page. */
  readonly mailbox?: string
}

/** `policy`: in place of that of the pages. */
type StaticFile = { readonly body: Buffer | string; readonly type: string; readonly policy?: string }

/** A mail in its frame has styles of its own, and runs and loads nothing. */
const letterPolicy =
  "sandbox allow-same-origin allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"

/** Reads the settings above. Throws an Error that names the one that is malformed. */
export function readDemoSettings(env: NodeJS.ProcessEnv): DemoClientSettings & { readonly port: number } {
  const port = Number(env.DEMO_CLIENT_PORT || 5081)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`DEMO_CLIENT_PORT must be a port number (0 to 65535), not "${env.DEMO_CLIENT_PORT}"`)
  }
  const issuer = env.DEMO_ISSUER || 'http://localhost:5080/'
  if (!URL.canParse(issuer)) throw new Error(`DEMO_ISSUER must be an absolute address, not "${issuer}"`)
  const mailbox = env.DEMO_MAILBOX || undefined
  return { port, issuer, clientId: env.DEMO_CLIENT_ID || 'demo', ...(mailbox !== undefined && { mailbox }) }
}

/** The server, not yet listening. The files are read once: there is no path to walk out of. */
export async function createDemoClient(settings: DemoClientSettings): Promise<Server> {
  const { mailbox } = settings
  const html = await readPublic('index.html', 'text/html; charset=utf-8')
  const page =
    mailbox === undefined
      ? html
      : { ...html, body: String(html.body).replace('id="mailbox-link" hidden', 'id="mailbox-link"') }
  const files = new Map<string, StaticFile>([
    ['/', page],
    // The page is also where the provider sends people back to; the script looks at the path.
    ['/callback', page],
    ['/app.js', await readPublic('app.js', 'text/javascript; charset=utf-8')],
    ['/oidc.js', await readPublic('oidc.js', 'text/javascript; charset=utf-8')],
    ['/timeline.js', await readPublic('timeline.js', 'text/javascript; charset=utf-8')],
    ['/view.js', await readPublic('view.js', 'text/javascript; charset=utf-8')],
    ['/mailbox.js', await readPublic('mailbox.js', 'text/javascript; charset=utf-8')],
    ['/style.css', await readPublic('style.css', 'text/css; charset=utf-8')],
    ['/kit/kit.css', await readKit('kit.css')],
    ['/kit/area.css', await readKit('area.css')],
    // The library as its authors publish it: an import map would have to be inline, and the policy below forbids that.
    ['/vendor/oauth4webapi.js', await readModule('oauth4webapi')],
    [
      '/config.json',
      { type: 'application/json', body: JSON.stringify({ issuer: settings.issuer, client_id: settings.clientId }) },
    ],
  ])
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "frame-src 'self'",
    // Discovery, keys, tokens and the API are fetched across origins from exactly one place.
    `connect-src 'self' ${new URL(settings.issuer).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://demo.invalid')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end()
      return
    }
    const file =
      files.get(pathname) ?? (await brandFile(pathname, settings)) ?? (await mailboxFile(request, pathname, settings))
    if (!file) {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('There is nothing here.\n')
      return
    }
    response.writeHead(200, {
      'Content-Type': file.type,
      'Content-Security-Policy': file.policy ?? policy,
      'X-Content-Type-Options': 'nosniff',
      // The callback address carries the code: it must not travel on in a Referer, nor stay in a cache.
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    })
    response.end(request.method === 'HEAD' ? undefined : file.body)
  })
}

/** The looks of the provider, which are public. Without it, the page keeps the default ones. */
async function brandFile(path: string, { issuer }: DemoClientSettings): Promise<StaticFile | undefined> {
  const found = {
    '/branding.css': ['branding.css', 'text/css; charset=utf-8'],
    '/icon': ['favicon.ico', 'image/svg+xml'],
  }
  const [name, type] = Object.hasOwn(found, path) ? found[path as keyof typeof found] : []
  if (name === undefined || type === undefined) return undefined
  try {
    const response = await fetch(new URL(name, issuer), { signal: AbortSignal.timeout(2000), redirect: 'error' })
    if (!response.ok) return { body: '', type }
    return { body: Buffer.from(await response.arrayBuffer()), type: response.headers.get('content-type') ?? type }
  } catch {
    return { body: '', type }
  }
}

/** Mails have codes and links, so a site that resolves its own name to this machine must not read them. */
async function mailboxFile(
  { headers: { host = '' } }: IncomingMessage,
  path: string,
  { mailbox, issuer }: DemoClientSettings,
): Promise<StaticFile | undefined> {
  if (mailbox === undefined || !/^\/mailbox(?:\/|$)/.test(path)) return undefined
  if (!/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host)) return undefined
  const { mailboxPage } = await import('./mailbox.ts')
  // A file that cannot be read, or was removed meanwhile, is no mail.
  const body = await mailboxPage(mailbox, path, issuer).catch(() => undefined)
  if (body === undefined) return undefined
  return { body, type: 'text/html; charset=utf-8', ...(path.endsWith('.html') && { policy: letterPolicy }) }
}

/** A sheet of the pages that people sign in on, which needs no build; the one that it imports stands in its place. */
async function readKit(name: string): Promise<StaticFile> {
  const folder = new URL('../../pages/kit/', import.meta.url)
  const [sheet, tokens] = await Promise.all([name, 'tokens.css'].map((file) => readFile(new URL(file, folder), 'utf8')))
  return { type: 'text/css; charset=utf-8', body: (sheet ?? '').replace('@import "./tokens.css";', () => tokens ?? '') }
}

async function readPublic(name: string, type: string): Promise<StaticFile> {
  return { type, body: await readFile(new URL(`public/${name}`, import.meta.url)) }
}

async function readModule(name: string): Promise<StaticFile> {
  return { type: 'text/javascript; charset=utf-8', body: await readFile(fileURLToPath(import.meta.resolve(name))) }
}

async function main(): Promise<void> {
  const settings = readDemoSettings(process.env)
  const server = await createDemoClient(settings)
  server.on('error', (error: NodeJS.ErrnoException) => {
    const taken = error.code === 'EADDRINUSE'
    console.error(
      taken
        ? `demo client: port ${settings.port} is taken; stop what uses it, or choose another with DEMO_CLIENT_PORT`
        : `demo client: ${error.message}`,
    )
    process.exit(1)
  })
  server.listen(settings.port, 'localhost', () => {
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : settings.port
    console.log(`demo client: http://localhost:${port}/ for ${settings.issuer}`)
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      server.close()
      // Browsers keep connections open; nothing is in flight that would be missed.
      server.closeAllConnections()
    })
  }
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    console.error(`demo client: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  })
}
