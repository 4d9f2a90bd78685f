/** What a client may be registered with and changed to, as tables: no database, no clock. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Problem } from '../../src/problem.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import type { MemberChange } from '../../src/protocol/client/client-members.ts'
import {
  changeClient,
  registerClient,
  replaceClient,
  rotateSecret,
} from '../../src/protocol/client/client-registration.ts'
import { clientRecord } from '../../src/protocol/client/records.ts'
import { registeredUriProblem } from '../../src/protocol/client/registered-uri.ts'
import { authenticateClient } from '../../src/protocol/client-authentication/index.ts'
import { isRefusal } from '../../src/refusal.ts'
import { bySecret } from '../support/clients.ts'
import { now, sampleClient } from './samples.ts'

const context = {
  registeredScopes: ['notes_api'],
  newSecretHash: 'new-hash',
  isLoopbackIssuer: false,
  isPostQuantum: false,
  accessTokenScope: 'array',
  nowMs: now,
} as const
const uri = 'https://app.example.com/cb'

const set = (member: string, value: MemberChange['value']): MemberChange => ({ member, operation: 'set', value })
const add = (member: string, value: MemberChange['value']): MemberChange => ({ member, operation: 'add', value })
const remove = (member: string, value: MemberChange['value']): MemberChange => ({ member, operation: 'remove', value })

function changed(client: Client, ...changes: MemberChange[]): Client {
  const judged = changeClient(client, changes, context)
  assert.ok(!isRefusal(judged), JSON.stringify(judged))
  return judged
}

function problems(client: Client, ...changes: MemberChange[]): readonly Problem[] {
  const judged = changeClient(client, changes, context)
  assert.ok(isRefusal(judged))
  return judged.problems
}

describe('changing a client', () => {
  it('sets, adds to and takes from lists, without duplicates', () => {
    const client = sampleClient({ redirectUris: [uri], scopes: ['offline_access'] })
    const other = 'https://app.example.com/other'
    assert.deepEqual(changed(client, set('redirect_uris', [other])).redirectUris, [other])
    assert.deepEqual(changed(client, add('redirect_uris', [other, uri])).redirectUris, [uri, other])
    const moved = changed(client, add('redirect_uris', [other]), remove('redirect_uris', [uri]))
    assert.deepEqual(moved.redirectUris, [other])
    const both = changed(client, set('redirect_uris', [other]), set('redirect_uris', [uri]))
    assert.deepEqual(both.redirectUris, [other, uri])
    assert.deepEqual(changed(client, set('scope', 'openid notes_api')).scopes, ['notes_api'])
    assert.deepEqual(changed(client, add('scope', 'notes_api')).scopes, ['offline_access', 'notes_api'])
    assert.deepEqual(changed(client, remove('scope', 'offline_access')).scopes, [])
  })

  it('is all or nothing, and names every member at fault', () => {
    const found = problems(
      sampleClient(),
      set('client_name', 'New name'),
      set('redirect_uris', ['http://app.example.com/']),
      set('consent', 'maybe'),
      set('require_pkce', false),
      set('scope', 'unknown'),
      set('client_id', 'x'),
      set('toString', 'x'),
      add('client_name', 'x'),
      remove('post_logout_redirect_uris', ['https://nowhere.example/']),
    )
    assert.deepEqual(
      new Set(found.map(({ member }) => member)),
      new Set([
        ...['consent', 'client_id', 'toString', 'client_name', 'post_logout_redirect_uris'],
        ...['redirect_uris', 'scope', 'require_pkce'],
      ]),
    )
    for (const { message } of found) assert.match(message, /^\S.*[^.]\.$/)
  })

  it('does not judge again what the client has: an address or scope that is no longer given stays', () => {
    const old = sampleClient({ redirectUris: ['myapp:/cb'], scopes: ['deleted_scope'] })
    assert.equal(changed(old, set('client_name', 'Old app')).name, 'Old app')
    assert.deepEqual(changed(old, add('redirect_uris', [uri])).redirectUris, ['myapp:/cb', uri])
    assert.match(problems(old, add('redirect_uris', ['otherapp:/cb']))[0]?.message ?? '', /RFC 8252 §7\.1/)
  })

  it('gives a client that becomes confidential the new secret, and takes it from one that becomes public', () => {
    const open = changed(sampleClient(), set('token_endpoint_auth_method', 'client_secret_basic'))
    assert.deepEqual(open.authentication, bySecret('new-hash'))
    const old = { ...open, authentication: bySecret('old') }
    const kept = changed(old, set('token_endpoint_auth_method', 'client_secret_basic'))
    assert.deepEqual(kept.authentication, old.authentication)
    assert.equal(changed(open, set('require_pkce', false)).requirePkce, false)
    const back = changed(open, set('token_endpoint_auth_method', 'none'))
    assert.deepEqual(back.authentication, { method: 'none' })
    const since = Math.floor(now / 1000) + 1
    const later = { ...context, nowMs: now + 60_000 }
    assert.deepEqual([open.metadata.public_since, back.metadata.public_since], [null, since])
    const renamed = changeClient(back, [set('client_name', 'Renamed')], later)
    const replaced = replaceClient(
      back,
      [set('redirect_uris', [uri]), set('token_endpoint_auth_method', 'none')],
      later,
    )
    for (const one of [renamed, replaced]) assert.equal(!isRefusal(one) && one.metadata.public_since, since)
    const again = changed(back, set('token_endpoint_auth_method', 'client_secret_post'))
    assert.equal(again.metadata.public_since, null)
    assert.equal(problems(back, set('public_since', null)).length, 1)
    assert.equal(problems({ ...open, requirePkce: false }, set('token_endpoint_auth_method', 'none')).length, 1)
  })

  it('takes grant types that the service has, and at least one', () => {
    const client = sampleClient()
    assert.deepEqual(changed(client, remove('grant_types', ['refresh_token'])).grantTypes, ['authorization_code'])
    for (const [change, fault] of [
      [add('grant_types', ['password']), /password is not supported\. These are: authorization_code, refresh_token/],
      [set('grant_types', ['toString']), /toString is not supported/],
      [set('grant_types', []), /at least one grant type of these: authorization_code, refresh_token/],
    ] as const) {
      const [found, ...others] = problems(client, change)
      assert.equal(found?.member, 'grant_types')
      assert.match(found.message, fault)
      assert.deepEqual(others, [])
    }
    // One of a newer version, which shares the database during a rolling upgrade.
    const newer = { ...client, grantTypes: [...client.grantTypes, 'newer' as never] }
    assert.deepEqual(changed(newer, set('client_name', 'x')).grantTypes, newer.grantTypes)
  })

  it('takes grant types in which the client authenticates from confidential clients alone (RFC 6749 §4.4)', () => {
    const client = sampleClient()
    const machine = [set('grant_types', ['client_credentials']), set('redirect_uris', [])]
    const [found, ...others] = problems(client, ...machine)
    assert.deepEqual([found?.member, others], ['grant_types', []])
    const method = set('token_endpoint_auth_method', 'client_secret_basic')
    const confidential = changed(client, ...machine, method)
    assert.deepEqual(confidential.grantTypes, ['client_credentials'])
    assert.equal(problems(confidential, set('token_endpoint_auth_method', 'none'))[0]?.member, 'grant_types')
  })

  it('shows refresh_token among the grant types of a client that may ask for offline_access', () => {
    const shown = (change: Partial<Client>) => clientRecord(sampleClient(change), now).grant_types
    assert.deepEqual(shown({}), ['authorization_code', 'refresh_token'])
    assert.deepEqual(shown({ scopes: [] }), ['authorization_code'])
    assert.deepEqual(shown({ grantTypes: ['authorization_code'] }), ['authorization_code'])
  })

  it('needs nowhere to send codes without authorization_code', () => {
    const client = changed(sampleClient(), set('grant_types', ['refresh_token']), set('redirect_uris', []))
    assert.deepEqual(client.redirectUris, [])
    const both = set('grant_types', ['authorization_code', 'refresh_token'])
    assert.equal(problems(client, both)[0]?.member, 'redirect_uris')
  })

  it('needs somewhere to send codes', () => {
    assert.equal(problems(sampleClient(), set('redirect_uris', []))[0]?.member, 'redirect_uris')
    const judged = registerClient('app', [], context, now)
    assert.ok(isRefusal(judged))
  })
})

describe('a private-use scheme (RFC 8252 §7.1)', () => {
  it('has a dot', () => {
    const fault = (address: string) => registeredUriProblem(address, 'redirect_uri')?.message
    for (const address of [
      'com.example.app:/cb',
      'com.example.app://cb',
      'app.example:cb',
      uri,
      'http://127.0.0.1/cb',
    ]) {
      assert.equal(fault(address), undefined, address)
    }
    for (const address of ['myapp:/cb', 'myapp://cb']) {
      assert.match(fault(address) ?? '', /scheme .* RFC 8252 §7\.1/, address)
    }
  })
})

/** What only assertions and certificates need. */
const noAssertion = {
  macFault: () => '',
  issuer: '',
  endpoints: () => [],
  algorithms: [],
  signatureFault: async () => 'none',
  certificate: () => undefined,
  keyFault: async () => 'none',
}

