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
import { chanceOfLater } from '../support/chance-of-later.ts'
import { password, startService, type TestService, testUser } from '../support/service.ts'

const tries = 200
/** How far from a coin's toss a listener may get that calls the longer of two answers the person's. */
const most = 0.1
/**
 * Who got further goes on to this many, for what is true stays and chance does not. Of two equal series, the difference of 200
 * tries each is above `most` once in 1,800, that of 600 once in 500 million.
 */
const triesInDoubt = 600

/** For what hangs. */
const timeoutMs = 20 * 60_000

const salt = randomBytes(16)
const firebaseKey = base64(randomBytes(64))
const phc = (name: string, hash: Uint8Array) => `$${name}$${base64(salt)}$${base64(hash)}`
const argon2 = (kind: 'argon2i' | 'argon2id', memory: number, passes: number) =>
  phc(
    `${kind}$v=19$m=${memory},t=${passes},p=1`,
    argon2Sync(kind, { message: password, nonce: salt, memory, passes, parallelism: 1, tagLength: 32 }),
  )

/**
 * Each with a stored hash of `password`, which takes about ten milliseconds more than ours to check: each of the tries waits
 * for the dearest, and a listener could tell less from one another.
 */
const kinds: Readonly<Record<string, string>> = {
  'ASP.NET Identity': aspNetV3(password, 2, 30_000),
  'ASP.NET Identity version 2, wrapped': (await wrapHash(acceptHash(aspNetV2(password)) ?? '')) ?? assert.fail(),
  'PBKDF2 with SHA-256': phc('pbkdf2-sha256$i=60000,l=32', pbkdf2Sync(password, salt, 60_000, 32, 'sha256')),
  scrypt: phc('scrypt$ln=12,r=8,p=1', scryptSync(password, salt, 32, { N: 2 ** 12, r: 8, p: 1 })),
  bcrypt: bcrypt.hashSync(password, 7),
  Firebase: phc(`firebase-scrypt$ln=12,r=8,sep=Bw,key=${firebaseKey}`, randomBytes(64)),
  Argon2i: argon2('argon2i', 8192, 1),
  'Argon2id with more memory than ours': argon2('argon2id', 65_536, 1),
  'Argon2id with less memory than ours': argon2('argon2id', 4096, 1),
}
assert.equal(Object.keys(kinds).length, 9)

/** Whose hash is ours differs in nothing from kind to kind: measured beside one. */
const besideOurs = 'bcrypt'

/** On a busy machine, every processor has other work for a third of the time. */
const [worksForMs, restsForMs] = [5, 10]

/** Keeps every processor busy until it is called. */
function busyNeighbours(): () => Promise<unknown> {
  const neighbour = `
    const rest = new Int32Array(new SharedArrayBuffer(4))
    for (;;) {
      const endMs = performance.now() + ${worksForMs}
      while (performance.now() < endMs);
      Atomics.wait(rest, 0, 0, ${restsForMs})
    }`
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(neighbour, { eval: true }))
  return () => Promise.all(workers.map((worker) => worker.terminate()))
}

/**
 * Listens to failed attempts with the names. A turn sends one for each name at the same moment: whatever else the machine does
 * then delays all of them.
 */
async function listen(service: TestService, names: readonly string[], typed: string) {
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
  return {
    /** Returns how long all attempts took once there are this many, in the order of the names. */
    async until(turns: number): Promise<number[][]> {
      for (let turn = times[0]?.length ?? 0; turn < turns; turn += 1) {
        // Nobody is always the first of a turn.
        await Promise.all(names.map((_name, at) => attempt((at + turn) % names.length)))
      }
      return times
    },
  }
}

/** Returns for each of the others the chance that an answer is later than one to the first. */
function chancesOf([nobody = [], ...others]: readonly number[][]): number[] {
  return others.map((times) => chanceOfLater(times, nobody))
}

const isTold = (chances: readonly number[]) => chances.some((chance) => Math.abs(chance - 0.5) > most)

for (const machine of ['an idle', 'a busy'] as const) {
  describe(`failed sign-ins on ${machine} machine take as long for nobody as for a person`, () => {
    let stop: (() => Promise<unknown>) | undefined
    before(() => {
      if (machine === 'a busy') stop = busyNeighbours()
    })
    after(() => stop?.())
    for (const [name, text] of Object.entries(kinds)) {
      it(`with a password hash of another kind: ${name}`, { timeout: timeoutMs }, async (t) => {
        const service = await startService({
          RateLimit__LoginPerMinute: '100000',
          Accounts__Lockout__MaxFailedAttempts: '1000',
        })
        try {
          const passwordHash = acceptHash(text) ?? text
          await service.storage.users.create(testUser({ name: 'other', email: 'other@example.com', passwordHash }))
          const names = ['nobody', 'other', ...(name === besideOurs ? ['alice'] : [])]
          const heard = await listen(service, names, 'a wrong one')
          let chances = chancesOf(await heard.until(tries))
          if (isTold(chances)) {
            t.diagnostic(`after ${tries} tries later than nobody in ${chances.join(', ')} of 1`)
            chances = chancesOf(await heard.until(triesInDoubt))
          }
          assert.ok(!isTold(chances), `later than nobody in ${chances.join(', ')} of 1`)
        } finally {
          await service.stop()
        }
      })
    }
  })
}
