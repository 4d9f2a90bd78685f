import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { type Purpose, propagationMs } from '../../src/keys/lifecycle.ts'
import { rotateKeys } from '../../src/keys/rotate.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { sealText } from '../../src/secrets/sealed.ts'
import { openAccessToken } from '../../src/tokens/access-token.ts'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { addClient, changeUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ Keys__MasterKey: randomBytes(32).toString('base64') })
const metadata = { ...defaultClientMetadata, access_token_format: 'opaque' as const }
const scopes = ['offline_access', 'demo_api', 'profile', 'email']
await addClient(service, { id: 'app', metadata, consent: 'implicit', scopes })

const tokens = async () =>
  (
    await postToken(
      service,
      codeFields(await obtainCode(new Browser(service), { client_id: 'app' }), { client_id: 'app' }),
    )
  ).body
const statuses = (token: string) =>
  Promise.all(
    ['connect/userinfo', 'weatherforecast'].map(async (path) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(new URL(path, service.issuer), { headers })).status
    }),
  )
const accepted = [200, 200]
const refused = [401, 401]

describe('opaque access tokens (access_token_format)', () => {
  it('are accepted at userinfo and by the sample API, and tell a client nothing', async () => {
    const { access_token, token_type, expires_in } = await tokens()
    assert.deepEqual([token_type, expires_in], ['Bearer', 3600])
    assert.match(access_token, /^[0-9a-f-]{36}\.[A-Za-z0-9_-]+$/)
    for (const part of access_token.split('.')) assert.doesNotMatch(atobUrl(part), /alice|demo_api|app/)
    assert.deepEqual(await statuses(access_token), accepted)
  })

  it('have no claims about the person inside', async () => {
    const { access_token } = await tokens()
    const claims = await openAccessToken(access_token, service.keys, service.issuer)
    const expected = ['aud', 'auth_time', 'client_id', 'exp', 'grant_id', 'iat', 'iss', 'jti', 'scope', 'sub']
    assert.deepEqual(Object.keys(claims ?? {}).sort(), expected)
  })

  it('differ wherever they are not the name of a secret: no one is guessed from others (RFC 6749 §10.10)', async () => {
    const some = (await Promise.all(Array.from({ length: 8 }, tokens))).map(
      ({ access_token }) => access_token as string,
    )
    const bits = some.map((token) => shannonBits(token.slice(-64)))
    assert.ok(Math.min(...bits) > 96, `${Math.min(...bits)} bits in the last 64 characters`)
    for (let at = 0; at < some.length; at += 1) {
      for (let other = 0; other < at; other += 1) {
        const tail = (index: number): string => some[index]?.slice(-256) ?? ''
        const same = [...tail(at)].filter((character, index) => character === tail(other)[index]).length
        assert.ok(same < 32, `${same} of 256 characters are the same`)
      }
    }
  })

  it('expire, and are refused from then on', async () => {
    const { access_token } = await tokens()
    service.advance(3599)
    assert.deepEqual(await statuses(access_token), accepted)
    service.advance(1)
    assert.deepEqual(await statuses(access_token), refused)
  })

  it('end at once when they, their chain or their replayed code are revoked', async () => {
    const one = await tokens()
    await postToken(service, { token: one.access_token, client_id: 'app' }, {}, 'connect/revocation')
    assert.deepEqual(await statuses(one.access_token), refused)
    const two = await tokens()
    await postToken(service, { token: two.access_token, client_id: 'demo' }, {}, 'connect/revocation')
    assert.deepEqual(await statuses(two.access_token), accepted, 'another client revokes nothing')
    await postToken(service, { token: two.refresh_token, client_id: 'app' }, {}, 'connect/revocation')
    assert.deepEqual(await statuses(two.access_token), refused)
    const code = await obtainCode(new Browser(service), { client_id: 'app' })
    const { access_token } = (await postToken(service, codeFields(code, { client_id: 'app' }))).body
    assert.deepEqual(await statuses(access_token), accepted)
    await postToken(service, codeFields(code, { client_id: 'app' }))
    assert.deepEqual(await statuses(access_token), refused)
  })

  it('are refused when their user is locked or deleted', async () => {
    const { access_token } = await tokens()
    await changeUser(service, 'alice', { disabled: true })
    assert.deepEqual(await statuses(access_token), refused)
    await changeUser(service, 'alice', { disabled: false })
    assert.deepEqual(await statuses(access_token), accepted)
  })

  it('survive a rotation of the secret that sealed them', async () => {
    const { access_token } = await tokens()
    const { storage, settings, now: clock } = service
    await rotateKeys({ storage, settings, clock })
    service.advance(propagationMs / 1000 + 1)
    await service.keys.refresh(0)
    const later = (await tokens()).access_token
    assert.notEqual(later.split('.')[0], access_token.split('.')[0])
    assert.deepEqual(await statuses(access_token), accepted)
    assert.deepEqual(await statuses(later), accepted)
  })
})

