/** The demo client and scope, and people with the password of the tests. */
import type { DatabaseSettings } from '../../src/settings/settings.ts'
import { openStorage } from '../../src/storage/open.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { testClient, testScope, testUser } from './service.ts'

export async function seedStorage(storage: Storage, names: readonly string[] = ['alice']): Promise<void> {
  await storage.scopes.create(testScope('demo_api'))
  await storage.clients.create(testClient())
  for (const name of names) await storage.users.create(testUser({ name, email: `${name}@example.com` }))
}

/** As `seedStorage`, in a database that may be there or not. */
export async function seedDatabase(database: DatabaseSettings, names?: readonly string[]): Promise<void> {
  const storage = await openStorage(database, { migrate: true })
  await seedStorage(storage, names)
  await storage.close()
}
