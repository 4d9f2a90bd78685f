import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { isLoopbackHost } from '../../src/protocol/loopback.ts'
import { ignoredVariables } from '../../src/settings/misspelt-variables.ts'
import { spelledProviders } from '../../src/settings/provider-names.ts'
import { readSettings } from '../../src/settings/read.ts'
import { settingsReference } from '../../src/settings/reference.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { providerTable, settingsTable } from '../../src/settings/table.ts'
import { temporaryFolder } from '../support/lifetime.ts'

const folder = temporaryFolder()

const key = Buffer.alloc(32, 7).toString('base64')
let files = 0

type Env = Record<string, string>

/** Reads with `json` as the configuration file: an object, or the text of the file. */
function read(env: Env, json?: unknown) {
  if (json === undefined) return readSettings({ env, cwd: folder })
  files += 1
  const file = `config-${files}.json`
  writeFileSync(join(folder, file), typeof json === 'string' ? json : JSON.stringify(json))
  return readSettings({ env, cwd: folder, file })
}

function settingsOf(env: Env, json?: unknown): Settings {
  const result = read(env, json)
  assert.deepEqual(result.ok ? [] : result.problems, [])
  assert.ok(result.ok)
  return result.settings
}

function problemsOf(env: Env, json?: unknown): readonly string[] {
  const result = read(env, json)
  assert.ok(!result.ok, 'the settings were accepted')
  return result.problems
}

/** The only problem, which must match. */
function refuses(env: Env, pattern: RegExp): void {
  const problems = problemsOf(env)
  assert.equal(problems.length, 1, problems.join('\n'))
  assert.match(problems[0] ?? '', pattern)
}

describe('the default settings', () => {
  it('are those of the documentation [C3.6]', () => {
    const settings = settingsOf({})
    assert.deepEqual(settings, {
      server: {
        host: 'localhost',
        port: 5080,
        trustProxy: false,
        maxConnections: 4096,
        maxConnectionsPerAddress: 1024,
        allowedHosts: [],
        drainDelaySeconds: 0,
        workerTimeoutSeconds: 20,
      },
      oauth: {
        issuer: 'http://localhost:5080/',
        aliases: {},
        endpointAliases: {
          preset: 'none',
          authorization: null,
          token: null,
          userinfo: null,
          end_session: null,
          jwks: null,
          introspection: null,
          revocation: null,
          device_authorization: null,
          pushed_authorization_request: null,
          registration: null,
        },
        loginPageUrl: '/Account/Login',
        consentPageUrl: '/Account/Consent',
        logoutPageUrl: '/Account/Logout',
        externalLoginConfirmPageUrl: '/Account/ExternalLoginConfirm',
        authorizationCodeLifetimeSeconds: 60,
        pushedRequestLifetimeSeconds: 60,
        deviceCodeLifetimeSeconds: 600,
        accessTokenLifetimeSeconds: 3600,
        identityTokenLifetimeSeconds: 1200,
        refreshTokenLifetimeSeconds: 1_209_600,
        refreshTokenReuseLeewaySeconds: 30,
        refreshChainMaxLifetimeSeconds: 0,
        accessTokenScope: 'array',
        clientIdMetadataDocuments: false,
        dynamicRegistration: 'off',
        dynamicRegistrationScopes: [],
        accessTokenAlgorithm: 'ES256',
        identityTokenAlgorithm: 'RS256',
        dpop: { nonce: false },
        postQuantum: false,
        mtls: { clientCertificateHeader: null, address: null },
        external: [],
      },
      database: {
        url: { kind: 'sqlite', file: join(folder, 'data', 'latchkey.db') },
        preparedStatements: true,
        waitAtStartSeconds: 60,
      },
      accounts: {
        lockout: { maxFailedAttempts: 5, durationSeconds: 300, keepsSessions: false },
        requireConfirmedEmail: false,
        sessionLifetimeSeconds: 1_209_600,
        sessionMaxLifetimeSeconds: 0,
        password: { minLength: 8, breachCheck: null, foreignMaxCost: 1000 },
        legacy: { url: null, secret: null },
        registration: 'closed',
        recentSignInSeconds: 600,
        passkeys: 'on',
        passkeyRelatedOrigins: [],
        passkeyManufacturers: null,
        secondFactor: { mode: 'optional', email: false, external: false },
        deletionDelaySeconds: 604_800,
      },
      mail: { url: null, from: null, replyTo: null },
      pages: { defaultLanguage: 'en' },
      brand: {
        name: 'Latchkey',
        logoFile: null,
        logoMailFile: null,
        logoMailDarkFile: null,
        showName: null,
        logoDarkFile: null,
        accentColor: null,
        accentColorDark: null,
        cornerRadius: null,
        background: null,
        supportUrl: null,
        termsUrl: null,
        privacyUrl: null,
        imprintUrl: null,
      },
      rateLimit: { loginPerMinute: 30, pushedRequestsPerMinute: 300 },
      keys: { masterKey: null, masterKeyFile: null, rotateEverySeconds: 7_776_000 },
      audit: { retainForDays: 365, retainRefusalsForDays: 30, maxRefusalSizeMegabytes: 256, maxSizeMegabytes: 0 },
      admin: { enabled: true, port: null, url: 'http://localhost:5080/', requiredAcr: null },
      cors: { origins: [], headers: '*' },
      outbound: {
        networks: [],
        allowHttp: false,
        proxies: { https: null, http: null, except: [] },
        caFile: null,
      },
      log: { level: 'info' },
      metrics: { host: 'localhost', port: null },
      tracing: { enabled: false, collector: null },
    })
  })

  it('cannot be changed, however deep', () => {
    const settings = settingsOf({ Cors__Origins__0: 'https://app.example.com' })
    assert.ok(Object.isFrozen(settings))
    assert.ok(Object.isFrozen(settings.accounts.lockout))
    assert.ok(Object.isFrozen(settings.cors.origins))
  })

  it('name the issuer by the port that is listened on', () => {
    assert.equal(settingsOf({ Server__Port: '8080' }).oauth.issuer, 'http://localhost:8080/')
    assert.equal(settingsOf({ Server__Port: '80' }).oauth.issuer, 'http://localhost/')
  })
})

