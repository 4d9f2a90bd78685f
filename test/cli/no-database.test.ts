/** Commands in a folder that has no database: they say what they looked for, and create nothing. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { postgresServer } from '../support/postgres.ts'
import { workplace } from './run.ts'

const server = await postgresServer()
after(() => server.stop())

const commands = [
  'user add alice --email alice@example.com --no-password',
  'user list',
  'user show alice',
  'user lock alice',
  'client add notes --redirect-uri https://notes.example/cb',
  'client list',
  'scope add notes',
  'scope list',
  'keys list',
  'keys rotate',
  'authorizations list --user alice',
  'audit list',
  'audit verify',
  'audit checkpoint',
  `explain ${'a'.repeat(32)}`,
]
const advice = /name its settings with --config or Database:Url\. .* start the server or run: latchkey db migrate$/m

describe('a command in a folder without a database', () => {
  for (const command of commands) {
    it(`names the file that it looked for, and creates nothing: ${command.split(' --', 1)[0]}`, async (t) => {
      const place = workplace(t, { database: false })
      const file = join(place.folder, 'data', 'latchkey.db')
      await place.refuses(command, new RegExp(`^error: There is no database at ${file}\\. `))
      await place.refuses(command, advice)
      assert.deepEqual(readdirSync(place.folder), [])
    })
  }

  for (const command of ['db status', 'db backup copy.db']) {
    it(`creates nothing: ${command}`, async (t) => {
      const place = workplace(t, { database: false })
      await place.refuses(command, new RegExp(`There is no database at ${join(place.folder, 'data', 'latchkey.db')}`))
      assert.deepEqual(readdirSync(place.folder), [])
    })
  }

  it('says that it cannot look for the file, where it may not or cannot enter its folder', async (t) => {
    const place = workplace(t, { database: false })
    symlinkSync('data', join(place.folder, 'data'))
    await place.refuses(
      'user list',
      /latchkey\.db cannot be reached: run the command as the user that runs the service/,
    )
    await place.refuses('db status', /latchkey\.db cannot be reached/)
  })

  it('does the same with a file that is empty, and leaves it empty', async (t) => {
    const place = workplace(t, { database: false })
    mkdirSync(join(place.folder, 'data'))
    const file = join(place.folder, 'data', 'latchkey.db')
    writeFileSync(file, '')
    await place.refuses('user list', new RegExp(`^error: ${file} is empty: there is no Latchkey database in it\\. `))
    await place.refuses('user list', advice)
    await place.refuses('scope add notes', /is empty/)
  })

  it('does the same with a PostgreSQL database that is empty', async (t) => {
    const url = await server.createEmptyDatabase()
    const env = { Database__Url: url, Keys__MasterKey: Buffer.alloc(32).toString('base64') }
    const place = workplace(t, { database: false })
    const name = url.slice(url.indexOf('@') + 1)
    await place.refuses('user list', new RegExp(`^error: ${name} is empty: there is no Latchkey database in it\\. `), {
      env,
    })
    await place.refuses('user list', advice, { env })
  })

  it('works after latchkey db migrate, before the first start of the server', async (t) => {
    const place = workplace(t, { database: false })
    assert.equal((await place.run('db migrate')).code, 0)
    await place.json('client add notes --redirect-uri https://notes.example/cb')
    assert.equal(((await place.json('client list')) as unknown[]).length, 1)
  })
})
