import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networksOf } from '../../src/http/networks.ts'

const keysOf = (address: string) => networksOf(address).map(({ key }) => key)

describe('the networks of an address', () => {
  it('are the address alone for IPv4, and the /64, /56 and /48 for IPv6', () => {
    assert.deepEqual(networksOf('192.0.2.1'), [{ prefix: 32, key: '192.0.2.1' }])
    const [first, second, third] = networksOf('2001:db8:1:2345:6:7:8:9')
    assert.deepEqual(
      [first, second, third].map((network) => network?.prefix),
      [64, 56, 48],
    )
    assert.deepEqual(keysOf('2001:db8:1:2345::1'), [first?.key, second?.key, third?.key])
    const [otherFirst, ...wider] = keysOf('2001:db8:1:23ff::1')
    assert.notEqual(otherFirst, first?.key)
    assert.deepEqual(wider, [second?.key, third?.key])
    assert.deepEqual(keysOf('2001:db8:1:ff::1').at(-1), third?.key)
    assert.notEqual(keysOf('2001:db8:1:ff::1')[1], second?.key)
    assert.ok(keysOf('2001:db8:2:2345::1').every((key) => !keysOf('2001:db8:1:2345::1').includes(key)))
  })

  it('are the same for every spelling of an address, with a zone (RFC 4007 §11) and with a port', () => {
    const spellings = [
      '2001:DB8:0:0:0:0:0:1',
      '2001:db8::1',
      '2001:0db8::0001%eth0',
      '[2001:db8::1]:443',
      '[2001:db8::1]',
    ]
    for (const spelling of spellings) assert.deepEqual(keysOf(spelling), keysOf('2001:db8::2'), spelling)
    assert.deepEqual(keysOf('192.0.2.1:4711'), ['192.0.2.1'])
  })

  it('are those of the IPv4 address inside an IPv6 one (RFC 4291 §2.5.5.2, RFC 6052 §2.1)', () => {
    const spellings = ['::ffff:192.0.2.1', '::FFFF:c000:0201', '0:0:0:0:0:ffff:c000:201', '::ffff:192.0.2.1%eth0']
    for (const spelling of [...spellings, '64:ff9b::192.0.2.1', '64:ff9b::c000:201']) {
      assert.deepEqual(keysOf(spelling), ['192.0.2.1'], spelling)
    }
  })

  it('are one for everything that is no address, so that writing nonsense gains nothing', () => {
    const nonsense = [
      '',
      'unknown',
      '127.1',
      '0x7f.0.0.1',
      '010.0.0.1',
      '256.0.0.1',
      '192.0.2.1/24',
      ' 192.0.2.1',
      '1:2:3',
    ]
    for (const text of [
      ...nonsense,
      '_hidden',
      'x'.repeat(60_000),
      '1:'.repeat(30_000),
      `fe80::1${'%'.repeat(60_000)}x`,
    ]) {
      const [{ key }] = networksOf(text)
      assert.ok(key === 'no address' || text.startsWith('fe80::1%'), text.slice(0, 40))
      assert.ok(key.length <= 24)
    }
    assert.deepEqual(keysOf(`fe80::1%${'x'.repeat(60_000)}`), keysOf('fe80::1'))
  })
})
