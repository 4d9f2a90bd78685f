/** Guessing keeps nobody out who signed in at this browser before, and is judged no more often than docs/operating.md says. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { atOnce } from '../storage/records.ts'
import { Browser, codeFields, locationOf, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { cheapPasswordHash, password, startService } from '../support/service.ts'

const rules = { maxFailedAttempts: 5, lockoutMs: 300_000 }
const minuteMs = 60_000

/** The stated number of judged guesses in a span of time, for strangers together. */
const bound = (spanMs: number) => rules.maxFailedAttempts * (Math.floor(spanMs / rules.lockoutMs) + 1)

describe('an attack over HTTP from 600 addresses', () => {
  it('keeps nobody out who signed in at this browser before: session, code and refresh work throughout', async (context) => {
    await using service = await startService({ Server__TrustProxy: 'true' })
    const alice = await service.storage.users.findByName('alice')
    assert.ok(alice)
    const owner = await Browser.signedIn(service)
    owner.cookies.delete('latchkey.session')
    // A success replaces a cheap hash.
    const makeGuessingCheap = () =>
      service.storage.users.update(alice.id, (user) => ({ ...user, passwordHash: cheapPasswordHash }))
    await makeGuessingCheap()
    const attacker = new Browser(service)
    const token = await attacker.antiforgeryToken()
    let address = 0
    const guess = async (secret: string) => {
      address += 1
      const fields = { username: 'alice', password: secret, __RequestVerificationToken: token }
      const from = { 'x-forwarded-for': `198.51.${address >> 8}.${address & 255}` }
      return locationOf(await attacker.post('/Account/Login', fields, from)).searchParams.get('error')
    }
    const judged = () =>
      service.log.filter((line) => (line.signIn as { outcome: string } | undefined)?.outcome === 'wrong_password')
        .length

    let refreshToken: string | undefined
    const rounds = 30
    for (let round = 0; round < rounds; round += 1) {
      const errors = await atOnce(20, (at) => guess(`guess ${round} ${at}`))
      assert.deepEqual([...new Set(errors)], ['invalid_credentials'])
      if (round === 1) {
        assert.equal(await guess(password), 'invalid_credentials', 'strangers are locked out')
        const issued = await postToken(service, codeFields(await obtainCode(owner)))
        await makeGuessingCheap()
        assert.equal(issued.status, 200)
        refreshToken = issued.body.refresh_token
      } else if (refreshToken !== undefined) {
        const refreshed = await postToken(service, refreshFields(refreshToken))
        assert.equal(refreshed.status, 200, `round ${round}`)
        refreshToken = refreshed.body.refresh_token
      }
      service.advance(60)
    }
    context.diagnostic(`${rounds * 20} guesses, ${judged()} judged, bound ${bound(rounds * minuteMs)}`)
    assert.ok(judged() <= bound(rounds * minuteMs))
    assert.ok(judged() >= 5 * 5, 'the attack was one')
    const session = await (await owner.get('/Account/Session')).json()
    assert.deepEqual(session, { user: { name: 'alice' } })
  })
})
