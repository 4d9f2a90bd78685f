import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { forecast } from '../../src/api/weather-forecast.ts'
import type { User } from '../../src/users/user.ts'
import { Browser, claimsOf, codeFields, headerOf, obtainCode, postToken } from '../support/browser.ts'
import { serviceForFile, testClient, testScope, testUser } from '../support/service.ts'

const service = await serviceForFile()

const call = (authorization?: string) =>
  fetch(new URL('weatherforecast', service.issuer), { headers: authorization === undefined ? {} : { authorization } })
const tokens = async () => (await postToken(service, codeFields(await obtainCode(new Browser(service))))).body

describe('GET /weatherforecast (specification 4.8, RFC 6750)', () => {
  it('answers five days with a valid access token [S1.8, S4.8.1, S5.5.8, C4.2]', async () => {
    const response = await call(`Bearer ${(await tokens()).access_token}`)
    assert.equal(response.status, 200)
    const days = (await response.json()) as Record<string, unknown>[]
    assert.equal(days.length, 5)
    for (const day of days) {
      assert.deepEqual(Object.keys(day), ['date', 'temperatureC', 'temperatureF', 'summary'])
      assert.match(String(day.date), /^\d{4}-\d{2}-\d{2}$/)
    }
  })

  it('forecasts the same weather when it is asked again, from tomorrow on', async () => {
    const authorization = `Bearer ${(await tokens()).access_token}`
    const ask = async () => (await (await call(authorization)).json()) as { date: string }[]
    const first = await ask()
    assert.deepEqual(await ask(), first)
    assert.deepEqual(first, forecast(service.now()))
    assert.equal(first[0]?.date, new Date(service.now() + 86_400_000).toISOString().slice(0, 10))
  })

  it('forecasts weather that makes sense, on every day of a year', () => {
    const order = ['Freezing', 'Chilly', 'Cool', 'Mild', 'Warm', 'Balmy', 'Hot', 'Sweltering']
    const start = Date.UTC(2030, 0, 1)
    const year = Array.from({ length: 73 }, (_, at) => forecast(start + at * 5 * 86_400_000)).flat()
    assert.equal(new Set(year.map(({ date }) => date)).size, 365)
    for (const { date, temperatureC, temperatureF } of year) {
      assert.equal(temperatureF, Math.round(32 + temperatureC * 1.8), date)
    }
    // A warmer day never has a colder word, and a word stands for a few degrees only.
    const byTemperature = year.toSorted((a, b) => a.temperatureC - b.temperatureC)
    const ranks = byTemperature.map(({ summary }) => order.indexOf(summary ?? ''))
    assert.deepEqual(
      ranks,
      ranks.toSorted((a, b) => a - b),
    )
    assert.ok(new Set(ranks).size >= 6, 'a year has most of the words')
    const january = year.filter(({ date }) => date.startsWith('2030-01'))
    const july = year.filter(({ date }) => date.startsWith('2030-07'))
    const warmest = Math.max(...january.map(({ temperatureC }) => temperatureC))
    assert.ok(july.every(({ temperatureC }) => temperatureC > warmest))
    const changes = year.slice(1).map(({ temperatureC }, at) => Math.abs(temperatureC - (year[at]?.temperatureC ?? 0)))
    assert.ok(Math.max(...changes) <= 5, 'the weather changes by a few degrees a day')
  })

  it('answers 401 without a token, with no error in the challenge (RFC 6750 §3.1) [S1.8, S4.8.2, S7.13]', async () => {
    const metadataUri = `${service.issuer}.well-known/oauth-protected-resource/weatherforecast`
    for (const authorization of [undefined, '', 'Basic eDp5', 'Bearer', 'Bearer ', 'Bearer a b']) {
      const response = await call(authorization)
      assert.equal(response.status, 401, String(authorization))
      assert.equal(response.headers.get('www-authenticate'), `Bearer resource_metadata="${metadataUri}"`)
      assert.equal(await response.text(), '')
    }
  })

  it('names its metadata in every challenge, which say who issues tokens for it (RFC 9728 §3, §5.1)', async () => {
    const refused = await call('Bearer x')
    const challenge = refused.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /error="invalid_token"/)
    const metadataUri = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
    const response = await fetch(metadataUri, { headers: { origin: 'http://localhost:5081' } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/json')
    assert.deepEqual(await response.json(), {
      resource: `${service.issuer}weatherforecast`,
      authorization_servers: [service.issuer],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: ['Ed25519', 'EdDSA', 'ES256', 'PS256'],
      dpop_bound_access_tokens_required: false,
      resource_name: 'Weather forecast',
    })
  })

  it('takes no token from the address, where it would end up in logs and histories (RFC 9700 §4.3.2)', async () => {
    const url = new URL('weatherforecast', service.issuer)
    url.searchParams.set('access_token', (await tokens()).access_token)
    assert.equal((await fetch(url)).status, 401)
  })

  it('refuses the token of a locked and of a deleted person at once: 401 invalid_token', async () => {
    const { access_token } = await tokens()
    const { id } = (await service.storage.users.findByName('alice')) as User
    const statusAndError = async () => {
      const { status, headers } = await call(`Bearer ${access_token}`)
      return [status, /error="(\w+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]]
    }
    assert.deepEqual(await statusAndError(), [200, undefined])
    await service.storage.users.update(id, (user) => ({ ...user, disabled: true }))
    assert.deepEqual(await statusAndError(), [401, 'invalid_token'])
    await service.storage.users.delete(id)
    assert.deepEqual(await statusAndError(), [401, 'invalid_token'])
    await service.storage.users.create(testUser())
  })

  it('takes the scheme in any case', async () => {
    assert.equal((await call(`bearer ${(await tokens()).access_token}`)).status, 200)
  })

  it('refuses a token that was made for another resource server (RFC 9068 §4)', async () => {
    await service.storage.scopes.create(testScope('billing', { resources: ['https://billing.example/'] }))
    await service.storage.clients.create(testClient({ id: 'billing', scopes: ['billing'] }))
    const code = await obtainCode(new Browser(service), { client_id: 'billing', scope: 'billing' })
    const { body } = await postToken(service, codeFields(code, { client_id: 'billing' }))
    assert.equal(claimsOf(body.access_token).aud, 'https://billing.example/')
    assert.equal((await call(`Bearer ${body.access_token}`)).status, 401)
  })

  it('refuses an expired token, to the second [S2.2.8, S8.3]', async () => {
    const { access_token } = await tokens()
    const { exp } = claimsOf(access_token)
    service.advance(exp - service.now() / 1000 - 2)
    assert.equal((await call(`Bearer ${access_token}`)).status, 200)
    service.advance(3)
    const response = await call(`Bearer ${access_token}`)
    assert.equal(response.status, 401)
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/)
  })

  it('refuses an id token, a refresh token, a changed payload, alg none and foreign keys [S4.8.3]', async () => {
    const { access_token, id_token, refresh_token } = await tokens()
    const [header = '', payload = '', signature = ''] = access_token.split('.')
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = claimsOf(access_token)
    const { kid } = headerOf(access_token)
    const foreign = await generateKeyPair('ES256', { extractable: true })
    const signWith = (protectedHeader: Record<string, unknown>, key: CryptoKey | Uint8Array) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...protectedHeader }).sign(key)
    const jwk = await exportJWK(foreign.publicKey)
    for (const [what, token] of [
      ['an id token', id_token],
      ['a refresh token', refresh_token],
      ['another payload', [header, encode({ ...claims, sub: 'admin' }), signature].join('.')],
      ['alg none', [encode({ alg: 'none', typ: 'at+jwt', kid }), payload, ''].join('.')],
      ['a foreign key under our kid', await signWith({ kid }, foreign.privateKey)],
      ['a foreign key of its own', await signWith({ kid: 'x', jwk }, foreign.privateKey)],
      ['no kid', await signWith({}, foreign.privateKey)],
      ['a path as kid', await signWith({ kid: '../../etc/passwd' }, foreign.privateKey)],
      [
        'HS256 with the public key',
        await new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
          .sign(Buffer.from(JSON.stringify(await (await fetch(new URL('.well-known/jwks', service.issuer))).json()))),
      ],
    ] as const) {
      assert.equal((await call(`Bearer ${token}`)).status, 401, what)
    }
  })
})
