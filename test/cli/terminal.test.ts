/** Names and values that strangers chose never reach the terminal of an operator as they are. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aClient, anAuthorization, anEvent, aScope, aUser } from '../storage/records.ts'
import { workplace } from './run.ts'

/** Clears the screen, by a C0 and by a C1 control; turns the direction of text; ends the line; hides. */
const hostile = 'a\u001b[2Jb\u009b2Jc\u202ed\u2066e\u007ff\r\ng\u200bh'

/** All that a terminal obeys or that disguises text, but for the ends of lines. */
const obeyed = /[^\P{Cc}\n]|\p{Cf}|[\u2028\u2029]/u

describe('what commands print', () => {
  it('escapes control and bidirectional characters in tables, records, errors and JSON', async (t) => {
    const place = workplace(t)
    await place.withStorage(async (storage) => {
      const ada = aUser({ name: 'ada' })
      await storage.users.create(ada)
      await storage.users.create(aUser({ name: `u${hostile}`, email: `e${hostile}@example.com` }))
      await storage.clients.create(aClient({ id: 'known', name: `n${hostile}` }))
      const client = aClient({ id: `c${hostile}`, redirectUris: [`https://x.example/${hostile}`] })
      await storage.clients.create(client)
      await storage.scopes.create(aScope(`s${hostile}`, { displayName: hostile, description: hostile }))
      await storage.authorizations.store(anAuthorization(ada, client, { scopes: [hostile] }))
      await storage.audit.append([anEvent({ userId: hostile, address: hostile, details: { [hostile]: hostile } })])
    })
    const commands = [
      'user list',
      'client list',
      'client show known',
      'scope list',
      'authorizations list --user ada',
      'audit list',
      'db status',
    ]
    let escaped = 0
    for (const command of commands) {
      for (const line of [command, `${command} --json`]) {
        const { code, stdout, stderr } = await place.run(line)
        assert.deepEqual([code, stderr], [0, ''], line)
        assert.doesNotMatch(stdout, obeyed, line)
        if (line.endsWith('--json')) JSON.parse(stdout)
        if (/\\u\{?0*9b/.test(stdout)) escaped += 1
      }
    }
    assert.equal(escaped, 2 * 6)
    const names = (await place.json('user list')) as readonly { readonly username: string }[]
    assert.ok(names.some(({ username }) => username === `u${hostile}`))
  })

  it('escapes them in an error, too', async (t) => {
    const place = workplace(t)
    const { code, stderr } = await place.run('client show c\u001b[2J\u009b2J')
    assert.equal(code, 1)
    assert.match(stderr, /^error: .*c\\u\{1b\}\[2J\\u\{9b\}2J.*\n$/)
  })
})
