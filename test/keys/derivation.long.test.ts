/** Derivation secrets of refresh chains: a rotation of the keys reaches every chain that lives, and breaks none. */
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { openKeyRing } from '../../src/keys/ring.ts'
import { rotateKeys } from '../../src/keys/rotate.ts'
import type { Grant, RefreshChain } from '../../src/protocol/grant/grant.ts'
import { recogniseGeneration, refreshTokenOf, underActiveSecret } from '../../src/tokens/refresh.ts'
import { Browser, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { startService } from '../support/service.ts'

const day = 86_400

async function scene(t: TestContext) {
  const service = await startService({ Keys__MasterKey: Buffer.alloc(32, 9).toString('base64') })
  t.after(() => service.stop())
  const refresh = (token: string) => postToken(service, refreshFields(token))
  return {
    service,
    refresh,
    firstToken: async (): Promise<string> =>
      (await postToken(service, codeFields(await obtainCode(new Browser(service))))).body.refresh_token,
    /** Uses a token, and gives the next one. */
    next: async (token: string): Promise<string> => {
      const { status, body } = await refresh(token)
      assert.equal(status, 200, JSON.stringify(body))
      return body.refresh_token
    },
    /** As `keys rotate` does, until the new keys are used. */
    async rotateKeys() {
      const { storage, settings, now } = service
      await rotateKeys({ storage, settings, clock: now, random: randomBytes })
      service.advance(301)
      await service.keys.refresh(0)
    },
    async grantOf(token: string): Promise<Grant & { refresh: RefreshChain }> {
      const { grant } = await service.storage.grants.findForRefresh(token.split('.')[0] ?? '', 'demo')
      assert.ok(grant?.refresh)
      return { ...grant, refresh: grant.refresh }
    },
    secrets: async () => (await service.storage.keys.list()).filter(({ use }) => use === 'refresh').map(({ id }) => id),
  }
}

async function assertRefused(answer: ReturnType<typeof postToken>, id: string): Promise<void> {
  const { status, body } = await answer
  assert.equal(status, 400)
  assert.ok(body.error_uri.endsWith(`#${id}`), body.error_uri)
}

describe('a rotation of the keys (latchkey keys rotate)', () => {
  it('moves a living chain to the new derivation secret when it rotates next, and the old one goes when none is left', async (t) => {
    const { service, firstToken, next, rotateKeys, grantOf, secrets } = await scene(t)
    const [used, resting] = [await firstToken(), await firstToken()]
    const [old = ''] = await secrets()
    await rotateKeys()
    const [, current] = await secrets()
    const sweep = () => service.storage.sweep(service.now(), 500, 15 * day * 1000)
    assert.equal((await grantOf(used)).refresh.derivationKeyId, old)
    const moved = await next(used)
    assert.equal((await grantOf(used)).refresh.derivationKeyId, current)
    service.advance(13 * day)
    await sweep()
    assert.deepEqual(await secrets(), [old, current], 'a chain hangs on it')
    const last = await next(await next(moved))
    await next(resting)
    await sweep()
    assert.deepEqual(await secrets(), [old, current], 'a token that was made with it may still be sent')
    service.advance(3 * day)
    await sweep()
    assert.deepEqual(await secrets(), [current])
    await service.keys.refresh(0)
    await next(last)
  })

  it('leaves a lost answer its successor, and a theft its alarm', async (t) => {
    const { service, refresh, firstToken, next, rotateKeys } = await scene(t)
    const before = await next(await firstToken())
    await rotateKeys()
    const successor = await next(before)
    service.advance(29)
    assert.equal(await next(before), successor, 'a retry of a token that the old secret made')
    const last = await next(await next(successor))
    await rotateKeys()
    const newest = await next(last)
    await rotateKeys()
    await assertRefused(refresh(before), 'ID2012')
    await assertRefused(refresh(newest), 'ID2018')
  })

  it('takes from a secret that got out what it could make: no live token, and none to come', async (t) => {
    const { service, refresh, firstToken, next, rotateKeys, grantOf, secrets } = await scene(t)
    const first = await firstToken()
    const [leaked = ''] = await secrets()
    const bytes = service.keys.secretById('refresh', leaked)?.bytes ?? new Uint8Array()
    await rotateKeys()
    const live = await next(await next(first))
    const { id, refresh: chain } = await grantOf(live)
    for (let generation = chain.generation - 1; generation < chain.generation + 5; generation += 1) {
      const message = `latchkey refresh token v1\n${id}\n${generation}\n${chain.salt}`
      const secret = createHmac('sha256', bytes).update(message).digest('base64url')
      await assertRefused(refresh(`${id}.${generation}.${secret}`), 'ID2003')
    }
    await next(live)
  })

  it('is not undone by a machine whose clock is behind', async (t) => {
    const { service, firstToken, next, rotateKeys, grantOf } = await scene(t)
    const token = await firstToken()
    await rotateKeys()
    const live = await next(token)
    const { storage, settings } = service
    const behind = await openKeyRing({ storage, settings, clock: () => service.now() - 200_000, random: randomBytes })
    const grant = await grantOf(live)
    assert.notEqual(behind.secret('refresh').id, grant.refresh.derivationKeyId)
    const after = { ...grant.refresh, generation: grant.refresh.generation + 1 }
    assert.deepEqual(underActiveSecret(after, behind), after)
    assert.equal(refreshTokenOf({ ...grant, refresh: after }, behind), await next(live))
  })

  it('is known to a chain that was put back to an earlier state', async (t) => {
    const { service, firstToken, next, rotateKeys, grantOf } = await scene(t)
    const token = await next(await firstToken())
    const stored = await grantOf(token)
    await rotateKeys()
    const live = await next(await next(token))
    const [, generation = '', secret = ''] = live.split('.')
    const presented = { grantId: stored.id, generation: Number.parseInt(generation, 36), secret }
    assert.equal(recogniseGeneration(presented, stored, service.keys), 3)
    const invented = { ...presented, generation: 4 }
    assert.equal(recogniseGeneration(invented, stored, service.keys), undefined)
  })
})
