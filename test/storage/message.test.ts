import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Commit } from '../../src/storage/sqlite/batch.ts'
import { pack, unpack } from '../../src/storage/sqlite/message.ts'

const draft = {
  atMs: 1,
  kind: 'sign_in',
  userId: 'u',
  clientId: null,
  traceId: 't',
  address: '::1',
  details: '{"a":1}',
}
const insert = { text: 'insert', parameters: ['a', 1, null, 0.5], mustChange: true }
const mail = { id: 'm', recipient: 'r' } as unknown as NonNullable<Commit['mails']>[number]
const remove = { text: 'delete', parameters: [], mustChange: false }

describe('a batch on its way to the writer thread', () => {
  const batches: Readonly<Record<string, readonly Commit[]>> = {
    'no commits': [],
    'a commit of nothing': [{ statements: [], drafts: [] }],
    'audit entries alone': [{ statements: [], drafts: [draft, { ...draft, userId: null, details: '{}' }] }],
    'a commit with a mail': [
      { statements: [remove], drafts: [draft] },
      { statements: [remove], drafts: [draft], mails: [mail] },
    ],
    'several commits with the same statements': [
      { statements: [insert, remove], drafts: [draft] },
      { statements: [remove], drafts: [] },
      { statements: [{ ...insert, parameters: ['b', 2, '', -1] }], drafts: [draft, draft] },
    ],
  }
  for (const [what, batch] of Object.entries(batches)) {
    it(`arrives as it was sent: ${what}`, () => {
      assert.deepEqual(unpack(structuredClone(pack(batch))), batch)
    })
  }

  it('has each SQL text once', () => {
    assert.deepEqual(pack([{ statements: [insert, insert], drafts: [] }]).texts, ['insert'])
  })
})
