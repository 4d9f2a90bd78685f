/** `latchkey doctor` for the addresses that the service requests. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import type { Finding } from '../../src/finding.ts'
import { workplace } from '../cli/run.ts'
import { certificate, generalNames, oids } from '../support/certificates.ts'
import { testProxy } from '../support/proxy.ts'

const pem = ({ escapedPem }: { readonly escapedPem: string }): string => decodeURIComponent(escapedPem)
const until = new Date(Date.UTC(2040, 4, 6))
const authorityKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const subject = [[[oids.cn, 'Company authority']]] as const
const authority = certificate({ subject, keys: authorityKeys, ca: true, until })
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const alternativeNames = ['localhost', 'app.localhost', 'app.example'].map((name) => [generalNames.dns, name] as const)
const issuer = { subject, privateKey: authorityKeys.privateKey }
const issued = certificate({ subject: [[[oids.cn, 'The app']]], alternativeNames, keys, issuer, until })

const asked: string[] = []
const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
const server = createServer({ key, cert: pem(issued) }, ({ method, url }, response) => {
  asked.push(`${method} ${url}`)
  response.writeHead(405).end()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
after(() => {
  server.closeAllConnections()
  server.close()
})
const proxy = await testProxy()
beforeEach(() => {
  asked.length = 0
  proxy.asked.length = 0
  proxy.lead(port)
})

const base = { OAuth__Issuer: 'https://id.example.com/', Server__TrustProxy: '127.0.0.1' }
const outgoing = (findings: unknown) =>
  (findings as Finding[])
    .filter(({ check }) => check === 'outgoing')
    .map(({ status, message, advice }) => ({ status, message, advice }))

describe('latchkey doctor', () => {
  it('says of each address that an operator configured where it leads, what certificate it has and how long it took', async (t) => {
    const place = workplace(t)
    writeFileSync(join(place.folder, 'company.pem'), pem(authority))
    const env = {
      ...base,
      Outbound__CaFile: 'company.pem',
      Outbound__Networks: '*.localhost',
      OAuth__External__Corp__ClientId: 'x',
      OAuth__External__Corp__Issuer: `https://localhost:${port}/idp`,
      Accounts__Password__BreachCheck: `https://localhost:${port}/range/`,
    }
    const add = (id: string, uri: string) =>
      place.run(`client add ${id} --redirect-uri https://a.example.com/cb backchannel_logout_uri=${uri}`, { env })
    await add('shop', `https://app.localhost:${port}/out`)
    await add('cms', `https://app.localhost:${port}/other`)
    await add('inside', 'https://10.1.2.3/out')
    await add('gone', 'https://gone.invalid/out')
    const findings = outgoing(await place.json('doctor', { env }))
    const seen = '127\\.0\\.0\\.1; certificate of The app by Company authority until 2040-05-06; \\d+ ms\\.$'
    const settings = `^OAuth:External:Corp:Issuer, Accounts:Password:BreachCheck: localhost:${port} is `
    assert.match(findings[0]?.message ?? '', new RegExp(settings + seen))
    const clients = `^backchannel_logout_uri of cms, backchannel_logout_uri of shop: app.localhost:${port} is `
    assert.match(findings[1]?.message ?? '', new RegExp(clients + seen))
    assert.deepEqual(findings.slice(2), [
      {
        status: 'warning',
        message: 'backchannel_logout_uri of gone: gone.invalid cannot be resolved.',
        advice: 'Check the name, and how this machine resolves names.',
      },
      {
        status: 'warning',
        message:
          'backchannel_logout_uri of inside: 10.1.2.3 is not a public address, and no entry of Outbound:Networks allows it.',
        advice: 'If it is meant, change the setting. docs/operating.md: Outgoing requests.',
      },
    ])
    // The metadata of the provider are read as well, to see how it lets this service authenticate.
    assert.deepEqual(asked.sort(), ['GET /idp/.well-known/openid-configuration', 'HEAD /idp', 'HEAD /other'])
  })

  it('names Outbound:CaFile where a certificate is of an unknown authority, and says what is left to a proxy', async (t) => {
    const place = workplace(t)
    const unknown = { ...base, Accounts__Password__BreachCheck: `https://localhost:${port}/` }
    const [untrusted] = outgoing(await place.json('doctor', { env: unknown }))
    assert.match(untrusted?.message ?? '', /^Accounts:Password:BreachCheck: the connection failed \(UNABLE_TO_VERIFY/)
    assert.match(untrusted?.advice ?? '', /Outbound:CaFile/)
    writeFileSync(join(place.folder, 'company.pem'), pem(authority))
    const env = {
      ...base,
      Outbound__CaFile: 'company.pem',
      Outbound__Proxy: proxy.address,
      Accounts__Password__BreachCheck: 'https://app.example/range/',
    }
    const [through] = outgoing(await place.json('doctor', { env }))
    const { host } = new URL(proxy.address)
    const left = `app\\.example is left to the proxy ${host} \\(127\\.0\\.0\\.1\\), which resolves its name; certificate of The app by`
    assert.match(through?.message ?? '', new RegExp(`^Accounts:Password:BreachCheck: ${left}`))
    assert.ok(!JSON.stringify(through).includes('s%40cret'))
    assert.deepEqual(proxy.asked, ['CONNECT app.example:443'])
  })

  it('says nothing where nothing is configured', async (t) => {
    assert.deepEqual(outgoing(await workplace(t).json('doctor')), [])
  })
})
