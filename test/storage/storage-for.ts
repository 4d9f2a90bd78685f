import type { TestContext } from 'node:test'
import type { Storage } from '../../src/storage/port/storage.ts'

/** Opens a storage with the schema and nothing in it for one test, and closes it afterwards. */
export type StorageFor = (t: TestContext) => Promise<Storage>

/** `clean` is called when the storage that `open` gave is closed. */
export function storages(open: () => Promise<Storage>, clean = async () => {}): StorageFor {
  return async (t) => {
    const storage = await open()
    t.after(async () => {
      await storage.close()
      await clean()
    })
    return storage
  }
}
