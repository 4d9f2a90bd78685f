import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isLoopbackIp, isPublicAddress } from '../../src/outbound/address.ts'

const internal = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.9.9.9', '169.254.169.254'],
  ...['168.63.129.16', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.1.1'],
  ...['198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a00:1', '100::1', '2001::1'],
  ...['2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::1', '2002:0a00:1::', '3fff::1', '4000::1'],
  ...[
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%1',
    'fec0::1',
    'ff02::1',
    'ff0e::1',
  ],
  ...['', 'localhost', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '1.2.3', '1.2.3.4.5', '1.2.3.4/0'],
]
const external = [
  ...['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '192.0.1.1', '223.255.255.255'],
  ...['2606:4700:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8', '64:ff9b::808:808'],
]

describe('a public address', () => {
  for (const address of internal) {
    it(`is not '${address}'`, () => assert.equal(isPublicAddress(address), false))
  }
  for (const address of external) {
    it(`is ${address}`, () => assert.equal(isPublicAddress(address), true))
  }
})

it('a loopback address is 127.0.0.0/8 or ::1, and no other spelling', () => {
  const candidates = ['127.0.0.1', '127.8.8.8', '::1', '128.0.0.1', '::ffff:127.0.0.1', '127.1', 'localhost', '::2']
  assert.deepEqual(candidates.filter(isLoopbackIp), ['127.0.0.1', '127.8.8.8', '::1'])
})
