/** What is lost is named, and asked for: at a terminal, or with --yes. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { main } from '../../src/main.ts'
import type { User } from '../../src/users/user.ts'
import { aChain, aClient, aGrant, aLogin, anAuthorization, aSession } from '../storage/records.ts'
import { testUser } from '../support/service.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

/** Two people, a client and a scope, with everything that hangs on them. */
async function scene(t: TestContext): Promise<Workplace> {
  const place = await placeAfter(t, 'scope add notes_api', 'scope add unused')
  for (const id of ['notes', 'other'])
    await place.run(`client add ${id} --redirect-uri https://a.example/ --scope notes_api`)
  await place.run('user add bob --email bob@example.com --no-password')
  const alice = testUser({ name: 'alice', email: 'alice@example.com' })
  await place.withStorage(async (storage) => {
    const later = { expiresAtMs: place.nowMs + 1 }
    await storage.users.registerExternal(alice, aLogin(alice), { session: aSession(alice, later) })
    const notes = aClient({ id: 'notes' })
    await storage.authorizations.store(anAuthorization(alice, notes, { scopes: ['notes_api'] }))
    await storage.authorizations.store(anAuthorization(alice, notes, { scopes: ['openid'] }))
    await storage.grants.redeem(aGrant(alice, notes, { scopes: ['notes_api'], refresh: aChain(0, later) }))
  })
  return place
}

const losses = [
  ['user delete alice', /the user alice with 1 session, 1 grant, 2 consents and 1 external sign-in, for good\./],
  ['client delete notes', /the client notes with 2 consents and 1 grant, for good\./],
  [
    'scope delete notes_api',
    /notes_api, used by 2 clients, 1 consent and 1 grant\. Requests for it .* \(notes, other\)\./,
  ],
  ['user delete bob', /the user bob with no session, grant or consent, for good\./],
  ['scope delete unused', /the scope unused, which nothing uses\./],
] as const

async function answering(place: Workplace, line: string, answer: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const output = { stdout: new PassThrough(), stderr: new PassThrough() }
  let shown = ''
  output.stderr.on('data', (chunk) => {
    shown += chunk
    if (shown.endsWith('[y/N] ')) stdin.end(answer)
  })
  const surroundings = { env: {}, cwd: place.folder, clock: () => place.nowMs, random: randomBytes }
  const code = await main(line.split(' '), { stdin, ...output, ...surroundings })
  return { code, shown, stdout: String(output.stdout.read() ?? '') }
}

const people = (place: Workplace): Promise<readonly User[]> => place.withStorage(({ users }) => users.list())

describe('a command that deletes', () => {
  for (const [line, loss] of losses) {
    it(`names what is lost and refuses without a terminal and without --yes: ${line} [C2.12]`, async (t) => {
      const place = await scene(t)
      await place.refuses(line, loss)
      await place.refuses(line, /Nothing was done\. To proceed, add --yes\.$/m)
      const { code, stdout } = await place.run(`${line} --yes`)
      assert.deepEqual([code, stdout], [0, `Deleted ${line.split(' ').at(-1)}.\n`])
    })
  }

  it('asks at a terminal, and goes on for yes alone', async (t) => {
    const place = await scene(t)
    for (const answer of ['\n', 'n\n', 'no\n', 'yesterday\n', '']) {
      const { code, shown, stdout } = await answering(place, 'user delete alice', answer)
      assert.deepEqual([code, stdout], [1, ''], JSON.stringify(answer))
      assert.match(
        shown,
        /1 external sign-in, for good\.\nProceed\? \[y\/N\] error: Cancelled; nothing was changed\.\n$/,
      )
    }
    assert.equal((await people(place)).length, 2)
    for (const [name, answer] of [
      ['alice', 'y\n'],
      ['bob', 'YES\n'],
    ]) {
      const { code, stdout } = await answering(place, `user delete ${name}`, `${answer}`)
      assert.deepEqual([code, stdout], [0, `Deleted ${name}.\n`])
    }
    assert.equal((await people(place)).length, 0)
  })

  it('asks nothing about what is not there', async (t) => {
    const place = workplace(t)
    for (const line of ['user delete x', 'client delete x', 'scope delete x']) {
      await place.refuses(`${line} --yes`, /There is no /)
    }
  })
})
