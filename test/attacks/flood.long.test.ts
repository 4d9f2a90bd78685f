/** Tries everything at once: random requests by the hundred thousand. What fails is told with its seed and number. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { authorizePath, Browser, locationOf } from '../support/browser.ts'
import { DpopKey } from '../support/dpop.ts'
import type { FloodMessage } from './flood-service.ts'
import { randomRequests, type SignedIn } from './random-requests.ts'
import { Wire } from './wire.ts'

const requests = 100_000
/** Until the compiler and the caches have settled. */
const warmUp = 20_000
const connections = 16
/** Longer than any answer takes on a busy machine. */
const hangsMs = 30_000
const seed = 20_270_101

const key = new DpopKey()
let child: ChildProcess
let service: { readonly issuer: string }
before(async () => {
  child = fork(fileURLToPath(new URL('flood-service.ts', import.meta.url)), [JSON.stringify(key.jwk)], {
    execArgv: ['--expose-gc'],
    stdio: 'inherit',
  })
  service = (await message('ready')) as { issuer: string }
})
after(async () => {
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
})

async function message(kind: FloodMessage['kind']): Promise<FloodMessage> {
  const [said] = (await once(child, 'message')) as [FloodMessage]
  assert.equal(said.kind, kind)
  return said
}

/** MiB that the service holds after a full collection. */
async function heldMiB(): Promise<number> {
  child.send('memory?')
  const said = await message('memory')
  return (said as { bytes: number }).bytes / 2 ** 20
}

describe('a flood', () => {
  it(`answers ${requests} random requests without a 5xx, a hang or growth`, { timeout: 300_000 }, async (t) => {
    const browser = await Browser.signedIn(service)
    assert.equal((await browser.allow()).status, 302)
    const leaving = await Browser.signedIn(service)
    const source = randomRequests(seed, {
      ...{ issuer: service.issuer, key },
      ...(await held(browser)),
      leaving: await held(leaving),
    })
    const seen = { statuses: new Map<number, number>(), codes: 0, tokens: 0, silent: 0 }

    const flood = async (until: number): Promise<void> => {
      let sent = 0
      const visitor = async (): Promise<void> => {
        let wire = new Wire(service)
        while (sent < until) {
          sent += 1
          const number = sent
          const bytes = source.next()
          const answer = await within(wire.ask(bytes), () => `request ${number} of seed ${seed} hangs: ${bytes}`)
          if (answer === undefined) seen.silent += 1
          else {
            const { status, headers, body } = answer
            assert.ok(status < 500, `request ${number} of seed ${seed}: ${status} ${body}\n${bytes}`)
            assert.equal(headers.get('x-evil'), undefined, String(bytes))
            seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1)
            if (headers.get('location')?.includes('code=') === true) seen.codes += 1
            if (body.startsWith('{"access_token"')) seen.tokens += 1
            source.learn(answer)
          }
          if (wire.ended || answer === undefined || headersClose(answer)) {
            wire.close()
            wire = new Wire(service)
          }
        }
        wire.close()
      }
      await Promise.all(Array.from({ length: connections }, visitor))
    }

    const startedAt = performance.now()
    await flood(warmUp)
    const mib = [await heldMiB()]
    for (let part = 0; part < 2; part += 1) {
      await flood((requests - warmUp) / 2)
      mib.push(await heldMiB())
    }
    const seconds = (performance.now() - startedAt) / 1000

    const statuses = [...seen.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    t.diagnostic(
      `${requests} requests in ${seconds.toFixed(1)} s; ${statuses.join(', ')}; ${seen.silent} without an answer`,
    )
    t.diagnostic(
      `${seen.codes} codes, ${seen.tokens} token answers; MiB: ${mib.map((held) => held.toFixed(1)).join(', ')}`,
    )
    const answered = [...seen.statuses.values()].reduce((sum, count) => sum + count, 0)
    assert.equal(answered + seen.silent, requests)
    // The requests really reach the inside: otherwise the flood would prove nothing.
    assert.ok(seen.codes > requests / 200 && seen.tokens > requests / 1000, 'codes and tokens came out on the way')
    assert.ok(seen.silent < requests / 100, `${seen.silent} connections ended without an answer`)
    // If each request left 50 bytes behind, each half would add 2 MiB.
    const [before = 0, middle = 0, later = 0] = mib
    assert.ok(later <= before + 3 && later <= middle + 1.5, `MiB held: ${mib}`)
    assert.ok(locationOf(await browser.get(authorizePath())).searchParams.get('code'), 'and all is as it was')
  })
})

async function held(browser: Browser): Promise<SignedIn> {
  const antiforgeryToken = await browser.antiforgeryToken()
  return { cookies: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '), antiforgeryToken }
}

function headersClose({ headers }: { readonly headers: ReadonlyMap<string, string> }): boolean {
  return headers.get('connection') === 'close'
}

/** The answer, or an error when there is none in time. */
async function within<T>(answer: Promise<T>, what: () => string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(what())), hangsMs)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}
