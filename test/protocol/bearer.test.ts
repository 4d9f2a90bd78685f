import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refuse } from '../../src/protocol/refusals/index.ts'
import { bearerChallenge, challengeScheme, readBearerToken } from '../../src/protocol/token/bearer.ts'

describe('a bearer token in a request (RFC 6750 §2)', () => {
  it('is read from the header, the scheme in any case', () => {
    for (const authorization of ['Bearer a.b-c_~+/==', 'bearer  a.b-c_~+/==', 'BEARER a.b-c_~+/== ']) {
      assert.deepEqual(readBearerToken(authorization, []), {
        token: 'a.b-c_~+/==',
        parameter: 'Authorization',
        scheme: 'Bearer',
      })
    }
  })

  it('is read from a form', () => {
    assert.deepEqual(readBearerToken(undefined, [['access_token', 'abc']]), {
      token: 'abc',
      parameter: 'access_token',
      scheme: 'Bearer',
    })
    assert.deepEqual(readBearerToken('Basic eDp5', [['access_token', 'abc']]), {
      token: 'abc',
      parameter: 'access_token',
      scheme: 'Bearer',
    })
  })

  it('is one of the scheme DPoP, in any case (RFC 9449 §7.1)', () => {
    for (const authorization of ['DPoP abc', 'dpop  abc']) {
      assert.deepEqual(readBearerToken(authorization, []), { token: 'abc', parameter: 'Authorization', scheme: 'DPoP' })
    }
  })

  it('is absent where nothing has its syntax', () => {
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer a b',
      'Bearer a,b',
      'Basic eDp5',
      'DPoP',
      'DPoPx a',
    ]) {
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
    assert.equal(bearerChallenge(undefined, 'DPoP'), 'DPoP algs="Ed25519 EdDSA ES256 PS256"')
  })

  it('names the metadata of the resource after the error, and what else the client needs (RFC 9728 §5.1)', () => {
    const metadata = 'https://api.example.com/.well-known/oauth-protected-resource'
    assert.equal(bearerChallenge(undefined, 'Bearer', metadata), `Bearer resource_metadata="${metadata}"`)
    assert.equal(
      bearerChallenge(refuse('access_token_invalid'), 'Bearer', metadata, ['scope="api"']),
      'Bearer error="invalid_token", error_description="The access token is not valid.", ' +
        `resource_metadata="${metadata}", scope="api"`,
    )
  })

  it('has the scheme DPoP where the request or its token does (RFC 9449 §7.1)', () => {
    const bound = refuse('access_token_bound')
    assert.equal(challengeScheme({}, undefined), 'Bearer')
    assert.equal(challengeScheme({ authorization: 'Bearer abc' }, refuse('access_token_invalid')), 'Bearer')
    assert.equal(challengeScheme({ authorization: 'Bearer abc' }, bound), 'DPoP')
    assert.equal(challengeScheme({ authorization: 'dpop' }, undefined), 'DPoP')
    assert.equal(challengeScheme({ dpop: 'x' }, undefined), 'DPoP')
  })
})