describe('rotating a secret', () => {
  const client = sampleClient({ authentication: bySecret('one') })
  const rotated = (from: Client, hash: string, overlap: number, atMs = now): Client => {
    const judged = rotateSecret(from, { hash, sealed: '' }, overlap, atMs)
    assert.ok(!isRefusal(judged))
    return judged
  }
  /** Which secrets work at that time. The hash of a secret is the secret here. */
  const accepted = async (of: Client, nowMs: number) => {
    const secrets = ['one', 'two', 'three', 'four']
    const secretMatches = (given: readonly string[], hash: string) => given.includes(hash)
    const outcomes = secrets.map((secret) => {
      const credentials = { clientId: of.id, secret, method: 'client_secret_post' as const }
      return authenticateClient(credentials, of, { ...noAssertion, secretMatches, nowMs })
    })
    const clients = await Promise.all(outcomes)
    return secrets.filter((_, at) => clients[at] === of)
  }

  it('lets the old one work for the overlap and no longer', async () => {
    const two = rotated(client, 'two', 60)
    assert.deepEqual(await accepted(two, now), ['one', 'two'])
    assert.deepEqual(await accepted(two, now + 59_999), ['one', 'two'])
    assert.deepEqual(await accepted(two, now + 60_000), ['two'])
    assert.equal(clientRecord(two, now).previous_secret_expires_at, Math.floor(now / 1000) + 60)
    assert.ok(!('previous_secret_expires_at' in clientRecord(two, now + 60_000)))
  })

  it('keeps no more than two, and without an overlap one', async () => {
    const two = rotated(client, 'two', 60)
    assert.deepEqual(await accepted(rotated(two, 'three', 60), now), ['two', 'three'])
    assert.deepEqual(await accepted(rotated(two, 'three', 0), now), ['three'])
  })

  it('compares every secret that counts, whichever is right: time does not tell them apart', async () => {
    const two = rotated(client, 'two', 60)
    for (const secret of ['one', 'two', 'wrong']) {
      const compared: string[] = []
      const secretMatches = (given: readonly string[], hash: string) => {
        compared.push(hash)
        return given.includes(hash)
      }
      const credentials = { clientId: two.id, secret, method: 'client_secret_post' } as const
      await authenticateClient(credentials, two, { ...noAssertion, secretMatches, nowMs: now })
      assert.deepEqual(compared, ['two', 'one'])
    }
  })

  it('is refused for a public client, and for an overlap out of bounds', () => {
    assert.ok('problems' in rotateSecret(sampleClient(), { hash: 'two', sealed: '' }, 0, now))
    for (const overlap of [-1, 0.5, 30 * 86_400 + 1])
      assert.ok('problems' in rotateSecret(client, { hash: 'two', sealed: '' }, overlap, now))
  })
})
