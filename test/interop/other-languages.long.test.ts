/** Web applications in other languages, with libraries from Debian's packages (`examples/clients`). */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { mintClientSecret } from '../../src/secrets/opaque.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, freePort, startService, type TestService, testScope } from '../support/service.ts'
import { printedFor, ranElsewhere, variablesOf } from './printed.ts'
import { clientsFolder, type ProgramSettings, startProgram } from './programs.ts'
import { Visitor } from './visitor.ts'

type App = {
  readonly name: string
  /** Ends with 0 if the machine has the language and the libraries. */
  readonly probe: readonly string[]
  /** Compiles it into a folder. */
  readonly build?: (folder: string) => readonly string[]
  readonly command: (settings: ProgramSettings, folder: string) => readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly callback?: string
  readonly requirePkce?: boolean
}

const python = (file: string) => () => ['/usr/bin/python3', `${clientsFolder}python/${file}`]
const imports = (modules: string) => ['/usr/bin/python3', '-c', `import ${modules}`]
const goPath = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '-buildvcs=false' }

const apps: readonly App[] = [
  { name: 'Authlib', probe: imports('flask, authlib'), command: python('authlib_flask.py') },
  {
    name: 'requests-oauthlib',
    probe: imports('flask, requests_oauthlib'),
    command: python('requests_oauthlib_flask.py'),
    requirePkce: false,
  },
  {
    name: 'Python Social Auth',
    probe: imports('flask, social_core, jose'),
    command: python('social_auth_flask.py'),
    requirePkce: false,
  },
  {
    name: 'OmniAuth OpenID Connect',
    probe: ['ruby', '-e', 'require "rack"; require "webrick"; require "omniauth_openid_connect"'],
    command: ({ PORT }) => {
      const file = `${clientsFolder}ruby/omniauth-openid-connect.ru`
      return ['rackup', '--server', 'webrick', '--host', 'localhost', '--port', PORT, file]
    },
    env: { LANG: 'C.UTF-8' },
    callback: '/auth/latchkey/callback',
    requirePkce: false,
  },
  {
    name: 'go-oidc with x/oauth2',
    probe: ['sh', '-c', 'go version && test -d /usr/share/gocode/src/github.com/coreos/go-oidc'],
    build: (folder) => ['go', 'build', '-o', join(folder, 'app'), `${clientsFolder}go/main.go`],
    command: (_settings, folder) => [join(folder, 'app')],
    env: goPath,
  },
]

const railsGems = 'railties gitlab-omniauth-openid-connect omniauth-rails_csrf_protection rack webrick'
const railsParts = ['rails', 'action_controller/railtie', 'omniauth_openid_connect', 'omniauth/rails_csrf_protection']
/** The rest of an application with Rails, in one file. */
const railsApplication = `${railsParts.map((gem) => `require '${gem}'`).join('\n')}
class Shop < Rails::Application
  config.root = __dir__
  config.eager_load = false
  config.secret_key_base = ENV.fetch('SESSION_SECRET')
  config.logger = Logger.new($stderr)
end
class PagesController < ActionController::Base
  def home = render(json: session[:person])
  def login = render(inline: '<%= button_to "Sign in", "/auth/latchkey" %>')
  def callback
    session[:person] = request.env['omniauth.auth'].info.slice(:name, :email)
    redirect_to '/'
  end
end
Shop.initialize!
Shop.routes.draw do
  root 'pages#home'
  get '/login', to: 'pages#login'
  get '/auth/latchkey/callback', to: 'pages#callback'
end
run Shop
`

const { secret, hash } = mintClientSecret(randomBytes)

