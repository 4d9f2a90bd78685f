/** Deletions of clients, scopes and roles: what holds from their commit on, before their rows are done, and how the rows follow. */
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import type { Adapter } from '../../src/storage/engine.ts'
import type { Totals } from '../../src/storage/port/statistics.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { beginsWithinMs } from '../../src/storage/sql/removals.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { postgresServer } from '../support/postgres.ts'
import { openInMemory } from '../support/sqlite.ts'
import { valuesOf } from '../support/values.ts'
import {
  aChain,
  aClient,
  aGrant,
  anAuthorization,
  aScope,
  aSession,
  aUser,
  consented,
  now,
  redeemed,
} from './records.ts'

const server = await postgresServer()
after(() => server.stop())

/** Of a slow database. */
const commitMs = 150

/** A storage whose process ends after a number of commits, and one that goes on with what it left behind. */
async function scene(t: TestContext, adapter: Adapter) {
  let commitsLeft = Number.POSITIVE_INFINITY
  /** Rows changed by each commit of the second storage. */
  const sizes: number[] = []
  const dying: Adapter['engine'] = {
    ...adapter.engine,
    async commit(...given) {
      commitsLeft -= 1
      if (commitsLeft < 0) throw new StorageUnavailable('The process was killed.')
      return adapter.engine.commit(...given)
    },
  }
  const measured: Adapter['engine'] = {
    ...adapter.engine,
    async commit(...given) {
      const committed = await adapter.engine.commit(...given)
      sizes.push(Math.max(0, ...committed.changes))
      return committed
    },
  }
  let elapsedMs = 0
  let commits = 0
  const slow: Adapter['engine'] = {
    ...adapter.engine,
    async commit(...given) {
      commits += 1
      elapsedMs += commitMs
      return adapter.engine.commit(...given)
    },
  }
  const first = sqlStorage({ ...adapter, engine: dying })
  const third = sqlStorage({ ...adapter, engine: slow }, { monotonic: () => elapsedMs })
  const second = sqlStorage({ ...adapter, engine: measured })
  t.after(() => second.close())
  return {
    storage: second,
    sizes,
    /** Runs a verb in a process that is killed after its first commit. */
    async interrupted<T>(verb: (storage: Storage) => Promise<T>): Promise<T> {
      commitsLeft = 1
      return verb(first)
    },
    /** Runs a verb on a database of which each commit takes a while. Returns how many there were. */
    async slowly(verb: (storage: Storage) => Promise<boolean>): Promise<number> {
      commits = 0
      assert.equal(await verb(third), true)
      return commits
    },
  }
}

/** A few at once: of thousands, the last would wait for a connection for longer than a request may. */
async function redeemAll(storage: Storage, grants: readonly ReturnType<typeof aGrant>[]): Promise<void> {
  for (let at = 0; at < grants.length; at += 50) {
    await Promise.all(grants.slice(at, at + 50).map((grant) => storage.grants.redeem(grant)))
  }
}

/** What is there: until a first count has ended, an answer says how far it came. */
async function exactTotals(storage: Storage): Promise<Totals> {
  for (;;) {
    const totals = await storage.statistics.totals(now)
    if (totals.isExact) return totals
  }
}

const engines = {
  SQLite: openInMemory,
  PostgreSQL: async () => openPostgres(await server.createDatabase(), { connections: 4 }),
} as const

