/**
 * Fills a database with people who have a password.
 *
 *   node bench/people.ts      settings as for the service, in the environment
 */
import { randomBytes } from 'node:crypto'

export const numberOfPeople = 1_000
export const personName = (at: number) => `person-${at}`

if (import.meta.main) await addPeople()

async function addPeople(): Promise<void> {
  const [
    { seedDemo },
    { uuidv7 },
    { hashPassword },
    { readSettings },
    { openStorage },
    { registerUser },
    { isRefusal },
  ] = await Promise.all([
    import('../src/server/demo.ts'),
    import('../src/secrets/opaque.ts'),
    import('../src/secrets/password.ts'),
    import('../src/settings/read.ts'),
    import('../src/storage/open.ts'),
    import('../src/users/registration.ts'),
    import('../src/refusal.ts'),
  ])
  const read = readSettings({ env: process.env, cwd: process.cwd() })
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const storage = await openStorage(read.settings.database.url, { migrate: true })
  await seedDemo(storage, Date.now, randomBytes)
  const passwordHash = await hashPassword('Passw0rd!')
  // A few at once: more would wait longer for a busy database than a request may.
  let next = 0
  const add = async (): Promise<void> => {
    for (let at = next++; at < numberOfPeople; at = next++) {
      const name = personName(at)
      const email = `${name}@example.com`
      const person = { id: uuidv7(Date.now()), name, email, emailConfirmed: true, passwordHash, roles: [] }
      const user = registerUser(person, Date.now())
      if (isRefusal(user) || (await storage.users.create(user)) !== 'created')
        throw new Error(`${name} was not created`)
    }
  }
  await Promise.all(Array.from({ length: 32 }, add))
  await storage.close()
}