describe('Outbound:Networks', () => {
  const networksOf = (value: string) => settingsOf({ Outbound__Networks: value }).outbound.networks

  it('names networks, addresses, hosts and domains', () => {
    assert.deepEqual(networksOf('10.0.0.0/8, FD00::/8,127.0.0.2, App.internal,*.svc.cluster.local,app'), [
      ...['10.0.0.0/8', 'fd00::/8', '127.0.0.2', 'app.internal', '*.svc.cluster.local', 'app'],
    ])
    const faulty = [
      '10.0.0.0/33',
      '10.1',
      '0x7f.1',
      '*',
      '*.',
      'a..b',
      'https://app.internal',
      'app:80',
      'fd00::1%1',
      '-a',
    ]
    for (const value of faulty) refuses({ Outbound__Networks: value }, /^Outbound:Networks .* must be networks such as/)
  })

  it('cannot name what is never reached, in any form; a wider network does not include it', () => {
    const never = [
      ...['169.254.0.0/16', '169.254.169.254', '169.254.169.254/32', 'fe80::/10', 'fe80::1', 'fd00:ec2::254'],
      ...['FD00:ec2:0::254/128', '::ffff:169.254.169.254', '::ffff:169.254.0.0/112', '2002:a9fe:a9fe::/48'],
      ...['64:ff9b::a9fe:a9fe', '64:ff9b::169.254.0.0/112'],
    ]
    for (const value of never) {
      refuses({ Outbound__Networks: `10.0.0.0/8,${value}` }, /^Outbound:Networks .* are never reached/)
    }
    assert.deepEqual(networksOf('0.0.0.0/0,::/0,fd00::/8,fd00:ec2::/64'), [
      '0.0.0.0/0',
      '::/0',
      'fd00::/8',
      'fd00:ec2::/64',
    ])
  })

  it('stops the start when its name is misspelt', () => {
    refuses({ Outbound__Network: '10.0.0.0/8' }, /^Outbound:Network .* Did you mean Outbound:Networks\?$/)
    refuses({ OUTBOUND__ANYTHING: '1' }, /^OUTBOUND:ANYTHING .* is not a setting/)
  })
})

