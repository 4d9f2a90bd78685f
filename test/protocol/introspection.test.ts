import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Client } from '../../src/protocol/client/client.ts'
import type { Grant } from '../../src/protocol/grant/grant.ts'
import type { ChainRules } from '../../src/protocol/grant/refresh-token.ts'
import { introspectAccessToken, introspectRefreshToken } from '../../src/protocol/token/introspection.ts'
import { authenticatedClient, now, recognised, sampleGrant, sampleParties } from './samples.ts'

const issuer = 'https://id.example/'
const seconds = (ms: number) => Math.floor(ms / 1000)
const state = (grant: Grant) => ({
  parties: sampleParties({ grant }) as ReturnType<typeof sampleParties> & { grant: Grant },
  username: 'alice',
  isRevoked: false,
  clientSinceMs: now - 1000,
})

/** A chain whose token was replaced twice, the last time a minute ago. */
const rotated = sampleGrant({
  createdAtMs: now - 3_600_000,
  refresh: {
    generation: 2,
    salt: 'AAAAAAAAAAAAAAAAAAAAAA',
    derivationKeyId: 'key',
    expiresAtMs: now + 86_400_000,
    rotatedAtMs: [now - 60_000, now - 1_800_000],
  },
})

describe('introspection of a refresh token (RFC 7662 §2.2)', () => {
  const introspect = (
    grant: Grant,
    {
      generation = 2,
      client,
      rules = { lifetimeMs: 86_400_000 },
      atMs = now,
    }: {
      generation?: number | undefined
      client?: Partial<Client>
      rules?: ChainRules
      atMs?: number
    } = {},
  ) => introspectRefreshToken(recognised(generation), authenticatedClient(client), state(grant), rules, issuer, atMs)

  it('says when the presented token was issued: at the last rotation, not with the grant', () => {
    const found = introspect(rotated)
    assert.equal(found.active && found.iat, seconds(now - 60_000))
    const first = introspect(sampleGrant({ createdAtMs: now - 5000 }), { generation: 0 })
    assert.equal(first.active && first.iat, seconds(now - 5000))
  })

  it('ends with the token, or with the whole chain if that ends before', () => {
    const found = introspect(rotated)
    assert.equal(found.active && found.exp, seconds(now + 86_400_000))
    const bounded = introspect(rotated, { rules: { lifetimeMs: 86_400_000, maxMs: 7_200_000 } })
    assert.equal(bounded.active && bounded.exp, seconds(now + 3_600_000))
    const over = introspect(rotated, { rules: { lifetimeMs: 86_400_000, maxMs: 7_200_000 }, atMs: now + 3_600_000 })
    assert.equal(over.active, false)
  })

  it('names the time and class of the authentication', () => {
    const found = introspect(sampleGrant({ ...rotated, methods: ['pwd', 'otp', 'mfa'], claims: null }))
    assert.equal(found.active && found.auth_time, seconds(rotated.authenticatedAtMs))
    assert.equal(found.active && found.acr, 'mfa')
  })

  for (const [what, change] of [
    ['a token that was replaced', { generation: 1 }],
    ['a secret that does not belong to the chain', { generation: -1 }],
    ['another client', { client: { id: 'other' } }],
    ['a client that may refresh no longer', { client: { grantTypes: ['authorization_code'] } }],
  ] as const) {
    it(`tells nothing of ${what}`, () => {
      assert.deepEqual(introspect(rotated, change as Parameters<typeof introspect>[1]), { active: false })
    })
  }
})

describe('introspection of an access token (RFC 7662 §2.2)', () => {
  const token = {
    subject: rotated.userId,
    clientId: 'demo',
    grantId: rotated.id,
    jti: 'jti',
    issuedAtMs: now,
    expiresAtMs: now + 3_600_000,
    authenticatedAtMs: rotated.authenticatedAtMs,
    scopes: ['openid'],
    audience: ['https://api.example'],
    confirmation: null,
    actor: null,
  }

  it('names the class of the sign-in behind it, and none where there was no sign-in', () => {
    const grant = sampleGrant({ ...rotated, methods: ['pwd', 'otp', 'mfa'] })
    const found = introspectAccessToken(token, authenticatedClient(), state(grant), issuer)
    assert.equal(found.active && found.acr, 'mfa')
    const own = { ...token, grantId: null, authenticatedAtMs: null }
    const without = { ...state(grant), parties: sampleParties() as never }
    const ownFound = introspectAccessToken(own, authenticatedClient(), without, issuer)
    assert.equal(ownFound.active && ownFound.acr, undefined)
    assert.equal(ownFound.active && ownFound.username, undefined)
  })
})
