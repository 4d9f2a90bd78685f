/** How an address that is not registered differs from the nearest one that is, in words for a person. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nearestUri, withoutValues } from '../../src/protocol/authorization-request/uri-difference.ts'

const registered = 'https://app.example.com:8443/sign-in/callback?tenant=a'

const cases = [
  ['a trailing slash', 'https://a.test/cb/', 'https://a.test/cb', /^it has a trailing slash, which/],
  ['a missing slash', 'https://a.test/cb', 'https://a.test/cb/', /^the trailing slash .* is missing$/],
  ['a missing slash of the root', 'https://a.test', 'https://a.test/', /^the trailing slash .* is missing$/],
  [
    'the scheme',
    'http://a.test/cb',
    'https://a.test/cb',
    /^the scheme is http, registered is https \(an application behind a proxy needs X-Forwarded-Proto\)$/,
  ],
  ['the host', 'https://b.test/cb', 'https://a.test/cb', /^the host is b\.test, registered is a\.test$/],
  ['the case of the host', 'https://A.test/cb', 'https://a.test/cb', /^the host is spelled with other capital/],
  ['two names of this machine', 'http://127.0.0.1/cb', 'http://localhost/cb', /both are this machine, but not/],
  ['the port', 'https://a.test:8444/cb', 'https://a.test:8443/cb', /^the port is 8444, registered is 8443$/],
  ['a default port', 'https://a.test:443/cb', 'https://a.test/cb', /^the port is 443, registered is none$/],
  [
    'a missing port',
    'http://localhost/cb',
    'http://localhost:3000/cb',
    /^the port is none, registered is 3000 \(the port may differ for application_type=native alone\)$/,
  ],
  ['the path', 'https://a.test/other', 'https://a.test/cb', /^the path is \/other, registered is \/cb$/],
  ['the case of the path', 'https://a.test/CB', 'https://a.test/cb', /^the path is spelled with other capital/],
  ['percent-encoding', 'https://a.test/a%20b', 'https://a.test/a b', /^characters of the path are percent-encoded/],
  ['a query', 'https://a.test/cb?x=1', 'https://a.test/cb', /^it has a query/],
  ['a missing query', 'https://a.test/cb', 'https://a.test/cb?x=1', /^the query .* is missing$/],
  ['the order of a query', 'https://a.test/cb?y=2&x=1', 'https://a.test/cb?x=1&y=2', /in another order$/],
  ['the encoding of a query', 'https://a.test/cb?x=%61', 'https://a.test/cb?x=a', /query are percent-encoded/],
  ['the values of a query', 'https://a.test/cb?x=2', 'https://a.test/cb?x=1', /^the query \(\?\) is another one$/],
  ['a fragment', 'https://a.test/cb#x', 'https://a.test/cb', /^it has a fragment/],
  ['a user name', 'https://me@a.test/cb', 'https://a.test/cb', /^it has a user name or password/],
  ['IPv6', 'http://[::1]:81/cb', 'http://[::1]:80/cb', /^the port is 81, registered is 80 \(the port may/],
  ['a scheme of an app', 'com.example.app:/cb/', 'com.example.app:/cb', /^it has a trailing slash/],
] as const

describe('the difference between two addresses', () => {
  for (const [what, received, known, words] of cases) {
    it(`names ${what}`, () => assert.match(nearestUri(received, [known])?.difference ?? '', words))
  }

  it('names every part that differs', () => {
    const found = nearestUri('http://app.example.com/sign-in/callback/', [registered])
    assert.equal(found?.difference.split('; ').length, 4)
  })

  it('is the scheme and not the port of an application behind a proxy', () => {
    const others = ['http://a.test:8080/cb', 'https://a.test/cb', 'https://a.test:8443/cb']
    for (const received of ['http://a.test/cb', 'http://a.test:80/cb']) {
      const found = nearestUri(received, others)
      assert.equal(found?.nearest, 'https://a.test/cb', received)
      assert.match(
        found?.difference ?? '',
        /^the scheme is http, registered is https \(an application behind a proxy[^;]*$/,
      )
    }
    const both = nearestUri('http://a.test:8080/cb', ['https://a.test/cb'])?.difference
    assert.match(both ?? '', /^the scheme is http, .*; the port is 8080, registered is none$/)
  })

  it('is not the port where that does not matter (RFC 8252 §7.3)', () => {
    const native = nearestUri(
      'http://localhost:51004/callback/',
      ['http://localhost:3000/callback'],
      'of all',
    )?.difference
    assert.equal(native, 'it has a trailing slash, which the registered one has not')
    const ip = nearestUri(
      'http://127.0.0.1:51004/cb',
      ['http://127.0.0.1/callback'],
      'of addresses without one',
    )?.difference
    assert.equal(ip, 'the path is /cb, registered is /callback')
    const web = nearestUri('http://localhost:51004/callback', ['http://localhost:3000/callback'])?.difference
    assert.match(web ?? '', /^the port is 51004, registered is 3000 \(/)
    const elsewhere = nearestUri('https://a.test:8444/cb', ['https://a.test:8443/cb'], 'of all')?.difference
    assert.equal(elsewhere, 'the port is 8444, registered is 8443')
  })

  it('is that from the nearest of several, and none when nothing is registered', () => {
    const others = ['https://other.test/cb', 'https://a.test/elsewhere', 'https://a.test/cb']
    assert.equal(nearestUri('https://a.test/cb/', others)?.nearest, 'https://a.test/cb')
    assert.equal(nearestUri('https://a.test/cb/', []), undefined)
  })

  it('is found for whatever a stranger sends', () => {
    for (const received of ['', ':', '//', 'https://', 'https://[', '%', '\n', '?', '#', '@@@::', 'a'.repeat(2048)]) {
      assert.equal(typeof nearestUri(received, [registered])?.difference, 'string')
    }
  })
})

describe('an address for the log', () => {
  it('keeps where it leads, and nothing that may be a secret', () => {
    assert.equal(
      withoutValues('https://me:hunter2@app.test:8443/cb?token=abc&next=%2F&bare-secret#access_token=x'),
      'https://***@app.test:8443/cb?token=***&next=***&***#***',
    )
    assert.equal(withoutValues('com.example.app:/cb'), 'com.example.app:/cb')
    assert.equal(withoutValues('/cb'), '/cb')
    assert.equal(withoutValues('//host/cb'), '//host/cb')
  })
})
