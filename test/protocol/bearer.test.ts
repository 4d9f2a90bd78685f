import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bearerChallenge, readBearerToken } from '../../src/protocol/bearer.ts'
import { refuse } from '../../src/protocol/refusals/index.ts'

describe('a bearer token in a request (RFC 6750 §2)', () => {
  it('is read from the header, the scheme in any case', () => {
    for (const authorization of ['Bearer a.b-c_~+/==', 'bearer  a.b-c_~+/==', 'BEARER a.b-c_~+/== ']) {
      assert.deepEqual(readBearerToken(authorization, []), { token: 'a.b-c_~+/==', parameter: 'Authorization' })
    }
  })

  it('is read from a form', () => {
    assert.deepEqual(readBearerToken(undefined, [['access_token', 'abc']]), {
      token: 'abc',
      parameter: 'access_token',
    })
    assert.deepEqual(readBearerToken('Basic eDp5', [['access_token', 'abc']]), {
      token: 'abc',
      parameter: 'access_token',
    })
  })

  it('is absent where nothing has its syntax', () => {
    for (const authorization of [undefined, '', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer a,b', 'Basic eDp5']) {
      assert.equal(readBearerToken(authorization, [['access_token', '']]), undefined, String(authorization))
    }
  })

  it('is refused when more than one is sent (RFC 6750 §3.1)', () => {
    const twice = readBearerToken('Bearer abc', [['access_token', 'abc']])
    assert.ok(twice && 'error' in twice && twice.error === 'invalid_request')
    const repeated = readBearerToken(undefined, [
      ['access_token', 'abc'],
      ['access_token', 'abc'],
    ])
    assert.ok(repeated && 'error' in repeated && repeated.error === 'invalid_request')
  })
})

describe('the challenge of a resource (RFC 6750 §3)', () => {
  it('names the scheme alone when there was no token, and the error otherwise', () => {
    assert.equal(bearerChallenge(undefined), 'Bearer')
    assert.equal(
      bearerChallenge(refuse('access_token_invalid', 'Authorization')),
      'Bearer error="invalid_token", error_description="The access token is not valid."',
    )
  })
})