describe('what is no opaque access token', () => {
  it('is refused: each bit counts, and nothing is added or left out', async () => {
    const { access_token } = await tokens()
    const [id = '', sealed = ''] = access_token.split('.')
    const bytes = Buffer.from(sealed, 'base64url')
    for (const at of [0, 15, 16, 27, 28, 100, bytes.length - 17, bytes.length - 16, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      assert.deepEqual(await statuses(`${id}.${changed.toString('base64url')}`), refused, `byte ${at}`)
    }
    for (const token of [
      sealed,
      `${id}.`,
      `.${sealed}`,
      `${id}.${sealed}.`,
      `${id}.${sealed}A`,
      `${id}.${sealed}==`,
      `${id.toUpperCase()}.${sealed}`,
      `${id}.${bytes.subarray(0, 44).toString('base64url')}`,
      `${id}.${'A'.repeat(20_000)}`,
    ]) {
      assert.ok(
        (await statuses(token)).every((status) => status >= 400 && status < 500),
        token.slice(0, 60),
      )
    }
  })

  it('is refused under a secret or a label of another use, and with an access token inside a code', async () => {
    const claims = JSON.stringify(await openAccessToken((await tokens()).access_token, service.keys, service.issuer))
    const label = 'latchkey access token v1'
    const uses = ['antiforgery', 'refresh', 'code', 'external', 'device'] as const satisfies readonly Purpose['use'][]
    for (const use of uses) {
      assert.deepEqual(await statuses(sealText(service.keys, use, label, claims, randomBytes)), refused, use)
    }
    const other = 'latchkey authorization code v1'
    assert.deepEqual(await statuses(sealText(service.keys, 'access', other, claims, randomBytes)), refused)
    assert.deepEqual(await statuses(sealText(service.keys, 'access', label, claims, randomBytes)), accepted)
  })

  it('is refused with content that the service does not seal', async () => {
    const claims = (await openAccessToken((await tokens()).access_token, service.keys, service.issuer)) ?? {}
    for (const change of [
      { iss: 'https://other.example/' },
      { exp: undefined },
      { exp: 1 },
      { nbf: service.now() / 1000 + 60 },
      { sub: undefined },
      { grant_id: 'unknown' },
      { cnf: { unknown: 'x' } },
      { scope: null },
    ]) {
      const text = JSON.stringify({ ...claims, ...change })
      const token = sealText(service.keys, 'access', 'latchkey access token v1', text, randomBytes)
      assert.deepEqual(await statuses(token), refused, JSON.stringify(change))
    }
  })

  it('without a grant is about its client alone, whatever its subject', async () => {
    const claims = (await openAccessToken((await tokens()).access_token, service.keys, service.issuer)) ?? {}
    const text = JSON.stringify({ ...claims, grant_id: undefined })
    const token = sealText(service.keys, 'access', 'latchkey access token v1', text, randomBytes)
    assert.deepEqual(await statuses(token), [401, 200])
  })

  it('is refused when it is an id token, a refresh token or a code of the same client', async () => {
    const { id_token, refresh_token } = await tokens()
    const code = await obtainCode(new Browser(service), { client_id: 'app' })
    for (const token of [id_token, refresh_token, code]) assert.deepEqual(await statuses(token), refused)
  })
})

const atobUrl = (text: string): string => Buffer.from(text, 'base64url').toString('latin1')

/** The entropy of a text as a test of randomness measures it: that of its characters, times their number. */
function shannonBits(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  const share = (count: number): number => count / text.length
  return text.length * [...counts.values()].reduce((sum, count) => sum - share(count) * Math.log2(share(count)), 0)
}
