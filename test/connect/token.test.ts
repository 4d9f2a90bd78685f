import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Client } from '../../src/protocol/client/client.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import {
  Browser,
  claimsOf,
  codeFields,
  fetchWithToken,
  headerOf,
  obtainCode,
  postToken,
  refreshFields,
  type TokenAnswer,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, addUser, changeUser, serviceForFile, testScope } from '../support/service.ts'

const service = await serviceForFile()
const { scopes } = service.storage
await addClient(service, { id: 'other' })
await addClient(service, {
  id: 'confidential',
  authentication: bySecret(hashSecret('s3cret:with colon')),
  consent: 'implicit',
})
await addClient(service, { id: 'profiled', scopes: ['profile', 'email', 'roles', 'offline_access'] })
for (const name of ['profile', 'email', 'roles']) await scopes.create(testScope(name))

const exchange = async (
  change: Record<string, string> = {},
  scope = 'openid offline_access demo_api',
): Promise<TokenAnswer> => postToken(service, codeFields(await obtainCode(new Browser(service), { scope }), change))

function assertRefused(answer: TokenAnswer, status: number, error: string, id: string): void {
  assert.equal(answer.status, status)
  assert.equal(answer.body.error, error)
  assert.equal(answer.body.error_uri, `${service.issuer}errors#${id}`)
  assert.ok(answer.body.error_description.startsWith(`${id}: `))
  assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'error_description', 'error_uri'])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.ok(answer.headers.get('x-trace-id'))
}

