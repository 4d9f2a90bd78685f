/**
 * The pace of failed sign-ins in computed time: every delay is known, so that the same run gives the same times. How it does on
 * a real machine is measured in test/account/failed-sign-in-times.long.test.ts.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { failurePace, heldAtMostMs, nothingMeasured } from '../../src/secrets/failure-pace.ts'
import { referenceCostMs } from '../../src/secrets/hash-cost.ts'
import { todaysHash } from '../../src/secrets/password.ts'
import { base64 } from '../fixtures/foreign-hashes.ts'
import { chanceOfLater } from '../support/chance-of-later.ts'

const tries = 200
/** How far from a coin's toss a listener may get. */
const most = 0.1
const commitMs = 3
const typed = 'a wrong one'
/** Of two forms, which are both checked. */
const typedInTwoForms = 'wro\u0308ng'

const phc = (beginning: string, hashBytes = 32) =>
  `${beginning}${base64(randomBytes(16))}$${base64(randomBytes(hashBytes))}`
const outer = phc(todaysHash)
const todaysMs = referenceCostMs(outer)

/** By what a hash of the kind begins with. */
const kinds: Readonly<Record<string, string>> = {
  '$pbkdf2-sha512$i=100000,l=32$': phc('$pbkdf2-sha512$i=100000,l=32$'),
  '$pbkdf2-sha512$i=200000,l=32$': phc('$pbkdf2-sha512$i=200000,l=32$'),
  'wrapped:$pbkdf2-sha1$i=1000,l=32$': `wrapped:$pbkdf2-sha1$i=1000,l=32$${base64(randomBytes(16))}$:${outer}`,
  '$pbkdf2-sha256$i=30000,l=32$': phc('$pbkdf2-sha256$i=30000,l=32$'),
  '$scrypt$ln=12,r=8,p=1$': phc('$scrypt$ln=12,r=8,p=1$'),
  $2b$06$: `$2b$06$${'.'.repeat(53)}`,
  '$firebase-scrypt$': phc(`$firebase-scrypt$ln=12,r=8,sep=Bw,key=${base64(randomBytes(64))}$`, 64),
  '$argon2i$v=19$m=8192,t=1,p=1$': phc('$argon2i$v=19$m=8192,t=1,p=1$'),
  '$argon2id$v=19$m=65536,t=1,p=1$': phc('$argon2id$v=19$m=65536,t=1,p=1$'),
  '$argon2id$v=19$m=8,t=1,p=1$': phc('$argon2id$v=19$m=8,t=1,p=1$'),
}

type Machine = {
  /** How many times as long as alone a check takes on average. */
  readonly slower: number
  /** What a check waits for a processor on average, however short it is. */
  readonly waitMs: number
  /** How many times as long as one form two of a password take, which are checked beside each other. */
  readonly twoForms: number
  /** Between two attempts. A thread that hashes ends after ten idle seconds, and a check waits for a new one. */
  readonly betweenMs?: number
}

const [idleMs, startMs] = [10_000, 100]

const machines: Readonly<Record<string, Machine>> = {
  'an idle machine': { slower: 1.02, waitMs: 0.2, twoForms: 1.1 },
  'an idle machine with rare sign-ins': { slower: 1.02, waitMs: 0.2, twoForms: 1.1, betweenMs: 30_000 },
  'a busy machine': { slower: 3, waitMs: 15, twoForms: 2 },
  'a machine that is far too small': { slower: 20, waitMs: 60, twoForms: 2 },
}