describe('web applications in other languages', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    for (const name of ['profile', 'email']) await service.storage.scopes.create(testScope(name))
  })
  after(() => service.stop())

  async function register(id: string, origin: string, callback: string, requirePkce = true): Promise<void> {
    await addClient(service, {
      id,
      authentication: bySecret(hash),
      requirePkce,
      redirectUris: [`${origin}${callback}`],
      postLogoutRedirectUris: [`${origin}/`],
      scopes: ['profile', 'email', 'offline_access'],
    })
  }

  async function isSignedIn(visitor: Visitor): Promise<boolean> {
    const session = await visitor.fetch(`${service.issuer}Account/Session`)
    const { user } = (await session.json()) as { user: unknown }
    return user !== null
  }

  for (const { name, probe, build, command, env = {}, callback = '/callback', requirePkce } of apps) {
    it(`${name} signs in, reads userinfo, refreshes and signs out`, async (t) => {
      if (!runs(probe)) return t.skip(`not on this machine: ${name}`)
      const port = String(await freePort())
      const origin = `http://localhost:${port}`
      const id = name.replaceAll(/[^A-Za-z]/g, '-')
      await register(id, origin, callback, requirePkce)
      const settings = { ISSUER: service.issuer, CLIENT_ID: id, CLIENT_SECRET: secret, PORT: port, ...env }
      const folder = await newFolder(t)
      const [compiler, ...parameters] = build?.(folder) ?? []
      if (compiler !== undefined) {
        const { status, stderr } = spawnSync(compiler, parameters, {
          env: { ...process.env, ...env },
          encoding: 'utf8',
        })
        assert.equal(status, 0, stderr)
      }
      const program = await startProgram(command(settings, folder), settings)
      t.after(() => program.stop())
      const visitor = new Visitor()
      const said = (page: unknown) => `${JSON.stringify(page)}\n${program.output()}`

      const home = await visitor.open(`${origin}/login`)
      assert.equal(home.status, 200, said(home))
      const person = JSON.parse(home.text)
      assert.equal(person?.name, 'alice', said(home))
      assert.equal(person?.email, 'alice@example.com')
      const refreshed = await visitor.open(`${origin}/refresh`)
      assert.deepEqual(tryParse(refreshed.text), { refreshed: true }, said(refreshed))
      const left = await visitor.open(`${origin}/logout`)
      assert.equal(left.url.href, `${origin}/`, said(left))
      assert.equal(await isSignedIn(visitor), false)
    })
  }

  const { flask, rails } = ranElsewhere
  it(`${flask} signs a person in and out of both as its template prints it`, async (t) => {
    if (!runs(imports('flask, authlib'))) return t.skip('not on this machine: Flask and Authlib')
    const port = String(await freePort())
    const origin = `http://localhost:${port}`
    const { code, secret, setup } = await printedFor(service, flask, { base_url: origin })
    const folder = await newFolder(t)
    await writeFile(join(folder, 'app.py'), code)
    // What a developer writes beside it.
    const page = ['@app.get("/")', 'def home():', '    return jsonify(session.get("person"))']
    await writeFile(
      join(folder, 'pages.py'),
      ['from app import app', 'from flask import jsonify, session', ...page].join('\n'),
    )
    const command = ['/usr/bin/python3', '-m', 'flask', '--app', 'pages', 'run', '--host', 'localhost', '--port', port]
    const settings = { ISSUER: service.issuer, CLIENT_ID: flask, CLIENT_SECRET: secret, PORT: port }
    const program = await startProgram(
      command,
      { ...settings, ...variablesOf(setup), PYTHONDONTWRITEBYTECODE: '1' },
      folder,
    )
    t.after(() => program.stop())
    const visitor = new Visitor()
    const said = (page: unknown) => `${JSON.stringify(page)}\n${program.output()}`
    const home = await visitor.open(`${origin}/login`)
    assert.equal(home.url.href, `${origin}/`, said(home))
    const person = tryParse(home.text) as { name?: string; email?: string }
    assert.deepEqual([person.name, person.email], ['alice', 'alice@example.com'], said(home))
    const left = await visitor.open(`${origin}/logout`)
    assert.deepEqual([left.url.href, left.text.trim()], [`${origin}/`, 'null'], said(left))
    assert.equal(await isSignedIn(visitor), false)
  })

  it(`${rails} signs a person in as its template prints it`, async (t) => {
    if (!runs(['ruby', '-e', `%w[${railsGems}].each { |name| Gem::Specification.find_by_name(name) }`])) {
      return t.skip(`not on this machine: ${railsGems}`)
    }
    const port = String(await freePort())
    const origin = `http://localhost:${port}`
    // The gem of Debian is a fork that has no PKCE.
    const { setup, secret } = await printedFor(service, rails, { base_url: origin, require_pkce: false })
    const folder = await newFolder(t)
    await mkdir(dirname(join(folder, setup.title)), { recursive: true })
    await writeFile(join(folder, setup.title), setup.code)
    await writeFile(join(folder, 'config.ru'), railsApplication)
    const program = await startProgram(
      ['rackup', '--server', 'webrick', '--host', 'localhost', '--port', port, 'config.ru'],
      {
        ...{ ISSUER: service.issuer, CLIENT_ID: rails, CLIENT_SECRET: secret, PORT: port },
        ...{ ...variablesOf(setup), SESSION_SECRET: randomBytes(64).toString('hex'), LANG: 'C.UTF-8' },
      },
      folder,
    )
    t.after(() => program.stop())
    const visitor = new Visitor()
    const home = await visitor.press(await visitor.open(`${origin}/login`))
    const said = `${JSON.stringify(home)}\n${program.output()}`
    assert.equal(home.url.href, `${origin}/`, said)
    assert.deepEqual(tryParse(home.text), { name: 'alice', email: 'alice@example.com' }, said)
  })

  it('mod_auth_openidc signs in, passes claims on, refreshes and signs out', async (t) => {
    const modules = '/usr/lib/apache2/modules'
    if (!runs(['sh', '-c', `test -x /usr/sbin/apache2 && test -e ${modules}/mod_auth_openidc.so`])) {
      return t.skip('not on this machine: mod_auth_openidc')
    }
    const application = createServer((request, response) => {
      const { oidc_claim_name: claimed, oidc_claim_email: email, oidc_access_token: token } = request.headers
      response.end(JSON.stringify({ name: claimed, email, token }))
    })
    const [port, applicationPort] = [await freePort(), await freePort()]
    await new Promise<void>((resolve) => application.listen(applicationPort, '127.0.0.1', resolve))
    t.after(() => application.close())
    const folder = await newFolder(t)
    const origin = `http://localhost:${port}`
    const needed = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'proxy', 'proxy_http', 'auth_openidc']
    const lines = [
      `ServerRoot ${folder}`,
      'ServerName localhost',
      `Listen 127.0.0.1:${port}`,
      `PidFile ${folder}/pid`,
      `ErrorLog ${folder}/error.log`,
      ...needed.map((each) => `LoadModule ${each}_module ${modules}/mod_${each}.so`),
      ...(process.getuid?.() === 0 ? ['User nobody', 'Group nogroup'] : []),
      `Include ${clientsFolder}apache/mod_auth_openidc.conf`,
    ]
    await writeFile(join(folder, 'apache.conf'), lines.join('\n'))
    await register('apache', origin, '/callback')
    const program = await startProgram(['/usr/sbin/apache2', '-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')], {
      ISSUER: service.issuer,
      CLIENT_ID: 'apache',
      CLIENT_SECRET: secret,
      PORT: String(port),
      ORIGIN: origin,
      APPLICATION: `http://127.0.0.1:${applicationPort}/`,
    })
    t.after(() => program.stop())
    const log = () => readFileSync(join(folder, 'error.log'), 'utf8')
    const visitor = new Visitor()
    const open = async (path: string) => {
      const page = await visitor.open(`${origin}${path}`, { headers: { oidc_claim_name: 'mallory' } })
      assert.equal(page.status, 200, `${JSON.stringify(page)}\n${log()}`)
      return tryParse(page.text) as { name?: string; email?: string; token?: string }
    }

    const first = await open('/')
    assert.deepEqual([first.name, first.email], ['alice', 'alice@example.com'], log())
    const query = new URLSearchParams({ refresh: `${origin}/`, access_token: first.token ?? '' })
    const second = await open(`/callback?${query}`)
    assert.notEqual(second.token, first.token)
    const left = await visitor.open(`${origin}/callback?${new URLSearchParams({ logout: `${origin}/` })}`, {}, origin)
    assert.equal(left.url.href, `${origin}/`, `${JSON.stringify(left)}\n${log()}`)
    assert.equal(await isSignedIn(visitor), false)
  })
})

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-interop-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function runs([file = '', ...parameters]: readonly string[]): boolean {
  return spawnSync(file, parameters, { stdio: 'ignore' }).status === 0
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
