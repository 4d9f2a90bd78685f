/**
 * Somebody tries to guess a password, and to keep its owner out by guessing: 10,000 guesses from many addresses. What
 * docs/operating.md promises is counted here: at most `limit` judged guesses in each `Duration` and one round more, and
 * as many again for each device cookie that was stolen.
 */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { maySignIn } from '../../src/users/eligibility.ts'
import type { KnownBrowser } from '../../src/users/known-browser.ts'
import type { Candidate } from '../../src/users/lockout.ts'
import { decidePasswordSignIn, type PasswordSignIn } from '../../src/users/sign-in.ts'
import { aSession, atOnce, aUser, nextId } from '../storage/records.ts'
import { postgresServer } from '../support/postgres.ts'
import { openDatabase } from '../support/sqlite.ts'

const rules = { maxFailedAttempts: 5, lockoutMs: 300_000, requireConfirmedEmail: false }
const minuteMs = 60_000

/** The stated number of judged guesses in a span of time, for strangers together and for each stolen cookie. */
const bound = (spanMs: number) => rules.maxFailedAttempts * (Math.floor(spanMs / rules.lockoutMs) + 1)

const server = await postgresServer()
after(() => server.stop())

const engines: ReadonlyArray<readonly [string, () => Promise<Storage>]> = [
  ['SQLite', () => openDatabase({ kind: 'sqlite-memory' })],
  ['PostgreSQL', async () => openStorage({ kind: 'postgres', url: await server.createDatabase() }, { migrate: true })],
]

for (const [engine, open] of engines) {
  describe(`10,000 guesses over eight hours, decided on ${engine}`, () => {
    it('are judged no more often than stated, and the owner on a known browser always gets in and stays in', async (context) => {
      const storage = await open()
      context.after(() => storage.close())
      let nowMs = 1_790_000_000_000
      const user = aUser({
        disabled: false,
        lockedUntilMs: null,
        lockoutBeganAtMs: null,
        failedAttempts: 0,
        sessionsEndedAtMs: null,
        version: 0,
      })
      await storage.users.create(user)

      const attempt = async (passwordMatches: boolean, cookie: readonly KnownBrowser[]) => {
        const ids = cookie.map(({ id }) => id)
        const candidate = await storage.users.findForSignIn({ name: user.name }, ids)
        assert.ok(candidate)
        const checked = { passwordMatches, checkedHash: candidate.user.passwordHash, newHash: null }
        const session = aSession(user, { authenticatedAtMs: nowMs, createdAtMs: nowMs, expiresAtMs: nowMs + 1e9 })
        const entry = { session, newBrowserId: nextId() }
        const decide = (at: Candidate): PasswordSignIn => decidePasswordSignIn(at, checked, entry, rules, nowMs)
        const decided = await storage.users.recordSignIn(candidate, decide)
        assert.ok(decided)
        return decided
      }
      const signIn = async (cookie: readonly KnownBrowser[]) => {
        const decided = await attempt(true, cookie)
        assert.ok(decided.outcome === 'signed_in')
        return decided
      }
      const owners = (await signIn([])).browser
      const stolen = (await signIn([])).browser

      const judged = { strangers: 0, thief: 0 }
      const beganAtMs = nowMs
      let firstSignIn: number | undefined
      let duringLockout = 0
      // 500 minutes with a burst of 20 in each: from 18 addresses without a cookie, and twice with the stolen one.
      for (let minute = 0; minute < 500; minute += 1) {
        const outcomes = await atOnce(20, async (at) => {
          const who = at < 18 ? 'strangers' : 'thief'
          return { who, outcome: (await attempt(false, who === 'thief' ? [stolen] : [])).outcome } as const
        })
        for (const { who, outcome } of outcomes) if (outcome === 'wrong_password') judged[who] += 1

        if (minute % 7 === 3) {
          const before = await storage.users.find(user.id)
          if ((before?.lockedUntilMs ?? 0) > nowMs) duringLockout += 1
          assert.equal((await attempt(false, [owners])).outcome, 'wrong_password', 'a slip of the owner')
          const { session } = await signIn([owners])
          firstSignIn ??= session.authenticatedAtMs
        }
        const current = await storage.users.find(user.id)
        if (firstSignIn !== undefined && current !== undefined) {
          assert.ok(maySignIn(current, rules, firstSignIn, nowMs), `the first session stands in minute ${minute}`)
        }
        nowMs += minuteMs
      }

      const spanMs = nowMs - beganAtMs
      context.diagnostic(`judged: ${JSON.stringify(judged)}; bound ${bound(spanMs)} each`)
      assert.ok(judged.strangers <= bound(spanMs), `${judged.strangers} of strangers`)
      assert.ok(judged.thief <= bound(spanMs), `${judged.thief} with the stolen cookie`)
      assert.ok(judged.strangers + judged.thief > 400, 'the attack was one')
      assert.ok(duringLockout > 50, `the owner came ${duringLockout} times while strangers were locked out`)
    })
  })
}
