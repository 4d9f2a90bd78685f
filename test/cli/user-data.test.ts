/** `latchkey user sessions` and `user export`. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aSession, aUser } from '../storage/records.ts'
import { placeAfter } from './run.ts'

describe('what is stored about a user', () => {
  it('is listed and exported by name, without secrets, and the export is recorded', async (t) => {
    const place = await placeAfter(t, 'user add ada --email ada@example.com --no-password')
    assert.match((await place.run('user sessions ada')).stdout, /^ada is signed in nowhere\.$/m)
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const times = { createdAtMs: place.nowMs, expiresAtMs: place.nowMs + 1000, lastSeenAtMs: place.nowMs }
    const session = aSession(aUser(), { ...times, userAgent: agent, clientAddress: '192.0.2.7' })
    await place.withStorage(async ({ users }) => {
      const user = await users.findByName('ada')
      assert.ok(user)
      await users.recordSignIn({ user }, () => ({ outcome: 'in', session: { ...session, userId: user.id } }))
    })
    const { stdout } = await place.run('user sessions ada')
    assert.match(stdout, /Firefox, Linux +192\.0\.2\.7 +pwd/)
    const [listed] = (await place.json('user sessions ada')) as readonly Record<string, unknown>[]
    assert.deepEqual([listed?.id, listed?.browser, listed?.system], [session.id, 'Firefox', 'Linux'])
    const exported = await place.run('user export ada')
    assert.equal(exported.code, 0)
    const file = JSON.parse(exported.stdout)
    assert.deepEqual([file.account.username, file.sessions.length], ['ada', 1])
    assert.ok(!exported.stdout.includes(session.secretHash))
    assert.equal(((await place.json('audit list --kind data_exported')) as unknown[]).length, 1)
    for (const command of ['user sessions nobody', 'user export nobody']) {
      assert.equal((await place.run(command)).code, 1)
    }
  })
})
