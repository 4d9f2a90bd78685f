/** Who has an account cannot be told from how long a failed sign-in takes, whatever kind of hash the person has. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { argon2Sync, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import bcrypt from 'bcryptjs'
import { acceptHash, wrapHash } from '../../src/secrets/password.ts'
import { aspNetV2, aspNetV3, base64 } from '../fixtures/foreign-hashes.ts'
import { chanceOfLater } from '../support/chance-of-later.ts'
import { password } from '../support/service.ts'
import type { Heard, Listening } from './failed-sign-in-listener.ts'

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
 * for the dearest, and a listener could tell less from one another. The wrapped one of version 2 takes 0.3 ms more, which nobody
 * hears in 200 tries, with or without the pause: of it the test shows that the pause itself tells nothing. What the pace does with
 * it is computed in test/secrets/failure-pace.test.ts.
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

/** Has a process of its own listen, with a service whose times nothing else in this one changes. */
function listener(listening: Listening) {
  const program = fileURLToPath(new URL('failed-sign-in-listener.ts', import.meta.url))
  const child = fork(program, [JSON.stringify(listening)], { execArgv: [], stdio: 'inherit' })
  const ended = once(child, 'exit').then(([code]) => assert.equal(code, 0, 'the listener failed'))
  return {
    /** Returns how long all attempts took once there are so many for each name. */
    async until(turns: number): Promise<Heard> {
      const heard = once(child, 'message')
      child.send(turns)
      const [times] = await Promise.race([heard, ended.then(() => assert.fail('the listener ended'))])
      return times
    },
    async stop(): Promise<void> {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** Returns for each of the others the chance that an answer is later than one to the first. */
function chancesOf([nobody = [], ...others]: Heard): number[] {
  return others.map((times) => chanceOfLater(times, nobody))
}

const isTold = (chances: readonly number[]) => chances.some((chance) => Math.abs(chance - 0.5) > most)

/** How many kinds are listened to at once. An idle machine has nothing to do but sign-ins, which wait for most of their time. */
const atOnce = { 'an idle': 2 * availableParallelism(), 'a busy': Object.keys(kinds).length }

for (const machine of ['an idle', 'a busy'] as const) {
  const title = `failed sign-ins on ${machine} machine take as long for nobody as for a person`
  describe(title, { concurrency: atOnce[machine] }, () => {
    let stop: (() => Promise<unknown>) | undefined
    before(() => {
      if (machine === 'a busy') stop = busyNeighbours()
    })
    after(() => stop?.())
    for (const [name, text] of Object.entries(kinds)) {
      it(`with a password hash of another kind: ${name}`, { timeout: timeoutMs }, async (t) => {
        const names = ['nobody', 'other', ...(name === besideOurs ? ['alice'] : [])]
        const listening = listener({ passwordHash: acceptHash(text) ?? text, names })
        try {
          let chances = chancesOf(await listening.until(tries))
          if (isTold(chances)) {
            t.diagnostic(`after ${tries} tries later than nobody in ${chances.join(', ')} of 1`)
            chances = chancesOf(await listening.until(triesInDoubt))
          }
          assert.ok(!isTold(chances), `later than nobody in ${chances.join(', ')} of 1`)
        } finally {
          await listening.stop()
        }
      })
    }
  })
}
