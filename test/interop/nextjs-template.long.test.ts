/** What `client add --for nextjs-authjs` prints, in an application of Next.js that is built and started as it is deployed. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Browser as Chromium } from '@playwright/test'
import { temporaryFolder } from '../support/lifetime.ts'
import { freePort, startService, type TestService } from '../support/service.ts'
import { launchChromium } from './chromium.ts'
import { printedFor, ranElsewhere, useInBrowser } from './printed.ts'
import { clientsFolder, notInstalled, startProgram } from './programs.ts'

const { nextjs } = ranElsewhere
const next = join(clientsFolder, 'node_modules/next/dist/bin/next')
/** Nothing is fetched or reported by the framework. */
const quiet = { NEXT_TELEMETRY_DISABLED: '1', NO_UPDATE_NOTIFIER: '1' }

/** The rest of the application: what a developer writes beside the files that are printed. */
const rest: Readonly<Record<string, string>> = {
  // The packages are those of another folder, which only a root above both contains.
  'next.config.mjs': `export default { turbopack: { root: '/' } }`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ strict: true, noEmit: true, skipLibCheck: true, esModuleInterop: true, jsx: 'react-jsx' },
      ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['dom', 'es2022'] },
      ...{ isolatedModules: true, resolveJsonModule: true, incremental: false, allowJs: true },
      ...{ paths: { '@/*': ['./*'] }, plugins: [{ name: 'next' }] },
    },
    include: ['**/*.ts', '**/*.tsx', '.next/types/**/*.ts'],
    exclude: ['node_modules'],
  }),
  'app/layout.tsx': `import type { ReactNode } from 'react'
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}`,
  'app/page.tsx': `import { auth, signIn, signOutOfBoth } from '@/auth'
async function signInHere() {
  'use server'
  await signIn('latchkey')
}
export default async function Page() {
  const session = await auth()
  if (!session?.user) return <form action={signInHere}><p>Signed out</p><button>Sign in</button></form>
  return <form action={signOutOfBoth}><p>{\`\${session.user.name} \${session.user.email}\`}</p><button>Sign out</button></form>
}`,
}

/** Packages of an earlier version of this folder may be there without it. */
const skip = notInstalled ?? (existsSync(next) ? undefined : 'not on this machine: Next.js')

describe('settings that a template prints for Next.js', { skip }, () => {
  let service: TestService
  let browser: Chromium
  before(async () => {
    service = await startService()
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it(`${nextjs} signs a person in and out of both as they are, and gives the page no token`, async (t) => {
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const { setup } = await printedFor(service, nextjs, { base_url: origin })
    const [, route = '', handlers = ''] = /^(app\/\S+): (.+)$/.exec(setup.notes[0] ?? '') ?? []
    // It is removed when the program has ended.
    const folder = temporaryFolder()
    const { environment = { title: '', code: '' } } = setup
    const files = { ...rest, [setup.title]: setup.code, [route]: handlers, [environment.title]: environment.code }
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
    await symlink(join(clientsFolder, 'node_modules'), join(folder, 'node_modules'))
    const env = { ...quiet }
    const built = { cwd: folder, env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env }, timeout: 180_000 }
    // Checks the types of what is printed, too.
    await promisify(execFile)(process.execPath, [next, 'build'], built).catch(({ message, stdout, stderr }) =>
      assert.fail(`${message}\n${stdout}\n${stderr}`),
    )
    const program = await startProgram(
      [process.execPath, next, 'start', '--hostname', 'localhost', '--port', String(port)],
      { ISSUER: service.issuer, CLIENT_ID: nextjs, CLIENT_SECRET: '', PORT: String(port), ...env },
      folder,
    )
    t.after(() => program.stop())
    const used = useInBrowser(t, { browser, service, origin }, async (get) => {
      const session = (await get(`${origin}/api/auth/session`)) as Record<string, unknown>
      assert.deepEqual(Object.keys(session).toSorted(), ['expires', 'user'])
      assert.deepEqual(session.user, { name: 'alice', email: 'alice@example.com' })
    })
    await used.catch((error) => assert.fail(`${error}\n${program.output()}`))
  })
})