describe('POST /connect/token, authorization_code (RFC 6749 §4.1.3)', () => {
  it('answers with the token response of specification 2.1 [S2.1.2, S2.1.3, S2.1.4, S2.1.5, S2.1.6, S2.4.9, S4.2.2, S4.2.3, S4.2.8, S5.5.6, C4.27]', async () => {
    const { status, headers, body } = await exchange()
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(Object.keys(body).sort(), [
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ])
    assert.equal(body.token_type, 'Bearer')
    assert.equal(body.expires_in, 3600)
    assert.equal(body.scope, 'openid offline_access demo_api')
  })

  it('leaves out the id token without openid, the refresh token without offline_access [S2.1.1, S2.1.2, S2.1.3, S4.2.15, S5.2.2]', async () => {
    const { body } = await exchange({}, 'demo_api')
    assert.equal('id_token' in body, false)
    assert.equal('refresh_token' in body, false)
  })

  it('signs the access token with ES256 and the id token with RS256, both verifiable by the key set [S2.1.1, S4.8.3, S5.3.1, C3.15]', async () => {
    const { body } = await exchange()
    const jwks = createLocalJWKSet((await (await fetch(new URL('.well-known/jwks', service.issuer))).json()) as never)
    const access = await jwtVerify(body.access_token, jwks, { issuer: service.issuer, typ: 'at+jwt' })
    assert.equal(access.protectedHeader.alg, 'ES256')
    const id = await jwtVerify(body.id_token, jwks, { issuer: service.issuer, audience: 'demo' })
    assert.equal(id.protectedHeader.alg, 'RS256')
    assert.equal(headerOf(body.id_token).typ, 'JWT')
  })

  it('puts the claims of specification 2.2 into the access token [S2.2.1, S2.2.2, S2.2.3, S2.2.4, S2.2.5, S2.2.6, S2.2.7, S2.2.8, S2.3.4, S2.5.1, S8.3]', async () => {
    const claims = claimsOf((await exchange()).body.access_token)
    const user = await service.storage.users.findByName('alice')
    assert.equal(claims.sub, user?.id)
    assert.equal(claims.name, 'alice')
    assert.equal(claims.preferred_username, 'alice')
    assert.equal(claims.email, 'alice@example.com')
    assert.equal(claims.role, 'admin')
    assert.deepEqual(claims.scope, ['openid', 'offline_access', 'demo_api'])
    assert.equal(claims.iss, service.issuer)
    assert.ok(service.issuer.endsWith('/'))
    assert.equal(claims.exp - claims.iat, 3600)
    assert.equal(claims.client_id, 'demo')
    assert.ok(!JSON.stringify(claims).includes('SecurityStamp'))
  })

  it('keeps name, e-mail and roles out of the id token unless their scope was requested (specification 2.3) [S2.3.1, S2.3.2, S2.3.3, S2.3.6]', async () => {
    const claims = claimsOf((await exchange()).body.id_token)
    for (const claim of ['name', 'preferred_username', 'email', 'email_verified', 'role']) {
      assert.equal(claim in claims, false, claim)
    }
    assert.equal(claims.aud, 'demo')
    assert.deepEqual(claims.amr, ['pwd'])
  })

  for (const [scope, present, absent] of [
    ['openid profile', ['name', 'preferred_username'], ['email', 'email_verified', 'role']],
    ['openid email', ['email', 'email_verified'], ['name', 'role']],
    ['openid roles', ['role'], ['name', 'email', 'email_verified']],
  ] as const) {
    it(`puts ${present.join(', ')} into the id token for '${scope}', and all into the access token [S2.3.1, S2.3.2, S2.3.3, S4.2.14]`, async () => {
      const code = await obtainCode(new Browser(service), { client_id: 'profiled', scope })
      const { body } = await postToken(service, codeFields(code, { client_id: 'profiled' }))
      const claims = claimsOf(body.id_token)
      for (const claim of present) assert.ok(claim in claims, claim)
      for (const claim of absent) assert.ok(!(claim in claims), claim)
      for (const claim of ['name', 'email', 'email_verified', 'role']) {
        assert.ok(claim in claimsOf(body.access_token), claim)
      }
    })
  }

  it('repeats the nonce in the id token (OpenID Connect Core §3.1.3.6)', async () => {
    const code = await obtainCode(new Browser(service), { nonce: 'n-0S6' })
    const { body } = await postToken(service, codeFields(code))
    assert.equal(claimsOf(body.id_token).nonce, 'n-0S6')
    const refreshed = await postToken(service, refreshFields(body.refresh_token))
    assert.equal(claimsOf(refreshed.body.id_token).nonce, 'n-0S6')
  })

  it('writes several roles as an array [S2.2.5]', async () => {
    const user = await service.storage.users.findByName('alice')
    await service.storage.users.update(user?.id ?? '', (stored) => ({ ...stored, roles: ['admin', 'auditor'] }))
    assert.deepEqual(claimsOf((await exchange()).body.access_token).role, ['admin', 'auditor'])
    await service.storage.users.update(user?.id ?? '', (stored) => ({ ...stored, roles: ['admin'] }))
  })

  it('refuses a code that was redeemed before and revokes what it gave (§4.1.2) [C4.29]', async () => {
    const code = await obtainCode(new Browser(service))
    const first = await postToken(service, codeFields(code))
    assertRefused(await postToken(service, codeFields(code)), 400, 'invalid_grant', 'ID2010')
    assertRefused(await postToken(service, refreshFields(first.body.refresh_token)), 400, 'invalid_grant', 'ID2018')
    const api = await fetchWithToken(service, 'weatherforecast', first.body.access_token)
    assert.equal(api.status, 401, 'the access token stops at our own API too')
  })

  it('raises the alarm also for a replay with a wrong verifier (§4.1.2)', async () => {
    const code = await obtainCode(new Browser(service))
    const first = await postToken(service, codeFields(code))
    assertRefused(
      await postToken(service, codeFields(code, { code_verifier: 'a'.repeat(43) })),
      400,
      'invalid_grant',
      'ID2010',
    )
    assertRefused(await postToken(service, refreshFields(first.body.refresh_token)), 400, 'invalid_grant', 'ID2018')
  })

  it('lets exactly one of 20 simultaneous redemptions win, and ends what it gave (§4.1.2) [C4.29]', async () => {
    const code = await obtainCode(new Browser(service))
    const answers = await Promise.all(Array.from({ length: 20 }, () => postToken(service, codeFields(code))))
    const winners = answers.filter(({ status }) => status === 200)
    assert.equal(winners.length, 1)
    const refreshed = await postToken(service, refreshFields(winners[0]?.body.refresh_token))
    assertRefused(refreshed, 400, 'invalid_grant', 'ID2018')
  })

  it('cannot be burnt by a wrong verifier or address: the right client may still redeem [S4.2.6, S4.2.9, S4.2.10, S7.7]', async () => {
    const code = await obtainCode(new Browser(service))
    assertRefused(
      await postToken(service, codeFields(code, { code_verifier: 'b'.repeat(43) })),
      400,
      'invalid_grant',
      'ID2052',
    )
    assertRefused(
      await postToken(service, codeFields(code, { redirect_uri: 'http://localhost:5081/' })),
      400,
      'invalid_grant',
      'ID2072',
    )
    assert.equal((await postToken(service, codeFields(code))).status, 200)
  })

  it('refuses an expired code (ID2016) [S4.2.9, S8.6, C3.11]', async () => {
    const code = await obtainCode(new Browser(service))
    service.advance(61)
    assertRefused(await postToken(service, codeFields(code)), 400, 'invalid_grant', 'ID2016')
  })

  it('refuses a code that was changed in one character, cut or made up (ID2001) [S4.2.9]', async () => {
    const code = await obtainCode(new Browser(service))
    const middle = Math.floor(code.length / 2)
    const changed = code.slice(0, middle) + (code[middle] === 'A' ? 'B' : 'A') + code.slice(middle + 1)
    for (const wrong of [changed, code.slice(0, -4), `${code}A`, 'x', 'a.b', '.', `${code}=`]) {
      assertRefused(await postToken(service, codeFields(wrong)), 400, 'invalid_grant', 'ID2001')
    }
  })

  it('tells a token of another kind from one that is none: ID2005 as code, ID2007 as refresh token', async () => {
    const code = await obtainCode(new Browser(service))
    const { body } = await postToken(service, codeFields(code))
    const refresh = (token: string) => postToken(service, refreshFields(token))
    for (const token of [body.access_token, body.id_token, body.refresh_token]) {
      assertRefused(await postToken(service, codeFields(token)), 400, 'invalid_grant', 'ID2005')
    }
    for (const token of [body.access_token, body.id_token, code]) {
      assertRefused(await refresh(token), 400, 'invalid_grant', 'ID2007')
    }
    const [grantId, generation] = body.refresh_token.split('.')
    const invented = `${grantId}.${generation}.${'A'.repeat(43)}`
    assertRefused(await postToken(service, codeFields(invented)), 400, 'invalid_grant', 'ID2001')
    assertRefused(await refresh(`${body.id_token}x`), 400, 'invalid_grant', 'ID2003')
    assert.equal((await refresh(body.refresh_token)).status, 200, 'nothing was used up')
  })

  const faults: ReadonlyArray<readonly [string, Readonly<Record<string, string | undefined>>, number, string, string]> =
    [
      ['no grant_type', { grant_type: undefined }, 400, 'invalid_request', 'ID2029'],
      ['an unsupported grant_type', { grant_type: 'password' }, 400, 'unsupported_grant_type', 'ID2032'],
      ['no client_id', { client_id: undefined }, 400, 'invalid_request', 'ID2029'],
      ['an unknown client_id', { client_id: 'nobody' }, 401, 'invalid_client', 'ID2052'],
      ['no code', { code: undefined }, 400, 'invalid_request', 'ID2029'],
      ['no redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request', 'ID2029'],
      ['no code_verifier', { code_verifier: undefined }, 400, 'invalid_request', 'ID2054'],
      ['a secret of a public client', { client_secret: 'x' }, 401, 'invalid_client', 'ID2053'],
      ['a client assertion without its type', { client_assertion: 'x' }, 400, 'invalid_request', 'ID2037'],
      ['the code of another client', { client_id: 'other' }, 400, 'invalid_grant', 'ID2069'],
    ]
  for (const [what, change, status, error, id] of faults) {
    it(`refuses the exchange of a code with ${what}: ${error} ${id} [S2.4.3, S2.4.9, S4.2.3, S4.2.4, S4.2.5, S4.2.6, S4.2.7, S4.2.9, S5.2.1, S7.10, C4.8, C4.9]`, async () => {
      const code = await obtainCode(new Browser(service))
      const fields = Object.entries({ ...codeFields(code), ...change }).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      )
      assertRefused(await postToken(service, fields), status, error, id)
    })
  }

  it('ignores a scope beside the code, whatever it asks for: what was granted is in the code (RFC 6749 §3.2)', async () => {
    for (const scope of ['openid', 'openid offline_access demo_api nothing-like-it', ' ', 'x'.repeat(5000)]) {
      const code = await obtainCode(new Browser(service))
      const { status, body } = await postToken(service, codeFields(code, { scope }))
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.scope, 'openid offline_access demo_api')
    }
  })

  it('refuses a repeated parameter (§3.2)', async () => {
    const fields = [...Object.entries(codeFields('x')), ['code', 'y'] as const]
    assertRefused(await postToken(service, fields), 400, 'invalid_request', 'ID9001')
  })

  it('names the scheme in WWW-Authenticate when client authentication failed (§5.2)', async () => {
    const answer = await postToken(service, codeFields('x', { client_id: 'nobody' }))
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm="[^"]+", error="invalid_client"/)
  })

  it('refuses every method but POST with ID2084, and other content types with ID2082 [S4.2.1]', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(new URL('connect/token', service.issuer), { method })
      assert.equal(response.status, 400)
      assert.match(((await response.json()) as { error_uri: string }).error_uri, /#ID2084$/)
    }
    assert.equal((await fetch(new URL('connect/token', service.issuer), { method: 'HEAD' })).status, 400)
    const json = await fetch(new URL('connect/token', service.issuer), {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    assert.match(((await json.json()) as { error_uri: string }).error_uri, /#ID2082$/)
  })
})

