/** What is signed in the thread pool elsewhere is signed on the main thread where there is one processor. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { pinTo } from '../../bench/machine.ts'
import { serve } from '../operations/running.ts'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'

const program = fileURLToPath(new URL('../../bin/latchkey', import.meta.url))

describe('a service with a single processor', () => {
  for (const algorithm of ['RS256', 'PS256']) {
    it(`signs tokens with ${algorithm} that verify (RFC 7515 §5.2)`, async (t) => {
      const env = { OAuth__AccessTokenAlgorithm: algorithm, OAuth__IdentityTokenAlgorithm: algorithm }
      const [file = program, ...parameters] = [...pinTo(0), program]
      const service = await serve(t, { command: [file, ...parameters], env })
      const { status, body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
      assert.equal(status, 200)
      const keys = createRemoteJWKSet(new URL('.well-known/jwks', service.issuer))
      for (const token of [body.access_token, body.id_token]) {
        const { protectedHeader } = await jwtVerify(String(token), keys, { issuer: service.issuer })
        assert.equal(protectedHeader.alg, algorithm)
      }
    })
  }
})
