import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { activeKey, dependenceMs, isPublished, keyState, purposesOf } from '../../src/keys/lifecycle.ts'
import type { StoredKey } from '../../src/storage/port/keys.ts'
import { knownBrowserLifetimeMs } from '../../src/users/known-browser.ts'
import { settingsFrom } from '../support/settings.ts'

const es256 = { use: 'sign', algorithm: 'ES256' } as const

function key(id: string, activeAtMs: number, expiresAtMs: number | null = null): StoredKey {
  return {
    ...es256,
    id,
    publicJwk: '{}',
    isForClients: false,
    wrapped: '',
    createdAtMs: activeAtMs,
    activeAtMs,
    expiresAtMs,
  }
}

describe('the life of a key', () => {
  const ring = [key('old', 0, 500), key('now', 100), key('next', 300)]

  it('goes from published over active and retired to expired', () => {
    const states = (nowMs: number) => ring.map((one) => keyState(one, ring, nowMs))
    assert.deepEqual(states(200), ['retired', 'active', 'published'])
    assert.deepEqual(states(300), ['retired', 'retired', 'active'])
    assert.deepEqual(states(500), ['expired', 'retired', 'active'])
  })

  it('ends at its last instant', () => {
    assert.equal(isPublished(key('a', 0, 500), 499), true)
    assert.equal(isPublished(key('a', 0, 500), 500), false)
  })

  it('makes the latest of those that are due the active one', () => {
    assert.equal(activeKey(ring, es256, 299)?.id, 'now')
    assert.equal(activeKey(ring, es256, 300)?.id, 'next')
    assert.equal(activeKey(ring, { use: 'sign', algorithm: 'RS256' }, 300), undefined)
  })

  it('gives every node the same active key when two were made in the same instant', () => {
    const twins = [key('b', 100), key('a', 100)]
    assert.equal(activeKey(twins, es256, 100)?.id, 'b')
    assert.equal(activeKey(twins.toReversed(), es256, 100)?.id, 'b')
  })

  it('lets a node whose clock is behind use the first key all the same', () => {
    assert.equal(activeKey([key('first', 100)], es256, 50)?.id, 'first')
  })
})

describe('what can depend on a key', () => {
  it('lasts longer than the longest token that it signs, and at least a day', () => {
    const day = 24 * 3_600_000
    assert.ok((dependenceMs('sign', settingsFrom({})) ?? 0) > day)
    const long = settingsFrom({ OAuth__IdentityTokenLifetime: '864000' })
    assert.ok((dependenceMs('sign', long) ?? 0) > 10 * day)
  })

  it('lasts for ever for the secret of refresh chains, and longer than a form or a device cookie for theirs', () => {
    assert.equal(dependenceMs('refresh', settingsFrom({})), null)
    assert.ok((dependenceMs('antiforgery', settingsFrom({})) ?? 0) > 12 * 3_600_000)
    assert.ok((dependenceMs('device', settingsFrom({})) ?? 0) > knownBrowserLifetimeMs)
    assert.ok((dependenceMs('mail', settingsFrom({})) ?? 0) > 7 * 24 * 3_600_000)
    assert.ok((dependenceMs('code', settingsFrom({ OAuth__AuthorizationCodeLifetime: '600' })) ?? 0) > 600_000)
  })

  it('needs one signing key for each algorithm, one secret for each use, and the key of the audit trail', () => {
    const names = (env: Record<string, string>) =>
      purposesOf(settingsFrom(env)).map(({ use, algorithm }) => `${use} ${algorithm}`)
    const secrets = [
      'antiforgery secret',
      'refresh secret',
      'code secret',
      'access secret',
      'external secret',
      'device secret',
      'mail secret',
      'factor secret',
      'pairwise secret',
    ]
    const others = [...secrets, 'audit ES256']
    assert.deepEqual(names({}), ['sign ES256', 'sign RS256', ...others])
    assert.deepEqual(names({ OAuth__IdentityTokenAlgorithm: 'ES256' }), ['sign ES256', ...others])
  })
})