describe('the way out', () => {
  it('takes a proxy of http, which no message repeats, and names a variable of the environment that is none', () => {
    const proxiesOf = (env: Env) => settingsOf(env).outbound.proxies
    assert.deepEqual(proxiesOf({ Outbound__Proxy: 'http://u:p@proxy:3128', NO_PROXY: 'A.example, b' }), {
      https: 'http://u:p@proxy:3128/',
      http: 'http://u:p@proxy:3128/',
      except: ['a.example', 'b'],
    })
    const faulty = ['socks5://proxy', 'http://proxy/path', 'http://', 'http://proxy?x', 'http://s3cret@']
    for (const value of [...faulty, 'http://u:s3cret%@proxy', 'http://u%zz:s3cret@proxy', 'http://u:s3cret%ff@proxy']) {
      const [problem = ''] = problemsOf({ Outbound__Proxy: value })
      assert.match(problem, /^Outbound:Proxy .* must be the address of an HTTP proxy such as http:/)
      assert.ok(!problem.includes('s3cret'))
    }
    assert.equal(proxiesOf({ Outbound__Proxy: 'http://u:100%25@proxy' }).https, 'http://u:100%25@proxy/')
    refuses({ https_proxy: 'http://u:100%@proxy' }, /^https_proxy in the environment must be the address/)
    refuses({ https_proxy: 'socks5://proxy' }, /^https_proxy in the environment must be the address of an HTTP proxy/)
    assert.equal(proxiesOf({ HTTPS_PROXY: 'socks5://x', Outbound__Proxy: 'http://proxy' }).https, 'http://proxy/')
  })

  it('takes a file of certificates that can be read', () => {
    writeFileSync(join(folder, 'none.pem'), 'none')
    writeFileSync(join(folder, 'faulty.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')
    refuses({ Outbound__CaFile: 'missing.pem' }, /^Outbound:CaFile .* must be a file that can be read/)
    refuses({ Outbound__CaFile: 'none.pem' }, /must be a file with certificates in PEM/)
    refuses({ Outbound__CaFile: 'faulty.pem' }, /must have certificates that can be read: number 1 cannot/)
  })
})

describe('the order of the sources', () => {
  it('is defaults, file, environment, without regard to case [S5.7.5, C3.1, C3.3]', () => {
    const json = { SERVER: { host: '127.0.0.1', port: 6000 }, 'OAuth:AccessTokenLifetime': 5 }
    const settings = settingsOf({ server__PORT: '7000' }, json)
    assert.deepEqual(settings.server, {
      host: '127.0.0.1',
      port: 7000,
      trustProxy: false,
      maxConnections: 4096,
      maxConnectionsPerAddress: 1024,
      allowedHosts: [],
      drainDelaySeconds: 0,
      workerTimeoutSeconds: 20,
    })
    assert.equal(settings.oauth.accessTokenLifetimeSeconds, 5)
  })

  it('reads latchkey.json in the working directory when no file is named [C3.2]', () => {
    const file = join(folder, 'latchkey.json')
    writeFileSync(file, '\uFEFF{"Log": {"Level": "WARN"}}')
    try {
      assert.equal(settingsOf({}).log.level, 'warn')
    } finally {
      rmSync(file)
    }
  })

  it('lets a list of the environment replace that of the file as a whole', () => {
    const json = { Cors: { Origins: ['https://a.example', 'https://b.example'] } }
    assert.deepEqual(settingsOf({}, json).cors.origins, ['https://a.example', 'https://b.example'])
    assert.deepEqual(settingsOf({ Cors__Origins__0: 'https://c.example' }, json).cors.origins, ['https://c.example'])
    const numbered = { Cors__Origins__10: 'https://z.example', Cors__Origins__9: 'https://y.example' }
    assert.deepEqual(settingsOf(numbered).cors.origins, ['https://y.example', 'https://z.example'])
    const commas = { Cors__Origins: 'https://c.example, https://d.example' }
    assert.deepEqual(settingsOf(commas).cors.origins, ['https://c.example', 'https://d.example'])
  })

  it('takes an empty value for the default', () => {
    assert.equal(settingsOf({ Server__Port: '' }, { Server: { Port: 6000 } }).server.port, 5080)
    assert.equal(settingsOf({}, { Server: { Port: null }, Cors: { Origins: [] } }).server.port, 5080)
  })

  it('refuses a name that one source sets twice', () => {
    assert.match(problemsOf({}, { Server: { Port: 1 }, 'server:port': 2 })[0] ?? '', /server:port is set twice/)
    refuses({ Server__Port: '1', SERVER__PORT: '2' }, /SERVER:PORT is set twice \(Server__Port in the environment;/)
  })
})

describe('a file that cannot be used', () => {
  it('is named when it was asked for and is missing', () => {
    const result = readSettings({ env: {}, cwd: folder, file: 'nowhere.json' })
    assert.ok(!result.ok)
    assert.match(result.problems[0] ?? '', /^nowhere\.json cannot be read\. There is no such file/)
  })

  it('is named with the place of the fault, without the text around it, which may be secret', () => {
    const [unexpected = ''] = problemsOf({}, '{\n"Keys": {"MasterKey": hunter2 }\n}')
    assert.match(unexpected, /is not valid JSON \(line 2/)
    assert.doesNotMatch(unexpected, /hunter2/)
    assert.match(problemsOf({}, '{"Server": {"Port": 1,}}')[0] ?? '', /line 1, column 23/)
    assert.match(problemsOf({}, '{"Server": ')[0] ?? '', /is not valid JSON/)
    assert.match(problemsOf({}, '[]')[0] ?? '', /must hold one JSON object/)
  })
})

describe('unknown names', () => {
  it('stop the start, with the nearest name [C3.4]', () => {
    refuses(
      { OAuth__Isuer: 'https://a.example/' },
      /^OAuth:Isuer \(OAuth__Isuer in the environment\) is not a setting\. Did you mean OAuth:Issuer\?$/,
    )
    refuses({ OAuth__External__GitHub__ClientSecrt: 'hunter2' }, /Did you mean OAuth:External:GitHub:ClientSecret\?$/)
    assert.match(problemsOf({}, { Sever: { Port: 1 } })[0] ?? '', /^Sever:Port \(in config-\d+\.json\).*Server:Port\?$/)
    assert.match(problemsOf({}, { Zebra: 1 })[0] ?? '', /^Zebra .* Remove it/)
  })

  it('count in the environment only below our own sections', () => {
    settingsOf({ PATH: '/bin', Foo__Bar: '1', LOG: 'x', SERVER: 'y', npm_config__x: '1' })
    refuses({ Log__Colour: 'red' }, /Log:Colour/)
    refuses({ Log__: 'red' }, /Log: /)
  })

  it('are reported together with every other problem', () => {
    const env = {
      Server__Port: 'abc',
      Log__Level: 'loud',
      OAuth__Isuer: 'x',
      Accounts__RequireConfirmedEmail: 'perhaps',
    }
    assert.equal(problemsOf(env).length, 4)
  })
})

describe('malformed values', () => {
  const cases: Record<string, readonly string[]> = {
    Server__Port: ['-1', '65536', '80.5', '1e3', 'abc', ' 80'],
    Server__Host: ['http://localhost', 'a b', '[::1]', 'localhost:80'],
    Server__TrustProxy: ['yes', '10.0.0.0/33', '10.0.0.1, nonsense', 'true,10.0.0.1'],
    Server__AllowedHosts: ['*', 'http://a', 'a:80', '[::1]', 'a b', 'a/b'],
    OAuth__AccessTokenLifetime: ['0', '1h'],
    OAuth__AuthorizationCodeLifetime: ['601'],
    OAuth__RefreshTokenReuseLeeway: ['-1'],
    OAuth__AccessTokenAlgorithm: ['HS256', 'none'],
    OAuth__LoginPageUrl: [
      'Account/Login',
      '//evil.example/',
      '/\\evil.example',
      'http://pages.example/',
      '/a#b',
      'javascript:1',
    ],
    Database__Url: ['sqlite:', 'sqlite::memory', 'sqlite://data/x.db', 'mysql://x', 'data/x.db', 'sqlite:a?mode=ro'],
    Accounts__Password__MinLength: ['0'],
    Cors__Origins: [
      'https://a.example/',
      'https://a.example/x',
      'a.example',
      'HTTPS://a.example',
      'https://a.example:443',
      'null',
    ],
    Keys__RotateEvery: ['3599', '-1', '90d', '00'],
    Keys__MasterKey: ['abc', `${key}A`, Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')],
    Log__Level: ['loud'],
  }
  for (const [name, values] of Object.entries(cases)) {
    it(`of ${name.replaceAll('__', ':')} are refused by name [C3.4]`, () => {
      for (const value of values) {
        refuses({ [name]: value }, new RegExp(`^${name.replaceAll('__', ':')} \\(${name} in the environment\\) must `))
      }
    })
  }

  it('of lists say how a list is separated, and repeat it as it is to be written', () => {
    for (const [name, value, meant] of [
      ['OAuth__DynamicRegistrationScopes', 'a b', 'a,b'],
      ['OAuth__DynamicRegistrationScopes', 'profile  email, roles', 'profile,email,roles'],
      ['Cors__Origins', 'https://a.example https://b.example', 'https://a.example,https://b.example'],
      ['Cors__Origins', 'https://a.example;https://b.example', 'https://a.example,https://b.example'],
      ['Cors__Headers', 'traceparent x-requested-with', 'traceparent,x-requested-with'],
      ['Server__TrustProxy', '10.0.0.1 10.0.0.2', '10.0.0.1,10.0.0.2'],
      ['Server__AllowedHosts', 'a.internal b.internal', 'a.internal,b.internal'],
    ] as const) {
      const [problem = ''] = problemsOf({ [name]: value })
      assert.ok(problem.endsWith(`, not ${JSON.stringify(value)}. Several are separated by commas: ${meant}.`), problem)
    }
    for (const [name, value] of [
      ['Cors__Origins', '*'],
      ['OAuth__DynamicRegistrationScopes', 'a"b c'],
      ['OAuth__DynamicRegistrationScopes', `a ${'b'.repeat(100)}`],
    ] as const) {
      const [problem = ''] = problemsOf({ [name]: value })
      assert.match(problem, /\. Several are separated by commas\.$/, problem)
    }
    assert.doesNotMatch(problemsOf({ Server__Port: '1 2' }).join(), /commas/)
    const [secret = ''] = problemsOf({ Server__AllowedHosts: 'me:hunter2@host other' })
    assert.doesNotMatch(secret, /hunter2/)
    const listed = settingsOf({ OAuth__DynamicRegistrationScopes: 'a,b' }).oauth.dynamicRegistrationScopes
    assert.deepEqual(listed, ['a', 'b'])
  })

  it('of secrets are not repeated [C3.5]', () => {
    const env = {
      Keys__MasterKey: 'hunter2',
      Database__Url: 'mysql://me:hunter2@host/',
      OAuth__Issuer: 'https://me:hunter2@host/',
    }
    assert.doesNotMatch(problemsOf(env).join('\n'), /hunter2/)
  })
})

describe('OAuth:Issuer', () => {
  it('gets its trailing slash [C3.9]', () => {
    assert.equal(settingsOf({ OAuth__Issuer: 'https://id.example.com' }).oauth.issuer, 'https://id.example.com/')
  })

  it('may have a path, and is then the text as it is, without a slash added', () => {
    for (const issuer of [
      'https://sso.acme.example/realms/acme',
      'https://sso.acme.example/realms/acme/',
      'https://SSO.acme.example:443/auth/realms/my%20realm',
    ]) {
      assert.equal(settingsOf({ OAuth__Issuer: issuer }).oauth.issuer, issuer)
      assert.equal(settingsOf({ OAuth__Issuer: issuer }).admin.url, /^https:[/][/][^/]+[/]/.exec(issuer)?.[0])
    }
  })

  it('has a path that clients send as it is, and that is none of the service', () => {
    for (const path of ['a/../b', 'a//b', 'a/:b', 'a/*', './a', 'a b', 'a\\b']) {
      refuses({ OAuth__Issuer: `https://id.example.com/${path}` }, /must have a plain path|must be a whole URL/)
    }
    refuses({ OAuth__Issuer: 'HTTPS://id.example.com/a' }, /must have a plain path/)
    for (const path of ['Account', 'connect/x', 'admin', 'assets/a', 'callback', '.well-known/x', 'healthz']) {
      refuses({ OAuth__Issuer: `https://id.example.com/${path}` }, /is a path of the service itself/)
    }
    refuses({ OAuth__Mtls__Address: 'https://mtls.example.com/a' }, /must have no path/)
  })

  it('needs https unless its host is a loopback address [C3.9]', () => {
    refuses({ OAuth__Issuer: 'http://id.example.com/' }, /must start with https/)
    refuses({ OAuth__Issuer: 'http://localhost.example.com/' }, /must start with https/)
    for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '[::1]', 'id.localhost']) {
      assert.equal(settingsOf({ OAuth__Issuer: `http://${host}:81` }).oauth.issuer, `http://${host}:81/`)
    }
  })

  it('has neither query nor fragment (RFC 8414 §2)', () => {
    for (const end of ['?a=b', '?', '#x', '#']) refuses({ OAuth__Issuer: `https://id.example.com/${end}` }, /no query/)
  })

  it('must be given when the port is not known beforehand', () => {
    refuses({ Server__Port: '0' }, /^OAuth:Issuer must be set when Server:Port is 0/)
    assert.equal(settingsOf({ Server__Port: '0', OAuth__Issuer: 'http://localhost:9/' }).server.port, 0)
  })
})

describe('Database:Url and the master key', () => {
  it('has three forms [C3.18]', () => {
    const database = (url: string) => settingsOf({ Database__Url: url, Keys__MasterKey: key }).database.url
    assert.deepEqual(database('sqlite:x.db'), { kind: 'sqlite', file: join(folder, 'x.db') })
    assert.deepEqual(database('sqlite:/var/lib/x.db'), { kind: 'sqlite', file: '/var/lib/x.db' })
    assert.deepEqual(database('sqlite::memory:'), { kind: 'sqlite-memory' })
    const several = 'postgres://u:p@h1:5432,h2,[::1]:5433/d'
    for (const url of [
      'postgres://u:p@h/d',
      'postgresql://h/d?sslmode=require',
      several,
      `${several}?target_session_attrs=read-write&sslmode=require`,
      'postgres://h/d?target_session_attrs=primary',
    ]) {
      assert.deepEqual(database(url), { kind: 'postgres', url })
    }
  })

  it('names several servers of PostgreSQL one by one, of which one has to take writes', () => {
    for (const url of ['postgres://h1,,h2/d', 'postgres://h1,/d', 'postgres://h1:x,h2/d', 'postgres://h1,h2:70000/d']) {
      refuses({ Database__Url: url, Keys__MasterKey: key }, /^Database:Url .* must be sqlite:FILE/)
    }
    for (const wanted of ['any', 'read-only', 'standby', 'prefer-standby', '']) {
      const url = `postgres://h1,h2/d?target_session_attrs=${wanted}`
      refuses({ Database__Url: url, Keys__MasterKey: key }, /must have read-write or primary as target_session_attrs/)
    }
  })

  it('refuses what libpq reads from parameters and this reads from the address alone, by name and without the value', () => {
    for (const [name, address] of [
      ['host', 'postgres:///d?host=db.example.com&port=6432'],
      ['host', 'postgres:///d?sslmode=require&host=/run/postgresql'],
      ['port', 'postgres://h/d?port=6432'],
      ['hostaddr', 'postgres://h1,h2/d?hostaddr=10.0.0.1'],
      ['host', 'postgres:///d?h%6Fst=db.example.com'],
      ['dbname', 'postgresql://h?dbname=d'],
      ['user', 'postgres://h/d?user=latchkey'],
      ['password', 'postgres://h/d?password=s3cret'],
      ['service', 'postgres:///?service=latchkey'],
    ]) {
      const [problem = '', ...more] = problemsOf({ Database__Url: String(address), Keys__MasterKey: key })
      assert.deepEqual(more, [])
      assert.match(problem, new RegExp(`^Database:Url .*must say ${name} before the question mark`))
      assert.doesNotMatch(problem, /s3cret|6432|example/)
    }
  })

  it('needs a master key with PostgreSQL, and says how to make one [C3.26]', () => {
    refuses({ Database__Url: 'postgres://h/d' }, /^Keys:MasterKey must be set .*openssl rand -base64 32/)
    settingsOf({ Database__Url: 'postgres://h/d', Keys__MasterKeyFile: 'key' })
  })

  it('reads 32 bytes of base64, with padding or without [C3.24]', () => {
    for (const text of [key, key.slice(0, -1)]) {
      assert.deepEqual(settingsOf({ Keys__MasterKey: text }).keys.masterKey, new Uint8Array(32).fill(7))
    }
    // The same bytes with stray bits at the end.
    refuses({ Keys__MasterKey: `${key.slice(0, 42)}d=` }, /exactly 32 bytes/)
  })

  it('refuses a key and a key file together', () => {
    refuses({ Keys__MasterKey: key, Keys__MasterKeyFile: 'key' }, /are both set/)
    assert.equal(settingsOf({ Keys__MasterKeyFile: 'key' }).keys.masterKeyFile, join(folder, 'key'))
  })
})

describe('the address for certificates', () => {
  it('is https without a path, and needs the header in which they are passed on', () => {
    refuses(
      { OAuth__Mtls__Address: 'https://mtls.example.com' },
      /^OAuth:Mtls:ClientCertificateHeader must be set with/,
    )
    for (const address of ['http://mtls.example.com/', 'https://mtls.example.com/path', 'mtls.example.com']) {
      refuses({ OAuth__Mtls__Address: address, OAuth__Mtls__ClientCertificateHeader: 'x-cert' }, /OAuth:Mtls:Address/)
    }
  })
})

describe('Mail:Url and what needs it', () => {
  it('is SMTP with STARTTLS, SMTP over TLS, or a directory', () => {
    const smtp = 'smtp://user:secret@mail.example.com:587'
    assert.deepEqual(settingsOf({ Mail__Url: smtp }).mail.url, { kind: 'smtp', url: smtp })
    assert.deepEqual(settingsOf({ Mail__Url: 'file:mail' }).mail.url, { kind: 'file', folder: join(folder, 'mail') })
    assert.deepEqual(settingsOf({ Mail__Url: 'smtp://localhost:25?tls=off' }).mail.url, {
      kind: 'smtp',
      url: 'smtp://localhost:25?tls=off',
    })
  })

  it('leaves TLS out only on this machine, and is never repeated', () => {
    refuses({ Mail__Url: 'smtp://user:hunter2@mail.example.com?tls=off' }, /^Mail:Url (?!.*hunter2).*loopback host\.$/)
    for (const faulty of [
      'smtps://localhost?tls=off',
      'smtp://',
      'file:',
      'file://mail',
      'http://mail',
      'smtp://h/x',
    ]) {
      refuses({ Mail__Url: faulty }, /^Mail:Url /)
    }
  })

  it('must be set for open registration and for codes by mail', () => {
    refuses({ Accounts__Registration: 'open' }, /^Mail:Url must be set when Accounts:Registration is open/)
    refuses({ Accounts__SecondFactor__Email: 'true' }, /^Mail:Url must be set when Accounts:SecondFactor:Email/)
    settingsOf({ Accounts__Registration: 'open', Mail__Url: 'file:mail' })
  })

  it('sends from an address, with or without a name', () => {
    settingsOf({ Mail__From: 'Example <no-reply@example.com>', Mail__ReplyTo: 'help@example.com' })
    refuses({ Mail__From: 'Example <a@example.com>, b@example.com' }, /^Mail:From /)
  })
})

describe('Accounts:SecondFactor', () => {
  it('is a value and a group at once, in the file and in the environment', () => {
    const expected = { mode: 'required', email: false, external: true }
    const nested = { Accounts: { SecondFactor: 'required', 'SecondFactor:External': true } }
    assert.deepEqual(settingsOf({}, nested).accounts.secondFactor, expected)
    const env = { Accounts__SecondFactor: 'required', Accounts__SecondFactor__External: 'true' }
    assert.deepEqual(settingsOf(env).accounts.secondFactor, expected)
  })
})

describe('Server:TrustProxy and Cors:Origins', () => {
  it('trusts nobody, everybody or a list [C3.8]', () => {
    const trust = (value: string) => settingsOf({ Server__TrustProxy: value }).server.trustProxy
    assert.equal(trust('TRUE'), true)
    assert.equal(trust('false'), false)
    assert.deepEqual(trust('10.0.0.0/8, ::1'), ['10.0.0.0/8', '::1'])
    assert.equal(settingsOf({}, { Server: { TrustProxy: true } }).server.trustProxy, true)
    assert.deepEqual(settingsOf({ Server__TrustProxy__0: '10.0.0.1' }).server.trustProxy, ['10.0.0.1'])
  })

  it('names the sender of certificates: everybody, or a network wider than any private one, is refused (RFC 8705 §6.2)', () => {
    const header = { OAuth__Mtls__ClientCertificateHeader: 'X-Client-Cert' }
    const networks = [
      'true',
      '0.0.0.0/0',
      '10.0.0.1, 0.0.0.0/1, 128.0.0.0/1',
      '::/0',
      '2000::/3',
      '::ffff:0.0.0.0/96',
      '0:0:0:0:0:FFFF:0:0/96',
    ]
    for (const Server__TrustProxy of networks) {
      refuses({ ...header, Server__TrustProxy }, /^Server:TrustProxy must name the proxy that sends/)
    }
    for (const Server__TrustProxy of ['10.0.0.1', '10.0.0.0/8', '172.16.0.0/12, ::1', 'fd00::/8', '::ffff:10.0.0.1']) {
      assert.ok(settingsOf({ ...header, Server__TrustProxy }).server.trustProxy)
    }
    assert.equal(settingsOf({ Server__TrustProxy: 'true' }).server.trustProxy, true)
  })

  it('refuses every origin at once [S5.8.2, C3.28]', () => {
    refuses({ Cors__Origins__0: '*' }, /^Cors:Origins .*cannot be combined with credentials/)
  })
})

describe('external providers', () => {
  const google = 'OAuth__External__Google__'

  it('exist only with a client id [S5.7.1, S5.7.5]', () => {
    assert.deepEqual(settingsOf({ OAuth__External__GitHub__ClientSecret: 's' }).oauth.external, [])
    assert.deepEqual(settingsOf({ OAuth__External__GitHub__ClientId: '' }).oauth.external, [])
    const json = { OAuth: { External: { GitHub: { ClientId: 'id' } } } }
    assert.deepEqual(settingsOf({ OAUTH__EXTERNAL__GITHUB__CLIENTID: '' }, json).oauth.external, [])
  })

  it('GitHub needs nothing more, whatever its case [S5.7.3, C3.3, C3.16]', () => {
    const [provider] = settingsOf({
      oauth__external__github__clientid: 'id',
      OAuth__External__GitHub__ClientSecret: 's',
    }).oauth.external
    assert.deepEqual(provider, {
      name: 'github',
      clientId: 'id',
      clientSecret: 's',
      issuer: null,
      displayName: null,
      authorizationEndpoint: null,
      tokenEndpoint: null,
      userInfoEndpoint: null,
      tokenEndpointAuthMethod: null,
      scopes: ['read:user', 'user:email'],
      parameters: {},
      forwardLoginHint: true,
      forwardPrompt: true,
      forwardAcr: false,
      subjectClaim: 'sub',
      pushedRequests: 'auto',
    })
  })

  it('others need an issuer, kept as it is written, or all three endpoints', () => {
    refuses({ [`${google}ClientId`]: 'id' }, /^OAuth:External:Google:Issuer must be set/)
    const issuer = 'https://accounts.example.com'
    assert.equal(
      settingsOf({ [`${google}ClientId`]: 'id', [`${google}Issuer`]: issuer }).oauth.external[0]?.issuer,
      issuer,
    )
    const endpoints = {
      [`${google}ClientId`]: 'id',
      [`${google}AuthorizationEndpoint`]: 'https://a.example/authorize',
      [`${google}TokenEndpoint`]: 'https://a.example/token',
    }
    refuses(endpoints, /Issuer must be set/)
    settingsOf({ ...endpoints, [`${google}UserInfoEndpoint`]: 'https://a.example/me' })
  })

  it('take scopes and parameters from the file, and each parameter from the environment', () => {
    const json = {
      OAuth: {
        External: {
          Acme: {
            ClientId: 'id',
            Issuer: 'https://a.example',
            Scopes: ['openid', 'groups'],
            Parameters: { 'urn:a:b': 'x', prompt: 'consent', Hd: 'y' },
          },
        },
      },
    }
    const env = { OAuth__External__acme__Parameters__prompt: '', OAuth__External__ACME__parameters__hd: 'z' }
    const [provider] = settingsOf(env, json).oauth.external
    assert.deepEqual(provider?.scopes, ['openid', 'groups'])
    assert.deepEqual(provider?.parameters, { 'urn:a:b': 'x', Hd: 'y', hd: 'z' })
    const listed = { [`${google}ClientId`]: 'id', [`${google}Issuer`]: 'https://a.example' }
    const scopes = { [`${google}Scopes__1`]: 'b', [`${google}Scopes__0`]: 'a' }
    assert.deepEqual(settingsOf({ ...listed, ...scopes }).oauth.external[0]?.scopes, ['a', 'b'])
    refuses({ ...listed, [`${google}Scopes`]: 'a b' }, /^OAuth:External:Google:Scopes .* names of scopes/)
    refuses({ ...listed, [`${google}ClientId__0`]: 'a' }, /ClientId:0 .* is not a setting/)
  })

  const entra = { Entra_ID__ClientId: 'id', Entra_ID__Issuer: 'https://e.example' }
  const variables = (values: Env): Env =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`OAuth__External__${name}`, value]))
  const namesOf = (env: Env, json?: unknown) => settingsOf(variables(env), json).oauth.external.map(({ name }) => name)

  it('have a dash where variables of the environment have _, which say so', () => {
    const settings = settingsOf(variables({ ...entra, ENTRA_ID__Parameters__domain_hint: 'e.example' }))
    const [provider, ...others] = settings.oauth.external
    assert.deepEqual([provider?.name, provider?.variable, others.length], ['Entra-ID', 'Entra_ID', 0])
    assert.deepEqual(provider?.parameters, { domain_hint: 'e.example' })
    const [line = '', ...more] = spelledProviders(settings)
    assert.match(
      line,
      /^OAuth__External__Entra_ID in the environment sets the provider Entra-ID: .*\/login\/Entra-ID\.$/,
    )
    assert.equal(more.length, 0)
    assert.deepEqual(spelledProviders(settingsOf(variables({ GitHub__ClientId: 'id' }))), [])
    // Where dashes come through, in a pod for one, the name is as it stands.
    assert.deepEqual(namesOf({ 'Entra-ID__ClientId': 'id', 'Entra-ID__Issuer': 'https://e.example' }), ['Entra-ID'])
  })

  it('have the name of the file in the environment, too: with _ where it has one there', () => {
    const inFile = (...names: string[]) => ({
      OAuth: { External: Object.fromEntries(names.map((name) => [name, { Issuer: 'https://e.example' }])) },
    })
    assert.deepEqual(namesOf({ My_Idp__ClientId: 'id' }, inFile('my_idp')), ['my_idp'])
    assert.deepEqual(namesOf({ My_Idp__ClientId: 'id' }, inFile('my-idp')), ['my-idp'])
    assert.deepEqual(namesOf({ a_b_c__ClientId: 'id' }, inFile('A_b-c')), ['A_b-c'])
    const files = settingsOf(variables({ My_Idp__ClientId: 'id' }), inFile('my_idp'))
    assert.deepEqual(spelledProviders(files), [])
    const written = settingsOf({}, { OAuth: { External: { a_b: { ClientId: 'id', Issuer: 'https://e.example' } } } })
    assert.deepEqual(written.oauth.external[0]?.name, 'a_b')
  })

  it('that become one name in the environment refuse the start, and say so', () => {
    const one =
      /^OAuth:External:Entra[-_]ID and OAuth:External:Entra[-_]ID are one name in the environment, where _ stands for -/i
    const dashed = { 'entra-id__DisplayName': 'Entra' }
    refuses(variables({ ...entra, ...dashed }), one)
    const both = { OAuth: { External: { 'Entra-ID': { DisplayName: 'E' }, entra_id: { DisplayName: 'F' } } } }
    assert.match(problemsOf({}, both)[0] ?? '', one)
    const underscored = { OAuth: { External: { Entra_ID: { DisplayName: 'E' } } } }
    const problems = problemsOf(variables(dashed), underscored)
    assert.match(problems.join('\n'), one)
    assert.equal(problems.length, 1)
    // The same part twice is one more reason; neither is passed over in silence.
    assert.equal(problemsOf(variables({ ...entra, 'Entra-ID__ClientId': 'other' })).length, 2)
  })

  it('must be reached by https and have a name that fits into an address', () => {
    refuses({ [`${google}ClientId`]: 'id', [`${google}Issuer`]: 'http://a.example' }, /Google:Issuer .* https/)
    refuses(
      { 'OAuth__External__Git Hub__ClientId': 'id', 'OAuth__External__Git Hub__Issuer': 'https://a.example' },
      /letters/,
    )
  })
})

