/** Who has an account cannot be told from how long a failed sign-in takes, whatever kind of hash the person has. */
import assert from 'node:assert/strict'
import { argon2Sync, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import bcrypt from 'bcryptjs'
import { acceptHash, wrapHash } from '../../src/secrets/password.ts'
import { aspNetV2, aspNetV3, base64 } from '../fixtures/foreign-hashes.ts'
import { Browser } from '../support/browser.ts'
import { password, startService, type TestService, testUser } from '../support/service.ts'

const tries = 200
/**
 * How far from a coin's toss a listener may get that calls the longer of two answers the person's. Of two equal kinds, the
 * difference of 200 tries each is below this in 2,000 of 2,001 cases.
 */
const most = 0.1

/** For 400 sign-ins that each take as long as the dearest hash, beside whatever else the machine does. */
const timeoutMs = 20 * 60_000

const salt = randomBytes(16)
const firebaseKey = base64(randomBytes(64))
const phc = (name: string, hash: Uint8Array) => `$${name}$${base64(salt)}$${base64(hash)}`
const argon2 = (kind: 'argon2i' | 'argon2id', memory: number, passes: number) =>
  phc(
    `${kind}$v=19$m=${memory},t=${passes},p=1`,
    argon2Sync(kind, { message: password, nonce: salt, memory, passes, parallelism: 1, tagLength: 32 }),
  )

/** Each with a stored hash of `password`: the first as its system makes it, the others cheap, for 200 tries take their time. */
const kinds: Readonly<Record<string, string>> = {
  'ASP.NET Identity, 100,000 rounds': aspNetV3(password, 2, 100_000),
  'ASP.NET Identity version 2, wrapped': (await wrapHash(acceptHash(aspNetV2(password)) ?? '')) ?? assert.fail(),
  'PBKDF2 with SHA-256': phc('pbkdf2-sha256$i=30000,l=32', pbkdf2Sync(password, salt, 30_000, 32, 'sha256')),
  scrypt: phc('scrypt$ln=12,r=8,p=1', scryptSync(password, salt, 32, { N: 2 ** 12, r: 8, p: 1 })),
  bcrypt: bcrypt.hashSync(password, 6),
  Firebase: phc(`firebase-scrypt$ln=12,r=8,sep=Bw,key=${firebaseKey}`, randomBytes(64)),
  Argon2i: argon2('argon2i', 8192, 1),
  'Argon2id with more memory than ours': argon2('argon2id', 32_768, 1),
  'Argon2id with less memory than ours': argon2('argon2id', 4096, 1),
}

/** The cheapest: it is measured beside busy neighbours as well, and beside a person with a hash of ours. */
const cheapest = 'bcrypt'

/** Chance that an answer to one is later than an answer to the other (Mann and Whitney). */
function chanceOfLater(one: readonly number[], other: readonly number[]): number {
  const later = one.map(
    (ms) => other.filter((than) => ms > than).length + other.filter((than) => ms === than).length / 2,
  )
  return later.reduce((sum, count) => sum + count, 0) / (one.length * other.length)
}

/** Keeps every processor busy until it is called. */
function busyNeighbours(): () => Promise<unknown> {
  const workers = Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true }))
  return () => Promise.all(workers.map((worker) => worker.terminate()))
}

/**
 * How long failed attempts with the names take, in the order of the names. A turn sends one for each name at the same
 * moment: whatever else the machine does then delays all of them.
 */
async function timesOf(service: TestService, names: readonly string[], typed: string): Promise<number[][]> {
  const times = names.map((): number[] => [])
  const browsers = names.map(() => new Browser(service))
  const tokens = await Promise.all(browsers.map((browser) => browser.antiforgeryToken()))
  const attempt = async (who: number) => {
    const fields = { username: names[who] ?? '', password: typed, __RequestVerificationToken: tokens[who] ?? '' }
    const startMs = performance.now()
    const response = await browsers[who]?.post('/Account/Login', fields)
    times[who]?.push(performance.now() - startMs)
    assert.match(response?.headers.get('location') ?? '', /error=invalid_credentials/)
  }
  for (let turn = 0; turn < tries; turn += 1) {
    // Nobody is always the first of a turn.
    await Promise.all(names.map((_name, at) => attempt((at + turn) % names.length)))
  }
  return times
}

for (const machine of ['an idle', 'a busy'] as const) {
  describe(`failed sign-ins on ${machine} machine take as long for nobody as for a person`, () => {
    let stop: (() => Promise<unknown>) | undefined
    before(() => {
      if (machine === 'a busy') stop = busyNeighbours()
    })
    after(() => stop?.())
    // Beside busy neighbours a cheap kind alone: a dear one takes minutes, and noise hides more of the difference.
    const measured = Object.entries(kinds).filter(([name]) => machine !== 'a busy' || name === cheapest)
    for (const [name, text] of measured) {
      it(`with a password hash of another kind: ${name}`, { timeout: timeoutMs }, async () => {
        const service = await startService({
          RateLimit__LoginPerMinute: '100000',
          Accounts__Lockout__MaxFailedAttempts: '1000',
        })
        try {
          const passwordHash = acceptHash(text) ?? text
          await service.storage.users.create(testUser({ name: 'other', email: 'other@example.com', passwordHash }))
          // Whose hash is ours differs in nothing from kind to kind.
          const names = ['nobody', 'other', ...(name === cheapest ? ['alice'] : [])]
          const [nobody = [], ...others] = await timesOf(service, names, 'a wrong one')
          const chances = others.map((times) => chanceOfLater(times, nobody))
          assert.ok(
            chances.every((chance) => Math.abs(chance - 0.5) <= most),
            `later than nobody in ${chances.join(', ')} of 1`,
          )
        } finally {
          await service.stop()
        }
      })
    }
  })
}
