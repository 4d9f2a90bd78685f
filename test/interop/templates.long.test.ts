/** What `client add --for` prints, run as it is printed: by Node.js, by a shell and in Chromium. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Browser as Chromium } from '@playwright/test'
import { clientTemplates } from '../../src/protocol/templates/index.ts'
import { adminProgram } from '../support/admin.ts'
import { Browser } from '../support/browser.ts'
import { freePort, startService, type TestService, testScope } from '../support/service.ts'
import { launchChromium } from './chromium.ts'
import { printedFolder, printedFor, ranElsewhere, useInBrowser } from './printed.ts'
import { nodeProgram, notInstalled, type ProgramSettings, startProgram } from './programs.ts'
import { Visitor } from './visitor.ts'

const folder = printedFolder('templates')

/** `home`: where the program shows the person; null: the callback does. */
const servers = [
  { id: 'express', file: 'express.cjs', home: '/me' },
  { id: 'fastify', file: 'fastify.mjs', home: null },
] as const

const page = `const show = (html) => { document.getElementById('root').innerHTML = html }
const on = (name, act) => [...document.querySelectorAll('button')].find((one) => one.textContent === name)?.addEventListener('click', act)
`
/** The rest of each application: what a developer writes beside the file that is printed. */
const pages = [
  {
    id: 'react',
    file: 'main.tsx',
    more: {
      'App.tsx': `import { useAuth } from 'react-oidc-context'
export function App() {
  const auth = useAuth()
  if (!auth.isAuthenticated) return <><p>Signed out</p><button onClick={() => auth.signinRedirect()}>Sign in</button></>
  return <><p>{auth.user.profile.name} {auth.user.profile.email}</p><button onClick={() => auth.signoutRedirect()}>Sign out</button></>
}`,
    },
    entry: 'main.tsx',
  },
  {
    id: 'vue',
    file: 'auth.ts',
    more: {
      'main.js': `import { auth } from './auth'
${page}
if (location.pathname === '/callback') {
  await auth.signinRedirectCallback()
  history.replaceState({}, '', '/')
}
const user = await auth.getUser()
show(user === null ? '<p>Signed out</p><button>Sign in</button>' : '<p>' + user.profile.name + ' ' + user.profile.email + '</p><button>Sign out</button>')
on('Sign in', () => auth.signinRedirect())
on('Sign out', () => auth.signoutRedirect())`,
    },
    entry: 'main.js',
  },
  {
    id: 'angular',
    file: 'auth.config.ts',
    more: {
      'main.ts': `import '@angular/compiler'
import { provideHttpClient } from '@angular/common/http'
import { Component, inject, provideZonelessChangeDetection, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { OAuthService, provideOAuthClient } from 'angular-oauth2-oidc'
import { authConfig } from './auth.config'
@Component({ selector: 'app-root', template: '<p>{{ text() }}</p><button (click)="act()">{{ label() }}</button>' })
class App {
  oauth = inject(OAuthService)
  text = signal('Signed out')
  label = signal('Sign in')
  act = () => this.oauth.initCodeFlow()
  constructor() { this.start() }
  async start() {
    this.oauth.configure(authConfig)
    await this.oauth.loadDiscoveryDocumentAndTryLogin()
    if (!this.oauth.hasValidIdToken()) return
    const { info } = await this.oauth.loadUserProfile() as any
    this.text.set(info.name + ' ' + info.email)
    this.label.set('Sign out')
    this.act = () => this.oauth.logOut()
  }
}
document.getElementById('root').append(document.createElement('app-root'))
bootstrapApplication(App, { providers: [provideZonelessChangeDetection(), provideHttpClient(), provideOAuthClient()] })`,
    },
    entry: 'main.ts',
  },
] as const

const others = ['other-web', 'other-spa', 'desktop', 'mobile', 'machine', 'cli']

