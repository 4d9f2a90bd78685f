import type { Storage } from '../../src/storage/port/storage.ts'

/** Opens a new empty storage for one test and closes it afterwards. */
export type WithStorage = (work: (storage: Storage) => Promise<void>) => () => Promise<void>