describe('the grant types of a client (RFC 6749 §5.2)', () => {
  const setGrantTypes = (grantTypes: Client['grantTypes']) =>
    service.storage.clients.update('other', (client) => ({ ...client, grantTypes }))
  const start = async () => {
    const code = await obtainCode(new Browser(service), { client_id: 'other' })
    return postToken(service, codeFields(code, { client_id: 'other' }))
  }
  const refresh = (token: string) => postToken(service, { ...refreshFields(token), client_id: 'other' })

  it('are the only ones that it may use; a token that it may not use stays alive', async () => {
    const { body } = await start()
    await setGrantTypes(['authorization_code'])
    assertRefused(await refresh(body.refresh_token), 400, 'unauthorized_client', 'ID2064')
    const code = await obtainCode(new Browser(service), { client_id: 'other' })
    await setGrantTypes(['refresh_token'])
    const redeem = () => postToken(service, codeFields(code, { client_id: 'other' }))
    assertRefused(await redeem(), 400, 'unauthorized_client', 'ID2064')
    assert.equal((await refresh(body.refresh_token)).status, 200)
    await setGrantTypes(['authorization_code', 'refresh_token'])
    assert.equal((await redeem()).status, 200)
  })

  it('bring a refresh token only with refresh_token among them', async () => {
    await setGrantTypes(['authorization_code'])
    const { status, body } = await start()
    assert.equal(status, 200)
    assert.equal('refresh_token' in body, false)
    await setGrantTypes(['authorization_code', 'refresh_token'])
    assert.ok((await start()).body.refresh_token)
  })

  it('are judged once the client is known', async () => {
    const { clients } = service.storage
    const grantTypes = ['authorization_code'] as const
    await clients.update('confidential', (client) => ({ ...client, grantTypes }))
    const fields = { ...refreshFields('x'), client_id: 'confidential' }
    assertRefused(await postToken(service, { ...fields, client_secret: 'wrong' }), 401, 'invalid_client', 'ID2055')
    const known = { ...fields, client_secret: 's3cret:with colon' }
    assertRefused(await postToken(service, known), 400, 'unauthorized_client', 'ID2064')
    await clients.update('confidential', (client) => ({ ...client, grantTypes: [...grantTypes, 'refresh_token'] }))
  })
})

