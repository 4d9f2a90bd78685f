/**
 * A primary that is lost with commits which its asynchronous replicas do not have: what the service loses with them, and
 * what it does not.
 */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { assertNone } from '../support/values.ts'
import { check, type Finding, summary } from './checker.ts'
import { type Cluster, execute, fill, startCluster } from './cluster.ts'
import { journeySettings, prepareJourneys, startJourneys } from './journeys.ts'
import type { Chain } from './ledger.ts'
import { startNodes } from './nodes.ts'
import { CookieJar, client, refresh, send } from './requests.ts'
import { until } from './watchdog.ts'

const cluster = await startCluster({
  replication: 'asynchronous',
  // Patroni promotes no replica that is known to lack more than a mebibyte, unless it is told so.
  configure: (patroni) =>
    fill(patroni, [['synchronous_mode: false', 'synchronous_mode: false\n    maximum_lag_on_failover: 1073741824']]),
})
after(() => cluster.stop())
const nodes = await startNodes(cluster, { env: journeySettings, people: [] })
after(() => nodes.stop())
const { issuer } = nodes
const secret = await prepareJourneys(nodes)

/** Waits until both replicas have everything. */
async function replicated({ superuserUrl }: Cluster, primary: string): Promise<void> {
  await until('both replicas have everything', 30_000, async () => {
    const [row] = await execute(superuserUrl(primary), [
      'select count(*)::integer as n from pg_stat_replication where flush_lsn >= pg_current_wal_flush_lsn()',
    ])
    return row?.n === 2
  })
}

/** Keeps the replicas from receiving anything more: they may not sign in again. */
async function holdBack({ superuserUrl }: Cluster, primary: string): Promise<void> {
  await execute(superuserUrl(primary), [
    'alter role replicator nologin',
    "select pg_terminate_backend(pid) from pg_stat_replication where usename = 'replicator'",
  ])
  await until('no replica receives any more', 30_000, async () => {
    const [row] = await execute(superuserUrl(primary), ['select count(*)::integer as n from pg_stat_replication'])
    return row?.n === 0
  })
}

/** Uses every chain once, as its application does; each answer is in the ledger. */
async function rotateAll(chains: readonly Chain[]): Promise<void> {
  for (const chain of chains) {
    const outcome = await refresh(issuer, currentOf(chain))
    assert.ok('tokens' in outcome, JSON.stringify(outcome))
    chain.tokens.push({ token: outcome.tokens.refresh_token, atMs: Date.now() })
    chain.accessToken = outcome.tokens.access_token
  }
}

async function revoke(chain: Chain, token: string): Promise<void> {
  const { status } = await send(issuer, 'connect/revocation', { form: { client_id: client, token } })
  assert.equal(status, 200)
  Object.assign(chain, { endedAtMs: Date.now(), endedBy: 'revocation' })
}

const currentOf = ({ tokens }: Chain): string => tokens.at(-1)?.token ?? ''

/** How many findings there are of each kind: the text without the names of people and the ids of grants. */
function kinds(findings: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { what } of findings) {
    const kind = what.replace(/\bp[0-9a-f]{12}\b/g, 'somebody').replace(/\d+ of \d+ | about [-0-9a-f]{36}|^\d+ /g, '')
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

describe('a failover to an asynchronous replica that lags', { timeout: 400_000 }, () => {
  it('loses what came after the replica had fallen behind and nothing from before, and signs nobody out of an application', async (t) => {
    const journeys = startJourneys({ issuer, secret })
    await journeys.acknowledged(350)
    await journeys.stop()
    const { ledger } = journeys
    const standing = ledger.chains.filter(({ endedAtMs, inDoubt }) => endedAtMs === undefined && !inDoubt)
    const sessions = ledger.sessions.filter(({ endedAtMs, inDoubt }) => endedAtMs === undefined && !inDoubt)
    assert.ok(standing.length >= 8 && sessions.length >= 3, `${standing.length} chains, ${sessions.length} sessions`)
    const primary = await cluster.primary()
    await replicated(cluster, primary.name)

    const behindAtMs = Date.now()
    await holdBack(cluster, primary.name)
    // Applications go on, people sign out, and new ones come: all of it is acknowledged.
    const [revoked, ...rotated] = standing.slice(0, 8)
    assert.ok(revoked)
    await rotateAll(rotated)
    await rotateAll(rotated)
    await revoke(revoked, currentOf(revoked))
    const [signedIn] = sessions
    assert.ok(signedIn)
    const jar = new CookieJar(issuer, signedIn.cookie)
    assert.equal((await jar.submit('/connect/logout', { Confirm: 'Yes' })).location, '/')
    signedIn.endedAtMs = Date.now()
    const more = startJourneys({ issuer, secret, ledger })
    await more.acknowledged(150)
    const killedAtMs = Date.now()
    await cluster.kill(primary.name)
    await more.stop()
    await until('another member is the primary', 90_000, async () => (await cluster.primary()).name !== primary.name)
    await nodes.ready()
    const recoveredMs = Date.now() - killedAtMs

    // An operator, or the application, ends a chain whose tokens are of generations that the database has not come to.
    const [ended] = rotated
    assert.ok(ended)
    await revoke(ended, ended.tokens[0]?.token ?? '')
    const again = await refresh(issuer, currentOf(ended))
    assert.ok('refused' in again, 'a later generation brings nothing back that has ended')

    const verdict = await check(ledger, {
      issuer,
      database: cluster.superuserUrl((await cluster.primary()).name, 'latchkey'),
      auditVerify: () => nodes.cli('audit', 'verify'),
    })
    t.diagnostic(`ready again after ${(recoveredMs / 1000).toFixed(1)} s; ${summary(verdict).split('\n')[0]}`)
    t.diagnostic(`lost: ${JSON.stringify(kinds(verdict.lost))}`)
    t.diagnostic(`undone: ${JSON.stringify(kinds(verdict.undone))}`)
    const early = [...verdict.lost, ...verdict.undone].filter(({ atMs }) => atMs < behindAtMs)
    assert.deepEqual(early, [], 'what the replica had is there, and what had ended there is ended')
    assert.ok(verdict.lost.length > 0 && verdict.undone.length > 0, 'commits were lost')
    // No rule brings an end back that only the lost primary knew.
    for (const pattern of [/^the revocation of a chain/, /^the end of a session/]) {
      assert.ok(
        verdict.undone.some(({ what }) => pattern.test(what)),
        `${pattern}`,
      )
    }
    // The database knows of none of these rotations, and no application is signed out by that.
    const rotations = verdict.lost.filter(({ what }) => what.startsWith('2 rotations of a chain'))
    assert.equal(rotations.length, rotated.length - 1, summary(verdict))
    assertNone(
      verdict.lost.filter(({ what }) => what.includes('the current refresh token')),
      'a token of a later generation moves its chain on',
    )
  })

  it('loses nothing more on the new primary', async () => {
    const journeys = startJourneys({ issuer, secret })
    await journeys.acknowledged(120)
    await journeys.stop()
    const verdict = await check(journeys.ledger, {
      issuer,
      database: cluster.superuserUrl((await cluster.primary()).name, 'latchkey'),
    })
    assert.deepEqual([verdict.lost, verdict.undone], [[], []], summary(verdict))
  })
})
