/** Redirect addresses beyond `https`: who may register which, and what those that an import brought match. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Finding } from '../../src/finding.ts'
import { registerClient } from '../../src/protocol/client/client-registration.ts'
import { isRefusal } from '../../src/refusal.ts'
import { adminProgram } from '../support/admin.ts'
import { authorizePath, Browser, codeFields, locationOf, postToken } from '../support/browser.ts'
import { register, sendMetadata } from '../support/registration.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({
  OAuth__DynamicRegistration: 'open',
  OAuth__DynamicRegistrationScopes: 'demo_api',
  Server__TrustProxy: 'true',
})
const admin = await adminProgram(service, ['admin:write', 'admin:read'], { id: 'admin' })
const browser = await Browser.signedIn(service)

/** The members that a problem names. */
const membersIn = (body: { errors?: { path: string }[] }) => (body.errors ?? []).map(({ path }) => path.slice(1))

/** Registers as an import with `--allow-wildcards` does. */
async function imported(id: string, members: Record<string, unknown>): Promise<void> {
  const context = {
    registeredScopes: ['demo_api'],
    newSecretHash: '',
    isLoopbackIssuer: true,
    allowsHttp: false,
    isPostQuantum: false,
    accessTokenScope: 'array',
    import: { wildcards: true },
    nowMs: service.now(),
  } as const
  const changes = Object.entries({ consent: 'implicit', ...members }).map(
    ([member, value]) => ({ member, operation: 'set', value }) as const,
  )
  const client = registerClient(id, changes, context, service.now())
  assert.ok(!isRefusal(client), JSON.stringify(client))
  await service.storage.clients.create(client)
}

const ask = (client_id: string, redirect_uri: string, more = {}) =>
  browser.get(authorizePath({ client_id, redirect_uri, scope: 'openid', ...more }))
/** Whether a code is sent to the address; a refusal is shown, and sends the browser nowhere. */
async function isAccepted(client_id: string, redirect_uri: string): Promise<boolean> {
  const response = await ask(client_id, redirect_uri)
  const to = response.headers.get('location')
  if (response.status === 302) assert.ok(to?.startsWith(redirect_uri) && /[?&]code=/.test(to), `${to}`)
  else assert.deepEqual([response.status, to], [400, null], redirect_uri)
  return response.status === 302
}

