import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isLocalUrl, localUrl, localUrlOrRoot } from '../../src/users/local-url.ts'

describe('the return address of the login form', () => {
  it('may begin with ~/ for the root of the service, and leads nowhere else', () => {
    assert.deepEqual(
      ['~/', '~/foo?x=1', '/~/foo', '/x'].map((url) => localUrl(url)),
      ['/', '/foo?x=1', '/~/foo', '/x'],
    )
    for (const url of ['~', '~x', '~//evil.test', '~/\\evil.test', '~/\t/evil.test', ' ~/x', '~~/x', '//x', 'x']) {
      assert.equal(localUrl(url), undefined, url)
    }
  })
})

describe('the local-address check (specification 4.7)', () => {
  for (const url of [
    '/',
    '/x',
    '/a//b',
    '/%5c',
    '/%0a',
    '/?returnUrl=https://evil.test',
    '/ü',
    '/x#y',
    '/.//evil.test',
  ]) {
    it(`accepts ${JSON.stringify(url)} [S4.7.13]`, () => {
      assert.ok(isLocalUrl(url))
      assert.equal(new URL(url, 'http://self.test').origin, 'http://self.test')
    })
  }

  for (const url of [
    '',
    '//',
    '//evil.test',
    '/\\',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '/\r/evil.test',
    '/x\u0000',
    '/x\u0085',
    ' /x',
    '~/x',
    'x',
    '?x',
    'https://evil.test',
    'javascript:alert(1)',
    '/\ud800',
  ]) {
    it(`refuses ${JSON.stringify(url)}, and uses / instead [S4.7.13, S5.6.1]`, () => {
      assert.ok(!isLocalUrl(url))
      assert.equal(localUrlOrRoot(url), '/')
    })
  }

  it('uses / for nothing [S4.7.13]', () => {
    assert.equal(localUrlOrRoot(undefined), '/')
    assert.equal(localUrlOrRoot(null), '/')
  })
})
