import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientPageRows, fewClientRows } from '../../src/storage/port/clients.ts'
import { aClient } from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function clientListsContract(storageFor: StorageFor): void {
  describe('lists of clients', () => {
    const made = async (storage: Awaited<ReturnType<StorageFor>>) => {
      for (const [id, name, createdAtMs] of [
        ['z', 'atlas', 30],
        ['y', 'Börse', 10],
        ['x', 'Atlas', 20],
        ['w', 'Ärzte', 20],
      ] as const)
        await storage.clients.create(aClient({ id, name, createdAtMs }))
    }
    const idsOf = (clients: readonly { readonly id: string }[]) => clients.map(({ id }) => id)

    it('go by name, whatever the case of its ASCII letters, both ways and on from a place', async (t) => {
      const storage = await storageFor(t)
      await made(storage)
      const { clientLists, clients } = storage
      assert.deepEqual(idsOf(await clientLists.inOrder('name', undefined, clientPageRows)), ['x', 'z', 'y', 'w'])
      assert.deepEqual(idsOf(await clientLists.inOrder('-name', undefined, fewClientRows)), ['w', 'y', 'z', 'x'])
      const place = await clients.find('x')
      assert.ok(place)
      assert.deepEqual(idsOf(await clientLists.inOrder('name', place, fewClientRows)), ['z', 'y', 'w'])
      assert.deepEqual(idsOf(await clientLists.inOrder('-name', place, clientPageRows)), [])
    })

    it('go by time both ways, and tell clients of one moment apart', async (t) => {
      const storage = await storageFor(t)
      await made(storage)
      const { clientLists, clients } = storage
      assert.deepEqual(idsOf(await clientLists.inOrder('created_at', undefined, clientPageRows)), ['y', 'w', 'x', 'z'])
      assert.deepEqual(idsOf(await clientLists.inOrder('-created_at', undefined, fewClientRows)), ['z', 'x', 'w', 'y'])
      const place = await clients.find('x')
      assert.ok(place)
      assert.deepEqual(idsOf(await clientLists.inOrder('created_at', place, fewClientRows)), ['z'])
      assert.deepEqual(idsOf(await clientLists.inOrder('-created_at', place, clientPageRows)), ['w', 'y'])
    })

    it('leave out deleted ones', async (t) => {
      const storage = await storageFor(t)
      await made(storage)
      await storage.clients.delete('x')
      assert.deepEqual(idsOf(await storage.clientLists.inOrder('name', undefined, clientPageRows)), ['z', 'y', 'w'])
      assert.deepEqual(idsOf(await storage.clientLists.inOrder('created_at', undefined, clientPageRows)), [
        'y',
        'w',
        'z',
      ])
    })
  })
}
