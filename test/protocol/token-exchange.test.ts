import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import {
  accessTokenType,
  checkExchangeRequest,
  decideExchange,
  type ExchangedToken,
  type ExchangeRequest,
} from '../../src/protocol/grant/token-exchange.ts'
import { isRefusal } from '../../src/refusal.ts'
import { authenticatedClient, now, sampleScope } from './samples.ts'

const jwtType = 'urn:ietf:params:oauth:token-type:jwt'
const idTokenType = 'urn:ietf:params:oauth:token-type:id_token'

const request = (change: Partial<ExchangeRequest> = {}): ExchangeRequest => ({
  subjectToken: 'subject',
  subjectTokenType: accessTokenType,
  actorToken: null,
  actorTokenType: null,
  requestedTokenType: null,
  scopes: null,
  resources: [],
  audiences: [],
  ...change,
})

describe('the parameters of a token exchange (RFC 8693 §2.1)', () => {
  for (const [what, change] of [
    ['an access token', {}],
    ['a JWT', { subjectTokenType: jwtType }],
    ['an access token for a JWT', { requestedTokenType: jwtType }],
    ['a subject and an actor', { actorToken: 'actor', actorTokenType: accessTokenType }],
  ] as const) {
    it(`allows ${what}`, () => assert.equal(checkExchangeRequest(request(change)), undefined))
  }

  for (const [what, change, parameter] of [
    ['a subject token of another type', { subjectTokenType: idTokenType }, 'subject_token_type'],
    ['the request of another type', { requestedTokenType: idTokenType }, 'requested_token_type'],
    ['an actor token of another type', { actorToken: 'actor', actorTokenType: idTokenType }, 'actor_token_type'],
    ['the type of an actor token without the token', { actorTokenType: accessTokenType }, 'actor_token'],
    ['an actor token without its type', { actorToken: 'actor' }, 'actor_token_type'],
  ] as const) {
    it(`refuses ${what}`, () => {
      const refused = checkExchangeRequest(request(change))
      assert.ok(refused && isRefusal(refused))
      assert.equal(refused.detail.parameter, parameter)
    })
  }
})

describe('who may exchange a token (RFC 8693 §2.1, §4.4)', () => {
  const token = (change: Partial<ExchangedToken> = {}): ExchangedToken => ({
    subject: 'alice',
    clientId: 'shop',
    jti: 'first',
    expiresAtMs: now + 60_000,
    scopes: ['demo_api'],
    audience: ['https://id.example/'],
    confirmation: null,
    actor: null,
    exchangedFrom: [],
    ...change,
  })
  const client = authenticatedClient({
    id: 'orders',
    metadata: { ...defaultClientMetadata, may_exchange: ['shop'] },
  })
  const decide = (subject: ExchangedToken, actor?: ExchangedToken) =>
    decideExchange(request(), client, subject, actor, null, [sampleScope('demo_api')], 'https://id.example/')

  it('lets a client exchange its own tokens, and those of clients that it is permitted to', () => {
    for (const clientId of ['orders', 'shop']) {
      const decided = decide(token({ clientId }))
      assert.ok(!isRefusal(decided))
      assert.deepEqual([decided.scopes, decided.exchangedFrom], [['demo_api'], ['first']])
    }
  })

  it('refuses the token of any other client', () => {
    const decided = decide(token({ clientId: 'stranger' }))
    assert.ok(isRefusal(decided))
    assert.equal(decided.detail.parameter, 'subject_token')
  })

  it('refuses the actor token of any other client, also of one whose tokens it may exchange', () => {
    assert.ok(!isRefusal(decide(token(), token({ clientId: 'orders', subject: 'orders' }))))
    for (const clientId of ['shop', 'stranger']) {
      const decided = decide(token(), token({ clientId }))
      assert.ok(isRefusal(decided), clientId)
      assert.equal(decided.detail.parameter, 'actor_token')
    }
  })
})
