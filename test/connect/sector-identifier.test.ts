/** `sector_identifier_uri` and the sector of a pairwise client (OpenID Connect Core §8.1, Dynamic Registration §5). */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { adminProgram } from '../support/admin.ts'
import { initialAccessToken, register, sendMetadata } from '../support/registration.ts'
import { relyingParty } from '../support/relying-party.ts'
import { serviceForFile } from '../support/service.ts'

const [one, two] = ['https://one.example/cb', 'https://two.example/cb']
const device = 'urn:ietf:params:oauth:grant-type:device_code'
const service = await serviceForFile({ OAuth__DynamicRegistration: 'token' })
const admin = await adminProgram(service)
const documents: Record<string, string> = {
  '/both': JSON.stringify([one, two, 'https://three.example/cb']),
  '/one': JSON.stringify([one]),
  '/object': '{}',
}
let rp: Awaited<ReturnType<typeof relyingParty>>
before(async () => {
  rp = await relyingParty((response, { path }) => {
    const body = documents[path]
    response.statusCode = body === undefined ? 404 : 200
    response.setHeader('content-type', 'application/json').end(body)
  })
})
after(() => rp.close())

let made = 0
const add = (members: Record<string, unknown>) => {
  made += 1
  return admin.post('/clients', {
    client_id: `app-${made}`,
    redirect_uris: [one],
    subject_type: 'pairwise',
    ...members,
  })
}
const registered = async (members: Record<string, unknown>) =>
  register(service, { redirect_uris: [one], subject_type: 'pairwise', ...members }, await initialAccessToken(service))
const faultOf = ({ status, body }: { status: number; body: { errors?: { path: string; message: string }[] } }) =>
  [status, body.errors?.[0]?.path, body.errors?.[0]?.message] as const

describe('the sector of a client that an operator registers', () => {
  it('is the host of its redirect addresses, or of sector_identifier_uri', async () => {
    const plain = await add({})
    assert.deepEqual([plain.status, plain.body.sector_identifier], [201, 'one.example'])
    const both = await add({ redirect_uris: [one, two], sector_identifier_uri: `${rp.origin}/both` })
    assert.deepEqual([both.status, both.body.sector_identifier], [201, '127.0.0.1'], JSON.stringify(both.body))
    const open = await add({ subject_type: 'public', redirect_uris: [one, two] })
    assert.deepEqual([open.status, open.body.sector_identifier], [201, undefined])
  })

  it('is the client alone where nobody owns the address: on loopback and in apps', async () => {
    const app = await add({ redirect_uris: ['http://127.0.0.1/cb', 'com.example.app:/cb'], application_type: 'native' })
    assert.deepEqual([app.status, app.body.sector_identifier], [201, undefined], JSON.stringify(app.body))
  })

  it('needs sector_identifier_uri for several hosts', async () => {
    const [status, path, message] = faultOf(await add({ redirect_uris: [one, two] }))
    assert.deepEqual([status, path], [400, '/sector_identifier_uri'])
    assert.match(message ?? '', /several hosts: one\.example, two\.example/)
  })

  it('needs a document that can be read and lists every redirect address', async () => {
    for (const [path, why] of [
      ['/one', /does not list the redirect address https:\/\/two\.example\/cb/],
      ['/object', /is no JSON array of addresses/],
      ['/missing', /could not be read: it answered with the status 404/],
    ] as const) {
      const [status, member, message] = faultOf(
        await add({ redirect_uris: [one, two], sector_identifier_uri: `${rp.origin}${path}` }),
      )
      assert.deepEqual([status, member], [400, '/sector_identifier_uri'], path)
      assert.match(message ?? '', why)
    }
  })

  it('is looked at again when a redirect address comes, and not otherwise', async () => {
    const { body } = await add({ sector_identifier_uri: `${rp.origin}/one` })
    const change = async (members: object) => {
      const path = `/clients/${body.client_id}`
      return admin.send('PATCH', path, { body: members, headers: { 'if-match': '*' } })
    }
    const asked = rp.received.length
    assert.equal((await change({ client_name: 'Other' })).status, 200)
    assert.equal(rp.received.length, asked)
    assert.equal(faultOf(await change({ redirect_uris: [one, two] }))[1], '/sector_identifier_uri')
    documents['/one'] = JSON.stringify([one, two])
    const moved = await change({ redirect_uris: [one, two] })
    assert.deepEqual([moved.status, moved.body.sector_identifier], [200, '127.0.0.1'], JSON.stringify(moved.body))
    assert.equal((await change({ subject_type: 'public' })).body.sector_identifier, undefined)
    documents['/one'] = JSON.stringify([one])
  })
})

describe('the sector of a client that registers itself', () => {
  it('is the client alone without sector_identifier_uri: it could name the host of somebody else', async () => {
    const { status, body } = await registered({})
    assert.deepEqual([status, body.subject_type, body.sector_identifier], [201, 'pairwise', undefined])
  })

  it('is that of sector_identifier_uri where its tokens need a redirect address that is listed', async () => {
    const uri = `${rp.origin}/both`
    const { status, body } = await registered({ sector_identifier_uri: uri })
    assert.deepEqual([status, body.sector_identifier], [201, '127.0.0.1'], JSON.stringify(body))
    const other = await registered({ sector_identifier_uri: uri, redirect_uris: ['https://else.example/cb'] })
    assert.deepEqual([other.status, other.body.error], [400, 'invalid_client_metadata'])
    assert.match(other.body.error_description, /does not list/)
    const onDevices = await registered({
      ...{ sector_identifier_uri: uri, grant_types: ['authorization_code', device] },
    })
    assert.deepEqual([onDevices.status, onDevices.body.sector_identifier], [201, undefined])
  })

  it('is never one that it takes afterwards, with tokens of before', async () => {
    const { body } = await registered({})
    const { client_id, registration_client_uri: address, registration_access_token: token } = body
    const update = (members: object) =>
      sendMetadata(address, 'PUT', { client_id, redirect_uris: [one], subject_type: 'pairwise', ...members }, token)
    const taken = await update({ sector_identifier_uri: `${rp.origin}/both` })
    assert.deepEqual([taken.status, taken.body.error], [400, 'invalid_client_metadata'], JSON.stringify(taken.body))
    assert.match(taken.body.error_description, /can be given to a registered client by an operator alone/)
    assert.equal((await update({ client_name: 'Same' })).status, 200)
  })
})
