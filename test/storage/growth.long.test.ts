/** What requests, the account area and the console cost does not grow with the tables, as PostgreSQL itself counts. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fillInBulk } from '../../bench/bulk.ts'
import { countVisits } from '../../bench/visits.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { openStorage } from '../../src/storage/open.ts'
import { postgresServer } from '../support/postgres.ts'
import { settingsFrom } from '../support/settings.ts'

/** The smaller table fills a page of every list already. */
const [few, many] = [20_000, 200_000]

describe('few and many rows on PostgreSQL', async () => {
  const server = await postgresServer()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-growth-'))
  after(async () => {
    rmSync(folder, { recursive: true })
    await server.stop()
  })

  async function filled(rows: number): Promise<string> {
    const url = await server.createDatabase()
    const env = { Database__Url: url, Keys__MasterKey: Buffer.alloc(32, 7).toString('base64') }
    const settings = settingsFrom(env, folder)
    const storage = await openStorage(settings.database.url, { migrate: true })
    try {
      const keys = await openKeyRing({ storage, settings, clock: Date.now })
      const tokens = await fillInBulk({ url, storage, keys }, rows, 100)
      assert.ok(tokens.length > 90)
    } finally {
      await storage.close()
    }
    return url
  }

  const [before, now] = [await countVisits(await filled(few)), await countVisits(await filled(many))]
  for (const [verb, visits] of now) {
    it(`visit as many rows, and only as many pages more as indexes are deeper: ${verb}`, () => {
      const { rows, pages } = before.get(verb) ?? { rows: 0, pages: 0 }
      assert.deepEqual(visits.scanned, [])
      assert.ok(visits.rows <= rows * 1.1 + 1, `${visits.rows} rows, and ${rows} of the smaller tables`)
      // Rows of a list in the order of something other than time are each in a page of their own; every row counts twice, in its index, too.
      const atMost = Math.max(pages * 1.5 + 2, visits.rows / 2)
      assert.ok(visits.pages <= atMost, `${visits.pages} pages, and ${pages} of the smaller tables`)
    })
  }
})
