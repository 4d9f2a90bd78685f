import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bcryptOf, pbkdf2Of, wrappedOf } from '../fixtures/foreign-hashes.ts'
import { aUser } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const ours = (rest: string) => `$argon2id$v=19$m=19456,t=2,p=1$${rest}`
const older = '$argon2id$v=19$m=4096,t=3,p=1$'

export function passwordKindsContract(storageFor: StorageFor): void {
  describe('kinds of password hashes', () => {
    it('are each hash up to its salt, but that of today', async (t) => {
      const { users, passwordKinds } = await storageFor(t)
      assert.deepEqual(await passwordKinds.list(), [])
      const hashes = [
        null,
        ours('c2FsdHNhbHQ$aGFzaGhhc2g'),
        `${older}c2FsdHNhbHQ$aGFzaGhhc2g`,
        `${older}c2FsdHNhbHR$aGFzaGhhc2g`,
        pbkdf2Of(1000),
        pbkdf2Of(1000),
        pbkdf2Of(100_000),
        wrappedOf(pbkdf2Of(1000)),
        bcryptOf(4),
        bcryptOf(5),
        'no hash at all',
      ]
      for (const passwordHash of hashes) await users.create(aUser({ passwordHash }))
      const kinds = await passwordKinds.list()
      const counts = await Promise.all(
        kinds.map(async (kind) => [kind.beginning, await passwordKinds.count(kind.beginning)]),
      )
      assert.deepEqual(counts, [
        ['$2b$04$', 1],
        ['$2b$05$', 1],
        [older, 2],
        ['$pbkdf2-sha256$i=1000,l=32$', 2],
        ['$pbkdf2-sha256$i=100000,l=32$', 1],
        ['no hash ', 1],
        ['wrapped:$pbkdf2-sha256$i=1000,l=32$', 1],
      ])
      for (const { beginning, sample } of kinds) {
        assert.ok(sample.startsWith(beginning) && hashes.includes(sample), sample)
      }
    })
  })
}