describe('what an operator registers (connections.md 5, redirect_uris)', () => {
  const uris = ['myapp://callback', 'http://intranet.example/cb']

  it('may have a scheme without a dot, and plain http on another host, and codes go there', async () => {
    const members = { redirect_uris: uris, post_logout_redirect_uris: uris, consent: 'implicit' }
    const { status, body } = await admin.post('/clients', { client_id: 'wide', ...members })
    assert.deepEqual([status, body.redirect_uris, body.post_logout_redirect_uris], [201, uris, uris])
    for (const uri of uris) {
      const code = locationOf(await ask('wide', uri)).searchParams.get('code') ?? ''
      const token = await postToken(service, codeFields(code, { client_id: 'wide', redirect_uri: uri }))
      assert.equal(token.status, 200, uri)
    }
    const posted = await ask('wide', 'myapp://callback', { response_mode: 'form_post' })
    assert.match(await posted.text(), /<form method="post" action="myapp:\/\/callback">/)
    // A policy for the targets of forms would hold up both the post and the redirect after a sign-in.
    assert.doesNotMatch(posted.headers.get('content-security-policy') ?? '', /form-action/)
    assert.ok(!(await isAccepted('wide', 'myapp://callback2')))
  })

  it('is named as a risk by the admin API and by doctor', async () => {
    const { warnings } = (await admin.get('/clients/wide')).body as { warnings: string[] }
    const named = (list: readonly string[], member: string, uri: string, why: RegExp) =>
      list.some((one) => one.includes(`${member} has ${uri}: `) && why.test(one))
    const findings = (await admin.get('/doctor')).body as Finding[]
    const told = findings.filter(({ check, status }) => check === 'clients' && status === 'warning')
    const messages = told.map(({ message }) => message).filter((one) => one.startsWith('wide: '))
    for (const list of [warnings, messages]) {
      assert.equal(list.length, 4)
      assert.ok(named(list, 'redirect_uris', 'http://intranet.example/cb', /whoever is on the way reads the codes/))
      assert.ok(named(list, 'redirect_uris', 'myapp://callback', /without a dot/))
      assert.ok(named(list, 'post_logout_redirect_uris', 'http://intranet.example/cb', /changed on its way/))
    }
    assert.ok(told.some(({ advice }) => advice === 'latchkey client set wide redirect_uris-=ADDRESS'))
  })

  it('never has a scheme that a browser or the system acts on itself', async () => {
    const schemes = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vbscript:x', 'about:blank']
    const others = ['blob:https://a.example/x', 'filesystem:https://a.example/x', 'view-source:https://a.example/']
    const cases = ['JavaScript:alert(1)', 'mailto:a@b.example', 'urn:ietf:wg:oauth:2.0:oob', 'intent://x#Intent;end']
    for (const uri of [...schemes, ...others, ...cases]) {
      for (const member of ['redirect_uris', 'post_logout_redirect_uris']) {
        const { status, body } = await admin.patch('/clients/wide', { [member]: [uri] })
        assert.deepEqual([status, membersIn(body)], [400, [member]], uri)
      }
    }
  })

  it('is refused to strangers: at their registration, their change, whatever it was called (RFC 8252 §7.1)', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    for (const uri of [...uris, 'https://app.example.com/*']) {
      const { status, body } = await register(service, { redirect_uris: [uri] }, undefined, headers)
      assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'], uri)
    }
    const own = { redirect_uris: ['https://app.example.com/cb'] }
    const made = (await register(service, own, undefined, headers)).body
    const { client_id, registration_client_uri: address } = made
    const update = (redirect_uris: string[], token: string) =>
      sendMetadata(address, 'PUT', { client_id, redirect_uris }, token)
    for (const uri of uris) {
      assert.equal((await update([uri], made.registration_access_token)).status, 400)
    }
    // What an operator gave the client, it may keep.
    const given = [...own.redirect_uris, ...uris]
    assert.equal((await admin.patch(`/clients/${client_id}`, { redirect_uris: given })).status, 200)
    const kept = await update(given, made.registration_access_token)
    assert.deepEqual([kept.status, kept.body.redirect_uris], [200, given])
    assert.equal((await update(['otherapp://cb'], kept.body.registration_access_token)).status, 400)
  })
})

describe('a native application (connections.md 5, application_type)', () => {
  it('gets codes at any port of localhost, 127.0.0.1 and [::1], where that one is registered', async () => {
    const hosts = ['localhost', '127.0.0.1', '[::1]']
    for (const host of hosts) {
      const id = `native-${hosts.indexOf(host)}`
      const members = { redirect_uris: [`http://${host}/cb`], application_type: 'native', consent: 'implicit' }
      assert.equal((await admin.post('/clients', { client_id: id, ...members })).status, 201)
      for (const asked of hosts) {
        assert.equal(await isAccepted(id, `http://${asked}:49152/cb`), asked === host, `${asked} for ${host}`)
      }
      assert.equal(await isAccepted(id, `http://${host}:1/other`), false)
      assert.equal(await isAccepted(id, `http://${host}.evil.example:1/cb`), false)
    }
    const web = { redirect_uris: ['http://localhost/cb'], consent: 'implicit' }
    await admin.post('/clients', { client_id: 'web-local', ...web })
    assert.equal(await isAccepted('web-local', 'http://localhost:49152/cb'), false)
  })
})

