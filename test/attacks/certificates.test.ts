/** What a thief of codes and client secrets tries where tokens are bound to a certificate (RFC 8705 §3). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { claimsOf, postToken } from '../support/browser.ts'
import { certificate, oids } from '../support/certificates.ts'
import { bySecret } from '../support/clients.ts'
import { DpopKey } from '../support/dpop.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const header = 'X-Client-Cert'
const own = certificate({ subject: [[[oids.cn, 'client']]] })

const service = await serviceForFile({ OAuth__Mtls__ClientCertificateHeader: header, Server__TrustProxy: '127.0.0.1' })
const machine = { authentication: bySecret(hashSecret('s3cret')), grantTypes: ['client_credentials'] as const }
const metadata = { ...defaultClientMetadata, tls_client_certificate_bound_access_tokens: true }
await addClient(service, { id: 'certified', ...machine, metadata })
await addClient(service, { id: 'both', ...machine, metadata: { ...metadata, dpop_bound_access_tokens: true } })

/** Asks for a token with a valid proof of a key that the thief made. */
function ask(client_id: string, headers: Readonly<Record<string, string>> = {}) {
  const proof = new DpopKey().proof({ url: `${service.issuer}connect/token`, nowMs: service.now() })
  const fields = { grant_type: 'client_credentials', client_id, client_secret: 's3cret' }
  return postToken(service, fields, { DPoP: proof, ...headers })
}

describe('a proof by a key of one’s own', () => {
  it('does not replace the certificate of a client that is registered for one', async () => {
    const { status, body } = await ask('certified')
    assert.equal(status, 401)
    assert.match(body.error_description, /^ID9168:/)
    const bound = await ask('certified', { [header]: own.escapedPem })
    assert.equal(bound.status, 200)
    assert.deepEqual(Object.keys(claimsOf(bound.body.access_token).cnf), ['x5t#S256'])
  })

  it('binds the tokens of a client that is registered for proofs as well', async () => {
    const { status, body } = await ask('both')
    assert.equal(status, 200)
    assert.equal(body.token_type, 'DPoP')
  })
})
