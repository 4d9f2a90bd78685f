import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Client, consoleClientId } from '../../src/protocol/client/client.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import type { RefreshChain } from '../../src/protocol/grant/grant.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { SessionSpan } from '../../src/users/session.ts'
import { userAndClient, userWithGrant } from './contract-clients.ts'
import {
  aChain,
  aClient,
  aGrant,
  anAuthorization,
  anEvent,
  aSession,
  asExchanging,
  asIntrospected,
  asRequesting,
  atOnce,
  consented,
  countOf,
  created,
  nextId,
  now,
  redeemed,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

const end = now + 2_000_000_000

export function grantContract(storageFor: StorageFor): void {
  describe('redeeming a code', () => {
    it('gives back every field of a grant, with and without a refresh chain', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const consent = await consented(storage.authorizations, anAuthorization(user, client))
      const bare = { refresh: null, nonce: null, scopes: [], resources: [], sessionId: null, methods: ['[', 'otp'] }
      for (const grant of [
        aGrant(user, client, { authorizationId: consent.id }),
        aGrant(user, client, { ...bare, revokedAtMs: now + 9 }),
      ]) {
        assert.equal(await storage.grants.redeem(grant), true)
        const facts = await storage.grants.findForRefresh(grant.id, client.id)
        assert.deepEqual(facts, {
          client: asRequesting(client),
          user: asExchanging(user),
          grant,
          authorizationStands: true,
          catalogueVersion: await versionIn(storage),
        })
      }
    })

    it('reads all that an exchange is decided on, before and after the redemption', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const consent = await consented(storage.authorizations, anAuthorization(user, client))
      const grant = aGrant(user, client, { authorizationId: consent.id })
      const query = { grantId: grant.id, clientId: client.id, userId: user.id, authorizationId: consent.id }
      const find = storage.grants.findForExchange
      const parties = { client: asRequesting(client), user: asExchanging(user) }
      assert.deepEqual(await find(query), {
        ...parties,
        grant: undefined,
        authorizationStands: true,
        catalogueVersion: await versionIn(storage),
      })
      await storage.grants.redeem(grant)
      assert.deepEqual(await find(query), {
        ...parties,
        grant,
        authorizationStands: true,
        catalogueVersion: await versionIn(storage),
      })
      assert.deepEqual(await find({ ...query, userId: 'x', clientId: 'x' }), {
        client: undefined,
        user: undefined,
        grant,
        authorizationStands: true,
        catalogueVersion: await versionIn(storage),
      })
      assert.equal((await find({ ...query, authorizationId: null })).authorizationStands, true)
      assert.equal((await find({ ...query, authorizationId: nextId() })).authorizationStands, false)
    })

    it('lets exactly one of 20 simultaneous redemptions win (RFC 6749 §4.1.2)', async (t) => {
      const { grants, ...storage } = await storageFor(t)
      const { user, client } = await userAndClient({ grants, ...storage })
      const tries = Array.from({ length: 20 }, () => aGrant(user, client, { id: 'the-code' }))
      const won = await Promise.all(tries.map((grant) => grants.redeem(grant)))
      assert.equal(countOf(won, true), 1)
      const { grant } = await grants.findForRefresh('the-code', client.id)
      assert.deepEqual(grant, tries[won.indexOf(true)])
      assert.equal(await grants.redeem(aGrant(user, client, { id: 'the-code' })), false)
    })

    it('refuses when user, client or consent has gone meanwhile', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const consent = await consented(storage.authorizations, anAuthorization(user, client))
      const resting = aGrant(user, client, { authorizationId: consent.id })
      await storage.authorizations.revoke(consent.id)
      const stray = { id: 'gone' }
      for (const grant of [
        resting,
        aGrant(user, client, { userId: stray.id }),
        aGrant(user, client, { clientId: stray.id }),
      ]) {
        assert.equal(await storage.grants.redeem(grant), false)
        assert.equal((await storage.grants.findForRefresh(grant.id, client.id)).grant, undefined)
      }
    })

    it('tells the client that asks apart from the client of the grant', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const other = await created(storage.clients, aClient())
      const grant = await redeemed(storage.grants, aGrant(user, client))
      const facts = await storage.grants.findForRefresh(grant.id, other.id)
      assert.deepEqual(facts, {
        client: asRequesting(other),
        user: asExchanging(user),
        grant,
        authorizationStands: true,
        catalogueVersion: await versionIn(storage),
      })
      const unknown = await storage.grants.findForRefresh('unknown', other.id)
      assert.deepEqual(unknown, {
        client: asRequesting(other),
        user: undefined,
        grant: undefined,
        authorizationStands: true,
        catalogueVersion: await versionIn(storage),
      })
    })
  })

  describe('rotating a refresh chain', () => {
    it('moves the chain and the end of the grant on', async (t) => {
      const { storage, client, grant } = await userWithGrant(await storageFor(t))
      const next = aChain(7, { derivationKeyId: 'derivation-2', derivedFrom: 7, rotatedAtMs: [now + 30, now + 20] })
      assert.equal(await storage.grants.rotate(grant.id, aChain(0), next, end), true)
      const facts = await storage.grants.findForRefresh(grant.id, client.id)
      assert.deepEqual(facts.grant, { ...grant, refresh: next, expiresAtMs: end })
    })

    it('refuses another generation, an unknown grant and a grant without a chain', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const grant = aGrant(user, client)
      const without = aGrant(user, client, { refresh: null })
      await storage.grants.redeem(grant)
      await storage.grants.redeem(without)
      assert.equal(await storage.grants.rotate(grant.id, aChain(1), aChain(2), end), false)
      assert.equal(await storage.grants.rotate('unknown', aChain(0), aChain(1), end), false)
      assert.equal(await storage.grants.rotate(without.id, aChain(0), aChain(1), end), false)
      assert.deepEqual((await storage.grants.findForRefresh(grant.id, client.id)).grant, grant)
      assert.deepEqual((await storage.grants.findForRefresh(without.id, client.id)).grant, without)
    })

    it('lets exactly one of 20 simultaneous rotations of a generation win (RFC 9700 §4.14.2)', async (t) => {
      const { storage, client, grant } = await userWithGrant(await storageFor(t))
      const next = Array.from({ length: 20 }, () => aChain(1))
      const won = await Promise.all(next.map((chain) => storage.grants.rotate(grant.id, aChain(0), chain, end)))
      assert.equal(countOf(won, true), 1)
      const facts = await storage.grants.findForRefresh(grant.id, client.id)
      assert.deepEqual(facts.grant?.refresh, next[won.indexOf(true)])
    })

    it('moves the end of a chain that is not rotated once, and of one that was not revoked only', async (t) => {
      const { storage, client, grant } = await userWithGrant(await storageFor(t))
      const next = { ...(grant.refresh as RefreshChain), expiresAtMs: now + 2_000_000_000 }
      const won = await Promise.all(
        [1, 2].map(() => storage.grants.rotate(grant.id, aChain(0), next, now + 2_000_000_001)),
      )
      assert.equal(countOf(won, true), 1)
      const found = (await storage.grants.findForRefresh(grant.id, client.id)).grant
      assert.deepEqual([found?.refresh, found?.expiresAtMs], [next, now + 2_000_000_001])
      assert.equal(await storage.grants.rotate(grant.id, next, next, now + 2_000_000_002), true)
      await storage.grants.revoke(grant.id, now)
      assert.equal(await storage.grants.rotate(grant.id, next, next, now + 2_000_000_003), false)
    })

    it('refuses a rotation, or another end, that was decided before the session of the grant ended', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const session = aSession(user)
      await storage.users.recordSignIn({ user }, () => ({ outcome: 'in', session }))
      const grant = await redeemed(storage.grants, aGrant(user, client, { sessionId: session.id, scopes: ['openid'] }))
      const read = (await storage.grants.findForRefresh(grant.id, client.id)).grant?.refresh as RefreshChain
      const event = anEvent()
      await storage.sessions.end(session, [event], { isSignOut: true })
      for (const next of [aChain(1), { ...read, expiresAtMs: end }]) {
        assert.equal(await storage.grants.rotate(grant.id, read, next, end, [anEvent()]), false)
      }
      const { refresh } = (await storage.grants.findForRefresh(grant.id, client.id)).grant ?? {}
      assert.deepEqual(refresh, { ...read, expiresAtMs: event.atMs })
    })

    it('rotates many chains at once, each under its own id', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const grants = Array.from({ length: 40 }, () => aGrant(user, client))
      assert.equal(countOf(await Promise.all(grants.map((grant) => storage.grants.redeem(grant))), true), 40)
      const chains = grants.map(() => aChain(1))
      await atOnce(40, (at) => storage.grants.rotate(grants[at]?.id as string, aChain(0), chains[at] as never, end))
      for (const [at, grant] of grants.entries()) {
        const facts = await storage.grants.findForRefresh(grant.id, client.id)
        assert.deepEqual(facts.grant?.refresh, chains[at])
      }
    })

    it('refuses a rotation that arrives after the revocation, for good', async (t) => {
      const { storage, client, grant } = await userWithGrant(await storageFor(t))
      await storage.grants.revoke(grant.id, now + 5)
      assert.equal(await storage.grants.rotate(grant.id, aChain(0), aChain(1), end), false)
      await storage.grants.revoke(grant.id, now + 6)
      const facts = await storage.grants.findForRefresh(grant.id, client.id)
      assert.deepEqual(facts.grant, { ...grant, revokedAtMs: now + 5 })
    })

    it('leaves a chain dead when revocation and rotations arrive together', async (t) => {
      const { storage, client, grant } = await userWithGrant(await storageFor(t))
      const rotate = () => storage.grants.rotate(grant.id, aChain(0), aChain(1), end)
      const [, ...won] = await Promise.all([storage.grants.revoke(grant.id, now), ...Array.from({ length: 9 }, rotate)])
      assert.ok(countOf(won, true) <= 1)
      const facts = await storage.grants.findForRefresh(grant.id, client.id)
      assert.equal(facts.grant?.revokedAtMs, now)
      const generation = facts.grant?.refresh?.generation as number
      assert.equal(await storage.grants.rotate(grant.id, aChain(generation), aChain(generation + 1), end), false)
    })

    it('ends the grants that rest on a revoked consent, also when the same is consented to again', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const consent = await consented(storage.authorizations, anAuthorization(user, client))
      const grant = await redeemed(storage.grants, aGrant(user, client, { authorizationId: consent.id }))
      await storage.authorizations.revoke(consent.id)
      await storage.authorizations.store(anAuthorization(user, client))
      const facts = await storage.grants.findForRefresh(grant.id, client.id)
      assert.equal(facts.authorizationStands, false)
      assert.equal(await storage.grants.rotate(grant.id, aChain(0), aChain(1), end), false)
      assert.equal(await storage.accessTokens.isRevoked('jti', grant.id), true)
    })

    it('does nothing when an unknown grant is revoked', async (t) => {
      const { storage, client } = await userAndClient(await storageFor(t))
      await storage.grants.revoke('unknown', now)
      assert.equal((await storage.grants.findForRefresh('unknown', client.id)).grant, undefined)
    })
  })

  describe('revoked access tokens', () => {
    it('remembers a revoked token, and that tokens end with their grant (RFC 7009 §2.1)', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const [one, other] = [aGrant(user, client), aGrant(user, client)]
      await storage.grants.redeem(one)
      await storage.grants.redeem(other)
      const isRevoked = storage.accessTokens.isRevoked
      assert.equal(await isRevoked('a', one.id), false)
      await storage.accessTokens.revoke('a', now + 1)
      await storage.accessTokens.revoke('a', now + 1)
      assert.equal(await isRevoked('a', one.id), true)
      assert.equal(await isRevoked('b', one.id), false)
      await storage.grants.revoke(one.id, now)
      assert.equal(await isRevoked('b', one.id), true)
      assert.equal(await isRevoked('b', other.id), false)
      assert.equal(await isRevoked('b', 'unknown'), true)
    })

    it('reads what an introspection needs, also about what does not exist', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const asking = await created(storage.clients, aClient({ id: 'api' }))
      const grant = await redeemed(storage.grants, aGrant(user, client))
      const find = (change: Record<string, string> = {}) =>
        storage.accessTokens.findForIntrospection({
          askingClientId: 'api',
          tokenClientId: client.id,
          grantId: grant.id,
          jti: 'a',
          ...change,
        })
      const { authorizationStands, isRevoked, tokenClientSinceMs, ...facts } = await find()
      const of = { catalogueVersion: await versionIn(storage), tokenClientMetadata: client.metadata }
      const known = { client: asRequesting(asking), user: asExchanging(user), grant: asIntrospected(grant), ...of }
      assert.deepEqual(facts, known)
      assert.deepEqual([authorizationStands, isRevoked, tokenClientSinceMs], [true, false, client.createdAtMs])
      await storage.accessTokens.revoke('a', now + 1)
      assert.equal((await find()).isRevoked, true)
      assert.equal((await find({ jti: 'b' })).isRevoked, false)
      // No database text has NUL, which a client id in a header may have.
      assert.equal((await find({ askingClientId: 'x\0' })).client, undefined)
      assert.deepEqual(await find({ askingClientId: 'x', tokenClientId: '', grantId: '', jti: '' }), {
        client: undefined,
        user: undefined,
        grant: undefined,
        authorizationStands: true,
        catalogueVersion: await versionIn(storage),
        isRevoked: false,
        tokenClientSinceMs: undefined,
        tokenClientMetadata: defaultClientMetadata,
      })
    })

    it('remembers a revoked token of a client, and that tokens end with their client', async (t) => {
      const { storage, client } = await userAndClient(await storageFor(t))
      const isRevoked = (jti: string, issuedBeforeMs = client.createdAtMs + 1): Promise<boolean> =>
        storage.accessTokens.isClientTokenRevoked(['before', jti], client.id, issuedBeforeMs)
      assert.equal(await isRevoked('a'), false)
      assert.equal(await isRevoked('a', client.createdAtMs), true)
      await storage.accessTokens.revoke('a', now + 1)
      assert.equal(await isRevoked('a'), true)
      assert.equal(await isRevoked('b'), false)
      await storage.clients.delete(client.id)
      assert.equal(await isRevoked('b'), true)
    })

    it('finds the user and the grant of a token that is not revoked, as they are now', async (t) => {
      const { storage, user, client, grant } = await userWithGrant(await storageFor(t))
      const { authenticatedAtMs, methods, createdAtMs: grantedAtMs } = grant
      const { findHolder } = storage.accessTokens
      const { claims } = grant
      const { metadata } = client
      const of = { grantClientId: client.id, sessionId: grant.sessionId, session: undefined }
      const holder = {
        user: asExchanging(user),
        authenticatedAtMs,
        methods,
        grantedAtMs,
        ...of,
        claims,
        metadata,
        catalogueVersion: await versionIn(storage),
      }
      assert.deepEqual(await findHolder('a', grant.id), holder)
      await storage.accessTokens.revoke('a', now + 1)
      assert.equal(await findHolder('a', grant.id), undefined)
      assert.equal((await findHolder('b', grant.id))?.user.id, user.id)
      await storage.grants.revoke(grant.id, now)
      assert.equal(await findHolder('b', grant.id), undefined)
      assert.equal(await findHolder('b', 'unknown'), undefined)
    })

    it('come with the session that they end with, while it lasts: those of the console alone', async (t) => {
      const storage = await storageFor(t)
      const console = await created(storage.clients, aClient({ id: consoleClientId }))
      const { user, client: other } = await userAndClient(storage)
      const open = async (client: Client, createdAtMs = now + 10) => {
        const session = aSession(user, { createdAtMs })
        await storage.users.recordSignIn({ user }, () => ({ outcome: 'in', session }))
        const grant = aGrant(user, client, { sessionId: session.id, authorizationId: null })
        assert.equal(await storage.grants.redeem(grant), true)
        const read = async () => {
          const asked = { askingClientId: other.id, tokenClientId: client.id, grantId: grant.id, jti: 'a' }
          const facts = [
            await storage.accessTokens.findHolder('a', grant.id),
            await storage.grants.findForRefresh(grant.id, client.id),
            await storage.accessTokens.findForIntrospection(asked),
          ]
          return facts.map((one) => one?.session)
        }
        return { session, read }
      }
      const [first, second, third] = [await open(console), await open(console), await open(other)]
      // The sessions of the person ended when this one began.
      const late = await open(console, user.sessionsEndedAtMs ?? 0)
      const { createdAtMs, expiresAtMs } = first.session
      const three = (span: SessionSpan | undefined) => [span, span, span]
      assert.deepEqual(await first.read(), three({ createdAtMs, expiresAtMs }))
      assert.deepEqual(await third.read(), three(undefined))
      await storage.sessions.delete(first.session)
      assert.deepEqual(await first.read(), three(undefined))
      assert.deepEqual(await second.read(), three({ createdAtMs, expiresAtMs }))
      assert.deepEqual(await late.read(), three(undefined))
    })
  })
}

/** Of the catalogue, which each new client raises. */
async function versionIn({ catalogue }: Storage): Promise<number> {
  return (await catalogue.now()).version
}