describe('a redirect address that ends in * (connections.md 7, RFC 9700 §2.1, §4.1.1)', () => {
  it('comes by an import with --allow-wildcards alone', async () => {
    await addClient(service, { id: 'literal', consent: 'implicit', redirectUris: ['https://lit.example/*'] })
    for (const change of [
      { redirect_uris: ['https://app.example.com/*'] },
      { redirect_uris: ['https://lit.example/*', 'https://lit.example/app/*'] },
      { post_logout_redirect_uris: ['https://lit.example/out/*'] },
      { wildcard_uris: ['https://lit.example/*'] },
    ]) {
      assert.equal((await admin.patch('/clients/literal', change)).status, 400, JSON.stringify(change))
    }
    const put = { redirect_uris: ['https://lit.example/*'], wildcard_uris: ['https://lit.example/*'] }
    assert.equal((await admin.put('/clients/literal', put)).status, 400)
    assert.equal(await isAccepted('literal', 'https://lit.example/page'), false)
  })

  it('means it and paths below it, with any query', async () => {
    await imported('wild', {
      redirect_uris: ['https://app.example.com/*', 'https://wiki.example.com/team/*', 'http://127.0.0.1:7201/*'],
    })
    for (const uri of [
      'https://app.example.com/',
      'https://app.example.com',
      'https://app.example.com/cb?x=1&y=https://other.example/',
      'https://app.example.com/a/b.c/d/',
      'https://app.example.com/@user/a:b/...x',
      'https://app.example.com/caf%C3%A9',
      'https://wiki.example.com/team/',
      'https://wiki.example.com/team/page?q=../..%2f',
      'http://127.0.0.1:7201/x',
    ]) {
      assert.equal(await isAccepted('wild', uri), true, uri)
    }
    const code = locationOf(await ask('wild', 'https://app.example.com/a')).searchParams.get('code') ?? ''
    const redeem = (redirect_uri: string) => postToken(service, codeFields(code, { client_id: 'wild', redirect_uri }))
    assert.equal((await redeem('https://app.example.com/b')).status, 400, 'the address of the request counts')
  })

  it('is not got round: by no dots, encoded slashes, user names, other hosts, or fragments', async () => {
    const base = 'https://wiki.example.com/team'
    const dots = [
      '/..',
      '/../',
      '/./x',
      '/.',
      '/%2e%2e/x',
      '/.%2E/x',
      '/%2e',
      '/a/../../x',
      '/a/%2e%2e',
      '/..;/x',
      '/..;a=b/x',
      '/..%3Fx',
      '/a/%2e%2e%23/x',
      '/..%20/x',
      '/a/%20..',
      '/.../x',
      // U+FF05, which becomes a percent sign under NFKC.
      '/%EF%BC%852e%EF%BC%852e/x',
    ]
    const slashes = [
      '/a%2fb',
      '/a%2Fb',
      '/a%5cb',
      '/a%5Cb',
      '/\\x',
      '/a\\..\\b',
      '//evil.example',
      '/a//evil.example',
      '///x',
    ]
    const twice = ['/%252e%252e/x', '/a%252fb', '/a%25252f..', '/%255cx', '/%c0%ae%c0%ae/x', '/%c0%afx', '/%', '/%zz']
    const lookalikes = [
      '/%ef%bc%8e%ef%bc%8e/x',
      '/a%ef%bc%8fb',
      '/%e2%80%a5/x',
      '/a%00b',
      '/a%0d%0aSet-Cookie:x',
      '/.%09./x',
    ]
    const beside = ['', 'x', 'x/', '?x=1', '/x#f', '/#', '@evil.example/', '.evil.example/']
    const hosts = [
      'https://wiki.example.com@evil.example/team/x',
      'https://evil.example\\@wiki.example.com/team/x',
      'https://evil.example/https://wiki.example.com/team/x',
      'https://wiki.example.com.evil.example/team/x',
      'https://wiki.example.com:8443/team/x',
      'https://user@wiki.example.com/team/x',
      'https://user:pw@wiki.example.com/team/x',
      'https:wiki.example.com/team/x',
      'https:\\\\wiki.example.com\\team\\x',
      'https:///wiki.example.com/team/x',
      'http://wiki.example.com/team/x',
      'HTTPS://wiki.example.com/team/x',
      'https://WIKI.example.com/team/x',
      'https://wiki.example.com/TEAM/x',
      'https://wiki.example.com/./team/x',
      'https://wiki.example.com/team2/x',
      'https://app.example.com.evil.example/',
      'https://app.example.com@evil.example/',
      'https://app.example.com:1/',
      'https://app.example.com?x=1',
      'https://app.example.com\\.evil.example/',
      'javascript:https://app.example.com/',
    ]
    const below = [...dots, ...slashes, ...twice, ...lookalikes, ...beside].map((rest) => `${base}${rest}`)
    for (const uri of [...below, ...hosts]) assert.equal(await isAccepted('wild', uri), false, uri)
    const pushed = { ...codeFields(''), client_id: 'wild', redirect_uri: `${base}/../x`, response_type: 'code' }
    const par = await postToken(
      service,
      { ...pushed, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
      {},
      'connect/par',
    )
    assert.equal(par.status, 400)
  })

  it('is no address by itself: a request without one is refused', async () => {
    await imported('only', { redirect_uris: ['https://only.example/*'] })
    const { redirect_uri: _, ...others } = Object.fromEntries(
      new URLSearchParams(authorizePath({ client_id: 'only' }).split('?')[1]),
    )
    const response = await browser.get(`/connect/authorize?${new URLSearchParams(others as Record<string, string>)}`)
    assert.deepEqual([response.status, response.headers.get('location')], [400, null])
  })

  it('has one form, at the end of a path, in an import, too', async () => {
    for (const uri of [
      ...['https://app.example.com/app*', 'https://app.example.com*', 'https://*.example.com/', 'https://*/x', '*'],
      ...['https://app.example.com/*/cb/*', 'https://app.example.com/../*', 'https://app.example.com/a%2fb/*'],
      ...['https://app.example.com//*', 'https://user@app.example.com/*', 'myapp://*', 'myapp:/*', 'javascript:/*'],
    ]) {
      await assert.rejects(
        imported('refused', { redirect_uris: [uri] }),
        (error: Error) => /problems/.test(error.message),
        uri,
      )
    }
  })

  it('stays through other changes of the client, and is gone once it is removed', async () => {
    const uris = ['https://kept.example/*', 'https://kept.example/cb']
    await imported('kept', { redirect_uris: uris, post_logout_redirect_uris: ['https://kept.example/*'] })
    const renamed = await admin.patch('/clients/kept', { client_name: 'Kept', redirect_uris: uris })
    assert.deepEqual([renamed.status, renamed.body.wildcard_uris], [200, ['https://kept.example/*']])
    const { etag: _, ...record } = renamed.body
    assert.equal((await admin.put('/clients/kept', { ...record, client_name: 'Again' })).status, 200)
    assert.equal(await isAccepted('kept', 'https://kept.example/any'), true)
    assert.match(
      (renamed.body.warnings as string[]).join(' '),
      /redirect_uris has https:\/\/kept\.example\/\*: every path below/,
    )
    const without = { redirect_uris: uris.slice(1), post_logout_redirect_uris: [] }
    assert.equal((await admin.patch('/clients/kept', without)).body.wildcard_uris, undefined)
    assert.equal(await isAccepted('kept', 'https://kept.example/any'), false)
    assert.equal((await admin.patch('/clients/kept', { redirect_uris: uris })).status, 400)
  })

  it('counts for sign-outs in the same way, for a named client alone', async () => {
    await imported('out', {
      redirect_uris: ['https://out.example/cb'],
      post_logout_redirect_uris: ['https://out.example/*'],
    })
    const status = async (post_logout_redirect_uri: string, client = {}) =>
      (await browser.get(`/connect/logout?${new URLSearchParams({ post_logout_redirect_uri, ...client })}`)).status
    assert.equal(await status('https://out.example/bye?x=1', { client_id: 'out' }), 302)
    for (const uri of [
      'https://out.example/../bye',
      'https://out.example/%2e%2e/x',
      'https://out.example//evil',
      'https://out.example@evil.example/',
    ]) {
      assert.equal(await status(uri, { client_id: 'out' }), 400, uri)
    }
    assert.equal(await status('https://out.example/bye'), 400)
    assert.equal(await isAccepted('out', 'https://out.example/bye'), false, 'no redirect address')
  })

  it('has any port on this machine for a native application', async () => {
    await imported('native-wild', { redirect_uris: ['http://localhost/*'], application_type: 'native' })
    assert.equal(await isAccepted('native-wild', 'http://localhost:49152/a/b'), true)
    for (const uri of [
      'http://127.0.0.1:49152/a',
      'http://localhost:49152/../a',
      'http://localhost:1@evil.example/a',
    ]) {
      assert.equal(await isAccepted('native-wild', uri), false, uri)
    }
  })
})

describe('a public client without PKCE (connections.md 5, require_pkce)', () => {
  const {
    code_challenge: _,
    code_challenge_method: __,
    ...plain
  } = Object.fromEntries(
    new URLSearchParams(
      authorizePath({ client_id: 'old', redirect_uri: 'https://old.example/cb', scope: 'openid' }).split('?')[1],
    ),
  ) as Record<string, string>
  const isWithout = async () =>
    locationOf(await browser.get(`/connect/authorize?${new URLSearchParams(plain)}`)).searchParams.has('code')

  it('comes by an import alone, stays through other changes, and is never again once it must', async () => {
    const body = { client_id: 'fresh', redirect_uris: ['https://new.example/cb'], require_pkce: false }
    assert.deepEqual(membersIn((await admin.post('/clients', body)).body), ['require_pkce'])
    await imported('old', { redirect_uris: ['https://old.example/cb'], require_pkce: false })
    const renamed = await admin.patch('/clients/old', { client_name: 'Old' })
    assert.deepEqual([renamed.status, renamed.body.require_pkce], [200, false])
    const { warnings, ...record } = renamed.body
    assert.match((warnings as string[]).join(' '), /^require_pkce is false for a public client/)
    const replaced = await admin.put('/clients/old', { ...record, client_name: 'Older' })
    assert.deepEqual([replaced.status, replaced.body.require_pkce], [200, false])
    assert.ok(await isWithout())
    const findings = (await admin.get('/doctor')).body as Finding[]
    const found = findings.find(({ message }) => message.startsWith('old: require_pkce is false'))
    assert.equal(found?.advice, 'latchkey client set old require_pkce=true')
    assert.equal((await admin.patch('/clients/old', { require_pkce: true })).status, 200)
    for (const method of ['patch', 'put'] as const) {
      const back = await admin[method]('/clients/old', { ...record, client_name: 'Back' })
      assert.deepEqual([back.status, membersIn(back.body)], [400, ['require_pkce']], method)
    }
    assert.ok(!(await isWithout()))
  })

  it('is not made of a confidential one', async () => {
    const body = { client_id: 'server', redirect_uris: ['https://server.example/cb'], require_pkce: false }
    const method = (token_endpoint_auth_method: string) => ({ token_endpoint_auth_method })
    assert.equal((await admin.post('/clients', { ...body, ...method('client_secret_basic') })).status, 201)
    assert.equal((await admin.patch('/clients/server', method('none'))).status, 400)
    await imported('turned', { redirect_uris: ['https://turned.example/cb'], require_pkce: false })
    assert.equal((await admin.patch('/clients/turned', method('client_secret_basic'))).status, 200)
    assert.equal((await admin.patch('/clients/turned', method('none'))).status, 400)
  })
})
