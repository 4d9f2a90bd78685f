/** A pushed request when the database fails on the way: it is used up by the commit that uses it, or not at all. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { authorizeParameters, Browser, codeFields, locationOf, postToken } from '../support/browser.ts'
import { addClient, serviceForFile } from '../support/service.ts'
import { openInMemory } from '../support/sqlite.ts'

/** The number of commits until one fails; undefined: none does. */
let failsAfter: number | undefined
let failed = 0
const adapter = await openInMemory()
const { engine } = adapter
const storage = await sqlStorage({
  ...adapter,
  engine: {
    ...engine,
    commit(statements, events, underWay) {
      if (statements.length > 0 && failsAfter !== undefined) {
        failsAfter -= 1
        if (failsAfter < 0) {
          failsAfter = undefined
          failed += 1
          return Promise.reject(new StorageUnavailable('the disk is full'))
        }
      }
      return engine.commit(statements, events, underWay)
    },
  },
})
const service = await serviceForFile({}, { storage })
await addClient(service, { id: 'implicit', consent: 'implicit' })
await addClient(service, { id: 'asking' })
const open = { ...defaultClientMetadata, registration: 'open' } as const
await addClient(service, { id: 'stranger', metadata: open })

type Way = { readonly client_id: string; readonly button?: string; readonly change?: Record<string, string> }
const ways: Record<string, Way> = {
  'a client that asks nobody': { client_id: 'implicit' },
  'a consent': { client_id: 'asking', button: 'submit.Accept' },
  'a consent to a client that registered itself': { client_id: 'stranger', button: 'submit.Accept' },
  'a denial': { client_id: 'asking', button: 'submit.Deny', change: { prompt: 'consent' } },
  'a signed answer, whose key is made for it': {
    client_id: 'asking',
    button: 'submit.Accept',
    change: { response_mode: 'query.jwt', prompt: 'consent' },
  },
}

describe('a fault of the database does not use a pushed request up', () => {
  for (const [name, { client_id, button, change = {} }] of Object.entries(ways)) {
    it(`that ends in ${name}, whichever commit fails`, async () => {
      failed = 0
      let isWhole = false
      for (let at = 0; !isWhole; at += 1) {
        assert.ok(at < 10, 'it ends')
        const browser = await Browser.signedIn(service)
        // The session is renewed on the way.
        service.advance(86_400)
        const fields = authorizeParameters({ client_id, ...change })
        const { status, body } = await postToken(service, fields, {}, 'connect/par')
        assert.equal(status, 201, JSON.stringify(body))
        const request = { client_id, request_uri: body.request_uri }
        const answer = () =>
          button === undefined
            ? browser.get(`/connect/authorize?${new URLSearchParams(request)}`)
            : browser.submit('/connect/authorize', { ...request, [button]: 'x' })
        const failedBefore = failed
        failsAfter = at
        const first = await answer()
        isWhole = failed === failedBefore
        failsAfter = undefined
        const last = isWhole ? first : await answer()
        if (!isWhole) assert.equal(first.status, 503, `the commit ${at} failed`)
        const location = locationOf(last)
        const { searchParams: parameters } = location
        assert.equal(`${location.origin}${location.pathname}`, 'http://localhost:5081/callback', `${at} ${last.status}`)
        if (change.response_mode !== undefined) assert.ok(parameters.has('response'))
        else if (button === 'submit.Deny') assert.equal(parameters.get('error'), 'access_denied')
        else {
          const code = parameters.get('code') ?? ''
          assert.equal((await postToken(service, codeFields(code, { client_id }))).status, 200)
        }
        const again = await answer()
        assert.deepEqual([again.status, again.headers.get('location')], [400, null], 'it works once')
      }
      assert.ok(failed > 0, 'a commit failed')
    })
  }
})
