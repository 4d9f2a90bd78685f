/** `latchkey authorizations …`: stored consents (connections, section 5). */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { aUser } from '../storage/records.ts'
import { workplace } from './run.ts'

async function place(t: TestContext) {
  const at = workplace(t)
  await at.withStorage(async (storage) => {
    await storage.users.create(aUser({ name: 'alice', roles: [] }))
  })
  await at.json('scope add orders')
  await at.json('client add shop --redirect-uri https://shop.example/cb --scope orders --consent external')
  return at
}

describe('latchkey authorizations', () => {
  it('stores a consent, which list shows and revoke ends', async (t) => {
    const at = await place(t)
    const stored = (await at.json('authorizations add --user alice --client shop --scope orders --scope openid')) as {
      id: string
    }
    assert.partialDeepStrictEqual(stored, { client_id: 'shop', scopes: ['openid', 'orders'], by_operator: true })
    const again = await at.json('authorizations add --user alice --client shop --scope openid --scope orders')
    assert.deepEqual(again, stored, 'the same scopes are one consent')
    assert.deepEqual(await at.json('authorizations list --user alice'), [stored])
    const { stdout } = await at.run('authorizations list --user alice')
    assert.match(stdout, /shop +openid orders .* operator/)
    await at.json(`authorizations revoke ${stored.id}`)
    assert.deepEqual(await at.json('authorizations list --user alice'), [])
    const { events } = await at.withStorage(async ({ audit }) => ({
      events: await audit.list({ clientId: 'shop' }, undefined, 10),
    }))
    assert.ok(events.some(({ kind, details }) => kind === 'consent_given' && details.id === stored.id))
  })

  it('names what cannot be stored', async (t) => {
    const at = await place(t)
    await at.refuses('authorizations add --user bob --client shop --scope openid', /no user called bob/)
    await at.refuses('authorizations add --user alice --client web --scope openid', /web/)
    await at.refuses(
      'authorizations add --user alice --client shop --scope email',
      /The client shop may not request the scope email\. Permit it first: latchkey client set shop scope\+=email/,
    )
    assert.deepEqual(await at.json('authorizations list --user alice'), [])
  })
})
