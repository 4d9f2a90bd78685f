/** `/users/{id}/authenticator-apps`: who may take an app away from whom, and that each is taken away once. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { appId } from '../../src/secrets/app-id.ts'
import { appsOf } from '../../src/users/second-factor.ts'
import type { User } from '../../src/users/user.ts'
import { someFactors } from '../storage/records.ts'
import { adminProgram } from '../support/admin.ts'
import { addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ Mail__Url: 'file:/nowhere' })
const { storage } = service
const helpDesk = await adminProgram(service, ['admin:users'])
const admin = await adminProgram(service)

const app = (sealedSecret: string) => ({ sealedSecret, sinceMs: service.now(), lastStep: 0 })
const [phone, tablet] = [app('phone'), app('tablet')]
const pathOf = ({ id }: User, { sealedSecret } = phone) => `/users/${id}/authenticator-apps/${appId({ sealedSecret })}`

async function withTwoApps(name: string, change: Partial<User> = {}): Promise<User> {
  const person = await addUser(service, name)
  await storage.users.update(person.id, (user) => ({ ...user, ...change }))
  const factors = someFactors(person, { totp: phone, furtherApps: [tablet] })
  await storage.secondFactors.change(person.id, () => ({ factors, events: [] }))
  return person
}

const secretsOf = async ({ id }: User) =>
  appsOf(await storage.secondFactors.find(id)).map(({ sealedSecret }) => sealedSecret)

describe('an authenticator app', () => {
  it('of somebody who has more permissions, by a role or a group, is taken away by nobody who lacks them', async () => {
    const people = [
      await withTwoApps('ada', { roles: ['latchkey-admin'] }),
      await withTwoApps('vera', { roles: ['latchkey-viewer'] }),
      await withTwoApps('gus'),
    ] as const
    // The interface itself gives no group such a role.
    const heads = { id: 'heads', name: 'heads', parentId: null, description: null, roles: ['latchkey-admin'] }
    await storage.groups.change(() => ({ changes: [{ id: 'heads', after: { ...heads, createdAtMs: 1, version: 1 } }] }))
    await storage.groups.addMembers('heads', [people[2].id])
    for (const person of people) {
      const { status, body } = await helpDesk.delete(pathOf(person))
      assert.deepEqual([status, body.code], [403, 'ID9603'], person.name)
      assert.deepEqual(await secretsOf(person), ['phone', 'tablet'])
      assert.equal((await admin.delete(pathOf(person))).status, 204)
      assert.deepEqual(await secretsOf(person), ['tablet'])
    }
  })

  it('of one person is not found with another one', async () => {
    const [own, other] = [await withTwoApps('owen'), await addUser(service, 'otto')]
    assert.equal((await helpDesk.delete(pathOf(other))).status, 404)
    assert.deepEqual(await secretsOf(own), ['phone', 'tablet'])
  })

  it('is taken away once by many at the same moment, and the owner gets one mail for each', async () => {
    const person = await withTwoApps('rita', { emailConfirmed: true })
    const before = (await storage.mails.list()).length
    const calls = [phone, tablet].flatMap((one) => Array(4).fill(pathOf(person, one)) as string[])
    const statuses = await Promise.all(calls.map(async (path) => (await helpDesk.delete(path)).status))
    assert.deepEqual(statuses.toSorted(), [204, 204, 404, 404, 404, 404, 404, 404])
    assert.deepEqual(await secretsOf(person), [])
    const told = (await storage.mails.list()).map(({ purpose }) => purpose)
    assert.equal(told.length - before, 2)
    assert.deepEqual(told.filter((purpose) => purpose === 'second_factor_off').length, 1)
  })
})
