/** What the registries hold is what the documents, the refusals and the files say. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { grantHandlers } from '../../src/connect/grants/index.ts'
import { clientAuthenticationMethods } from '../../src/protocol/client-authentication/index.ts'
import { metadataFor } from '../../src/protocol/discovery/metadata.ts'
import { grantTypes } from '../../src/protocol/grant/grant-types.ts'
import { refusals } from '../../src/protocol/refusals/index.ts'
import { filesBelow, read } from './sources.ts'

const guide = read('docs/guide.md')
const metadata = metadataFor({
  issuer: 'https://id.example/',
  postQuantum: true,
  mtls: { clientCertificateHeader: 'client-cert' },
})
const methods = clientAuthenticationMethods(true)

describe('every grant type', () => {
  it('has a handler in a file of its own, and is offered, documented and named where another one is refused', () => {
    assert.ok(grantTypes.length >= 2)
    assert.deepEqual(Object.keys(grantHandlers), grantTypes)
    assert.deepEqual(metadata.grant_types_supported, grantTypes)
    const files = filesBelow('src/connect/grants', ['.ts'])
    for (const type of grantTypes) {
      // A URN ends with the name of the grant type.
      const name = type.slice(type.lastIndexOf(':') + 1).replaceAll('_', '-')
      assert.ok(files.includes(`src/connect/grants/${name}.ts`), type)
      assert.ok(guide.includes(`grant_type=${type}`), type)
      assert.ok(refusals.grant_type_unsupported.fix.includes(type), type)
    }
  })
})

describe('every client authentication method', () => {
  it('has a file of its own, and is offered and documented', () => {
    assert.ok(methods.length >= 3)
    assert.deepEqual(metadata.token_endpoint_auth_methods_supported, methods)
    assert.deepEqual(metadata.revocation_endpoint_auth_methods_supported, methods)
    const files = filesBelow('src/protocol/client-authentication', ['.ts'])
    for (const method of methods) {
      assert.ok(files.includes(`src/protocol/client-authentication/${method.replaceAll('_', '-')}.ts`), method)
      assert.ok(guide.includes(`\`${method}\``), method)
    }
  })
})
