import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KnownBrowser } from '../../src/users/known-browser.ts'
import type { Candidate } from '../../src/users/lockout.ts'
import {
  countWrongCode,
  isPaused,
  maxWrongCodes,
  noSecondFactors,
  pauseMs,
  rememberedMs,
  type SecondFactors,
} from '../../src/users/second-factor.ts'
import {
  decideEnrolment,
  decideSecondFactor,
  type HalfSignIn,
  halfSignInMs,
} from '../../src/users/second-factor-sign-in.ts'
import { decideEntry } from '../../src/users/sign-in.ts'
import {
  type FactorProof,
  type FactorRules,
  type FirstFactor,
  nextStep,
  offeredMethods,
  reachOf,
} from '../../src/users/sign-in-steps.ts'
import { now, sampleSession, sampleUser } from '../protocol/samples.ts'

const userId = sampleUser().id
const optional: FactorRules = { mode: 'optional', email: false, external: false }
const required: FactorRules = { ...optional, mode: 'required' }
const totp = { sealedSecret: 'sealed', sinceMs: now - 60 * 86_400_000, lastStep: 10 }

const factors = (change: Partial<SecondFactors> = {}): SecondFactors => ({ ...noSecondFactors(userId), ...change })
const browser = (change: Partial<KnownBrowser> = {}): KnownBrowser => ({
  id: 'known',
  userId,
  createdAtMs: now - 1000,
  lastUsedAtMs: now - 1000,
  expiresAtMs: now + 1000,
  failedAttempts: 0,
  lockedUntilMs: null,
  userAgent: '',
  secondFactorUntilMs: now + 1000,
  ...change,
})
const candidate = (change: Partial<Candidate> = {}): Candidate => ({ user: sampleUser(), ...change })
const asking = { requiredActions: ['set_up_second_factor'] } as const
const due = (change: Partial<Candidate> = {}) => candidate({ user: sampleUser(asking), ...change })
const lost = candidate({ user: sampleUser({ ...asking, hadSecondFactor: true }) })
const mailing: FactorRules = { ...optional, sendsMail: true }
const withTotp = candidate({ factors: factors({ totp }) })

