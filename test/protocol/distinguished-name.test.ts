import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSameName, parseName } from '../../src/protocol/client-authentication/distinguished-name.ts'

describe('a distinguished name (RFC 4514)', () => {
  const same: readonly (readonly [registered: string, subject: string])[] = [
    ['CN=client', 'CN=client'],
    ['CN=client,O=Example,C=DE', 'C=DE\nO=Example\nCN=client'],
    ['cn=client , o=Example, C = DE', 'C=DE\nO=Example\nCN=client'],
    ['2.5.4.3=client,0.9.2342.19200300.100.1.1=u', 'UID=u\nCN=client'],
    ['commonName=client,emailAddress=a@b', 'emailAddress=a@b\nCN=client'],
    ['OU=Sales+CN=J.  Smith,O=Widget Inc.', 'O=Widget Inc.\nCN=J.  Smith + OU=Sales'],
    ['CN=a\\, b\\+c\\"\\\\\\<\\>\\;\\#\\=', 'CN=a\\, b\\+c\\"\\\\\\<\\>\\;#='],
    ['CN=Lu\\C4\\8Di\\C4\\87', 'CN=Lučić'],
    ['CN=before\\0Aafter', 'CN=before\\0Aafter'],
    ['CN=\\ a\\ ,O=b', 'O=b\nCN=\\ a\\ '],
    ['CN=a\\\\ ,O=b', 'O=b\nCN=a\\\\'],
    ['CN=,O=b', 'O=b\nCN='],
    ['1.2.3.4=odd', '1.2.3.4=odd'],
  ]
  for (const [registered, subject] of same) {
    it(`${registered} is ${JSON.stringify(subject)}`, () => assert.equal(isSameName(registered, subject), true))
  }

  const different: readonly (readonly [registered: string, subject: string])[] = [
    ['CN=client', 'CN=Client'],
    ['CN=client', 'CN=client2'],
    ['CN=client', 'O=Example\nCN=client'],
    ['CN=client,O=Example', 'CN=client\nO=Example'],
    ['CN=client,O=Example', 'CN=client\\,O\\=Example'],
    ['CN=client\\,O\\=Example', 'O=Example\nCN=client'],
    ['CN=client+O=Example', 'O=Example\nCN=client'],
    ['CN=a,CN=b', 'CN=a\nCN=b'],
    ['CN=client', 'CN=client\\00'],
    ['CN=client', 'CN=\\ client'],
    ['CN=client', 'O=client'],
    ['CN=client', ''],
    ['CN=client', 'CN=client\n'],
    ['CN=client', 'CN=client,O=Example'],
    ['', ''],
    ['CN=#04024869', 'CN=#04024869'],
  ]
  for (const [registered, subject] of different) {
    it(`${registered} is not ${JSON.stringify(subject)}`, () => assert.equal(isSameName(registered, subject), false))
  }

  it('is refused if it is malformed', () => {
    for (const text of [
      '',
      'client',
      '=x',
      'CN=a,',
      'CN=a+',
      'CN=a;O=b',
      'CN=a"b',
      'CN=a<b',
      'CN=a\\',
      'CN=a\\zz',
      'CN=\\ff',
      ',CN=a',
      '1=a',
    ]) {
      assert.equal(parseName(text), undefined, text)
    }
  })

  it('with many spaces is read in time that grows with its length', () => {
    const spaces = ' '.repeat(200_000)
    assert.equal(isSameName(`CN=a${spaces}b${spaces}`, `CN=a${spaces}b`), true)
  })
})
