/** A node that stands still for a minute in the middle of shared commits: its clients go on at another, and nothing is lost or doubled. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { Browser, codeFields, obtainCode, postToken, refreshFields, type TokenAnswer } from '../support/browser.ts'
import { closing, temporaryFolder, thisFile } from '../support/lifetime.ts'
import { startServer } from '../support/postgres.ts'
import { seedDatabase } from '../support/seed.ts'
import { freePort } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'
import { isConnectionLoss } from './visitor.ts'

const server = await startServer()
thisFile.after(() => server.stop())

/** Enough that what they send at once shares statements. */
const chainsAtOnce = 24
const pausedMs = 60_000
/** Rotations of each chain in that time: fewer than a chain remembers. */
const rounds = 5

/** A client with a refresh token, and what it was told. */
type Chain = { readonly grantId: string; live: string; acknowledged: number }

const chainOf = (token: string): Chain => ({ grantId: token.split('.')[0] ?? '', live: token, acknowledged: 0 })
const generationOf = (token: string): number => Number.parseInt(token.split('.')[1] ?? '', 36)

/** Resolves to undefined where a node cannot answer, as it may say of what was under way when it stood still. */
async function answered(asked: Promise<TokenAnswer>): Promise<TokenAnswer | undefined> {
  try {
    const answer = await asked
    return answer.status === 503 || answer.status === 408 ? undefined : answer
  } catch (error) {
    if (isConnectionLoss(error)) return undefined
    throw error
  }
}

describe('a node that is paused for a minute', { timeout: 300_000 }, () => {
  it('leaves every acknowledged rotation and redemption in place, each made once', async (t) => {
    const url = await server.createDatabase()
    await seedDatabase({ kind: 'postgres', url }, ['alice'])
    const [first, second] = [await freePort(), await freePort()]
    const env = {
      Database__Url: url,
      Keys__MasterKey: Buffer.alloc(32, 7).toString('base64'),
      OAuth__Issuer: `http://localhost:${first}/`,
      OAuth__AuthorizationCodeLifetime: '600',
      // What the node had not read when it stood still counts as sent when it goes on.
      OAuth__RefreshTokenReuseLeeway: '600',
    }
    const folder = temporaryFolder()
    const paused = await startProcess({ port: first, folder, env })
    t.after(() => paused.kill())
    const other = await startProcess({ port: second, folder, env })
    t.after(() => other.kill())
    const [here, there] = [{ issuer: paused.address }, { issuer: other.address }]

    const browser = new Browser(here)
    const offline = { scope: 'openid offline_access' }
    const chains: Chain[] = []
    while (chains.length < chainsAtOnce) {
      const code = await obtainCode(browser, offline)
      const { status, body } = await postToken(here, codeFields(code))
      assert.equal(status, 200, JSON.stringify(body))
      chains.push(chainOf(body.refresh_token))
    }
    const codes: string[] = []
    while (codes.length < chainsAtOnce) codes.push(await obtainCode(browser, offline))

    /** Resolves to whether the node answered. */
    async function refresh(chain: Chain, service: { readonly issuer: string }): Promise<boolean> {
      const answer = await answered(postToken(service, refreshFields(chain.live)))
      if (answer === undefined) return false
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      // An answer that comes late is that of a token which is there already.
      const token: string = answer.body.refresh_token
      if (generationOf(token) > generationOf(chain.live)) {
        chain.live = token
        chain.acknowledged += 1
      }
      return true
    }

    // Each asks again as soon as it was answered, until the node stands still.
    let isPaused = false
    const stop = Promise.withResolvers<void>()
    const late: Promise<unknown>[] = []
    const uses = chains.map(async (chain) => {
      while (!isPaused) {
        const asked = refresh(chain, here)
        late.push(asked)
        await Promise.race([asked, stop.promise])
      }
    })
    while (chains.some(({ acknowledged }) => acknowledged < 5)) await pause(5)
    const redeemed = codes.map((code) => answered(postToken(here, codeFields(code))))
    process.kill(paused.pid, 'SIGSTOP')
    const pausedAtMs = performance.now()
    isPaused = true
    stop.resolve()
    await Promise.all(uses)

    // Whoever waits asks the other node, and goes on there for as long as the first one stands still.
    for (let round = 1; round <= rounds; round += 1) {
      await Promise.all(chains.map(async (chain) => assert.ok(await refresh(chain, there), other.output())))
      await pause(pausedAtMs + (round * pausedMs) / rounds - performance.now())
    }
    process.kill(paused.pid, 'SIGCONT')
    await Promise.all(late)
    const answers = await Promise.all(redeemed)
    for (const answer of answers) {
      if (answer === undefined) continue
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      chains.push(chainOf(answer.body.refresh_token))
    }

    const sql = closing(t, postgres(url, { max: 1 }))
    const stored = await sql`select id, generation, revoked_at_ms from grants`
    const byId = new Map(stored.map((row) => [row.id as string, row]))
    for (const { grantId, live } of chains) {
      const grant = byId.get(grantId)
      assert.equal(grant?.revoked_at_ms, null, 'no chain ended')
      assert.equal(Number(grant?.generation), generationOf(live), 'the client has the latest token of its chain')
    }
    for (const chain of chains) {
      // It may have to connect to its database again first.
      let isAnswered = false
      for (let tries = 0; tries < 50 && !isAnswered; tries += 1) {
        isAnswered = await refresh(chain, here)
        if (!isAnswered) await pause(100)
      }
      assert.ok(isAnswered, `the token is alive at the node that stood still\n${paused.output()}`)
      assert.ok(await refresh(chain, there))
    }
    for (const [at, code] of codes.entries()) {
      if (answers[at] !== undefined) assert.equal((await postToken(there, codeFields(code))).status, 400)
    }
    t.diagnostic(`${answers.filter((answer) => answer !== undefined).length} of ${codes.length} codes were answered`)
    t.diagnostic(`${chains.reduce((sum, { acknowledged }) => sum + acknowledged, 0)} rotations were acknowledged`)
    assert.equal(await paused.stop(), 0)
    assert.equal(await other.stop(), 0)
  })
})
