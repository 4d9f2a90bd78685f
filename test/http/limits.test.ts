/** Limits of a request (docs/limits.md): what is just inside passes, what is just outside is refused. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashPassword, passwordHashingLoad } from '../../src/secrets/password.ts'
import { adminProgram } from '../support/admin.ts'
import { authorizeParameters, authorizePath, Browser, codeFields, locationOf, postToken } from '../support/browser.ts'
import { serviceForFile, testClient, testScope, testUser } from '../support/service.ts'

const service = await serviceForFile({ RateLimit__LoginPerMinute: '1000' })

/** The ID code of a refusal, wherever it is told. */
async function refusalOf(response: Response): Promise<string | undefined> {
  const told = response.status === 302 ? locationOf(response).searchParams.get('error_uri') : await response.text()
  return /#(ID\d+)/.exec(told ?? '')?.[1]
}

describe('the number of scopes in a request', () => {
  const scopesOf = (count: number) => ['openid', ...Array.from({ length: count - 1 }, (_, at) => `s${at}`)].join(' ')
  const bodies: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'connect/par': authorizeParameters(),
    'connect/device': { client_id: 'demo' },
    'connect/token': { grant_type: 'refresh_token', client_id: 'demo', refresh_token: 'x' },
  }
  for (const [endpoint, fields] of Object.entries(bodies)) {
    it(`at ${endpoint}: 256, each counted once (RFC 6749 §3.3)`, async () => {
      const answerTo = async (scope: string) => {
        const { body } = await postToken(service, { ...fields, scope }, {}, endpoint)
        return [body.error, /#(ID\d+)/.exec(body.error_uri)?.[1]]
      }
      assert.notEqual((await answerTo(`${scopesOf(256)} openid  s0`))[1], 'ID9109')
      assert.deepEqual(await answerTo(scopesOf(257)), ['invalid_scope', 'ID9109'])
    })
  }

  it('at the authorization endpoint: 256, and the client is told (RFC 6749 §4.1.2.1)', async () => {
    const ask = (scope: string) => new Browser(service).get(authorizePath({ scope }))
    assert.equal(await refusalOf(await ask(scopesOf(256))), 'ID2052')
    const beyond = await ask(scopesOf(257))
    const { origin, pathname, searchParams } = locationOf(beyond)
    assert.equal(`${origin}${pathname}`, 'http://localhost:5081/callback')
    assert.deepEqual([searchParams.get('error'), await refusalOf(beyond)], ['invalid_scope', 'ID9109'])
    assert.match(searchParams.get('error_description') ?? '', /256 scopes/)
  })

  it('in a request for tokens of a client itself, and in an exchange: 256', async () => {
    for (const grant of ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange']) {
      const fields = { grant_type: grant, client_id: 'demo', subject_token: 'x', subject_token_type: 'x' }
      const { body } = await postToken(service, { ...fields, scope: scopesOf(257) })
      assert.match(body.error_uri, /#ID9109/, grant)
    }
  })
})

describe('the length of a parameter', () => {
  const lengths: Readonly<Record<string, number>> = {
    client_id: 2048,
    redirect_uri: 2048,
    response_type: 2048,
    nonce: 2048,
    login_hint: 2048,
    scope: 4096,
    id_token_hint: 16_384,
  }
  for (const [name, length] of Object.entries(lengths)) {
    it(`${name}: ${length} characters`, async () => {
      const start = name === 'redirect_uri' ? 'http://localhost:5081/' : ''
      const value = start + 'x'.repeat(length - start.length)
      // Answered at once, and not by a redirect to the login page with all of it in the address.
      const ask = (sent: string) => new Browser(service).get(authorizePath({ prompt: 'none', [name]: sent }))
      const inside = await ask(value)
      assert.notEqual(await refusalOf(inside), 'ID9002')
      assert.equal(await refusalOf(await ask(`${value}x`)), 'ID9002')
    })
  }

  for (const [name, length] of [
    ['code', 16_384],
    ['code_verifier', 2048],
    ['redirect_uri', 2048],
  ] as const) {
    it(`${name} at the token endpoint: ${length} characters`, async () => {
      const idOf = async (count: number) => {
        const { body } = await postToken(service, codeFields('x', { [name]: 'x'.repeat(count) }))
        return /#(ID\d+)/.exec(body.error_uri)?.[1]
      }
      assert.notEqual(await idOf(length), 'ID9002')
      assert.equal(await idOf(length + 1), 'ID9002')
    })
  }

  const kind = 'urn:ietf:params:oauth:token-type:access_token'
  const exchange = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: kind,
    actor_token_type: kind,
  }
  for (const [path, name, length, fields] of [
    ['connect/token', 'refresh_token', 8192, { grant_type: 'refresh_token' }],
    ['connect/token', 'client_assertion', 8192, { grant_type: 'refresh_token' }],
    ['connect/token', 'subject_token', 16_384, exchange],
    ['connect/token', 'actor_token', 16_384, { ...exchange, subject_token: 'x' }],
    ['connect/revocation', 'token', 16_384, {}],
    ['connect/par', 'claims', 4096, { response_type: 'code' }],
    ['connect/par', 'request', 16_384, {}],
  ] as const) {
    it(`${name} at /${path}: ${length} characters`, async () => {
      const idOf = async (count: number) => {
        const { body } = await postToken(service, { client_id: 'demo', ...fields, [name]: 'x'.repeat(count) }, {}, path)
        return /#(ID\d+)/.exec(body?.error_uri ?? '')?.[1]
      }
      assert.notEqual(await idOf(length), 'ID9002')
      assert.equal(await idOf(length + 1), 'ID9002')
    })
  }

  it('request in an address: 6000 characters, a longer one is pushed', async () => {
    const ask = async (count: number) => {
      const path = `/connect/authorize?${new URLSearchParams({ client_id: 'demo', request: 'x'.repeat(count) })}`
      return refusalOf(await new Browser(service).get(path))
    }
    assert.notEqual(await ask(6000), 'ID9002')
    assert.equal(await ask(6001), 'ID9002')
  })

  it('resource: 20 values', async () => {
    const idOf = async (count: number) => {
      const resources = Array.from({ length: count }, (_, at) => ['resource', `https://${at}.example/`] as const)
      const asked = [...Object.entries(authorizeParameters({ prompt: 'none' })), ...resources]
      const query = new URLSearchParams(asked.map(([key, value]) => [key, value]))
      const { searchParams } = locationOf(await new Browser(service).get(`/connect/authorize?${query}`))
      return [searchParams.get('error'), /#(ID\d+)/.exec(searchParams.get('error_uri') ?? '')?.[1]]
    }
    assert.deepEqual((await idOf(20))[0], 'invalid_target')
    assert.deepEqual(await idOf(21), ['invalid_request', 'ID2052'])
  })

  it('leaves room for the code of the largest request that is accepted', async () => {
    const scopes = Array.from({ length: 40 }, (_, index) => `${'s'.repeat(98)}${10 + index}`)
    for (const name of scopes) await service.storage.scopes.create(testScope(name))
    const redirect_uri = `https://app.example.com/${'x'.repeat(2048 - 24)}`
    await service.storage.clients.create(testClient({ id: 'large', scopes, redirectUris: [redirect_uri] }))
    const browser = new Browser(service)
    await browser.signIn()
    const scope = ['openid', ...scopes].join(' ')
    const request = authorizeParameters({
      client_id: 'large',
      redirect_uri,
      scope,
      nonce: 'n'.repeat(2048),
      response_mode: 'form_post',
      state: 't'.repeat(4096),
    })
    const accepted = await browser.submit('/connect/authorize', { ...request, 'submit.Accept': 'Yes' })
    const code = /name="code" value="([^"]+)"/.exec(await accepted.text())?.[1] ?? ''
    assert.ok(code.length > 8192, `a code of ${code.length} characters`)
    const { status, body } = await postToken(service, codeFields(code, { client_id: 'large', redirect_uri }))
    assert.equal(status, 200)
    const revoked = await postToken(service, { token: body.access_token, client_id: 'large' }, {}, 'connect/revocation')
    assert.equal(revoked.status, 200)
  })
})

