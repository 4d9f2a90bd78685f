import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkProofHeader } from '../../src/protocol/token/dpop.ts'
import { isRefusal } from '../../src/refusal.ts'
import { DpopKey } from '../support/dpop.ts'

describe('the key of a DPoP proof (RFC 9449 §4.3)', () => {
  const { jwk } = new DpopKey()
  const headerWith = (members: object) =>
    checkProofHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: { ...jwk, ...members } })

  it('is a public one', () => {
    const header = headerWith({})
    assert.ok(!isRefusal(header))
    assert.deepEqual(header, { algorithm: 'ES256', key: jwk })
  })

  for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']) {
    it(`has no private member, such as ${member} (RFC 7518 §6.2.2, §6.3.2, §6.4.1)`, () => {
      const refusal = headerWith({ [member]: 'AA' })
      assert.ok(isRefusal(refusal))
      assert.equal(refusal.error, 'invalid_dpop_proof')
      assert.equal(refusal.detail.rule, 'jwk contains a private key')
    })
  }
})
