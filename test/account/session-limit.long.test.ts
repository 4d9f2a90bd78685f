/** A person has at most 100 sessions: the sign-in that is one too many ends the one that was seen least recently. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { maxSessions } from '../../src/users/session.ts'
import { Browser } from '../support/browser.ts'
import { addUser, startService } from '../support/service.ts'

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.userName()) !== undefined

it('ends the session that was seen least recently with the 101st sign-in, records it, and no other', async () => {
  await using service = await startService()
  await addUser(service, 'bob')
  const bob = await Browser.signedIn(service, { username: 'bob' })
  const browsers: Browser[] = []
  for (let at = 0; at < maxSessions; at += 1) {
    const browser = await Browser.signedIn(service)
    browsers.push(browser)
    service.advance(1)
  }
  const standing = async () => (await Promise.all(browsers.map(isSignedIn))).flatMap((alive, at) => (alive ? [] : [at]))
  assert.deepEqual(await standing(), [], 'a hundred are not too many')
  const last = await Browser.signedIn(service)
  assert.equal(await isSignedIn(last), true)
  assert.deepEqual(await standing(), [0])
  assert.equal(await isSignedIn(bob), true)
  const alice = await service.storage.users.findByName('alice')
  const recorded = await service.storage.audit.newest({ userId: alice?.id ?? '', kind: 'sign_out' }, 10)
  assert.deepEqual(
    recorded.map(({ details }) => details),
    [{ reason: 'too_many_sessions', sessions: 1 }],
  )
})
