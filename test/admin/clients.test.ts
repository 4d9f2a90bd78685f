/** Applications in the admin API. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ScopeBeingDeleted } from '../../src/storage/port/claim-rules.ts'
import { adminProgram } from '../support/admin.ts'
import { postToken } from '../support/browser.ts'
import { initialAccessToken, register } from '../support/registration.ts'
import { addUser, serviceForFile, testClient } from '../support/service.ts'

const service = await serviceForFile({ OAuth__DynamicRegistration: 'open' })
const admin = await adminProgram(service)

const web = { client_id: 'web', redirect_uris: ['https://app.example/cb'] }
const pathsOf = ({ body }: { readonly body: { errors: { path: string }[] } }) => body.errors.map(({ path }) => path)
const tokenStatus = async (id: string, secret: string) =>
  (await postToken(service, { grant_type: 'client_credentials', client_id: id, client_secret: secret })).status

describe('clients', () => {
  it('registers an application by its RFC 7591 names, reads and deletes it', async () => {
    const created = await admin.post('/clients', {
      ...web,
      client_name: 'Shop',
      'client_name#de': 'Laden',
      scope: 'openid demo_api',
    })
    assert.equal(created.status, 201)
    assert.equal(created.headers.get('location'), `${service.issuer}admin/api/v1/clients/web`)
    const { client_id, scope, token_endpoint_auth_method, client_secret } = created.body
    assert.deepEqual(
      [client_id, scope, token_endpoint_auth_method, client_secret],
      ['web', 'openid demo_api', 'none', undefined],
    )
    const read = await admin.get('/clients/web')
    assert.deepEqual([read.body, read.etag], [created.body, created.etag])
    assert.equal(read.body['client_name#de'], 'Laden')
    assert.equal((await admin.post('/clients', web)).status, 409)
    assert.equal((await admin.delete('/clients/web', { 'if-match': '"x"' })).status, 412)
    assert.equal((await admin.delete('/clients/web', { 'if-match': read.etag })).status, 204)
    assert.equal((await admin.get('/clients/web')).status, 404)
    const named = await admin.post('/clients', { redirect_uris: web.redirect_uris })
    assert.match(named.body.client_id, /^app-[0-9a-f]{24}$/)
  })

  it('leaves the key of a refused registration to the next one (Idempotency-Key)', async () => {
    const key = { 'idempotency-key': 'refused-1' }
    const faulty = { client_id: 'refused', redirect_uris: web.redirect_uris, scope: 'of-nobody' }
    for (const _ of ['at first', 'again']) {
      const refused = await admin.post('/clients', faulty, key)
      assert.deepEqual([refused.status, pathsOf(refused)], [400, ['/scope']])
    }
    const made = await admin.post('/clients', { ...faulty, scope: 'openid' }, key)
    assert.equal(made.status, 201)
    assert.equal((await admin.post('/clients', { ...faulty, scope: 'openid' }, key)).status, 201)
  })

  it('shows a secret once, and lets the replaced one work for the overlap', async () => {
    const method = { token_endpoint_auth_method: 'client_secret_basic', grant_types: ['client_credentials'] }
    const { body, etag } = await admin.post('/clients', { client_id: 'machine', ...method })
    assert.deepEqual([body.client_secret.length >= 40, body.client_secret_expires_at], [true, 0])
    const read = await admin.get('/clients/machine')
    assert.deepEqual([read.body.client_secret, read.etag], [undefined, etag])
    const rotated = await admin.post('/clients/machine/rotate-secret', { overlap_seconds: 60 })
    assert.equal(rotated.status, 200)
    assert.notEqual(rotated.etag, etag)
    assert.equal(rotated.body.previous_secret_expires_at, Math.floor((service.now() + 60_000) / 1000))
    assert.equal(await tokenStatus('machine', body.client_secret), 200)
    const again = await admin.post('/clients/machine/rotate-secret')
    assert.equal(await tokenStatus('machine', rotated.body.client_secret), 401)
    assert.equal(await tokenStatus('machine', again.body.client_secret), 200)
    const refused = await admin.post('/clients/demo/rotate-secret', {})
    assert.deepEqual([refused.status, pathsOf(refused)], [400, ['/client_secret']])
    assert.equal((await admin.post('/clients/machine/rotate-secret', { overlap_seconds: -1 })).status, 400)
    const stored = JSON.stringify(await service.storage.audit.list({}, undefined, 500))
    for (const secret of [body, rotated.body, again.body]) assert.ok(!stored.includes(secret.client_secret))
    const becomes = await admin.put('/clients/machine', { ...read.body, scope: 'demo_api' })
    assert.deepEqual([becomes.status, becomes.body.client_secret], [200, undefined])
    assert.equal(await tokenStatus('machine', again.body.client_secret), 200)
  })

  it('warns at once of an address that the service will not request, by the setting that is missing', async () => {
    const uris = { backchannel_logout_uri: 'https://10.1.2.3/out', jwks_uri: 'https://8.8.8.8/jwks' }
    const created = await admin.post('/clients', {
      client_id: 'inside',
      redirect_uris: ['https://a.example/'],
      ...uris,
    })
    const why = 'is not a public address, and no entry of Outbound:Networks allows it'
    const warning = `backchannel_logout_uri will not be requested: 10.1.2.3 ${why}.`
    assert.deepEqual([created.status, created.body.warnings], [201, [warning]])
    const read = await admin.get('/clients/inside')
    assert.deepEqual([read.body.warnings, read.etag], [[warning], created.etag])
    const changes = { backchannel_logout_uri: 'https://[fe80::1]/out', logo_uri: 'https://10.1.2.3/x.png' }
    const changed = await admin.patch('/clients/inside', changes)
    assert.deepEqual(changed.body.warnings, [
      'backchannel_logout_uri will not be requested: fe80::1 is never reached: it is link-local or of a metadata service.',
      `logo_uri will not be requested: 10.1.2.3 ${why}.`,
    ])
    const mended = await admin.patch('/clients/inside', { backchannel_logout_uri: null, logo_uri: null })
    assert.equal(mended.body.warnings, undefined)
  })

  it('refuses a plain http address that is to be requested', async () => {
    const uris = { backchannel_logout_uri: 'http://app.internal/out', jwks_uri: 'http://app.internal/jwks' }
    const refused = await admin.post('/clients', { ...web, client_id: 'plain', ...uris })
    assert.deepEqual([refused.status, pathsOf(refused)], [400, ['/backchannel_logout_uri', '/jwks_uri']])
    assert.match(JSON.stringify(refused.body), /Outbound:AllowHttp/)
    const pictures = { logo_uri: 'http://app.internal/x.png', 'logo_uri#de': 'http://app.internal/de.png' }
    const logos = await admin.post('/clients', { ...web, client_id: 'plain', ...pictures })
    assert.deepEqual([logos.status, pathsOf(logos)], [400, ['/logo_uri', '/logo_uri#de']])
    assert.match(JSON.stringify(logos.body), /Outbound:AllowHttp/)
    // Nobody requests it, so that a browser alone opens it.
    assert.equal(
      (await admin.post('/clients', { ...web, client_id: 'home', client_uri: 'http://a.example/' })).status,
      201,
    )
  })

  it('changes by merge patch, and replaces: members that are left out take their defaults', async () => {
    const keys = { keys: [] }
    const created = await admin.post('/clients', {
      client_id: 'full',
      redirect_uris: ['https://a.example/'],
      scope: 'demo_api',
      contacts: ['a@example.com'],
      id_token_claims: 'requested',
      consent: 'implicit',
    })
    assert.equal(created.status, 201)
    const patched = await admin.patch(
      '/clients/full',
      { contacts: null, logo_uri: 'https://a.example/logo' },
      created.etag,
    )
    const { contacts: _, ...others } = created.body
    assert.deepEqual(patched.body, { ...others, logo_uri: 'https://a.example/logo' })
    const unchanged = await admin.patch('/clients/full', patched.body, patched.etag)
    assert.deepEqual([unchanged.status, unchanged.etag], [200, patched.etag])
    const replaced = await admin.put('/clients/full', { redirect_uris: ['https://a.example/'] }, patched.etag)
    assert.deepEqual(
      [replaced.body.scope, replaced.body.consent, replaced.body.id_token_claims, replaced.body.logo_uri],
      ['openid', 'explicit', undefined, undefined],
    )
    const back = await admin.put('/clients/full', patched.body)
    assert.deepEqual(back.body, patched.body)
    assert.deepEqual(
      pathsOf(await admin.patch('/clients/full', { jwks: keys, jwks_uri: 'http://a.example/' })).sort(),
      ['/jwks', '/jwks_uri'],
    )
    const entries = await service.storage.audit.newest({ kind: 'client_changed', clientId: 'full' }, 10)
    assert.deepEqual(entries.at(0)?.details.members, ['contacts', 'logo_uri'])
  })

  it('names every faulty member at once, those of the schema and those of the rules', async () => {
    const faulty = { redirect_uris: ['https://a.example/#f'], consent: 'never', scope: 'unregistered', grant_types: 7 }
    const paths = ['/consent', '/grant_types', '/redirect_uris', '/scope']
    for (const [method, path] of [
      ['POST', '/clients'],
      ['PUT', '/clients/demo'],
      ['PATCH', '/clients/demo'],
    ] as const) {
      const refused = await admin.send(method, path, { body: faulty, headers: { 'if-match': '*' } })
      assert.deepEqual([refused.status, pathsOf(refused).sort()], [400, paths], method)
      const { message } = refused.body.errors.find((one: { path: string }) => one.path === '/consent')
      assert.equal(message, 'consent must be one of: explicit, always, implicit, external, null.')
    }
    const user = await addUser(service, 'changed')
    const person = { email: 'no address', birthdate: 'soon', phone_number_verified: 'yes' }
    const members = ['/birthdate', '/email', '/phone_number_verified']
    assert.deepEqual(pathsOf(await admin.post('/users', { username: 'two', ...person })).sort(), members)
    assert.deepEqual(pathsOf(await admin.patch(`/users/${user.id}`, person)).sort(), members)
    const rules = { username: ' x', email: 'no address', password: 'short', birthdate: 'soon' }
    assert.deepEqual(
      pathsOf(await admin.post('/users', rules)).sort(),
      Object.keys(rules)
        .map((name) => `/${name}`)
        .sort(),
    )
    const missing = await admin.post('/users', { email: 'no address' })
    assert.deepEqual(pathsOf(missing).sort(), ['/email', '/username'])
  })

  it('names every faulty member of scopes, roles, invitations, passwords and locks, too', async () => {
    const owner = await addUser(service, 'owner')
    await admin.post('/scopes', { name: 'plain' })
    await admin.post('/roles', { name: 'plain' })
    const text = { display_name: ' a', description: 7 }
    for (const [method, path, body] of [
      ['POST', '/clients', { client_id: 'new', redirect_uris: ['file:///a'], consent: 'x' }],
      ['POST', '/scopes', { name: '..', ...text, resources: ['x y'] }],
      ['PUT', '/scopes/plain', { ...text, resources: ['x y'] }],
      ['PATCH', '/scopes/plain', { ...text, resources: ['x y'] }],
      // What never changes beside what a rule refuses.
      ['PATCH', '/scopes/plain', { name: 'other', display_name: ' a' }],
      ['POST', '/roles', { name: 'new', description: 7 }],
      ['PUT', '/roles/plain', { name: 'other', description: ' a' }],
      ['PATCH', '/roles/plain', { surprising: 1, description: ' a' }],
      ['POST', '/invitations', { email: 'nobody', roles: ['..'], surprising: 1 }],
      ['PATCH', `/users/${owner.id}`, { id: 'other', email: 'nobody', birthdate: 'soon' }],
      ['POST', `/users/${owner.id}/set-password`, { password: 'x', surprising: 1 }],
      ['POST', `/users/${owner.id}/lock`, { until: 'soon', surprising: 1 }],
    ] as const) {
      const refused = await admin.send(method, path, { body, headers: { 'if-match': '*' } })
      const paths = Object.keys(body).map((name) => `/${name}`)
      assert.deepEqual([refused.status, pathsOf(refused).sort()], [400, paths.sort()], `${method} ${path}`)
    }
  })

  it('names every faulty member of a list, those of the schema and those of the rules, by its place', async () => {
    const owner = await addUser(service, 'listed')
    const many = Array.from({ length: 51 }, (_, at) => `role-${at}`)
    for (const [roles, paths] of [
      [
        ['fine', 7, ' a', null, '..', 'half \ud800', 'fine'],
        ['/1', '/2', '/3', '/4', '/5'],
      ],
      [
        ['fine', ' a', 'new'],
        ['/1', '/2'],
      ],
      [
        [...many, ' a'],
        ['', '/51'],
      ],
      [
        [...many, 7],
        ['', '/51'],
      ],
      [[...Array.from({ length: 1000 }, () => 'fine'), ' a'], ['']],
      [{ roles: ['fine'] }, ['']],
    ] as const) {
      const refused = await admin.put(`/users/${owner.id}/roles`, roles)
      assert.deepEqual([refused.status, pathsOf(refused).sort()], [400, paths], JSON.stringify(roles).slice(0, 80))
    }
    assert.deepEqual((await admin.get(`/users/${owner.id}/roles`)).body, owner.roles)
  })

  it('says of a value what is wrong with it, and not that it must be null', async () => {
    const owner = await addUser(service, 'spoken')
    const messageOf = async (path: string, body: object) => {
      const refused = await admin.post(path, body)
      assert.equal(refused.status, 400, path)
      assert.equal(refused.body.errors.length, 1, path)
      return refused.body.errors[0].message as string
    }
    assert.match(await messageOf(`/users/${owner.id}/lock`, { until: 'tomorrow' }), /^until must be a time such as/)
    assert.doesNotMatch(await messageOf('/scopes', { name: 'long', description: 'x'.repeat(1001) }), /null/)
    assert.doesNotMatch(await messageOf('/roles', { name: 'long', description: 'x'.repeat(1001) }), /null/)
    assert.match(await messageOf('/scopes', { name: 'long', description: 7 }), /^description must be string or null/)
  })

  it('refuses what nobody can set, and what no rule allows (mass assignment)', async () => {
    const { body, etag } = await admin.get('/clients/demo')
    for (const [change, path] of [
      [{ client_id: 'other' }, '/client_id'],
      [{ client_id_issued_at: 0 }, '/client_id_issued_at'],
      [{ registration: 'open' }, '/registration'],
      [{ client_secret: 'chosen' }, '/client_secret'],
      [{ secret_hash: 'x' }, '/secret_hash'],
      [{ version: 7 }, '/version'],
      [{ authentication: { method: 'none' } }, '/authentication'],
      [{ redirect_uris: 'https://a.example/' }, '/redirect_uris'],
      [{ redirect_uris: ['https://a.example/#f'] }, '/redirect_uris'],
      [{ redirect_uris: [] }, '/redirect_uris'],
      [{ scope: 'unregistered' }, '/scope'],
      [{ grant_types: ['password'] }, '/grant_types'],
      [{ 'client_name#nowhere near a tag': 'x' }, '/client_name#nowhere near a tag'],
      [{ consent: 'never' }, '/consent'],
    ] as const) {
      const refused = await admin.patch('/clients/demo', change, etag)
      assert.deepEqual([refused.status, pathsOf(refused)], [400, [path]], JSON.stringify(change))
    }
    assert.deepEqual((await admin.get('/clients/demo')).body, body)
  })

  it('finds applications by search and filters, page by page', async () => {
    for (let at = 0; at < 7; at += 1) {
      await admin.post('/clients', {
        client_id: `list-${at}`,
        client_name: `Number ${at} Ärger`,
        redirect_uris: web.redirect_uris,
      })
    }
    const idsOf = async (query: string): Promise<string[]> => {
      const ids: string[] = []
      for (let next: string | null = null; ; ) {
        const { status, body } = await admin.get(`/clients?${query}${next === null ? '' : `&cursor=${next}`}`)
        assert.equal(status, 200)
        ids.push(...body.items.map(({ client_id }: { client_id: string }) => client_id))
        next = body.next
        if (next === null) return ids
      }
    }
    assert.deepEqual(
      await idsOf('search=LIST-&limit=3'),
      [0, 1, 2, 3, 4, 5, 6].map((at) => `list-${at}`),
    )
    assert.deepEqual(await idsOf(`search=${encodeURIComponent('ärg')}&limit=7`), await idsOf('search=number'))
    assert.deepEqual(await idsOf('scope=admin:write&limit=1'), ['program-admin:write'])
    assert.ok((await idsOf('type=confidential')).every((id) => !id.startsWith('list-')))
    assert.deepEqual(await idsOf('search=umber'), [])
    // A filter that fits none of very many ends a page before it has read them all.
    const many = Array.from({ length: 5200 }, (_, at) => testClient({ id: `mass-${String(at).padStart(4, '0')}` }))
    await service.storage.clients.createAll(many)
    const first = await admin.get('/clients?grant_type=urn:x:none')
    assert.deepEqual([first.body.items, typeof first.body.next], [[], 'string'])
    assert.deepEqual(await idsOf('grant_type=urn:x:none'), [])
    for (const { id } of many) await service.storage.clients.delete(id)
    const { body } = await admin.get('/clients?search=list&limit=1')
    assert.equal((await admin.get(`/clients?search=list-&limit=1&cursor=${body.next}`)).status, 400)
    assert.equal((await admin.get(`/scopes?cursor=${body.next}`)).status, 400)
    for (const query of ['type=other', 'kind=website', 'used=perhaps', 'self_registered=2'])
      assert.equal((await admin.get(`/clients?${query}`)).status, 400, query)
  })

  it('filters applications by kind, by who registered them, and by whether they ever got tokens', async () => {
    const { clients, statistics } = service.storage
    const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code', 'client_credentials'] as const
    const secret = { authentication: { method: 'private_key_jwt', jwks: [], jwksUri: null } } as const
    const registered = {
      spa: {},
      server: { ...secret, grantTypes: ['authorization_code', 'client_credentials'] },
      native: { metadata: { application_type: 'native' } },
      machine: { ...secret, grantTypes: ['client_credentials'] },
      device: { ...secret, grantTypes },
    } as const
    for (const [kind, members] of Object.entries(registered))
      assert.ok(await clients.create(testClient({ id: `kind-${kind}`, ...members })))
    assert.ok(await clients.create(testClient({ id: 'kind-own', metadata: { registration: 'open' } })))
    const today = Math.floor(service.now() / 86_400_000) * 86_400_000
    const counted = { startsAtMs: today, signIns: 1, tokens: 1, lastAtMs: today }
    await statistics.add([], [{ ...counted, clientId: 'kind-native' }])
    const idsOf = async (query: string): Promise<string[]> =>
      (await admin.get(`/clients?search=kind-&${query}`)).body.items.map((one: { client_id: string }) => one.client_id)
    for (const kind of ['server', 'native', 'machine', 'device'])
      assert.deepEqual(await idsOf(`kind=${kind}`), [`kind-${kind}`])
    assert.deepEqual(await idsOf('kind=spa'), ['kind-own', 'kind-spa'])
    assert.deepEqual(await idsOf('self_registered=true'), ['kind-own'])
    assert.deepEqual(await idsOf('kind=spa&self_registered=false'), ['kind-spa'])
    assert.deepEqual(await idsOf('used=true'), ['kind-native'])
    assert.equal((await idsOf('used=false')).length, 5)
    const first = await admin.get('/clients?search=kind-&used=false&limit=2')
    assert.deepEqual(await idsOf(`used=false&limit=2&cursor=${first.body.next}`), ['kind-own', 'kind-server'])
  })

  it('lets exactly one of a hundred parallel changes of one version win', async () => {
    const { etag } = await admin.post('/clients', { client_id: 'raced', redirect_uris: web.redirect_uris })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => admin.patch('/clients/raced', { client_name: `Name ${at}` }, etag)),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ status }) => status === 412).length, 99)
    assert.equal(
      (await service.storage.audit.list({ kind: 'client_changed', clientId: 'raced' }, undefined, 200)).length,
      1,
    )
  })

  it('gives nobody a client with permissions that they lack, and no control of one', async () => {
    const operator = await adminProgram(service, ['admin:clients', 'admin:audit'])
    const more = { grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_basic' }
    const code = 'ID9603'
    for (const scope of ['admin:write', 'admin:read', 'demo_api admin:users', 'admin:users:read']) {
      const refused = await operator.post('/clients', { ...more, scope })
      assert.deepEqual([refused.status, refused.body.code], [403, code], scope)
    }
    assert.equal(
      (await operator.post('/clients', { client_id: 'equal', ...more, scope: 'admin:clients admin:audit:read' }))
        .status,
      201,
    )
    assert.equal((await operator.patch('/clients/equal', { scope: 'admin:write' })).status, 403)
    const target = '/clients/program-admin:write'
    for (const attempt of [
      operator.patch(target, { redirect_uris: ['https://evil.example/'], grant_types: ['authorization_code'] }),
      operator.patch(target, { jwks: { keys: [] }, token_endpoint_auth_method: 'private_key_jwt' }),
      operator.patch(target, { scope: '' }),
      operator.put(target, { redirect_uris: ['https://evil.example/'] }),
      operator.post(`${target}/rotate-secret`, {}),
      operator.delete(target),
    ]) {
      const { status, body } = await attempt
      assert.deepEqual([status, body.code], [403, code])
    }
    assert.equal((await admin.get('/clients')).status, 200)
  })

  it('registers no client with a permission by dynamic registration, not even with a token (RFC 7591 §5)', async () => {
    const document = { grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_basic' }
    for (const scope of ['admin:read', 'openid admin:write', 'admin:keys:read']) {
      for (const token of [undefined, await initialAccessToken(service)]) {
        const refused = await register(service, { ...document, scope }, token)
        assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_client_metadata'], scope)
      }
    }
  })

  it('registers for a library, and answers its settings once', async () => {
    const body = { client_id: 'planner', template: 'django-allauth', base_url: 'https://planner.example' }
    const key = { 'idempotency-key': 'planner-1' }
    const { status, body: made } = await admin.post('/clients', body, key)
    assert.equal(status, 201, JSON.stringify(made))
    assert.deepEqual(made.redirect_uris, ['https://planner.example/accounts/oidc/latchkey/login/callback/'])
    assert.equal(made.scope, 'openid profile email offline_access')
    assert.deepEqual([made.setup.title, made.setup.language], ['settings.py', 'python'])
    assert.ok(made.setup.code.includes(made.client_secret) && made.setup.code.includes(service.issuer))
    const replayed = await admin.post('/clients', body, key)
    assert.deepEqual(
      [replayed.status, replayed.body.secret_shown, replayed.body.client_secret, replayed.body.setup],
      [201, true, undefined, undefined],
    )
    const { body: listed } = await admin.get('/client-templates')
    assert.ok(listed.items.some(({ id }: { id: string }) => id === 'django-allauth'))
  })

  it('answers the settings of a library later as well, without the secret, for whoever may read applications', async () => {
    const body = { client_id: 'shop', template: 'express', base_url: 'https://shop.example/app' }
    const { body: made } = await admin.post('/clients', body)
    assert.equal(made.template, 'express')
    const viewer = await adminProgram(service, ['admin:clients:read'])
    const { status, body: again } = await viewer.get('/clients/shop/setup')
    assert.deepEqual([status, again.template], [200, 'express'])
    const [client = '', session = ''] = made.setup.environment.code.split('\n')
    assert.deepEqual(
      [client, /^SESSION_SECRET=[0-9a-f]{64}$/.test(session)],
      [`CLIENT_SECRET=${made.client_secret}`, true],
    )
    const places = { title: '.env', code: 'CLIENT_SECRET=YOUR_CLIENT_SECRET\nSESSION_SECRET=YOUR_SESSION_SECRET' }
    assert.deepEqual(again.setup, { ...made.setup, environment: places })
    const { body: other } = await viewer.get('/clients/shop/setup?template=go')
    assert.deepEqual([other.template, other.setup.title], ['go', 'main.go'])
    assert.ok(!JSON.stringify([again, other]).includes(made.client_secret))
  })

  it('answers settings for addresses as they are registered, and the default where they say nothing', async () => {
    const cases = [
      [
        { redirect_uris: ['https://a.example/x/api/auth/callback/latchkey'] },
        'nextjs-authjs',
        'AUTH_URL=https://a.example/x"',
      ],
      [{ redirect_uris: ['https://b.example/elsewhere'] }, 'nextjs-authjs', 'AUTH_URL=https://b.example"'],
      [
        { redirect_uris: ['com.example.app:/callback'], application_type: 'native' },
        'nextjs-authjs',
        'AUTH_URL=http://localhost:3000"',
      ],
      [
        { redirect_uris: ['com.example.app:/callback'], application_type: 'native' },
        'mobile',
        'com.example.app:/callback',
      ],
    ] as const
    for (const [at, [members, template, expected]] of cases.entries()) {
      const { status } = await admin.post('/clients', { client_id: `placed-${at}`, ...members })
      assert.equal(status, 201)
      const { body } = await admin.get(`/clients/placed-${at}/setup?template=${template}`)
      assert.ok(JSON.stringify(body.setup).includes(expected), JSON.stringify(body.setup))
    }
  })

  it('has no settings where no template is known, and refuses what it cannot fill in', async () => {
    assert.equal((await admin.post('/clients', { ...web, client_id: 'plain' })).status, 201)
    const none = { template: null, setup: null }
    assert.deepEqual((await admin.get('/clients/plain/setup')).body, none)
    const changed = await admin.patch('/clients/plain', { template: 'of-tomorrow' })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    assert.deepEqual((await admin.get('/clients/plain/setup')).body, none)
    const refused = await admin.get('/clients/plain/setup?template=delphi')
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.path], [400, '/template'])
    assert.equal((await admin.get('/clients/nobody/setup')).status, 404)
    assert.equal((await admin.post('/clients', { ...web, client_id: "it's" })).status, 201)
    assert.equal((await admin.get("/clients/it's/setup?template=go")).status, 400)
    const wrong = await admin.patch('/clients/plain', { template: 'No id' })
    assert.equal(wrong.status, 400)
  })

  it('names what is wrong with a template and its address, and stores nothing', async () => {
    const of = async (body: object) => {
      const { status, body: answered } = await admin.post('/clients', { client_id: 'none', ...body })
      return [status, ...answered.errors.map(({ path }: { path: string }) => path)]
    }
    assert.deepEqual(await of({ template: 'delphi' }), [400, '/template'])
    assert.deepEqual(await of({ template: 'react', base_url: 'ftp://a.example' }), [400, '/base_url'])
    assert.deepEqual(await of({ base_url: 'https://a.example' }), [400, '/base_url'])
    assert.deepEqual(await of({ template: 'react', scope: 'of-nobody' }), [400, '/scope'])
    assert.equal((await admin.get('/clients/none')).status, 404)
  })

  it('stores no scope of a template whose client is refused, and leaves the key to the next one', async () => {
    const key = { 'idempotency-key': 'late-refusal' }
    const body = { client_id: 'late', template: 'grafana', scope: 'phone' }
    const claims = [{ claim: 'department', from: 'attribute:of-nobody' }]
    const refused = await admin.post('/clients', { ...body, claims }, key)
    assert.deepEqual([refused.status, pathsOf(refused)], [400, ['/claims']], JSON.stringify(refused.body))
    const twice = { ...body, client_id: 'web' }
    assert.equal((await admin.post('/clients', { ...web })).status, 201)
    assert.equal((await admin.post('/clients', twice, key)).status, 409)
    assert.equal((await admin.get('/scopes/phone')).status, 404)
    assert.equal((await admin.post('/clients', body, key)).status, 201)
    assert.equal((await admin.get('/scopes/phone')).status, 200)
    assert.equal((await admin.post('/clients', body, key)).status, 201)
  })

  it('registers applications by templates at once, all of which need the same new scope', async () => {
    const at = ['a', 'b', 'c', 'd', 'e', 'f']
    const made = await Promise.all(
      at.map((one) => admin.post('/clients', { client_id: `${one}-at-once`, template: 'go', scope: 'address' })),
    )
    assert.deepEqual(
      made.map(({ status }) => status),
      at.map(() => 201),
    )
    const apis = await Promise.all(
      at.map(() => admin.post('/clients', { client_id: 'one-api', template: 'spring-api' })),
    )
    assert.deepEqual(apis.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409, 409])
  })

  it('says of a template whose scope is still being removed that it is', async (t) => {
    t.mock.method(service.storage.claimRules, 'addClients', async () => {
      throw new ScopeBeingDeleted('profile')
    })
    const refused = await admin.post('/clients', { client_id: 'leaving', template: 'go' })
    assert.deepEqual([refused.status, refused.body.code, pathsOf(refused)], [409, 'ID9510', ['/scope']])
  })
})