for (const [name, open] of Object.entries(engines)) {
  describe(`deletions on ${name}`, () => {
    it('leave a client nothing from their commit on, whatever becomes of its rows', async (t) => {
      const { storage, interrupted } = await scene(t, await open())
      const [user, client, api] = [aUser(), aClient({ id: 'shop' }), aClient({ id: 'api' })]
      await storage.users.create(user)
      for (const one of [client, api]) await storage.clients.create(one)
      const consent = await consented(storage.authorizations, anAuthorization(user, client))
      const session = aSession(user)
      await storage.users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session }))
      const grant = aGrant(user, client, {
        authorizationId: consent.id,
        refresh: aChain(0),
        sessionId: session.id,
      })
      assert.equal(await storage.grants.redeem(grant, [], undefined, [], session.id), true)
      const read = { grantId: grant.id, clientId: client.id, userId: user.id, authorizationId: null }
      assert.equal((await storage.grants.findForRefresh(grant.id, client.id)).client?.id, client.id)

      assert.equal(await interrupted((dying) => dying.clients.delete(client.id)), true)

      assert.equal(await storage.clients.find(client.id), undefined)
      assert.deepEqual(valuesOf(await storage.clients.list(), 'id'), ['api'])
      assert.deepEqual(await storage.clients.page('', { text: 'shop' }), [])
      assert.equal((await exactTotals(storage)).clients, 1)
      assert.equal((await storage.grants.findForExchange(read)).client, undefined)
      assert.equal((await storage.grants.findForRefresh(grant.id, client.id)).client, undefined)
      assert.equal(await storage.grants.rotate(grant.id, aChain(0), aChain(1), grant.expiresAtMs), false)
      assert.equal(await storage.grants.redeem(aGrant(user, client)), false)
      assert.equal(await storage.authorizations.store(anAuthorization(user, client, { scopes: ['a'] })), 'gone')
      assert.equal(await storage.accessTokens.isRevoked('j', grant.id), true)
      assert.equal(await storage.accessTokens.isClientTokenRevoked(['j'], client.id, client.createdAtMs + 1), true)
      assert.equal(await storage.accessTokens.findHolder('j', grant.id), undefined)
      const asked = { askingClientId: api.id, tokenClientId: client.id, grantId: grant.id, jti: 'j' }
      const introspected = await storage.accessTokens.findForIntrospection(asked)
      assert.deepEqual([introspected.grant, introspected.tokenClientSinceMs], [undefined, undefined])
      assert.deepEqual(await storage.authorizations.list(user.id), [])
      assert.deepEqual(await storage.applications.list(user, now), [])
      assert.deepEqual((await storage.accessPages.grants({ userId: undefined, after: '' })).rows, [])
      assert.deepEqual((await storage.accessPages.authorizations({ userId: undefined, after: '' })).rows, [])
      assert.equal(await storage.accessPages.findGrant(grant.id), undefined)
      assert.deepEqual((await storage.sessions.findToEnd(session.id))?.clients, [])
      assert.equal(await storage.clients.delete(client.id), false)
      assert.equal(await storage.clients.update(client.id, (one) => one), undefined)

      // Its id would give a new client what it had.
      assert.equal(await storage.clients.create(client), false)
      assert.deepEqual(await storage.removals.list(), [{ kind: 'client', name: client.id }])
      assert.equal(await storage.removals.goOn(() => true), true)
      assert.deepEqual(await storage.removals.list(), [])
      assert.equal(await storage.clients.create(client), true)
      const facts = await storage.grants.findForRefresh(grant.id, client.id)
      assert.deepEqual([facts.client?.id, facts.grant], [client.id, undefined])
      assert.deepEqual(await storage.clients.dependents(client.id, now), { consents: 0, grants: 0 })
      assert.deepEqual((await storage.sessions.findToEnd(session.id))?.clients, [])
    })

    it('take a scope from tokens and consents from their commit on, and leave similar names', async (t) => {
      const { storage, interrupted } = await scene(t, await open())
      const scopes = ['orders', 'orders2', 'Orders', 'openid']
      const [user, client, scope] = [aUser(), aClient({ scopes }), aScope('orders')]
      await storage.users.create(user)
      await storage.clients.create(client)
      await storage.scopes.create(scope)
      const grant = await redeemed(storage.grants, aGrant(user, client, { scopes, refresh: aChain(0) }))
      const consent = anAuthorization(user, client, { scopes: [...scopes].sort() })
      await storage.authorizations.store(consent)
      const left = scopes.slice(1)
      const listed = async () => [
        (await storage.clients.find(client.id))?.scopes,
        (await storage.grants.findForRefresh(grant.id, client.id)).grant?.scopes,
        (
          await storage.accessTokens.findForIntrospection({
            askingClientId: client.id,
            tokenClientId: client.id,
            grantId: grant.id,
            jti: 'j',
          })
        ).grant?.scopes,
        (await storage.accessPages.findGrant(grant.id))?.grant.scopes,
      ]

      assert.equal(await interrupted((dying) => dying.scopes.deleteEverywhere(scope)), true)
      for (const found of await listed()) assert.deepEqual(found, left)
      const [application] = await storage.applications.list(user, now)
      assert.deepEqual(application?.scopes, [...left].sort())
      assert.deepEqual((await storage.authorizations.list(user.id))[0]?.scopes, [...left].sort())
      // Rotation leaves the list alone.
      assert.equal(await storage.grants.rotate(grant.id, aChain(0), aChain(1), grant.expiresAtMs), true)
      for (const found of await listed()) assert.deepEqual(found, left)

      assert.equal(await storage.scopes.create(scope), false)
      const withScope = () =>
        storage.claimRules.addClients(
          () => [aClient({ id: 'new' })],
          () => [],
          [scope],
        )
      await assert.rejects(withScope(), { name: 'ScopeBeingDeleted', scope: scope.name })
      assert.equal(await storage.clients.find('new'), undefined)
      assert.equal(await storage.removals.goOn(() => true), true)
      assert.equal(await storage.scopes.create(scope), true)
      for (const found of await listed()) assert.deepEqual(found, left)
      assert.deepEqual((await storage.authorizations.list(user.id))[0]?.scopes, [...left].sort())
    })

    it('take a role from everybody from their commit on', async (t) => {
      const { storage, interrupted } = await scene(t, await open())
      const roles = ['editor', 'editors', 'reader']
      const [user, client] = [aUser({ roles }), aClient()]
      await storage.users.create(user)
      await storage.clients.create(client)
      const grant = await redeemed(storage.grants, aGrant(user, client, { refresh: aChain(0) }))
      const role = { name: 'editor', description: null, createdAtMs: now }
      await storage.roles.create(role)
      const left = ['editors', 'reader']

      assert.equal(await interrupted((dying) => dying.roles.deleteEverywhere('editor', now)), true)
      assert.deepEqual((await storage.users.find(user.id))?.roles, left)
      assert.deepEqual((await storage.grants.findForRefresh(grant.id, client.id)).user?.roles, left)
      assert.equal(await storage.userSearch.isHeld('editor'), false)
      assert.ok(!(await storage.userSearch.heldRoles()).includes('editor'))
      assert.equal(await storage.roles.create(role), false)

      assert.equal(await storage.removals.goOn(() => true), true)
      assert.equal(await storage.roles.create(role), true)
      assert.deepEqual((await storage.users.find(user.id))?.roles, left)
      assert.equal(await storage.userSearch.isHeld('editor'), false)
    })

    it('go on in small commits, from where they were interrupted', async (t) => {
      const { storage, interrupted, sizes } = await scene(t, await open())
      const [user, client, scope] = [aUser(), aClient({ scopes: ['orders'] }), aScope('orders')]
      await storage.users.create(user)
      await storage.clients.create(client)
      await storage.scopes.create(scope)
      const grants = Array.from({ length: 2300 }, () => aGrant(user, client, { scopes: ['orders', 'openid'] }))
      await redeemAll(storage, grants)

      for (const verb of [
        (dying: Storage) => dying.scopes.deleteEverywhere(scope),
        (dying: Storage) => dying.clients.delete(client.id),
      ]) {
        await interrupted(verb)
        sizes.length = 0
        for (let runs = 0; runs < 20; runs += 1) {
          let may = true
          // One commit a run.
          const isDone = await storage.removals.goOn(() => {
            const before = may
            may = false
            return before
          })
          assert.equal(isDone, (await storage.removals.list()).length === 0)
          if (isDone) break
        }
        assert.deepEqual(await storage.removals.list(), [])
        assert.ok(Math.max(...sizes) <= 1000, `${sizes}`)
        assert.ok(sizes.filter((rows) => rows > 200).length === 3, `${sizes}`)
      }
      assert.equal((await exactTotals(storage)).grants, 0)
    })

    it('are acknowledged after a bounded time, however slow commits are and however many one commit deletes', async (t) => {
      const { storage, slowly } = await scene(t, await open())
      const scopes = Array.from({ length: 5 }, (_, at) => aScope(`scope${at}`))
      const [user, client] = [aUser(), aClient({ scopes: scopes.map((one) => one.name) })]
      await storage.users.create(user)
      await storage.clients.create(client)
      for (const scope of scopes) await storage.scopes.create(scope)
      const [orders, ...others] = scopes
      if (orders === undefined) assert.fail()
      const grants = Array.from({ length: 2300 }, () => aGrant(user, client, { scopes: [orders.name, 'openid'] }))
      await redeemAll(storage, grants)

      // The deletion itself, and what begins within the time for the rest.
      const atMost = 1 + Math.ceil(beginsWithinMs / commitMs)
      assert.equal(await slowly((slow) => slow.scopes.deleteEverywhere(orders)), atMost)
      const deletion = others.map((before) => ({ kind: 'scope', before, after: undefined }) as const)
      assert.equal(await slowly((slow) => slow.configuration.apply(deletion, now, [])), atMost)
      assert.equal(await slowly((slow) => slow.clients.delete(client.id)), atMost)

      const left = (await storage.removals.list()).map((one) => one.name)
      assert.ok(left.includes(orders.name) && left.includes('scope4') && left.includes(client.id), `${left}`)
      assert.equal(await storage.removals.goOn(() => true), true)
      assert.deepEqual(await storage.removals.list(), [])
      assert.equal((await exactTotals(storage)).grants, 0)
    })
  })
}
