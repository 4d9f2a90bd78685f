/** What the frequent changes write to PostgreSQL, as its log says: no more indexes than statements need, and none in vain. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fillInBulk } from '../../bench/bulk.ts'
import { changes, countWrites, startCounted } from '../../bench/writes.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { openStorage } from '../../src/storage/open.ts'
import { settingsFrom } from '../support/settings.ts'

/** The indexes in which a change adds an entry for each of its new rows. */
const indexes: Readonly<Record<string, readonly string[]>> = {
  'code: redeem': ['audit_entries_key', 'grants_by_client', 'grants_of_user', 'grants_pkey'],
  'refresh: rotate': ['audit_entries_key'],
  'refresh token: revoke': ['audit_entries_key'],
  'client credentials: issue': ['audit_entries_key'],
  'session: renew': [],
  'sign-in: known browser': ['audit_activity', 'audit_entries_key', 'sessions_by_user', 'sessions_pkey'],
  'sign-in: authenticator app': ['audit_activity', 'audit_entries_key', 'sessions_by_user', 'sessions_pkey'],
  'sign-in: passkey': ['audit_activity', 'audit_entries_key', 'sessions_by_user', 'sessions_pkey', 'spent_values_pkey'],
}

/** The service adds up what happens in each hour, and what each client does in a day. */
const beside: readonly string[] = ['activity_hours_pkey', 'client_activity_key', 'client_activity_by_day']

describe('what a frequent change makes PostgreSQL write', async () => {
  const server = await startCounted()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-written-'))
  after(async () => {
    rmSync(folder, { recursive: true })
    await server.stop()
  })
  const url = await server.createDatabase()
  const env = { Database__Url: url, Keys__MasterKey: Buffer.alloc(32, 7).toString('base64') }
  const settings = settingsFrom(env, folder)
  const storage = await openStorage(settings.database.url, { migrate: true })
  try {
    const keys = await openKeyRing({ storage, settings, clock: Date.now })
    await fillInBulk({ url, storage, keys }, 1000, 1)
  } finally {
    await storage.close()
  }
  const counted = await countWrites(url, { calls: 60, together: 1, only: '' })

  it('is counted for each of them', () => {
    assert.deepEqual([...counted.keys()], Object.keys(changes))
    for (const [name, { bytes }] of counted) assert.ok(bytes > 100 && bytes < 3000, `${name}: ${bytes} bytes`)
  })

  for (const [name, expected] of Object.entries(indexes)) {
    it(`is an entry in these indexes and no other: ${name}`, () => {
      const { entries = {} } = counted.get(name) ?? {}
      const found = Object.keys(entries).filter((index) => !beside.includes(index))
      assert.deepEqual(found, expected)
    })
  }

  for (const [name, { updates, hotShareAtFirst, hotShare }] of counted) {
    if (updates < 0.5) continue
    it(`changes a row within its page, so that no index is written: ${name}`, () => {
      assert.ok(hotShareAtFirst >= 0.99, `${hotShareAtFirst} of the first changes`)
      assert.ok(hotShare >= 0.99, `${hotShare} of later ones`)
    })
  }
})