describe('settings that a template prints', { skip: notInstalled }, () => {
  let service: TestService
  let browser: Chromium
  /** Of the pages, whose origin reads answers. */
  let port: number
  before(async () => {
    port = await freePort()
    service = await startService({ Cors__Origins__0: `http://localhost:${port}` })
    await service.storage.scopes.create(testScope('reports', { resources: ['https://reports.example/'] }))
    await mkdir(folder, { recursive: true })
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs what is printed in a shell, and what follows it. */
  async function shell(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], {
      env: { PATH: process.env.PATH ?? '', ...env },
    })
    return stdout
  }

  /** Reads settings of the environment as a shell does. */
  async function environment(code: string): Promise<ProgramSettings> {
    const all = (await shell(`set -a\n${code}\nenv -0`)).split('\0').filter(Boolean)
    const values = all.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)])
    return { ISSUER: '', CLIENT_ID: '', CLIENT_SECRET: '', PORT: '', ...Object.fromEntries(values) }
  }

  it('is run for each library that docs/libraries.md says so of', () => {
    const ran = [
      ...servers.map(({ id }) => id),
      ...pages.map(({ id }) => id),
      ...others,
      ...Object.values(ranElsewhere),
    ]
    const declared = clientTemplates.filter(({ ranWith }) => ranWith !== undefined).map(({ id }) => id)
    assert.deepEqual(declared.toSorted(), ran.toSorted())
  })

  for (const { id, file, home } of servers) {
    it(`${id} signs a person in as they are`, async (t) => {
      const free = await freePort()
      const origin = `http://localhost:${free}`
      const { setup, code } = await printedFor(service, id, { base_url: origin })
      await writeFile(folder + file, code)
      const variables = `${folder}${id}${setup.environment?.title}`
      await writeFile(variables, setup.environment?.code ?? '')
      assert.equal(setup.run, 'node --env-file=.env server.js')
      const program = await startProgram([process.execPath, `--env-file=${variables}`, folder + file], {
        ISSUER: service.issuer,
        CLIENT_ID: id,
        PORT: String(free),
      })
      t.after(() => program.stop())
      const visitor = new Visitor()
      const signedIn = await visitor.open(`${origin}/login`)
      const shown = home === null ? signedIn : await visitor.open(`${origin}${home}`)
      assert.equal(shown.status, 200, `${JSON.stringify(shown)}\n${program.output()}`)
      const person = JSON.parse(shown.text)
      assert.deepEqual([person.name, person.email], ['alice', 'alice@example.com'])
    })
  }

  for (const { id, file, more, entry } of pages) {
    it(`${id} signs a person in and out in a browser as they are`, async (t) => {
      const origin = `http://localhost:${port}`
      const { code } = await printedFor(service, id, { base_url: origin })
      const place = `${folder}${id}/`
      await mkdir(place, { recursive: true })
      for (const [name, text] of Object.entries({ ...more, [file]: code })) await writeFile(place + name, text)
      const { outputFiles } = await createRequire(folder)('esbuild').build({
        entryPoints: [place + entry],
        bundle: true,
        write: false,
        format: 'esm',
        target: 'es2022',
        jsx: 'automatic',
        tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
      })
      const html = '<!doctype html><div id="root"></div><script type="module" src="/app.js"></script>'
      const server = createServer(({ url }, response) => {
        const isScript = url === '/app.js'
        response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
        response.end(isScript ? outputFiles[0].text : html)
      }).listen(port)
      t.after(() => {
        server.closeAllConnections()
        server.close()
      })
      await useInBrowser(t, { browser, service, origin })
    })
  }

  it('other-web, other-spa and desktop are the environment of programs that sign a person in', async (t) => {
    const free = await freePort()
    const origin = `http://localhost:${free}`
    const web = await environment((await printedFor(service, 'other-web', { base_url: origin })).code)
    assert.equal(web.REDIRECT_URI, `${origin}/callback`)
    const server = await startProgram(nodeProgram('openid-client'), { ...web, PORT: String(free) })
    t.after(() => server.stop())
    assert.equal(JSON.parse((await new Visitor().open(`${origin}/login`)).text).name, 'alice')

    const spa = await environment(
      (await printedFor(service, 'other-spa', { base_url: `http://localhost:${port}` })).code,
    )
    const served = await startProgram([...nodeProgram('spa'), 'oidc-client-ts'], {
      ...spa,
      PORT: String(port),
    })
    t.after(() => served.stop())
    await useInBrowser(t, { browser, service, origin: `http://localhost:${port}` })

    const desktop = await environment((await printedFor(service, 'desktop')).code)
    const native = await startProgram(nodeProgram('native'), desktop)
    t.after(() => native.stop())
    const [, address = ''] = await native.says(/Open this address: (\S+)/)
    await new Visitor().open(address)
    await native.says(/Signed in: alice/)
  })

  it('mobile is the environment of a program that the browser comes back to by its scheme (RFC 8252 §7.1)', async () => {
    const { ISSUER, CLIENT_ID, REDIRECT_URI, SCOPE } = await environment((await printedFor(service, 'mobile')).code)
    const library = createRequire(folder)('openid-client')
    const insecure = { execute: [library.allowInsecureRequests] }
    const found = await library.discovery(new URL(ISSUER), CLIENT_ID, undefined, library.None(), insecure)
    const pkceCodeVerifier = library.randomPKCECodeVerifier()
    const expectedState = library.randomState()
    const address: URL = library.buildAuthorizationUrl(found, {
      redirect_uri: REDIRECT_URI,
      scope: SCOPE,
      state: expectedState,
      code_challenge: await library.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    // A scheme of its own has no origin.
    const { url } = await new Visitor().open(address.href, {}, 'null')
    assert.equal(url.href.split('?')[0], 'com.example.app:/callback')
    const tokens = await library.authorizationCodeGrant(found, url, { pkceCodeVerifier, expectedState })
    assert.equal(tokens.claims().name, 'alice')
    assert.match(tokens.refresh_token, /./)
  })

  it('spring-api and aspnetcore-api get tokens of the type that their decoder takes, and ask about opaque ones', async () => {
    const admin = await adminProgram(service)
    for (const [id, type] of [
      ['spring-api', 'JWT'],
      ['aspnetcore-api', 'at+jwt'],
    ]) {
      const { code, secret } = await printedFor(service, `${id}`, { base_url: 'https://api.example' })
      assert.ok(code.includes('https://api.example'))
      const caller = await admin.post('/clients', { client_id: `calls-${id}`, template: 'machine', scope: id })
      const { access_token: token } = JSON.parse(await shell(caller.body.setup.code))
      const [header = ''] = token.split('.')
      assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).typ, type)
      if (id === 'spring-api') {
        const settings = Object.fromEntries(
          [...code.matchAll(/# *(\S+): (".*")/g)].map(([, name, value = '']) => [name, JSON.parse(value)]),
        )
        assert.equal(settings['client-secret'], secret)
        const ask = `curl -u '${settings['client-id']}:${secret}' -d token='${token}' '${settings['introspection-uri']}'`
        assert.deepEqual(JSON.parse(await shell(ask)).active, true)
      }
    }
  })

  it('machine and cli get their tokens with the commands', async () => {
    const machine = await printedFor(service, 'machine', { scope: 'reports' })
    const granted = JSON.parse(await shell(machine.code))
    assert.deepEqual([granted.token_type, granted.scope], ['Bearer', 'reports'])

    const { code } = await printedFor(service, 'cli')
    const [begin = '', poll = ''] = code.split(/^#.*$/m)
    const begun = JSON.parse(await shell(begin))
    const waiting = JSON.parse(await shell(poll, { DEVICE_CODE: begun.device_code }))
    assert.equal(waiting.error, 'authorization_pending')
    const person = await Browser.signedIn(service)
    await person.submit('/Account/Device', { user_code: begun.user_code, 'submit.Accept': 'Yes' })
    let answer = waiting
    while (answer.error !== undefined) {
      assert.match(answer.error, /^(?:authorization_pending|slow_down)$/)
      answer = JSON.parse(await shell(poll, { DEVICE_CODE: begun.device_code }))
    }
    assert.equal(answer.scope, 'openid profile email offline_access')
  })
})