describe('the loopback rule', () => {
  it('knows addresses and names of this machine alone', () => {
    for (const host of ['localhost', 'LOCALHOST', 'a.localhost', '127.0.0.1', '127.255.0.3', '[::1]']) {
      assert.ok(isLoopbackHost(host), host)
    }
    for (const host of [
      'example.com',
      'localhost.example.com',
      '128.0.0.1',
      '127.0.0.1.example.com',
      '[::2]',
      'notlocalhost',
    ]) {
      assert.ok(!isLoopbackHost(host), host)
    }
  })
})

describe('the reference of the settings', () => {
  it('names every setting with its default [C3.6]', () => {
    const text = settingsReference()
    for (const [name, { default: value }] of Object.entries(settingsTable)) {
      assert.ok(
        text.includes(`| \`${name}\` | ${value === undefined ? 'none' : value === '' ? 'empty' : `\`${value}\``} |`),
        name,
      )
    }
    for (const part of Object.keys(providerTable))
      assert.ok(text.includes(`\`OAuth:External:<Provider>:${part}\``), part)
  })
})

describe('variables of the environment with a misspelt section', () => {
  const saidOf = (env: Env): readonly string[] => ignoredVariables(settingsOf(env))

  it('are named with what was meant, and without their value', () => {
    for (const [variable, meant] of [
      ['Branding__Name', 'Brand__Name'],
      ['BRANDING__ACCENTCOLOR', 'Brand__AccentColor'],
      ['Account__Registration', 'Accounts__Registration'],
      ['Sever__Port', 'Server__Port'],
      ['OAuht__Issuer', 'OAuth__Issuer'],
    ]) {
      const said = saidOf({ [variable ?? '']: 'what it has' })
      assert.deepEqual(said, [`${variable} in the environment is ignored. Did you mean ${meant}?`])
    }
  })

  it('are left alone where they belong to others', () => {
    const foreign = {
      SHOP__NAME: 'x',
      Branding__Theme: 'x',
      DB__Url: 'x',
      Logging__LogLevel__Default: 'x',
      PGHOST: 'x',
      __CFBundleIdentifier: 'x',
      Job__Level: 'x',
      Branding: 'x',
    }
    assert.deepEqual(saidOf(foreign), [])
  })
})