describe('client authentication of a confidential client (RFC 6749 §2.3.1)', () => {
  const basic = (id: string, secret: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  })
  const secret = 's3cret:with colon'
  const code = () => obtainCode(new Browser(service), { client_id: 'confidential' })
  const withoutClient = (fields: Readonly<Record<string, string>>) =>
    Object.entries(fields).filter(([name]) => name !== 'client_id')

  it('takes the secret in the header and in the body', async () => {
    const inHeader = withoutClient(codeFields(await code()))
    assert.equal((await postToken(service, inHeader, basic('confidential', secret))).status, 200)
    const inBody = codeFields(await code(), { client_id: 'confidential', client_secret: secret })
    assert.equal((await postToken(service, inBody)).status, 200)
  })

  it('refuses a missing, a wrong, a doubled and a malformed credential', async () => {
    const fields = codeFields(await code(), { client_id: 'confidential' })
    assertRefused(await postToken(service, fields), 401, 'invalid_client', 'ID2198')
    assertRefused(await postToken(service, { ...fields, client_secret: 'wrong' }), 401, 'invalid_client', 'ID2055')
    assertRefused(await postToken(service, fields, basic('confidential', 'wrong')), 401, 'invalid_client', 'ID2055')
    const doubled = { ...fields, client_secret: secret }
    assertRefused(await postToken(service, doubled, basic('confidential', secret)), 400, 'invalid_request', 'ID2087')
    for (const authorization of ['Basic !!!', 'Basic', `Basic ${Buffer.from('nocolon').toString('base64')}`]) {
      assertRefused(await postToken(service, fields, { authorization }), 400, 'invalid_request', 'ID2055')
    }
    assert.equal((await postToken(service, fields, basic('confidential', secret))).status, 200, 'nothing was consumed')
  })
})