describe('the number of parameters', () => {
  it('is 256, in an address and in a form', async () => {
    const more = (count: number) => Array.from({ length: count }, (_, index) => [`p${index}`, ''] as const)
    const query = (count: number) =>
      `/connect/logout?${new URLSearchParams(more(count).map(([name, value]) => [name, value]))}`
    assert.equal((await new Browser(service).get(query(256))).status, 302)
    assert.equal(await refusalOf(await new Browser(service).get(query(257))), 'ID9003')
    const revoke = [
      ['token', 'x'],
      ['client_id', 'demo'],
    ] as const
    const post = (count: number) => new Browser(service).post('/connect/revocation', [...revoke, ...more(count - 2)])
    assert.equal((await post(256)).status, 200)
    assert.equal(await refusalOf(await post(257)), 'ID9003')
  })
})

describe('the length of a header', () => {
  it('Authorization: Basic has at most 8192 characters, DPoP 4096', async () => {
    const basic = async (length: number) => {
      const credentials = Buffer.from('demo:'.padEnd(length, 'x')).toString('base64')
      const fields = { grant_type: 'refresh_token', refresh_token: 'x' }
      const { body } = await postToken(service, fields, { authorization: `Basic ${credentials}` })
      return /#(ID\d+)/.exec(body.error_uri)?.[1]
    }
    // Three characters are four in the header, behind the name of the scheme.
    assert.notEqual(await basic(3 * 2046), 'ID2055')
    assert.equal(await basic(3 * 2047), 'ID2055')
    const proved = async (length: number) => {
      const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'demo' }
      const { body } = await postToken(service, fields, { dpop: `${'x'.repeat(length - 4)}.x.x` })
      return /#(ID\d+)/.exec(body.error_uri)?.[1]
    }
    const [inside, outside] = [await proved(4096), await proved(4097)]
    assert.deepEqual([inside, outside], ['ID9180', 'ID9180'])
    const log = JSON.stringify(service.log)
    assert.match(log, /receivedLength":4097/)
    assert.doesNotMatch(log, /receivedLength":4096/)
  })

  it('Idempotency-Key has at most 255 characters, a search for people 200', async () => {
    const admin = await adminProgram(service)
    const add = (length: number) =>
      admin.post('/scopes', { name: `kept-${length}` }, { 'idempotency-key': 'k'.repeat(length) })
    assert.equal((await add(255)).status, 201)
    const long = await add(256)
    assert.deepEqual([long.status, long.body.code], [400, 'ID9617'])
    const search = (length: number) => admin.get(`/users?search=${'x'.repeat(length)}`)
    assert.equal((await search(200)).status, 200)
    const wide = await search(201)
    assert.deepEqual([wide.status, wide.body.code], [400, 'ID9605'])
  })
})

describe('the size of a body', () => {
  it('is 64 KiB to the byte', async () => {
    const send = (bytes: number) => {
      const start = 'token=x&client_id=demo&filling='
      const body = start + 'x'.repeat(bytes - start.length)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return fetch(new URL('connect/revocation', service.issuer), { method: 'POST', body, headers })
    }
    assert.equal((await send(65_536)).status, 200)
    const over = await send(65_537)
    assert.equal(over.status, 413)
    assert.equal(await refusalOf(over), 'ID9004')
  })
})

describe('what is typed into the login page', () => {
  /** The most hashes that were being computed at once while `work` ran. */
  async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
    let most = 0
    let done = false
    const watch = (): void => {
      most = Math.max(most, passwordHashingLoad().running)
      if (!done) setImmediate(watch)
    }
    watch()
    await work()
    done = true
    return most
  }

  it('a password of 1024 bytes signs in, a longer one never reaches the hash', async () => {
    const long = 'é'.repeat(512)
    await service.storage.users.create(
      testUser({ name: 'patient', email: 'patient@example.com', passwordHash: await hashPassword(long) }),
    )
    const signIn = (password: string) => new Browser(service).signIn({ username: 'patient', password })
    assert.equal((await signIn(long)).headers.get('location'), '/')
    assert.equal(await hashesDuring(() => signIn('x'.repeat(1024))), 1, 'a hash is seen when there is one')
    for (const password of [`${long}x`, 'x'.repeat(60_000)]) {
      const none = await hashesDuring(async () => {
        const location = locationOf(await signIn(password))
        assert.equal(location.searchParams.get('error'), 'invalid_credentials')
      })
      assert.equal(none, 0)
    }
  })

  it('a name of 256 characters is found whole, and a longer one that begins alike is nobody', async () => {
    const name = '😀'.repeat(256)
    await service.storage.users.create(testUser({ name, email: 'long@example.com' }))
    assert.equal((await new Browser(service).signIn({ username: name })).headers.get('location'), '/')
    for (const username of [`${name}x`, name + 'x'.repeat(10_000)]) {
      const refused = await new Browser(service).signIn({ username })
      assert.equal(locationOf(refused).searchParams.get('error'), 'invalid_credentials')
    }
  })

  it('a return address has at most 16,384 characters', async () => {
    // This test's own client reads 16 KiB of headers.
    const ReturnUrl = `/${'x'.repeat(15_000)}`
    assert.equal((await new Browser(service).signIn({ ReturnUrl })).headers.get('location'), ReturnUrl)
    const beyond = `/${'x'.repeat(16_384)}`
    assert.equal(await refusalOf(await new Browser(service).signIn({ ReturnUrl: beyond })), 'ID9002')
  })
})
