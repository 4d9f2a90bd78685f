import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { clientAddresses } from '../../src/http/client-address.ts'

/** The address of the client of a connection from `remoteAddress` with that `X-Forwarded-For`. */
function addressOf(trustProxy: boolean | readonly string[], remoteAddress: string | undefined, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return clientAddresses(trustProxy).addressOf({ headers, socket: { remoteAddress } } as unknown as IncomingMessage)
}

describe('the address of a client (contract 3, Server:TrustProxy)', () => {
  it('is that of the connection when no proxy is trusted', () => {
    assert.equal(addressOf(false, '192.0.2.1', '198.51.100.7'), '192.0.2.1')
    assert.equal(addressOf(['10.0.0.1'], '192.0.2.1', '198.51.100.7'), '192.0.2.1')
    assert.equal(clientAddresses(false).isProxy('192.0.2.1'), false)
  })

  it('is the first one that a proxy names when every proxy is trusted', () => {
    assert.equal(addressOf(true, '192.0.2.1', '203.0.113.5, 198.51.100.7'), '203.0.113.5')
    assert.equal(clientAddresses(true).isProxy('192.0.2.1'), true)
  })

  it('is the last one before the trusted proxies: what a client writes in front of it does not count', () => {
    const forwarded = '127.0.0.1, 203.0.113.5,10.0.0.2'
    assert.equal(addressOf(['10.0.0.0/8'], '10.0.0.1', forwarded), '203.0.113.5')
    assert.equal(addressOf(['10.0.0.1'], '10.0.0.1', forwarded), '10.0.0.2')
    assert.equal(addressOf(['10.0.0.0/8'], '10.0.0.1', '203.0.113.5, nonsense, 10.0.0.2'), 'nonsense')
  })

  it('is the one before a trusted proxy whose port the next one appends', () => {
    const trusted = ['10.0.0.0/8', '2001:db8::/32']
    assert.equal(addressOf(trusted, '10.0.0.1', '203.0.113.5:4711, 10.0.0.2:443'), '203.0.113.5:4711')
    assert.equal(addressOf(trusted, '10.0.0.1', '203.0.113.5, [2001:db8::1]:443'), '203.0.113.5')
    assert.equal(addressOf(trusted, '10.0.0.1', '10.0.0.3:80, 203.0.113.5:4711'), '203.0.113.5:4711')
  })

  it('is that of the connection when a trusted proxy names none', () => {
    for (const forwarded of [undefined, '', ' , ,\t'])
      assert.equal(addressOf(true, '192.0.2.1', forwarded), '192.0.2.1')
    assert.equal(addressOf(['10.0.0.1'], undefined, '203.0.113.5'), '')
  })

  it('takes an IPv4 address mapped into IPv6 for that address (RFC 4291 §2.5.5.2)', () => {
    const { isProxy } = clientAddresses(['10.0.0.0/8', '::ffff:192.0.2.0/120', '2001:db8::/32', 'fe80::1%eth0'])
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.255', '2001:DB8:ffff::1', 'fe80::1%eth0']) {
      assert.ok(isProxy(address), address)
    }
    for (const address of ['11.0.0.1', '192.0.3.1', '2001:db9::1', 'fe80::1%eth1', 'fe80::1', '', 'x']) {
      assert.ok(!isProxy(address), address)
    }
    assert.ok(!clientAddresses(['::/0']).isProxy('10.0.0.1'), 'IPv6 is another family')
    assert.ok(clientAddresses(['0.0.0.0/0']).isProxy('10.0.0.1'))
    assert.ok(!clientAddresses(['::ffff:0:0/90']).isProxy('10.0.0.1'))
  })
})
