/** Secrets of clients with hashes of other systems: what a flood of them costs others. */
import assert from 'node:assert/strict'
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { foreignSecretMatches, matchingForeignSecret } from '../../src/secrets/client-secrets.ts'
import { foreignText } from '../../src/secrets/foreign-hash.ts'

function hashOf(secret: string): string {
  const [salt, rounds] = [randomBytes(16), 10_000]
  const hash = pbkdf2Sync(secret, salt, rounds, 32, 'sha256')
  return foreignText({ kind: 'pbkdf2', digest: 'sha256', rounds, salt, hash })
}

describe('a secret with the hash of another system', () => {
  it('is found in the form in which it was sent, too', async () => {
    const stored = hashOf('a+b')
    assert.equal(await matchingForeignSecret(['a b', 'a+c'], stored), undefined)
    assert.equal(await matchingForeignSecret(['a b', 'a+b'], stored), 'a+b')
    assert.equal(await matchingForeignSecret(['other', 'a+b'], stored), 'a+b')
  })

  it('waits for one hash at most of those that a flood of secrets with two forms costs besides', async () => {
    const flooded = hashOf('theirs')
    const [first, second] = [hashOf('one'), hashOf('another')]
    let done = 0
    const flood = Array.from({ length: 20 }, (_, at) =>
      matchingForeignSecret([`w ${at}`, `w+${at}`], flooded).finally(() => {
        done += 1
      }),
    )
    // By then the first form of each was wrong, and the other form of each waits.
    assert.equal(await foreignSecretMatches('one', first), true)
    assert.equal(await foreignSecretMatches('another', second), true)
    assert.ok(done <= 2, `${done} of the flood were done before`)
    assert.deepEqual(new Set(await Promise.all(flood)), new Set([undefined]))
  })
})
