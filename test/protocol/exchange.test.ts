import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { decideCodeExchange } from '../../src/protocol/grant/authorization-code.ts'
import type { Uptime } from '../../src/protocol/grant/leeway.ts'
import { decideRefresh } from '../../src/protocol/grant/refresh-token.ts'
import type { Confirmation } from '../../src/protocol/token/confirmation.ts'
import { isRefusal } from '../../src/refusal.ts'
import {
  authenticatedClient,
  now,
  recognised,
  sampleCode,
  sampleCodeExchange,
  sampleGrant,
  sampleParties,
  sampleRefresh,
  sampleScope,
} from './samples.ts'

describe('exchanging an authorization code (RFC 6749 §4.1.3)', () => {
  const exchange = (
    change: {
      request?: Parameters<typeof sampleCodeExchange>[0]
      code?: Parameters<typeof sampleCode>[0]
      client?: Parameters<typeof authenticatedClient>[0]
      confirmation?: Confirmation
      parties?: Parameters<typeof sampleParties>[0]
      atMs?: number
    } = {},
  ) =>
    decideCodeExchange(
      sampleCodeExchange(change.request),
      sampleCode(change.code),
      authenticatedClient(change.client),
      change.confirmation ?? null,
      sampleParties(change.parties),
      change.atMs ?? now,
    )
  const refusedWith = (result: ReturnType<typeof exchange>) => (isRefusal(result) ? result.id : result.outcome)

  it('issues for a code that meets every rule', () => {
    assert.equal(refusedWith(exchange()), 'issue')
  })

  it('refuses a string that is no code of ours (ID2001)', () => {
    const result = decideCodeExchange(
      sampleCodeExchange(),
      undefined,
      authenticatedClient(),
      null,
      sampleParties(),
      now,
    )
    assert.equal(refusedWith(result), 'ID2001')
  })

  it('demands the key to which the code was bound, after the check for a replay (RFC 9449 §10)', () => {
    const [dpopKey, other] = ['a'.repeat(42), 'b'.repeat(42)]
    const code = { dpopKey }
    assert.equal(refusedWith(exchange({ code, confirmation: { jkt: dpopKey } })), 'issue')
    assert.equal(refusedWith(exchange({ code, confirmation: { jkt: other } })), 'ID9183')
    assert.equal(refusedWith(exchange({ code, confirmation: { 'x5t#S256': dpopKey } })), 'ID9183')
    assert.equal(refusedWith(exchange({ code })), 'ID9181')
    assert.equal(refusedWith(exchange({ code, parties: { grant: sampleGrant() } })), 'replayed')
  })

  it('refuses a code of another client (ID2069)', () => {
    assert.equal(refusedWith(exchange({ client: { id: 'other' } })), 'ID2069')
  })

  it('sees a replay before the verifier is looked at, so that a thief triggers the alarm (§4.1.2)', () => {
    const result = exchange({ request: { codeVerifier: 'a'.repeat(43) }, parties: { grant: sampleGrant() } })
    assert.ok(!isRefusal(result) && result.outcome === 'replayed')
    assert.equal(result.refusal.id, 'ID2010')
  })

  it('refuses a code from its expiry on (ID2016)', () => {
    assert.equal(refusedWith(exchange({ atMs: now + 59_999 })), 'issue')
    assert.equal(refusedWith(exchange({ atMs: now + 60_000 })), 'ID2016')
  })

  it('asks for the identical redirect_uri (ID2029, ID2072)', () => {
    assert.equal(refusedWith(exchange({ request: { redirectUri: null } })), 'ID2029')
    assert.equal(refusedWith(exchange({ request: { redirectUri: 'http://localhost:5081/callback/' } })), 'ID2072')
    assert.equal(refusedWith(exchange({ code: { redirectUri: null }, request: { redirectUri: null } })), 'issue')
    assert.equal(refusedWith(exchange({ code: { redirectUri: null } })), 'ID2072')
  })

  it('asks for the verifier (ID2054), and for the right one (ID2052)', () => {
    assert.equal(refusedWith(exchange({ request: { codeVerifier: null } })), 'ID2054')
    assert.equal(refusedWith(exchange({ request: { codeVerifier: 'a'.repeat(43) } })), 'ID2052')
  })

  it('refuses a missing verifier under the profile fapi2 like a wrong one: invalid_grant (FAPI 2.0, F26)', () => {
    const metadata = { ...defaultClientMetadata, profile: 'fapi2' as const }
    for (const codeVerifier of [null, 'a'.repeat(43)]) {
      const refused = exchange({ request: { codeVerifier }, client: { metadata } })
      assert.ok(isRefusal(refused))
      assert.equal(refused.error, 'invalid_grant')
    }
  })

  it('refuses a verifier without a challenge, which would be a downgrade (RFC 9700 §2.1.1)', () => {
    const result = exchange({ code: { codeChallenge: null }, client: { requirePkce: false } })
    assert.equal(refusedWith(result), 'ID2073')
  })

  it('refuses when the user has gone, may not sign in, or was locked since (specification 3) [C4.20]', () => {
    assert.equal(refusedWith(exchange({ parties: { user: undefined } })), 'ID2024')
    assert.equal(refusedWith(exchange({ parties: { user: { maySignIn: false, grantsEndedAtMs: null } } })), 'ID2024')
    assert.equal(refusedWith(exchange({ parties: { user: { maySignIn: true, grantsEndedAtMs: now } } })), 'ID2024')
  })

  it('refuses when the consent was withdrawn (ID2020)', () => {
    assert.equal(refusedWith(exchange({ parties: { authorizationStands: false } })), 'ID2020')
  })
})

