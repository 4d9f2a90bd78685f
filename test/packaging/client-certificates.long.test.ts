/** Certificates of clients behind each proxy, as docs/deploy.md configures it: real TLS from the client on (RFC 8705). */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { read } from '../repository/sources.ts'
import { claimsOf } from '../support/browser.ts'
import { freePort, startService, type TestService, testClient } from '../support/service.ts'
import { type ProxyKind, proxies, type RunningProxy, startProxy } from './proxies.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-authority-'))
const file = (name: string) => join(folder, name)
after(() => rmSync(folder, { recursive: true }))

/** The lines of the document for a proxy, with the authority of this test. */
function documented(language: string): string {
  const [, text = ''] =
    new RegExp(`\`\`\`${language}\\n([^\`]*?client-authority[^\`]*)\`\`\``).exec(read('docs/deploy.md')) ?? []
  assert.ok(text, `the document has lines for ${language}`)
  return text.replace('/etc/ssl/client-authority.pem', file('authority.pem'))
}

/** Puts the lines into the file that a proxy was prepared with. */
const additions: Readonly<Record<string, (text: string) => string>> = {
  nginx(text) {
    const [, map, server, location] =
      /^(.*?)server \{\n(.*?) {4}location \/ \{\n(.*?) {4}\}\n\}\n$/s.exec(documented('nginx')) ?? []
    assert.ok(map && server && location, 'the document has a map, a server and a location')
    const end = '    server_tokens off;'
    return `${map}\n${text.replace(end, `${end}\n${server}`).replace('proxy_pass http://latchkey;', `$&\n${location}`)}`
  },
  HAProxy(text) {
    const [, tls, rules] = /^ {4}bind .*?( ca-file .*?)\n(.*)$/s.exec(documented('haproxy')) ?? []
    assert.ok(tls && rules, 'the document has a bind line and rules')
    return text
      .replace(/^ {4}bind 127\.0\.0\.1:\d+ ssl .*$/m, (line) => line + tls)
      .replace('    http-request del-header Forwarded\n', (line) => line + rules)
  },
  Caddy(text) {
    const [, block, map, header] =
      /^\ttls \{\n(.*?)^\t\}\n(\tmap .*^\t\}\n)(\theader_up .*?)\n$/ms.exec(documented('caddyfile')) ?? []
    assert.ok(block && map && header, 'the document has a block, a map and a header')
    return text
      .replace(/^\ttls (.*)$/m, (line) => `${line} {\n${block}\t}\n${map}`)
      .replace('\theader_up -Forwarded\n', (line) => `${line}${header}\n`)
  },
}
const files: Readonly<Record<string, string>> = { nginx: 'latchkey.conf', HAProxy: 'haproxy.cfg', Caddy: 'Caddyfile' }

/** The shipped file with the lines of the document added. */
const configured = (kind: ProxyKind): ProxyKind => ({
  ...kind,
  prepare(at, ports) {
    const prepared = kind.prepare(at, ports)
    const site = join(at, files[kind.name] ?? '')
    const before = readFileSync(site, 'utf8')
    const after = additions[kind.name]?.(before) ?? before
    assert.notEqual(after, before)
    writeFileSync(site, after)
    return prepared
  },
})

function openssl(...parameters: readonly string[]): void {
  execFileSync('openssl', parameters, { stdio: 'ignore', cwd: folder })
}

