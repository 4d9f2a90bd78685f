import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Client } from '../../src/protocol/client/client.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { aClient, aGrant, anAuthorization, anEvent, aUser, created, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const setConsent = ({ clients }: Storage, id: string, consent: Client['consent']) =>
  clients.update(id, (client) => ({ ...client, consent }))

export function consentContract(storageFor: StorageFor): void {
  describe('consents that operators store', () => {
    it('are found for their scopes and fewer, and those that people gave are not', async (t) => {
      const { users, clients, authorizations } = await storageFor(t)
      const [user, client] = [await created(users, aUser()), await created(clients, aClient())]
      await authorizations.store(anAuthorization(user, client, { scopes: ['openid', 'profile'] }))
      assert.equal(await authorizations.findByOperator(user.id, client.id, ['openid']), undefined)
      const stored = anAuthorization(user, client, { byOperator: true, scopes: ['email', 'openid'] })
      assert.deepEqual(await authorizations.store(stored), stored)
      assert.deepEqual(await authorizations.findByOperator(user.id, client.id, ['openid']), stored)
      assert.deepEqual(await authorizations.findByOperator(user.id, client.id, ['openid', 'email']), stored)
      assert.equal(await authorizations.findByOperator(user.id, client.id, ['openid', 'profile']), undefined)
    })

    it('take over the one of the same scopes that the person gave, and keep its id', async (t) => {
      const { users, clients, authorizations, audit } = await storageFor(t)
      const [user, client] = [await created(users, aUser()), await created(clients, aClient())]
      const given = anAuthorization(user, client, { claims: ['dept'] })
      await authorizations.store(given)
      const added = anAuthorization(user, client, { byOperator: true })
      const event = anEvent({ kind: 'consent_given' })
      assert.deepEqual(await authorizations.store(added, [event]), { ...given, byOperator: true })
      assert.equal((await audit.list({ kind: 'consent_given' }, undefined, 5)).length, 1)
      // What a person agrees to afterwards leaves it one of the operator.
      const again = await authorizations.store(anAuthorization(user, client, { claims: ['other'] }))
      assert.deepEqual(again, { ...given, claims: ['dept', 'other'], byOperator: true })
      assert.deepEqual(await authorizations.list(user.id), [again])
    })

    it('are what grants of a client with external consent rest on, and nothing else is', async (t) => {
      const storage = await storageFor(t)
      const { users, clients, authorizations, grants, accessTokens, accessPages } = storage
      const [user, client] = [await created(users, aUser()), await created(clients, aClient())]
      const given = anAuthorization(user, client, { scopes: ['given'] })
      const stored = anAuthorization(user, client, { scopes: ['stored'], byOperator: true })
      for (const one of [given, stored]) await authorizations.store(one)
      const ids = [null, given.id, stored.id]
      const made = ids.map((authorizationId) => aGrant(user, client, { authorizationId, revokedAtMs: null }))
      for (const grant of made) assert.equal(await grants.redeem(grant), true)
      const standing = () =>
        Promise.all(
          made.map(async ({ id, authorizationId }) => {
            const code = { grantId: nextId(), clientId: client.id, userId: user.id, authorizationId }
            const asked = { askingClientId: client.id, tokenClientId: client.id, grantId: id, jti: nextId() }
            const all = [
              (await grants.findForRefresh(id, client.id)).authorizationStands,
              (await grants.findForExchange(code)).authorizationStands,
              (await accessTokens.findForIntrospection(asked)).authorizationStands,
              (await accessTokens.findHolder(nextId(), id)) !== undefined,
              (await accessPages.findGrant(id))?.authorizationStands,
            ]
            assert.equal(new Set(all).size, 1, String(all))
            return all[0]
          }),
        )
      assert.deepEqual(await standing(), [true, true, true])
      await setConsent(storage, client.id, 'external')
      assert.deepEqual(await standing(), [false, false, true])
      assert.equal(await authorizations.revoke(stored.id), true)
      assert.deepEqual(await standing(), [false, false, false])
      await setConsent(storage, client.id, 'always')
      assert.deepEqual(await standing(), [true, true, false])
    })

    it('come with people of an import, where there is such a client', async (t) => {
      const { users, clients, authorizations, imports } = await storageFor(t)
      const [user, client] = [aUser(), await created(clients, aClient())]
      const consents = [
        anAuthorization(user, client, { byOperator: true }),
        anAuthorization(user, aClient(), { byOperator: true }),
      ]
      const counts = { read: 0, created: 0, updated: 0, skipped: 0, failed: 0 }
      const progress = { id: nextId(), kind: 'users', recordsRead: 1, counts, notKept: {}, startedAtMs: now }
      const people = [{ user, before: undefined, logins: [], isWeak: false, consents }]
      assert.deepEqual(await imports.store({ before: undefined, progress, people, failures: [] }), {
        outcome: 'stored',
      })
      assert.deepEqual(await authorizations.list(user.id), consents.slice(0, 1))
      assert.ok(await users.find(user.id))
    })
  })
}
