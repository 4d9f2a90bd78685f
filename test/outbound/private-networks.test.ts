/** Applications in private networks: what an operator registered is reached where the settings allow it. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { ClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { Browser, codeFields, locationOf, postToken } from '../support/browser.ts'
import { relyingParty, senderOf } from '../support/relying-party.ts'
import { addClient, addUser, serviceForFile } from '../support/service.ts'
import { settingsFrom } from '../support/settings.ts'

const service = await serviceForFile()
const application = await relyingParty(undefined, '127.0.0.2')
after(() => application.close())

/** A service whose issuer is public: only the settings let it reach a loopback address. */
const issuer = 'https://id.example/'
const open = { Outbound__Networks: '127.0.0.2/32', Outbound__AllowHttp: 'true' }

/** Signs a person in at a client and out again, and sends what is due under the settings. */
async function signOutAt(id: string, metadata: Partial<ClientMetadata>, env: Readonly<Record<string, string>>) {
  await addUser(service, `person-of-${id}`)
  await addClient(service, { id, metadata: { backchannel_logout_uri: `${application.origin}/${id}`, ...metadata } })
  const browser = await Browser.signedIn(service, { username: `person-of-${id}` })
  const code = locationOf(await browser.allow({ client_id: id })).searchParams.get('code') ?? ''
  await postToken(service, codeFields(code, { client_id: id }))
  await browser.submit('/connect/logout', { Confirm: 'Yes' })
  const settings = settingsFrom({ OAuth__Issuer: issuer, Server__TrustProxy: '127.0.0.9', ...env })
  const sender = senderOf({ ...service, settings, issuer })
  await sender.drain()
  const received = application.received.filter(({ path }) => path === `/${id}`)
  return { received, reasons: sender.lines.map(({ reason }) => reason) }
}

describe('a logout token (OpenID Connect Back-Channel Logout §2.5)', () => {
  it('arrives at an application at 127.0.0.2 that Outbound:Networks and Outbound:AllowHttp name', async () => {
    const { received, reasons } = await signOutAt('inside', {}, open)
    assert.deepEqual(reasons, [])
    assert.equal(received.length, 1)
    assert.ok(received[0]?.form.has('logout_token'))
  })

  it('is not sent without them, and the log says which setting is missing', async () => {
    const plain = await signOutAt('unlisted', {}, { Outbound__AllowHttp: 'true' })
    assert.deepEqual(plain.received, [])
    assert.match(String(plain.reasons[0]), /^127.0.0.2 is not a public address, and no entry of Outbound:Networks/)
    const secure = await signOutAt('plain', {}, { Outbound__Networks: '127.0.0.0/8' })
    assert.deepEqual(secure.received, [])
    assert.match(String(secure.reasons[0]), /Outbound:AllowHttp is false/)
  })

  it('is not sent there for a client that registered itself, with an initial access token or without', async () => {
    for (const registration of ['token', 'open'] as const) {
      const { received, reasons } = await signOutAt(`by-${registration}`, { registration }, open)
      assert.deepEqual(received, [])
      assert.match(String(reasons[0]), /http:\/\/ is not https|not a public address/, registration)
    }
  })
})