describe('what a sign-in goes on with after its first factor', () => {
  const rows: readonly (readonly [string, Candidate, FactorRules, FirstFactor, string])[] = [
    ['nobody is asked who has nothing', candidate(), optional, 'password', 'session'],
    ['an authenticator app is asked for', withTotp, optional, 'password', 'second_factor'],
    ['an app that was not confirmed is none', candidate({ factors: factors() }), optional, 'password', 'session'],
    ['a lost passkey locks nobody out', candidate({ passkeys: 2 }), optional, 'password', 'session'],
    [
      'a passkey with recovery codes is asked for',
      candidate({ passkeys: 1, factors: factors({ recoveryHashes: ['a'] }) }),
      optional,
      'password',
      'second_factor',
    ],
    ['a passkey is two factors', withTotp, required, 'passkey', 'session'],
    ['a provider is not asked', withTotp, required, 'external', 'session'],
    ['a provider is asked by setting', withTotp, { ...optional, external: true }, 'external', 'second_factor'],
    ['everyone sets one up', candidate(), required, 'password', 'enrolment'],
    ['a passkey serves where one is required', candidate({ passkeys: 1 }), required, 'password', 'second_factor'],
    ['mail serves where one is required', candidate(), { ...required, email: true }, 'password', 'second_factor'],
    [
      'mail does not to an unconfirmed address',
      candidate({ user: sampleUser({ emailConfirmed: false }) }),
      { ...required, email: true },
      'password',
      'enrolment',
    ],
    ['a remembered browser is not asked', { ...withTotp, browser: browser() }, optional, 'password', 'session'],
    ['nor where one is required', { ...withTotp, browser: browser() }, required, 'password', 'session'],
    [
      'a remembered browser is no factor by itself',
      candidate({ browser: browser() }),
      required,
      'password',
      'enrolment',
    ],
    [
      'nor is it one beside recovery codes alone',
      candidate({ browser: browser(), factors: factors({ recoveryHashes: ['a'] }) }),
      required,
      'password',
      'second_factor',
    ],
    [
      'nor beside mail to an address that nobody confirmed',
      candidate({ browser: browser(), user: sampleUser({ emailConfirmed: false }) }),
      { ...required, email: true },
      'password',
      'enrolment',
    ],
    [
      'nor for a provider that is asked',
      candidate({ browser: browser() }),
      { ...required, external: true },
      'external',
      'enrolment',
    ],
    [
      'nor beside a passkey where none count',
      candidate({ browser: browser(), passkeys: 1 }),
      { ...required, passkeys: false },
      'password',
      'enrolment',
    ],
    [
      'a passkey is not asked for in a remembered browser',
      candidate({ browser: browser(), passkeys: 1 }),
      required,
      'password',
      'session',
    ],
    [
      'a browser that is known alone is asked',
      { ...withTotp, browser: browser({ secondFactorUntilMs: null }) },
      optional,
      'password',
      'second_factor',
    ],
    [
      'remembering ends',
      { ...withTotp, browser: browser({ secondFactorUntilMs: now }) },
      optional,
      'password',
      'second_factor',
    ],
    [
      'a browser that another person had remembered is asked',
      { ...withTotp, browser: browser({ userId: 'another' }) },
      optional,
      'password',
      'second_factor',
    ],
    [
      'a new password ends remembering',
      {
        ...withTotp,
        user: sampleUser({ sessionsEndedAtMs: now - 500 }),
        browser: browser(),
      },
      optional,
      'password',
      'second_factor',
    ],
    [
      'a new app ends remembering',
      {
        ...candidate({ factors: factors({ totp: { ...totp, sinceMs: now - 100 } }) }),
        browser: browser({ secondFactorUntilMs: now - 200 + rememberedMs }),
      },
      optional,
      'password',
      'second_factor',
    ],
    [
      'a passkey is asked for of whoever has to have a factor',
      due({ passkeys: 1 }),
      optional,
      'password',
      'second_factor',
    ],
    ['whoever has to have a factor, and has none, sets one up', due(), optional, 'password', 'enrolment'],
    ['at a provider, too', due(), optional, 'external', 'enrolment'],
    ['a code by mail is no such factor', due(), { ...optional, email: true }, 'password', 'enrolment'],
    ['nobody replaces a factor that did not come by the password alone', lost, mailing, 'password', 'signin_code'],
    ['nor by the word of a provider', lost, mailing, 'external', 'signin_code'],
    ['nor where no mail is sent', lost, optional, 'external', 'help'],
  ]
  for (const [name, who, rules, first, expected] of rows) {
    it(name, () => assert.equal(nextStep(who, first, rules, now), expected))
  }

  it('offers the ways that the person has, and those alone that reach the class', () => {
    const all = candidate({ factors: factors({ totp, recoveryHashes: ['a'] }), passkeys: 1 })
    const mail = { ...optional, email: true }
    assert.deepEqual(offeredMethods(all, optional), ['totp', 'passkey', 'recovery'])
    assert.deepEqual(offeredMethods(all, mail), ['totp', 'passkey', 'email', 'recovery'])
    assert.deepEqual(offeredMethods(all, mail, false, 'phr'), ['passkey'])
    assert.deepEqual(offeredMethods(all, mail, true), ['totp', 'passkey', 'recovery'])
    const off = { ...optional, passkeys: false }
    assert.deepEqual(offeredMethods(all, off), ['totp', 'recovery'])
    assert.equal(reachOf({ ...all, boundPasskeys: 1 }, off), 'mfa')
    assert.equal(reachOf(candidate(), optional), undefined)
    assert.equal(reachOf(withTotp, optional), 'mfa')
    assert.equal(reachOf(all, optional), 'phr')
    assert.equal(reachOf({ ...all, boundPasskeys: 1 }, optional), 'phrh')
  })

  it('does not count mail twice: after a reset by mail, not until another factor was used', () => {
    const mail = { ...optional, email: true }
    const prepared = { session: sampleSession(), newBrowserId: 'new' }
    const rules = { maxFailedAttempts: 5, lockoutMs: 1, requireConfirmedEmail: false, secondFactor: mail }
    const entry = decideEntry(withTotp, { first: 'password', byMail: true }, prepared, rules, now)
    assert.ok(entry.outcome === 'second_factor' && entry.factors?.isMailBarred)
    assert.deepEqual(offeredMethods({ ...withTotp, factors: entry.factors }, mail), ['totp'])
    const proved = decideSecondFactor({ ...withTotp, factors: entry.factors }, half(), right, prepared, {
      rules,
      remember: false,
      meetsRequest: () => true,
      nowMs: now,
    })
    assert.ok(proved.outcome === 'signed_in' && !proved.factors.isMailBarred)
  })

  it('does not count mail twice for whoever has no other factor yet, or enters at once', () => {
    const prepared = { session: sampleSession(), newBrowserId: 'new' }
    const enter = (who: Candidate, secondFactor: FactorRules) =>
      decideEntry(
        who,
        { first: 'password', byMail: true },
        prepared,
        { maxFailedAttempts: 5, lockoutMs: 1, requireConfirmedEmail: false, secondFactor },
        now,
      )
    const entered = enter(candidate({ passkeys: 1 }), { ...optional, email: true })
    assert.ok(entered.outcome === 'signed_in' && entered.factors?.isMailBarred)
    const enrols = enter(candidate(), { ...required, email: true })
    assert.ok(enrols.outcome === 'enrolment' && enrols.factors?.isMailBarred)
    const alone = enter(candidate(), optional)
    assert.ok(alone.outcome === 'signed_in' && alone.factors === undefined)
  })
})

function half(change: Partial<HalfSignIn> = {}): HalfSignIn {
  return {
    id: 'half',
    userId,
    purpose: 'sign_in',
    methods: ['pwd'],
    authenticatedAtMs: now - 5000,
    startedAtMs: now - 5000,
    persistent: true,
    byMail: false,
    sessionId: null,
    acr: null,
    returnUrl: '/',
    ...change,
  }
}
const right: FactorProof = { method: 'totp', judge: (stored) => ({ amr: ['otp'], factors: stored }) }
const wrong: FactorProof = { method: 'totp', judge: () => undefined }

