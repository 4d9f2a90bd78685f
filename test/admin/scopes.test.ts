/** The admin API by its first resource: who may call it, its form, and scopes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, it } from 'node:test'
import { ScopeBeingDeleted } from '../../src/storage/port/claim-rules.ts'
import { AdminCaller, adminPerson, adminProgram, programToken } from '../support/admin.ts'
import { Browser, claimsOf, postToken } from '../support/browser.ts'
import { DpopKey } from '../support/dpop.ts'
import { serviceForFile, testScope } from '../support/service.ts'

const service = await serviceForFile()
const admin = await adminProgram(service)

const challengeOf = ({ headers }: { readonly headers: Headers }) => headers.get('www-authenticate') ?? ''

describe('who may call the admin API', () => {
  it('gives scopes admin:… the audience of the API, and accepts nothing without a token', async () => {
    const { aud, scope } = claimsOf(admin.token)
    assert.deepEqual([aud, scope], [`${service.issuer}admin/api`, ['admin:write']])
    assert.equal((await admin.get('/scopes')).status, 200)
    const response = await fetch(new URL('admin/api/v1/scopes', service.issuer))
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
    assert.equal(((await response.json()) as { code: string }).code, 'ID9600')
  })

  it('authenticates no cookie, and answers no other origin', async () => {
    const browser = await Browser.signedIn(service)
    assert.equal((await browser.get('/admin/api/v1/scopes')).status, 401)
    const preflight = await fetch(new URL('admin/api/v1/scopes', service.issuer), { method: 'OPTIONS' })
    assert.equal(preflight.status, 405)
    assert.equal(preflight.headers.get('access-control-allow-origin'), null)
    // `fetch` does not send it.
    const asked = request(new URL('admin/api/v1/scopes', service.issuer), { method: 'TRACE' }).end()
    const [traced] = (await once(asked, 'response')) as [IncomingMessage]
    traced.resume()
    assert.deepEqual([traced.statusCode, traced.headers.allow], [405, 'GET, POST'])
  })

  it('refuses tokens for another audience, id tokens and what is no token (RFC 9068 §4)', async () => {
    await service.storage.scopes.create(testScope('elsewhere', { resources: ['https://elsewhere.example/'] }))
    const other = await adminProgram(service, ['elsewhere'])
    const narrowed = await adminProgram(service, ['admin:read', 'elsewhere'])
    const resource = { resource: 'https://elsewhere.example/' }
    const { caller } = await adminPerson(service, ['latchkey-admin'], { name: 'with-id-token' })
    const elsewhere = await programToken(service, 'program-admin:read-elsewhere', ['admin:read', 'elsewhere'], resource)
    assert.equal((await narrowed.get('/scopes')).status, 200)
    for (const token of [other.token, elsewhere, `${caller.token}x`, 'x', 'a.b.c']) {
      const answer = await new AdminCaller(service, token).get('/scopes')
      assert.equal(answer.status, 401, token)
      assert.match(challengeOf(answer), /error="invalid_token"/)
    }
  })

  it('names the missing scope, and lets readers read alone', async () => {
    const reader = await adminProgram(service, ['admin:read'])
    const auditor = await adminProgram(service, ['admin:audit'])
    assert.equal((await reader.get('/scopes')).status, 200)
    const refused = await reader.post('/scopes', { name: 'mine' })
    assert.equal(refused.status, 403)
    assert.match(challengeOf(refused), /error="insufficient_scope".*scope="admin:clients"/)
    assert.match(challengeOf(await auditor.get('/scopes')), /scope="admin:clients:read"/)
    assert.equal((await reader.post('/scopes', 'no JSON')).status, 403)
  })

  it('gives people what their roles give now, in the bounds of the token', async () => {
    const { user, caller } = await adminPerson(service, ['latchkey-viewer', 'admin'])
    assert.equal((await caller.get('/scopes')).status, 200)
    const refused = await caller.post('/scopes', { name: 'mine' })
    assert.deepEqual([refused.status, refused.body.code], [403, 'ID9602'])
    const bounded = await adminPerson(service, ['latchkey-admin'], { name: 'bounded', scopes: ['admin:audit'] })
    assert.equal((await bounded.caller.get('/scopes')).status, 403)
    const nobody = await adminPerson(service, ['admin'])
    assert.equal((await nobody.caller.get('/scopes')).status, 403)
    await service.storage.users.update(user.id, (found) => ({ ...found, roles: ['latchkey-admin'] }))
    assert.equal((await caller.post('/scopes', { name: 'role-given' })).status, 201)
    await service.storage.users.update(user.id, (found) => ({ ...found, roles: [] }))
    assert.equal((await caller.get('/scopes')).status, 403)
    await service.storage.users.update(user.id, (found) => ({ ...found, disabled: true, roles: ['latchkey-admin'] }))
    assert.equal((await caller.get('/scopes')).status, 401)
    assert.equal((await bounded.caller.get('/scopes')).status, 403)
    await service.storage.users.delete(bounded.user.id)
    assert.equal((await bounded.caller.get('/scopes')).status, 401)
  })

  it('ends what a program may with its permission and its registration', async () => {
    const program = await adminProgram(service, ['admin:read', 'admin:keys'], { id: 'ended' })
    assert.equal((await program.get('/scopes')).status, 200)
    await service.storage.clients.update('ended', (client) => ({ ...client, scopes: ['admin:keys'] }))
    assert.equal((await program.get('/scopes')).status, 403)
    await service.storage.clients.delete('ended')
    assert.equal((await program.get('/scopes')).status, 401)
  })

  it('does not take a registered scope of the same name for a permission', async () => {
    await service.storage.scopes.create(testScope('admin:clients', { resources: ['https://theirs.example/'] }))
    const program = await adminProgram(service, ['admin:clients', 'admin:audit'], { id: 'shadowed' })
    assert.deepEqual(claimsOf(program.token).aud, ['https://theirs.example/', `${service.issuer}admin/api`].sort())
    assert.equal((await program.get('/scopes')).status, 403)
    await service.storage.scopes.delete('admin:clients')
  })

  it('verifies DPoP-bound tokens, and refuses them as bearer tokens (RFC 9449 §7.2)', async () => {
    const key = new DpopKey()
    const url = `${service.issuer}connect/token`
    const { body } = await postToken(
      service,
      {
        grant_type: 'client_credentials',
        client_id: 'program-admin:write',
        client_secret: 'machine-secret',
        scope: 'admin:write',
      },
      { dpop: key.proof({ url, nowMs: service.now() }) },
    )
    const accessToken: string = body.access_token
    const bound = new AdminCaller(service, accessToken)
    const asBearer = await bound.get('/scopes')
    assert.equal(asBearer.status, 401)
    assert.match(challengeOf(asBearer), /^DPoP error="invalid_token"/)
    const at = `${service.issuer}admin/api/v1/scopes`
    const proven = (change: object = {}) => ({
      authorization: `DPoP ${accessToken}`,
      dpop: key.proof({ method: 'GET', url: at, accessToken, nowMs: service.now(), ...change }),
    })
    const good = proven()
    assert.equal((await bound.get('/scopes', good)).status, 200)
    assert.equal((await bound.get('/scopes?limit=1', proven())).status, 200)
    for (const bad of [
      good,
      proven({ url: `${at}/x` }),
      proven({ method: 'POST' }),
      proven({ accessToken: 'other' }),
    ]) {
      assert.equal((await bound.get('/scopes', bad)).status, 401)
    }
  })
})

describe('scopes', () => {
  it('creates, reads, changes, replaces and deletes a scope, with an entry in the audit trail for each change', async () => {
    const created = await admin.post('/scopes', {
      name: 'api:read',
      display_name: 'Read',
      resources: ['https://api.example/'],
    })
    assert.equal(created.status, 201)
    assert.equal(created.headers.get('location'), `${service.issuer}admin/api/v1/scopes/api%3Aread`)
    const read = await admin.get('/scopes/api:read')
    assert.deepEqual([read.status, read.body, read.etag], [200, created.body, created.etag])
    const patched = await admin.patch('/scopes/api:read', { description: 'Reads', display_name: null }, read.etag)
    assert.equal(patched.status, 200)
    assert.deepEqual(patched.body, { ...read.body, description: 'Reads', display_name: null })
    const replaced = await admin.put('/scopes/api:read', { ...patched.body, description: 'New' }, patched.etag)
    assert.deepEqual(replaced.body, { ...patched.body, description: 'New' })
    const bare = await admin.put('/scopes/api:read', {}, replaced.etag)
    assert.deepEqual([bare.body.description, bare.body.resources], [null, []])
    const gone = await admin.delete('/scopes/api:read', { 'if-match': bare.etag })
    assert.deepEqual([gone.status, gone.body], [204, undefined])
    assert.equal((await admin.get('/scopes/api:read')).status, 404)
    const entries = await service.storage.audit.list({}, undefined, 500)
    const mine = entries.filter(({ details }) => details.name === 'api:read')
    assert.deepEqual(
      mine.map(({ kind }) => kind),
      ['scope_added', 'scope_changed', 'scope_changed', 'scope_changed', 'scope_deleted'],
    )
    const id = 'program-admin:write'
    assert.ok(
      mine.every(
        ({ traceId, details }) => traceId?.length === 32 && details.actor === id && details.actorKind === 'client',
      ),
    )
    assert.deepEqual(mine[1]?.details.members, ['description', 'display_name'])
  })

  it('demands the version of a change, and refuses a stale one', async () => {
    const { etag } = await admin.post('/scopes', { name: 'versioned' })
    const without = await admin.send('PATCH', '/scopes/versioned', { body: {} })
    assert.deepEqual([without.status, without.body.error], [428, 'precondition_required'])
    const next = await admin.patch('/scopes/versioned', { description: 'a' }, etag)
    for (const stale of [etag, `W/${next.etag}`, '"other"']) {
      const refused = await admin.patch('/scopes/versioned', { description: 'b' }, stale)
      assert.deepEqual([refused.status, refused.body.error], [412, 'precondition_failed'], stale)
      assert.equal((await admin.delete('/scopes/versioned', { 'if-match': stale })).status, 412)
    }
    assert.equal((await admin.patch('/scopes/versioned', {}, 'no tag')).status, 400)
    assert.equal((await admin.patch('/scopes/versioned', { description: 'c' }, `"x", ${next.etag}`)).status, 200)
    assert.equal((await admin.patch('/scopes/versioned', { description: 'd' })).status, 200)
  })

  it('lets exactly one of a hundred parallel changes of one version win', async () => {
    const { etag } = await admin.post('/scopes', { name: 'raced' })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => admin.patch('/scopes/raced', { description: `text ${at}` }, etag)),
    )
    assert.deepEqual(Map.groupBy(answers, ({ status }) => status).get(200)?.length, 1)
    assert.equal(answers.filter(({ status }) => status === 412).length, 99)
    const winner = answers.find(({ status }) => status === 200)
    assert.deepEqual((await admin.get('/scopes/raced')).body, winner?.body)
  })

  it('names each wrong member by a JSON pointer, and changes nothing', async () => {
    const { body, status } = await admin.post('/scopes', {
      nam: 'x',
      resources: ['https://a.example/', 2],
      description: 7,
    })
    assert.equal(status, 400)
    assert.deepEqual([body.error, body.code, typeof body.trace_id], ['invalid_request', 'ID9605', 'string'])
    const paths = body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
    assert.deepEqual(paths.sort(), [
      '/description member_invalid',
      '/nam member_unknown',
      '/name member_missing',
      '/resources/1 member_invalid',
    ])
    const ruled = await admin.post('/scopes', { name: 'a b', resources: ['/relative'] })
    assert.deepEqual(
      ruled.body.errors.map(({ path }: { path: string }) => path),
      ['/name', '/resources'],
    )
    for (const name of ['openid', 'admin:write', '']) assert.equal((await admin.post('/scopes', { name })).status, 400)
    const taken = await admin.post('/scopes', { name: 'demo_api' })
    assert.deepEqual([taken.status, taken.body.error], [409, 'already_exists'])
    const renamed = await admin.patch('/scopes/demo_api', { name: 'other' })
    assert.deepEqual([renamed.status, renamed.body.errors[0].code], [400, 'member_read_only'])
  })

  it('says of a name that it is still being removed from all that had it', async (t) => {
    const { removals, claimRules } = service.storage
    t.mock.method(removals, 'list', async () => [{ kind: 'scope', name: 'leaving' }])
    t.mock.method(claimRules, 'change', async () => {
      throw new ScopeBeingDeleted('leaving')
    })
    const refused = await admin.post('/scopes', { name: 'leaving' })
    assert.deepEqual([refused.status, refused.body.code], [409, 'ID9510'])
    assert.deepEqual([refused.body.errors[0].path, refused.body.errors[0].code], ['/name', 'being_deleted'])
    assert.equal((await admin.post('/scopes', { name: 'taken' })).body.code, 'ID9609')
  })

  it('refuses bodies that are not strict JSON', async () => {
    const deep = `{"name":"x","resources":${'['.repeat(30)}${']'.repeat(30)}}`
    for (const body of [
      '',
      '{',
      '{"name":"a","name":"b"}',
      '{"name":"a","n\\u0061me":"b"}',
      deep,
      '"x"',
      'null',
      '{"name":"a\\u0000"}',
    ]) {
      assert.equal((await admin.post('/scopes', body)).status, 400, body)
    }
    const proto = await admin.post('/scopes', '{"name":"proto","__proto__":{"admin":true}}')
    assert.equal(proto.status, 400)
    const typed = await admin.send('POST', '/scopes', { body: '{}', headers: { 'content-type': 'text/plain' } })
    assert.equal(typed.status, 415)
    assert.equal((await admin.post('/scopes', { name: 'x'.repeat(70_000) })).status, 413)
  })

  it('pages through a list, stable under inserts, and refuses a cursor of another list', async () => {
    for (const name of ['p1', 'p3', 'p5']) await admin.post('/scopes', { name })
    const seen: string[] = []
    let next: string | null = ''
    let pages = 0
    while (next !== null) {
      const path: string = `/scopes?limit=2${next === '' ? '' : `&cursor=${encodeURIComponent(next)}`}`
      const { status, body } = await admin.get(path)
      assert.equal(status, 200)
      seen.push(...body.items.map(({ name }: { name: string }) => name))
      next = body.next
      if (pages++ === 0) await admin.post('/scopes', { name: 'a-first' })
    }
    const { body } = await admin.get('/scopes?limit=500')
    const all = body.items.map(({ name }: { name: string }) => name)
    assert.equal(body.next, null)
    assert.deepEqual(
      seen,
      all.filter((name: string) => name !== 'a-first'),
    )
    const { body: first } = await admin.get('/scopes?limit=1')
    for (const query of [
      'limit=0',
      'limit=501',
      'limit=x',
      'limit=1&limit=2',
      'other=1',
      `cursor=${first.next}x`,
      'cursor=x',
    ]) {
      const refused = await admin.get(`/scopes?${query}`)
      assert.equal(refused.status, 400, query)
      assert.equal(refused.body.errors.length >= 1, true, query)
    }
  })

  it('says who uses a scope before it is deleted, and takes it from them when forced', async () => {
    await admin.post('/scopes', { name: 'used' })
    const used = { clients: ['user-of-it'], consents: 0, grants: 0 }
    await adminProgram(service, ['demo_api', 'used'], { id: 'user-of-it' })
    assert.deepEqual((await admin.get('/scopes/used/usage')).body, used)
    assert.equal((await admin.get('/scopes/unheard-of/usage')).status, 404)
    const refused = await admin.delete('/scopes/used')
    assert.deepEqual([refused.status, refused.body.error, refused.body.used_by], [409, 'in_use', used])
    assert.equal((await admin.delete('/scopes/used?force=true')).status, 204)
    assert.deepEqual((await service.storage.clients.find('user-of-it'))?.scopes, ['demo_api'])
  })

  it('answers unknown addresses and methods with problems, never with a page', async () => {
    for (const [method, path, status] of [
      ['GET', '/nothing', 404],
      ['GET', '/scopes/a/b', 404],
      ['POST', '/scopes/demo_api', 405],
      ['GET', '/../v2', 404],
    ] as const) {
      const answer = await admin.send(method, path, { headers: { accept: 'text/html' } })
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [status, 'application/problem+json'], path)
    }
  })
})
