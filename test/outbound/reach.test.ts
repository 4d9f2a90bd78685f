import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AddressSource, type ReachOptions, reachFrom, reachWith } from '../../src/outbound/reach.ts'
import { isNeverReached } from '../../src/protocol/special-addresses.ts'
import { settingsFrom } from '../support/settings.ts'

const issuer = 'https://id.example/'

/** Returns why a request is not sent; undefined: it is. */
function refusalOf(
  text: string,
  addresses: readonly string[],
  options: ReachOptions = {},
  by: AddressSource = 'operator',
): string | undefined {
  const reach = reachWith(issuer, options)
  try {
    reach.check(reach.urlOf(text, by), addresses, by)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const listed = { networks: ['10.0.0.0/8', 'fd00::/8', '127.0.0.2/32', 'app.internal', '*.svc.cluster.local'] }

describe('an address that an operator registered', () => {
  it('may lead into the networks of Outbound:Networks, and nowhere else inside', () => {
    assert.equal(refusalOf('https://a.example/', ['10.1.2.3'], listed), undefined)
    assert.equal(refusalOf('https://a.example/', ['::ffff:10.1.2.3'], listed), undefined)
    assert.equal(refusalOf('https://a.example/', ['fd12::1'], listed), undefined)
    assert.equal(refusalOf('https://a.example/', ['8.8.8.8', '10.1.2.3'], listed), undefined)
    const inside = ['192.168.1.1', '127.0.0.1', '127.0.0.3', '::1', 'fc00::1', '168.63.129.16', '0.0.0.0']
    for (const address of inside) {
      const why = `a.example resolves to ${address}, which no entry of Outbound:Networks allows`
      assert.equal(refusalOf('https://a.example/', [address], listed), why)
      assert.equal(refusalOf('https://a.example/', ['10.1.2.3', address], listed), why)
    }
  })

  it('is refused with the name of the setting', () => {
    const why = 'app.internal resolves to 10.1.2.3, which no entry of Outbound:Networks allows'
    assert.equal(refusalOf('https://app.internal/out', ['10.1.2.3']), why)
    const literal = '10.1.2.3 is not a public address, and no entry of Outbound:Networks allows it'
    assert.equal(refusalOf('https://10.1.2.3/out', ['10.1.2.3']), literal)
  })

  it('may have a name of Outbound:Networks, whichever address that has; a domain stands for the names below it', () => {
    for (const host of [
      'app.internal',
      'APP.internal',
      'app.internal.',
      'a.svc.cluster.local',
      'a.b.svc.cluster.local',
    ]) {
      assert.equal(refusalOf(`https://${host}/`, ['192.168.1.1'], listed), undefined, host)
    }
    for (const host of ['svc.cluster.local', 'x.app.internal', 'evilsvc.cluster.local', 'app.internal.example']) {
      assert.match(refusalOf(`https://${host}/`, ['192.168.1.1'], listed) ?? '', /no entry of Outbound:Networks/, host)
    }
  })

  it('is plain http only with Outbound:AllowHttp, and only there', () => {
    assert.match(refusalOf('http://app.internal/', ['10.1.2.3'], listed) ?? '', /Outbound:AllowHttp is false/)
    const open = { ...listed, allowHttp: true }
    assert.equal(refusalOf('http://app.internal/', ['10.1.2.3'], open), undefined)
    assert.equal(refusalOf('http://127.0.0.2:9/', ['127.0.0.2'], open), undefined)
    assert.match(refusalOf('http://a.example/', ['8.8.8.8'], open) ?? '', /no entry of Outbound:Networks allows http/)
    assert.match(refusalOf('http://127.0.0.1/', ['127.0.0.1'], open) ?? '', /no entry of Outbound:Networks allows it/)
    assert.match(refusalOf('ftp://app.internal/', ['10.1.2.3'], open) ?? '', /is not https/)
    assert.match(refusalOf('http://u:p@app.internal/', ['10.1.2.3'], open) ?? '', /user name/)
  })
})

/** Link-local and metadata addresses, in each form in which an IPv6 address has an IPv4 one inside. */
const never = [
  ...['169.254.0.0', '169.254.169.254', '169.254.255.255', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe'],
  ...['::169.254.169.254', '::ffff:0:169.254.169.254', '64:ff9b::a9fe:a9fe', '64:ff9b:1::169.254.169.254'],
  ...['64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:a9:fe:a9fe::', '64:ff9b:1:0:a9:fea9:fe00:0'],
  ...['2002:a9fe:a9fe::1', 'fe80::1', 'febf::1', 'fe80::1%1', 'fd00:ec2::254', 'FD00:0EC2:0:0:0:0:0:0254'],
]
const everything = { networks: ['0.0.0.0/0', '::/0', '*.example', 'a.example'], allowHttp: true }

describe('addresses that are never reached', () => {
  it('are link-local or of a metadata service, in any form', () => {
    for (const address of never) {
      assert.ok(isNeverReached(address), address)
      assert.match(refusalOf('https://a.example/', [address], everything) ?? '', /which is never reached/, address)
    }
    const others = ['169.253.1.1', '169.255.0.1', '10.0.0.1', '::1', 'fec0::1', 'fd00:ec2::253', '2002:a00:1::1']
    for (const address of others) assert.ok(!isNeverReached(address), address)
  })

  it('are what a URL makes of them', () => {
    const spellings = ['[::ffff:169.254.169.254]', '169.254.43518', '0xa9.254.169.254', '2852039166', '[fe80::1]']
    for (const host of spellings) {
      const { hostname } = new URL(`http://${host}/`)
      const why = refusalOf(`http://${host}/`, [hostname.replace(/^\[|\]$/g, '')], everything)
      assert.match(why ?? '', /is never reached/, host)
    }
  })

  it('are the address and port of the service itself, by every name and address that it has', () => {
    const listeners = [{ host: 'localhost', port: 5080 }]
    const open = { ...everything, listeners, ownAddresses: ['https://admin.example:8443/'] }
    const own: [string, string][] = [
      ['http://127.0.0.1:5080/', '127.0.0.1'],
      ['http://0x7f.1:5080/', '127.0.0.1'],
      ['http://[::1]:5080/', '::1'],
      ['http://[::ffff:127.0.0.1]:5080/', '::ffff:7f00:1'],
      ['http://0.0.0.0:5080/', '0.0.0.0'],
      ['http://[::]:5080/', '::'],
      ['https://a.example:5080/', '127.0.0.1'],
      ['https://id.example/', '93.184.216.34'],
      ['https://id.example.:443/x', '93.184.216.34'],
      ['https://admin.example:8443/', '10.0.0.1'],
    ]
    for (const [url, address] of own) assert.match(refusalOf(url, [address], open) ?? '', /is the service itself/, url)
    assert.equal(refusalOf('http://127.0.0.1:5081/', ['127.0.0.1'], open), undefined)
    assert.equal(refusalOf('http://127.0.0.2:5080/', ['127.0.0.2'], open), undefined)
    const everywhere = { ...open, listeners: [{ host: '0.0.0.0', port: 5080 }] }
    assert.match(refusalOf('http://127.0.0.2:5080/', ['127.0.0.2'], everywhere) ?? '', /is the service itself/)
  })
})

describe('an address that a stranger registered', () => {
  it('leads to public addresses alone, whatever is set, with an initial access token too', () => {
    for (const by of ['anybody', 'token'] as const) {
      assert.equal(refusalOf('https://a.example/', ['8.8.8.8'], everything, by), undefined)
      const why = 'a.example resolves to 10.1.2.3, which is not a public address'
      assert.equal(refusalOf('https://a.example/', ['10.1.2.3'], everything, by), why)
      assert.equal(refusalOf('https://a.example/', ['8.8.8.8', '10.1.2.3'], everything, by), why)
      assert.equal(refusalOf('http://a.example/', ['8.8.8.8'], everything, by), 'http:// is not https')
    }
  })
})

it('what is reached follows from the settings', () => {
  const settings = settingsFrom({
    OAuth__Issuer: issuer,
    Server__Port: '5099',
    Server__TrustProxy: '10.0.0.1',
    Metrics__Port: '9464',
    Admin__Port: '5098',
    Admin__Url: 'https://admin.example/',
    Outbound__Networks: '10.0.0.0/8, *.svc.cluster.local',
    Outbound__AllowHttp: 'true',
  })
  assert.deepEqual(reachFrom(settings), {
    networks: ['10.0.0.0/8', '*.svc.cluster.local'],
    allowHttp: true,
    ownAddresses: ['https://admin.example/'],
    listeners: [
      { host: 'localhost', port: 5099 },
      { host: 'localhost', port: 5098 },
      { host: 'localhost', port: 9464 },
    ],
  })
})