describe('the second half of a sign-in', () => {
  const prepared = { session: sampleSession({ id: 'fresh' }), newBrowserId: 'new' }
  const rules = { maxFailedAttempts: 5, lockoutMs: 300_000, requireConfirmedEmail: true, secondFactor: optional }
  const decide = (who: Candidate, change: Partial<HalfSignIn> = {}, proof = right, remember = false, meets = true) =>
    decideSecondFactor(who, half(change), proof, prepared, { rules, remember, meetsRequest: () => meets, nowMs: now })

  it('is a session with both factors, from the time of the first', () => {
    const done = decide(withTotp, {}, right, true)
    assert.ok(done.outcome === 'signed_in')
    const { session, browser: known } = done
    assert.deepEqual(session.methods, ['pwd', 'otp', 'mfa'])
    assert.deepEqual([session.id, session.persistent, session.authenticatedAtMs], ['fresh', true, now - 5000])
    assert.equal(known.secondFactorUntilMs, now + rememberedMs)
    const forgotten = decide(withTotp)
    assert.ok(forgotten.outcome === 'signed_in' && forgotten.browser.secondFactorUntilMs === null)
  })

  it('ends with a lock, a new password, an unconfirmed address, and after ten minutes', () => {
    const outcome = (user: Parameters<typeof sampleUser>[0], change: Partial<HalfSignIn> = {}) =>
      decide({ ...withTotp, user: sampleUser(user) }, change).outcome
    assert.equal(outcome({}), 'signed_in')
    assert.equal(outcome({ disabled: true }), 'ended')
    assert.equal(outcome({ lockedUntilMs: now + 1 }), 'ended')
    assert.equal(outcome({ lockedUntilMs: now + 1, lockoutBeganAtMs: now - 10 }), 'ended')
    // A step within a session ends with the session, and not with a lockout that the session outlasts.
    const began = { lockedUntilMs: now + 1, lockoutBeganAtMs: now - 6000 }
    assert.equal(outcome(began, { purpose: 'step_up' }), 'signed_in')
    assert.equal(outcome({ ...began, lockoutBeganAtMs: now }, { purpose: 'step_up' }), 'ended')
    assert.equal(outcome({ sessionsEndedAtMs: now - 5000 }), 'ended')
    assert.equal(outcome({ sessionsEndedAtMs: now - 5001 }), 'signed_in')
    assert.equal(outcome({ emailConfirmed: false }), 'ended')
    assert.equal(outcome({}, { startedAtMs: now - halfSignInMs }), 'ended')
    assert.equal(outcome({}, { userId: 'another' }), 'ended')
    assert.equal(outcome({}, { purpose: 'enrolment' }), 'ended')
  })

  it('counts wrong codes for the person, pauses after five, and checks none meanwhile', () => {
    let stored = factors({ totp })
    for (let count = 1; count <= maxWrongCodes; count += 1) {
      const decided = decide({ ...withTotp, factors: stored }, {}, wrong)
      assert.ok(decided.outcome === 'wrong_code')
      stored = decided.factors
    }
    assert.deepEqual([stored.failedAttempts, stored.pausedUntilMs], [0, now + pauseMs])
    assert.equal(decide({ ...withTotp, factors: stored }).outcome, 'paused')
    assert.ok(!isPaused(stored, now + pauseMs))
    assert.equal(countWrongCode(stored, now + pauseMs).failedAttempts, 1)
    const after = decide({ ...withTotp, factors: factors({ totp, failedAttempts: 4 }) })
    assert.ok(after.outcome === 'signed_in' && after.factors.failedAttempts === 0)
  })

  it('takes no method that is not offered, and none that misses the class', () => {
    assert.equal(decide(withTotp, { acr: 'phr' }).outcome, 'wrong_code')
    assert.equal(decide(withTotp, {}, { ...right, method: 'email' }).outcome, 'wrong_code')
    assert.equal(decide(candidate()).outcome, 'wrong_code')
    assert.equal(decide(withTotp, {}, right, false, false).outcome, 'wrong_code')
  })

  it('sets up a second factor only where one was required and the person has none', () => {
    const demanding = { ...rules, secondFactor: required }
    const enrol = (who: Candidate, change: Partial<HalfSignIn>, secondFactor = required) =>
      decideEnrolment(who, half(change), right, prepared, { rules: { ...demanding, secondFactor }, nowMs: now }).outcome
    const enrolment = { purpose: 'enrolment' } as const
    assert.equal(enrol(candidate(), enrolment), 'signed_in')
    assert.equal(enrol(withTotp, enrolment), 'ended')
    assert.equal(enrol(candidate({ passkeys: 1 }), enrolment), 'ended')
    assert.equal(enrol(candidate(), {}), 'ended')
    assert.equal(enrol(candidate(), { purpose: 'step_up' }), 'ended')
    // The setting was relaxed meanwhile.
    assert.equal(enrol(candidate(), enrolment, optional), 'signed_in')
    assert.equal(enrol(withTotp, enrolment, optional), 'ended')
  })
})
