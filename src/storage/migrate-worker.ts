/** Migrates the schema in a separate thread, whose memory is released with it. */
import { parentPort } from 'node:worker_threads'
import type { DatabaseSettings } from '../settings/settings.ts'
import { openStorage } from './open.ts'
import { StorageUnavailable } from './port/unavailable.ts'

parentPort?.once('message', async (database: DatabaseSettings) => {
  try {
    const storage = await openStorage(database, { migrate: true })
    await storage.close()
    parentPort?.postMessage('done')
  } catch (error) {
    // Errors lose their class between threads. Only this one has a message for the operator.
    if (!(error instanceof StorageUnavailable)) throw error
    parentPort?.postMessage({ unavailable: error.message, isPassing: error.isPassing })
  }
})