/** One service with people of a kind. */
function simulate(beginning: string, { slower, waitMs, twoForms, betweenMs = 0 }: Machine) {
  let nowMs = 0
  let hashedAtMs = Number.NEGATIVE_INFINITY
  let state = 1
  /** Between 0 and 1, each time the same series (the generator of Park and Miller). */
  const chance = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const exponential = (mean: number) => -mean * Math.log(1 - chance())
  const sample = kinds[beginning] ?? assert.fail(beginning)
  const isOwn = sample.startsWith('$argon2id$')
  const checks: number[] = []
  const pace = failurePace(async () => [{ beginning, sample }], {
    measured: nothingMeasured(),
    monotonic: () => nowMs,
    pause: async (ms) => {
      nowMs += ms
    },
    async verify(stored, password) {
      // A foreign hash costs its own work on top.
      const aloneMs = stored === null ? todaysMs : referenceCostMs(stored) + (isOwn ? 0 : todaysMs)
      const forms = password === typedInTwoForms ? twoForms : 1
      const ms =
        aloneMs * forms * (1 + exponential(slower - 1)) +
        exponential(waitMs) +
        (nowMs - hashedAtMs > idleMs ? startMs : 0)
      nowMs += ms
      hashedAtMs = nowMs
      checks.push(ms)
      return false
    },
  })
  return {
    sample,
    /** Returns how long a failed attempt takes. */
    async attempt(stored: string | null, password = typed): Promise<number> {
      nowMs += betweenMs
      const beganAtMs = nowMs
      const paced = pace.begin(password)
      await paced.verify(stored)
      nowMs += commitMs
      await paced.failed()
      // Timers and the way to the listener are not exact.
      return nowMs - beganAtMs + exponential(1)
    },
    /** Returns what a check of the dearer of both kinds usually takes, 19 of 20 times. */
    async usualCheckMs(): Promise<number> {
      const dearest = !isOwn || referenceCostMs(sample) > todaysMs ? sample : null
      checks.length = 0
      for (let at = 0; at < tries; at += 1) {
        nowMs += betweenMs
        await pace.begin(typed).verify(dearest)
      }
      return checks.toSorted((a, b) => a - b)[Math.floor(tries * 0.95)] ?? 0
    },
  }
}

async function timesOf(run: ReturnType<typeof simulate>, password = typed, turns = tries) {
  const [nobody, person]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn += 1) {
    nobody.push(await run.attempt(null, password))
    person.push(await run.attempt(run.sample, password))
  }
  return { nobody, person }
}

const medianOf = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

assert.equal(Object.keys(kinds).length, 10)
assert.equal(Object.keys(machines).length, 4)
for (const [name, machine] of Object.entries(machines)) {
  describe(`failed sign-ins on ${name}`, () => {
    for (const beginning of Object.keys(kinds)) {
      for (const password of [typed, typedInTwoForms]) {
        const forms = password === typed ? 'one form' : 'two forms'
        it(`take as long on ${name} for nobody as for a person with ${beginning}, with a password in ${forms}`, async () => {
          const { nobody, person } = await timesOf(simulate(beginning, machine), password)
          const chance = chanceOfLater(person, nobody)
          assert.ok(Math.abs(chance - 0.5) <= most, `later than nobody in ${chance} of 1`)
        })
      }

      it(`take hardly longer than the dearest check usually does, with ${beginning}`, async () => {
        const run = simulate(beginning, machine)
        const { nobody } = await timesOf(run)
        const usualMs = await run.usualCheckMs()
        const took = medianOf(nobody)
        const limit = Math.min(1.5 * usualMs + 2 * commitMs, heldAtMostMs)
        assert.ok(took <= limit, `${took} ms, a check usually takes ${usualMs} ms`)
      })
    }

    it('take no longer after many attempts with passwords in two forms', async () => {
      const beginning = '$2b$06$'
      const run = simulate(beginning, machine)
      const before = medianOf((await timesOf(run)).nobody)
      await timesOf(run, typedInTwoForms)
      const after = medianOf((await timesOf(run, typed, 10)).nobody)
      assert.ok(after <= before * 1.3, `${after} ms, ${before} ms before them`)
    })
  })
}

it('a failed sign-in is never held for longer than its limit, however slow the checks are', async () => {
  const run = simulate('$2b$06$', { slower: 300, waitMs: 0, twoForms: 2 })
  const times = (await timesOf(run)).nobody
  // What is over is the check itself.
  assert.ok(times.filter((ms) => ms <= heldAtMostMs + 10 * commitMs).length > tries / 2)
})
