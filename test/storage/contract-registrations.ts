import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conflictsFor, type KnownRules } from '../../src/protocol/claims/known-rules.ts'
import { knownAmong, scopeProblems } from '../../src/protocol/claims/rule-changes.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import type { Scope } from '../../src/protocol/scope/scope.ts'
import {
  aClient,
  aClientRegistration,
  aGrant,
  aGroup,
  anAuthorization,
  anEvent,
  anInitialAccessToken,
  aScope,
  atOnce,
  aUser,
  countOf,
  nextId,
  now,
  redeemed,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function registrationContract(storageFor: StorageFor): void {
  describe('dynamic registrations', () => {
    it('gives back every field of initial access tokens and registrations', async (t) => {
      const { registrations } = await storageFor(t)
      const token = anInitialAccessToken()
      await registrations.addToken(token)
      assert.deepEqual(await registrations.findToken(token.id), token)
      assert.equal(await registrations.findToken(nextId()), undefined)
      for (const unusedUntilMs of [null, now + 1]) {
        const client = aClient()
        const registration = aClientRegistration({ clientId: client.id, unusedUntilMs })
        assert.equal(await registrations.register(() => client, registration, null, now), true)
        assert.deepEqual(await registrations.find(registration.id), { registration, client })
      }
      assert.equal(await registrations.find(nextId()), undefined)
    })

    it('an initial access token registers as many clients as it has uses, however many try at once (RFC 7591 §3)', async (t) => {
      const { registrations, clients, audit } = await storageFor(t)
      const token = anInitialAccessToken({ usesLeft: 3 })
      await registrations.addToken(token)
      const outcomes = await atOnce(12, () => {
        const client = aClient()
        const registration = aClientRegistration({ clientId: client.id })
        return registrations.register(() => client, registration, token.id, now, [anEvent({ clientId: 'registered' })])
      })
      assert.equal(countOf(outcomes, true), 3)
      assert.equal((await clients.list()).length, 3)
      assert.equal((await registrations.findToken(token.id))?.usesLeft, 0)
      assert.equal((await audit.list({ clientId: 'registered' }, undefined, 9)).length, 3)
    })

    it('an expired or unknown initial access token registers nothing', async (t) => {
      const { registrations, clients } = await storageFor(t)
      const token = anInitialAccessToken({ expiresAtMs: now })
      await registrations.addToken(token)
      const client = aClient()
      const registration = aClientRegistration({ clientId: client.id })
      assert.equal(await registrations.register(() => client, registration, token.id, now), false)
      assert.equal(await registrations.register(() => client, registration, nextId(), now), false)
      assert.deepEqual(await clients.list(), [])
      assert.equal(await registrations.find(registration.id), undefined)
    })

    it('a taken client id uses up no initial access token', async (t) => {
      const { registrations, clients } = await storageFor(t)
      const [token, client] = [anInitialAccessToken({ usesLeft: 1 }), aClient()]
      await registrations.addToken(token)
      await clients.create(client)
      const registration = aClientRegistration({ clientId: client.id })
      assert.equal(
        await registrations.register(() => ({ ...client, name: 'Another' }), registration, token.id, now),
        false,
      )
      assert.equal((await registrations.findToken(token.id))?.usesLeft, 1)
      assert.deepEqual(await clients.find(client.id), client)
    })

    it('one of 20 replacements at once wins, and a lost one changes neither client nor secret (RFC 7592 §2.2)', async (t) => {
      const { registrations, clients } = await storageFor(t)
      const client = aClient()
      const registration = aClientRegistration({ clientId: client.id })
      await registrations.register(() => client, registration, null, now)
      const outcomes = await atOnce(20, (at) =>
        registrations.replace(client, () => ({ ...client, name: `n${at}` }), registration, `hash ${at}`),
      )
      assert.equal(countOf(outcomes, true), 1)
      const winner = outcomes.indexOf(true)
      const found = await registrations.find(registration.id)
      assert.equal(found?.client.name, `n${winner}`)
      assert.equal(found?.client.version, client.version + 1)
      assert.equal(found?.registration.secretHash, `hash ${winner}`)
      // An operator changed the client meanwhile.
      await clients.update(client.id, (at) => ({ ...at, name: 'By an operator' }))
      assert.equal(
        await registrations.replace(client, () => found?.client ?? client, found?.registration ?? registration, 'x'),
        false,
      )
      assert.equal((await registrations.find(registration.id))?.registration.secretHash, `hash ${winner}`)
    })

    it('are judged together with rules that change at the same time (claims and groups, section 3)', async (t) => {
      const { registrations, scopes, clients, claimRules } = await storageFor(t)
      for (const name of ['a', 'b', 'c']) await scopes.create(aScope(name, { claims: [], resources: [] }))
      const changeScope = (name: string, claims: Scope['claims']) =>
        claimRules.change((stored) => {
          const before = stored.scopes.find((one) => one.name === name)
          const after = before && { ...before, claims }
          if (before === undefined || after === undefined) return {}
          return scopeProblems(before, after, stored).length > 0 ? {} : { changes: [{ kind: 'scope', before, after }] }
        })
      const judged = (client: Client) => (rules: KnownRules) =>
        conflictsFor(client, rules).length === 0 ? client : undefined
      const rule = (from: string): Scope['claims'] => [{ claim: 'x', from, in: ['userinfo'], as: 'auto' }]
      let [stored, refused] = [0, 0]
      for (let round = 0; round < 6; round += 1) {
        await changeScope('a', rule('id'))
        const kept = aClient({ scopes: ['a'] })
        const registration = aClientRegistration({ clientId: kept.id })
        assert.equal(await registrations.register(judged(kept), registration, null, now), true)
        const added = Array.from({ length: 4 }, () => aClient({ scopes: ['a', 'b'] }))
        const [, changed, ...outcomes] = await Promise.all([
          changeScope('b', rule('username')),
          registrations.replace(kept, judged({ ...kept, scopes: ['a', 'b'] }), registration, 'next'),
          ...added.map((client) =>
            registrations.register(judged(client), aClientRegistration({ clientId: client.id }), null, now),
          ),
        ])
        const known = knownAmong({ attributes: new Map(), scopes: await scopes.list(), resources: new Map() })
        for (const client of await clients.list()) assert.deepEqual(conflictsFor(client, known), [])
        stored += [changed, ...outcomes].filter((one) => one).length
        refused += [changed, ...outcomes].filter((one) => !one).length
        for (const { id } of await clients.list()) await clients.delete(id)
        for (const name of ['a', 'b']) await changeScope(name, [])
      }
      assert.ok(stored + refused === 30)
      await changeScope('a', rule('id'))
      await changeScope('b', rule('username'))
      const late = aClient({ scopes: ['a', 'b'] })
      assert.equal(
        await registrations.register(judged(late), aClientRegistration({ clientId: late.id }), null, now),
        false,
      )
    })

    it('a deletion and a replacement at once do not both happen', async (t) => {
      const { registrations, clients } = await storageFor(t)
      const client = aClient()
      const registration = aClientRegistration({ clientId: client.id })
      await registrations.register(() => client, registration, null, now)
      const [replaced, deleted] = await Promise.all([
        registrations.replace(client, () => ({ ...client, name: 'Another' }), registration, 'other'),
        registrations.delete(registration),
      ])
      assert.notEqual(replaced, deleted)
      assert.equal((await clients.find(client.id)) === undefined, deleted)
      assert.equal((await registrations.find(registration.id)) === undefined, deleted)
    })

    it('deletes the client with its grants; a deleted client has no registration', async (t) => {
      const { registrations, clients, grants, users } = await storageFor(t)
      const [user, client] = [aUser(), aClient()]
      await users.create(user)
      const registration = aClientRegistration({ clientId: client.id })
      await registrations.register(() => client, registration, null, now)
      const grant = await redeemed(grants, aGrant(user, client))
      assert.equal(await registrations.delete({ ...registration, secretHash: 'other' }), false)
      assert.equal(await registrations.delete(registration, [anEvent({ clientId: client.id })]), true)
      assert.equal(await registrations.delete(registration), false)
      assert.equal(await clients.find(client.id), undefined)
      assert.equal((await grants.findForRefresh(grant.id, client.id)).grant, undefined)
      const other = aClient()
      const another = aClientRegistration({ clientId: other.id })
      await registrations.register(() => other, another, null, now)
      await clients.delete(other.id)
      assert.equal(await registrations.find(another.id), undefined)
    })

    it('deletes a client that nobody has consented to; what a user consents to meanwhile is in force no more', async (t) => {
      const { registrations, clients, grants, users, authorizations } = await storageFor(t)
      const [user, client] = [aUser(), aClient()]
      await users.create(user)
      const registration = aClientRegistration({ clientId: client.id, unusedUntilMs: now + 10 })
      await registrations.register(() => client, registration, null, now)
      const consent = anAuthorization(user, client)
      await authorizations.store(consent, [])
      const grant = aGrant(user, client, { authorizationId: consent.id })
      assert.equal(await grants.redeem(grant), true)
      assert.equal(await registrations.delete(registration), true)
      assert.equal(await clients.find(client.id), undefined)
      const facts = await grants.findForRefresh(grant.id, client.id)
      assert.deepEqual([facts.client, facts.authorizationStands], [undefined, false])
      assert.equal(await grants.redeem(aGrant(user, client, { authorizationId: consent.id })), false)
    })

    it('a client is in use once roles of it are described, included or given, whichever way (claims and groups, section 2)', async (t) => {
      const { registrations, clients, users, groups, roles, configuration, sweep } = await storageFor(t)
      const [person, group] = [aUser({ roles: [] }), aGroup({ roles: [] })]
      await users.create(person)
      await groups.change(() => ({ changes: [{ id: group.id, after: group }] }))
      const described = (name: string) => ({ name, description: null, createdAtMs: now })
      const ways: Readonly<Record<string, (role: string) => Promise<unknown>>> = {
        created: (role) => roles.create(described(role)),
        'in a file': (role) =>
          configuration.apply([{ kind: 'role', before: undefined, after: described(role) }], now, [], undefined),
        included: (role) =>
          roles.change(() => ({ changes: [{ ...described(`with-${role.length}`), includes: [role] }] })),
        'of a new person': (role) => users.create(aUser({ roles: ['plain', role] })),
        'of a person': (role) => users.update(person.id, (user) => ({ ...user, roles: [role] })),
        'of a group': (role) =>
          groups.change((known) => {
            const before = known.get(group.id) ?? group
            return { changes: [{ id: group.id, after: { ...before, roles: [role] } }] }
          }),
      }
      const register = async () => {
        const client = aClient()
        const registration = aClientRegistration({ clientId: client.id, unusedUntilMs: now + 10 })
        await registrations.register(() => client, registration, null, now)
        return registration
      }
      const unused = await register()
      for (const [way, give] of Object.entries(ways)) {
        const registration = await register()
        const role = `${registration.clientId}:editor`
        await give(role)
        await sweep(now + 10, 100)
        assert.ok((await clients.find(registration.clientId)) !== undefined, way)
        const refused = { name: 'ClientHasRoles', roles: [role] }
        await assert.rejects(registrations.delete(registration), refused, way)
        assert.equal(await registrations.delete(registration, [], { roles: [role], nowMs: now }), true, way)
        assert.deepEqual(await clients.rolesOf(registration.clientId), [], way)
      }
      assert.equal(await clients.find(unused.clientId), undefined)
    })

    it('the sweeper removes unused clients when their time is over, and keeps those that were used or that an operator made implicit', async (t) => {
      const { registrations, clients, sweep } = await storageFor(t)
      const register = async (unusedUntilMs: number | null) => {
        const client = aClient()
        await registrations.register(
          () => client,
          aClientRegistration({ clientId: client.id, unusedUntilMs }),
          null,
          now,
        )
        return client.id
      }
      const unused = await register(now + 10)
      const used = await register(now + 10)
      const trusted = await register(null)
      const released = await register(now + 10)
      const settle = (id: string, consent: 'implicit' | 'explicit') =>
        clients.update(id, (at) => ({ ...at, consent, metadata: { ...at.metadata, registration: 'open' } }))
      await settle(released, 'implicit')
      await settle(released, 'explicit')
      await settle(unused, 'explicit')
      await registrations.addToken(anInitialAccessToken({ expiresAtMs: now + 10 }))
      await registrations.keep(used)
      await registrations.keep(trusted)
      assert.equal(await sweep(now + 9, 100), 0)
      assert.equal(await sweep(now + 10, 100), 2)
      assert.equal(await clients.find(unused), undefined)
      for (const id of [used, trusted, released]) assert.ok((await clients.find(id)) !== undefined)
      assert.equal(await sweep(now + 10 ** 12, 100), 0)
    })
  })
}