describe('refreshing (RFC 6749 §6, RFC 9700 §4.14.2)', () => {
  const rules = { lifetimeMs: 1_209_600_000, leewayMs: 30_000 }
  const chain = { salt: 's', derivationKeyId: 'k', expiresAtMs: now + 1000 }
  const refresh = (input: {
    generation: number | undefined
    live?: number
    rotatedAtMs?: readonly number[]
    grant?: Parameters<typeof sampleGrant>[0]
    request?: Parameters<typeof sampleRefresh>[0]
    client?: Parameters<typeof authenticatedClient>[0]
    confirmation?: Confirmation
    parties?: Parameters<typeof sampleParties>[0]
    atMs?: number
    maxMs?: number
    uptimes?: readonly Uptime[]
  }) =>
    decideRefresh(
      sampleRefresh(input.request),
      recognised(input.generation),
      authenticatedClient(input.client),
      input.confirmation ?? null,
      sampleParties({
        grant: sampleGrant({
          refresh: { ...chain, generation: input.live ?? 0, rotatedAtMs: input.rotatedAtMs ?? [] },
          ...input.grant,
        }),
        ...input.parties,
      }),
      [sampleScope('demo_api')],
      { ...rules, maxMs: input.maxMs ?? 0, ...(input.uptimes && { uptimes: input.uptimes }) },
      input.atMs ?? now,
    )
  const refusedWith = (result: ReturnType<typeof refresh>) =>
    isRefusal(result)
      ? `refused ${result.id}`
      : 'refusal' in result
        ? `${result.outcome} ${result.refusal.id}`
        : result.outcome

  it('moves the chain on by one and counts its life anew', () => {
    const result = refresh({ generation: 4, live: 4, rotatedAtMs: [now - 99] })
    assert.ok(!isRefusal(result) && result.outcome === 'rotate')
    assert.deepEqual(result.next, {
      ...chain,
      generation: 5,
      expiresAtMs: now + rules.lifetimeMs,
      rotatedAtMs: [now, now - 99],
    })
  })

  it('ends with OAuth:RefreshChainMaxLifetime, counted from the grant, and no token outlives it', () => {
    const old = { createdAtMs: now - 5000 }
    const within = refresh({ generation: 0, grant: old, maxMs: 6000 })
    assert.ok(!isRefusal(within) && within.outcome === 'rotate')
    assert.equal(within.next.expiresAtMs, now + 1000)
    assert.equal(refusedWith(refresh({ generation: 0, grant: old, maxMs: 5001 })), 'rotate')
    assert.equal(refusedWith(refresh({ generation: 0, grant: old, maxMs: 5000 })), 'refused ID2018')
    const retry = { generation: 0, live: 1, rotatedAtMs: [now], grant: old }
    assert.equal(refusedWith(refresh(retry)), 'repeat')
    assert.equal(refusedWith(refresh({ ...retry, maxMs: 5000 })), 'refused ID2018', 'nor does a retry')
  })

  it('demands the key of a public client, and revokes nothing without it (RFC 9449 §5)', () => {
    const jkt = 'a'.repeat(42)
    const bound = { generation: 0, grant: { confirmation: { jkt } } }
    assert.equal(refusedWith(refresh({ ...bound, confirmation: { jkt } })), 'rotate')
    assert.equal(refusedWith(refresh({ ...bound, confirmation: { jkt: 'b'.repeat(42) } })), 'refused ID9184')
    assert.equal(refusedWith(refresh(bound)), 'refused ID9181')
    assert.equal(refusedWith(refresh({ ...bound, live: 9 })), 'refused ID9181', 'a replaced token without the key')
    assert.equal(refusedWith(refresh({ ...bound, live: 9, confirmation: { jkt } })), 'stolen ID2012')
    assert.equal(refusedWith(refresh({ generation: 0, confirmation: { jkt } })), 'rotate', 'not bound')
  })

  it('refuses what a confidential client got once it is public, unless it is bound to a key (RFC 9700 §2.2.2)', () => {
    const switched = (createdAtMs: number, confirmation: Confirmation | null = null) =>
      refusedWith(
        refresh({
          generation: 0,
          grant: { createdAtMs, confirmation },
          client: { metadata: { ...defaultClientMetadata, public_since: Math.floor(now / 1000) } },
          ...(confirmation && { confirmation }),
        }),
      )
    const sinceMs = Math.floor(now / 1000) * 1000
    assert.equal(switched(sinceMs - 1), 'refused ID2003')
    assert.equal(switched(sinceMs - 1, { jkt: 'a'.repeat(42) }), 'rotate')
    assert.equal(switched(sinceMs), 'rotate')
  })

  it('remembers eight rotations and no more', () => {
    const result = refresh({
      generation: 9,
      live: 9,
      rotatedAtMs: Array.from({ length: 8 }, (_, index) => now - index),
    })
    assert.ok(!isRefusal(result) && result.outcome === 'rotate')
    assert.equal(result.next.rotatedAtMs.length, 8)
  })

  it('answers a retry inside the leeway with the live token, and writes nothing', () => {
    const result = refresh({ generation: 0, live: 1, rotatedAtMs: [now - 30_000] })
    assert.ok(!isRefusal(result) && result.outcome === 'repeat')
    assert.equal(result.generation, 1)
  })

  it('calls it theft one millisecond after the leeway, and ends the chain (ID2012)', () => {
    assert.equal(refusedWith(refresh({ generation: 0, live: 1, rotatedAtMs: [now - 30_001] })), 'stolen ID2012')
  })

  it('counts only the time in which the service could answer against the leeway', () => {
    const retry = { generation: 0, live: 1, rotatedAtMs: [now - 100_000] }
    const served = (...uptimes: [number, number][]) =>
      refusedWith(
        refresh({
          ...retry,
          uptimes: uptimes.map(([from, through]) => ({ fromMs: now + from, throughMs: now + through })),
        }),
      )
    assert.equal(served([-200_000, -90_000], [-20_000, 0]), 'repeat', 'ten seconds before and twenty after an outage')
    assert.equal(served([-200_000, -90_000], [-20_001, 0]), 'stolen ID2012')
    assert.equal(served([-200_000, 0]), 'stolen ID2012')
    assert.equal(served(), 'repeat')
    assert.equal(
      refusedWith(refresh(retry)),
      'stolen ID2012',
      'it could answer all the time unless something else is known',
    )
  })

  it('judges each replaced token by its own time', () => {
    const rotatedAtMs = [now - 1000, now - 20_000, now - 40_000]
    assert.equal(refusedWith(refresh({ generation: 2, live: 3, rotatedAtMs })), 'repeat')
    assert.equal(refusedWith(refresh({ generation: 1, live: 3, rotatedAtMs })), 'repeat')
    assert.equal(refusedWith(refresh({ generation: 0, live: 3, rotatedAtMs })), 'stolen ID2012')
  })

  it('calls it theft however old the replaced token is', () => {
    assert.equal(refusedWith(refresh({ generation: 0, live: 5000, rotatedAtMs: [now] })), 'stolen ID2012')
  })

  it('refuses an invented token without touching the chain (ID2003)', () => {
    assert.equal(refusedWith(refresh({ generation: undefined })), 'refused ID2003')
  })

  it('moves the chain on with a token of a later generation than the stored one, which only this service can have made', () => {
    const result = refresh({ generation: 7, live: 4, rotatedAtMs: [now - 99] })
    assert.ok(!isRefusal(result) && result.outcome === 'rotate')
    assert.equal(result.from, 4)
    assert.equal(result.next.generation, 8)
    // 7, 6, 5 and 4 are replaced now, as far as this database knows, and 3 was long ago.
    assert.deepEqual(result.next.rotatedAtMs, [now, now, now, now, now - 99])
    const far = refresh({ generation: 5_000_000, live: 4, rotatedAtMs: [now - 99] })
    assert.ok(!isRefusal(far) && far.outcome === 'rotate')
    assert.deepEqual(
      far.next.rotatedAtMs,
      Array.from({ length: 8 }, () => now),
    )
  })

  it('judges a token of a later generation by every other rule', () => {
    const later = { generation: 7, live: 4 }
    assert.equal(refusedWith(refresh({ ...later, client: { id: 'other' } })), 'refused ID2071')
    assert.equal(refusedWith(refresh({ ...later, grant: { revokedAtMs: now - 1 } })), 'refused ID2018')
    assert.equal(refusedWith(refresh({ ...later, atMs: now + 1000 })), 'refused ID2018')
    assert.equal(refusedWith(refresh({ ...later, parties: { user: undefined } })), 'refused ID2024')
  })

  it('refuses a token of another client (ID2071), a revoked grant and an expired chain (ID2018)', () => {
    assert.equal(refusedWith(refresh({ generation: 0, client: { id: 'other' } })), 'refused ID2071')
    assert.equal(refusedWith(refresh({ generation: 0, grant: { revokedAtMs: now - 1 } })), 'refused ID2018')
    assert.equal(refusedWith(refresh({ generation: 0, atMs: now + 1000 })), 'refused ID2018')
  })

  it('refuses when the user has gone or may not sign in, and when the consent was withdrawn', () => {
    assert.equal(refusedWith(refresh({ generation: 0, parties: { user: undefined } })), 'refused ID2024')
    const locked = { maySignIn: false, grantsEndedAtMs: null }
    assert.equal(refusedWith(refresh({ generation: 0, parties: { user: locked } })), 'refused ID2024')
    assert.equal(refusedWith(refresh({ generation: 0, parties: { authorizationStands: false } })), 'refused ID2020')
  })

  it('grants a subset of the scopes and never more (§6)', () => {
    assert.equal(refusedWith(refresh({ generation: 0, request: { scopes: ['openid'] } })), 'rotate')
    const granted = { scopes: ['openid'] }
    const more = refresh({ generation: 0, grant: granted, request: { scopes: ['openid', 'demo_api'] } })
    assert.equal(refusedWith(more), 'refused ID2052')
  })
})
