/** Finding the service by its issuer, whose slash libraries treat in different ways. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { serviceForFile } from '../support/service.ts'

const service = await serviceForFile()

describe('the issuer, which ends with a slash', () => {
  for (const [what, change] of [
    ['with its slash', (issuer: string) => issuer],
    ['without it', (issuer: string) => issuer.slice(0, -1)],
  ] as const) {
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      it(`is found by openid-client ${what}, by ${algorithm} (OpenID Connect Discovery §4.3, RFC 8414 §3.3)`, async () => {
        const options = { algorithm, execute: [openid.allowInsecureRequests] }
        const found = await openid.discovery(new URL(change(service.issuer)), 'demo', undefined, undefined, options)
        assert.equal(found.serverMetadata().issuer, service.issuer)
      })

      it(`is found by oauth4webapi ${what}, by ${algorithm}`, async () => {
        const issuer = new URL(change(service.issuer))
        const answer = await oauth.discoveryRequest(issuer, { algorithm, [oauth.allowInsecureRequests]: true })
        assert.equal((await oauth.processDiscoveryResponse(issuer, answer)).issuer, service.issuer)
      })
    }
  }

  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    it(`has its ${name} where libraries look that append a path to it, with one slash or two`, async () => {
      const [one, two] = await Promise.all(
        [`.well-known/${name}`, `/.well-known/${name}`].map(async (path) => {
          const answer = await fetch(`${service.issuer}${path}`)
          assert.equal(answer.status, 200)
          assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
          return answer.text()
        }),
      )
      assert.equal(one, two)
      assert.equal(JSON.parse(one ?? '').issuer, service.issuer)
    })
  }
})