describe('POST /connect/token, refresh_token (RFC 6749 §6, RFC 9700 §4.14.2)', () => {
  const start = async (): Promise<string> => (await exchange()).body.refresh_token

  it('rotates: a new token comes, with fresh access and id tokens [S4.2.3, S4.2.16]', async () => {
    const first = await exchange()
    const { status, body } = await postToken(service, refreshFields(first.body.refresh_token))
    assert.equal(status, 200)
    assert.notEqual(body.refresh_token, first.body.refresh_token)
    assert.equal(claimsOf(body.id_token).auth_time, claimsOf(first.body.id_token).auth_time)
    assert.equal(body.scope, 'openid offline_access demo_api')
  })

  it('gives the same successor again within the leeway, to a retry and to 20 tabs at once [C3.14]', async () => {
    const token = await start()
    const answers = await Promise.all(Array.from({ length: 20 }, () => postToken(service, refreshFields(token))))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    const successors = new Set(answers.map(({ body }) => body.refresh_token))
    assert.equal(successors.size, 1)
    service.advance(29)
    const retry = await postToken(service, refreshFields(token))
    assert.ok(successors.has(retry.body.refresh_token))
    // An act like the others: on record by the time it is answered.
    const recorded = (await service.storage.audit.newest({ kind: 'tokens_issued' }, 100)).map(
      ({ details }) => details.jti,
    )
    for (const { body } of [...answers, retry]) assert.ok(recorded.includes(String(claimsOf(body.access_token).jti)))
    assert.equal((await postToken(service, refreshFields(retry.body.refresh_token))).status, 200)
  })

  it('ends the chain when a replaced token comes after the leeway (ID2012) [S4.2.16, C3.14]', async () => {
    const token = await start()
    const { body } = await postToken(service, refreshFields(token))
    service.advance(31)
    assertRefused(await postToken(service, refreshFields(token)), 400, 'invalid_grant', 'ID2012')
    assertRefused(await postToken(service, refreshFields(body.refresh_token)), 400, 'invalid_grant', 'ID2018')
  })

  it('counts the leeway to when the token was sent: a process that stands still in between ends no chain', async (t) => {
    const token = await start()
    const { grants } = service.storage
    const { findForRefresh } = grants
    const [reading, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const read = t.mock.method(grants, 'findForRefresh', async (...args: Parameters<typeof findForRefresh>) => {
      reading.resolve()
      await goesOn.promise
      return findForRefresh(...args)
    })
    const late = postToken(service, refreshFields(token))
    await reading.promise
    read.mock.restore()
    const { body } = await postToken(service, refreshFields(token))
    service.advance(60)
    goesOn.resolve()
    const answer = await late
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.equal(answer.body.refresh_token, body.refresh_token)
    // Sent now, it comes too late.
    assertRefused(await postToken(service, refreshFields(token)), 400, 'invalid_grant', 'ID2012')
  })

  it('counts the leeway by time that passed, whatever is done to the clock meanwhile', async () => {
    for (const [jump, status] of [
      [900, 200],
      [-900, 200],
      [86_400, 200],
    ] as const) {
      const token = await start()
      const { body } = await postToken(service, refreshFields(token))
      service.advance(20)
      service.setClock(jump)
      const retry = await postToken(service, refreshFields(token))
      assert.deepEqual([retry.status, retry.body.refresh_token], [status, body.refresh_token], `${jump}`)
      // Put back, so that nothing else has expired.
      service.setClock(-jump)
    }
    const stolen = await start()
    await postToken(service, refreshFields(stolen))
    service.advance(31)
    service.setClock(-31)
    assertRefused(await postToken(service, refreshFields(stolen)), 400, 'invalid_grant', 'ID2012')
  })

  it('recognises a token of many rotations ago', async () => {
    const oldest = await start()
    let token = oldest
    for (let rotation = 0; rotation < 12; rotation += 1) {
      service.advance(40)
      token = (await postToken(service, refreshFields(token))).body.refresh_token
    }
    assertRefused(await postToken(service, refreshFields(oldest)), 400, 'invalid_grant', 'ID2012')
    assertRefused(await postToken(service, refreshFields(token)), 400, 'invalid_grant', 'ID2018')
  })

  it('cannot be ended by an invented token of the same grant', async () => {
    const token = await start()
    const { body } = await postToken(service, refreshFields(token))
    service.advance(31)
    const [grant] = token.split('.')
    const invented = `${grant}.0.${Buffer.alloc(32, 7).toString('base64url')}`
    assertRefused(await postToken(service, refreshFields(invented)), 400, 'invalid_grant', 'ID2003')
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).status, 200)
  })

  it('shows a role that was added since in the next token (specification 4.3) [S4.2.13, C4.19]', async () => {
    await addUser(service, 'bob', { roles: [] })
    const browser = await Browser.signedIn(service, { username: 'bob' })
    const first = await postToken(service, codeFields(await browser.allowedCode()))
    assert.equal('role' in claimsOf(first.body.access_token), false)
    const bob = await service.storage.users.findByName('bob')
    await changeUser(service, 'bob', { roles: ['editor'] })
    const second = await postToken(service, refreshFields(first.body.refresh_token))
    assert.equal(claimsOf(second.body.access_token).role, 'editor')
    await changeUser(service, 'bob', { lockedUntilMs: service.now() + 60_000 })
    assertRefused(await postToken(service, refreshFields(second.body.refresh_token)), 400, 'invalid_grant', 'ID2024')
    service.advance(61)
    const third = await postToken(service, refreshFields(second.body.refresh_token))
    assert.equal(third.status, 200, 'a lockout consumes nothing')
    await service.storage.users.delete(bob?.id ?? '')
    assertRefused(await postToken(service, refreshFields(third.body.refresh_token)), 400, 'invalid_grant', 'ID2024')
  })

  it('narrows the scope of one access token, and refuses more than was granted [S2.1.6, C4.6]', async () => {
    const token = (await exchange({}, 'openid offline_access')).body.refresh_token
    const narrow = await postToken(service, refreshFields(token, { scope: 'openid' }))
    assert.equal(narrow.body.scope, 'openid')
    assert.deepEqual(claimsOf(narrow.body.access_token).scope, ['openid'])
    assert.ok(narrow.body.refresh_token, 'the chain goes on')
    const next = narrow.body.refresh_token
    assertRefused(
      await postToken(service, refreshFields(next, { scope: 'openid demo_api' })),
      400,
      'invalid_grant',
      'ID2052',
    )
    assertRefused(await postToken(service, refreshFields(next, { scope: 'nothing' })), 400, 'invalid_scope', 'ID2052')
    const whole = await postToken(service, refreshFields(next))
    assert.equal(whole.body.scope, 'openid offline_access')
  })

  it('gives an id token of the narrowed scopes, and none without openid (specification 2.3) [S4.2.14]', async () => {
    const client = { client_id: 'profiled' }
    const code = await obtainCode(new Browser(service), {
      ...client,
      scope: 'openid profile email roles offline_access',
    })
    let { body } = await postToken(service, codeFields(code, client))
    const person = ['name', 'preferred_username', 'email', 'email_verified', 'role']
    for (const [scope, claims] of [
      ['openid email', ['email', 'email_verified']],
      ['openid profile', ['name', 'preferred_username']],
      ['openid', []],
    ] as const) {
      body = (await postToken(service, refreshFields(body.refresh_token, { ...client, scope }))).body
      assert.deepEqual(person.filter((claim) => claim in claimsOf(body.id_token)).sort(), [...claims].sort(), scope)
      assert.equal(body.scope, scope)
    }
    body = (await postToken(service, refreshFields(body.refresh_token, { ...client, scope: 'profile email' }))).body
    assert.equal('id_token' in body, false)
    body = (await postToken(service, refreshFields(body.refresh_token, client))).body
    for (const claim of person)
      assert.ok(claim in claimsOf(body.id_token), `the grant itself is as wide as before: ${claim}`)
  })

  it('expires fourteen days after its last use [S8.6, C3.13]', async () => {
    const token = await start()
    service.advance(13 * 86_400)
    const { body } = await postToken(service, refreshFields(token))
    service.advance(13 * 86_400)
    const again = await postToken(service, refreshFields(body.refresh_token))
    assert.equal(again.status, 200)
    service.advance(14 * 86_400)
    assertRefused(await postToken(service, refreshFields(again.body.refresh_token)), 400, 'invalid_grant', 'ID2018')
  })

  it('ends with the consent it rests on (ID2020)', async () => {
    const token = (await exchange({}, 'offline_access demo_api openid')).body.refresh_token
    const user = await service.storage.users.findByName('alice')
    for (const { id } of await service.storage.authorizations.list(user?.id ?? '')) {
      await service.storage.authorizations.revoke(id)
    }
    assertRefused(await postToken(service, refreshFields(token)), 400, 'invalid_grant', 'ID2020')
  })

  for (const [what, change, status, error, id] of [
    ['no client_id', { client_id: '' }, 401, 'invalid_client', 'ID2029'],
    ['no refresh_token', { refresh_token: '' }, 400, 'invalid_request', 'ID2029'],
    ['another client', { client_id: 'other' }, 400, 'invalid_grant', 'ID2071'],
    ['a token in capitals', { refresh_token: 'X' }, 400, 'invalid_grant', 'ID2003'],
  ] as const) {
    it(`refuses a refresh with ${what}: ${error} ${id} [C4.6]`, async () => {
      assertRefused(await postToken(service, refreshFields(await start(), change)), status, error, id)
    })
  }
})