/** Makes a certificate for the client, signed by the authority of this name. */
function makeClientCertificate(name: string, authority: string): Pick<RequestOptions, 'key' | 'cert'> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const signed = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-days', '2']
  openssl('req', ...key, '-subj', '/C=DE/O=Example/CN=client', '-keyout', `${name}.key`, '-out', `${name}.csr`)
  openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.pem`)
  return { key: readFileSync(file(`${name}.key`)), cert: readFileSync(file(`${name}.pem`)) }
}

before(() => {
  for (const authority of ['authority', 'other']) {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    const files = ['-keyout', `${authority}.key`, '-out', `${authority}.pem`]
    openssl('req', '-x509', ...key, '-subj', '/CN=Authority', ...files)
  }
})

for (const kind of proxies)
  describe(`behind ${kind.name}`, () => {
    const skip = kind.isHere() ? false : `not on this machine: ${kind.name}`
    let service: TestService
    let proxy: RunningProxy
    let own: Pick<RequestOptions, 'key' | 'cert'>
    let foreign: Pick<RequestOptions, 'key' | 'cert'>

    before(async () => {
      if (skip !== false) return
      own = makeClientCertificate('own', 'authority')
      foreign = makeClientCertificate('foreign', 'other')
      const [http, https] = [await freePort(), await freePort()]
      service = await startService({
        OAuth__Issuer: `https://localhost:${https}/`,
        OAuth__Mtls__ClientCertificateHeader: 'X-Client-Cert',
        Server__TrustProxy: '127.0.0.1',
      })
      await service.storage.clients.create(
        testClient({
          id: 'named',
          authentication: { method: 'tls_client_auth' },
          grantTypes: ['client_credentials'],
          scopes: ['demo_api'],
          metadata: {
            ...defaultClientMetadata,
            token_endpoint_auth_method: 'tls_client_auth',
            tls_client_auth_subject_dn: 'CN=client,O=Example,C=DE',
            tls_client_certificate_bound_access_tokens: true,
          },
        }),
      )
      const { port } = service.settings.server
      proxy = await startProxy(configured(kind), { nodes: [port, port, port], http, https })
    })
    after(async () => {
      await proxy?.stop()
      await service?.stop()
    })

    type Sent = Pick<RequestOptions, 'key' | 'cert' | 'headers'>
    function send(
      path: string,
      options: Sent,
      body?: string,
    ): Promise<{ readonly status: number; readonly text: string }> {
      return new Promise((resolve, reject) => {
        const method = body === undefined ? 'GET' : 'POST'
        const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
        const headers = { ...type, ...options.headers }
        const message = request(
          new URL(path, proxy.address),
          { ...options, method, headers, agent: false },
          async (response) => {
            let text = ''
            for await (const chunk of response) text += chunk
            resolve({ status: response.statusCode ?? 0, text })
          },
        )
        message.on('error', reject)
        message.end(body)
      })
    }
    const token = (options: Sent) =>
      send('connect/token', options, 'grant_type=client_credentials&client_id=named&scope=demo_api')

    it('a client authenticates with the certificate of the authority, and its token works with it alone', {
      skip,
    }, async () => {
      const { status, text } = await token(own)
      assert.equal(status, 200, text)
      const { access_token } = JSON.parse(text)
      assert.deepEqual(Object.keys(claimsOf(access_token).cnf), ['x5t#S256'])
      const headers = { authorization: `Bearer ${access_token}` }
      assert.equal((await send('weatherforecast', { ...own, headers })).status, 200)
      assert.equal((await send('weatherforecast', { headers })).status, 401)
    })

    it('the same name from another authority, and no certificate, do not count', { skip }, async () => {
      // Refused by the proxy, in TLS or with an answer of its own.
      const refused = await token(foreign).then(
        ({ status }) => status,
        () => 400,
      )
      assert.equal(refused, 400)
      const { status, text } = await token({})
      assert.equal(status, 401)
      assert.match(text, /ID9168/)
    })

    it('a header that the client wrote is replaced', { skip }, async () => {
      const pem = encodeURIComponent(readFileSync(file('own.pem'), 'utf8'))
      const base64 = pem.replace(/%0A|-----.*?-----/g, '')
      for (const value of [pem, `:${base64}:`]) {
        for (const name of ['X-Client-Cert', 'x-client-cert', 'X_Client_Cert']) {
          const { status, text } = await token({ headers: { [name]: value } })
          assert.equal(status, 401)
          assert.match(text, /ID9168/)
        }
      }
    })
  })
