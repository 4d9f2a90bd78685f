/** Tests that get a storage of their own, which is closed after them. */
import { it } from 'node:test'
import type { Storage } from '../../src/storage/port/storage.ts'

export type StorageTest = (name: string, work: (storage: Storage) => Promise<void>) => void

/** `open` gives a storage with the schema in place and nothing in it; `clean` is called when it is closed. */
export function storageTests(open: () => Promise<Storage>, clean = async () => {}): StorageTest {
  return (name, work) => {
    it(name, async () => {
      const storage = await open()
      try {
        await work(storage)
      } finally {
        await storage.close()
        await clean()
      }
    })
  }
}
