/**
 * What happens to PostgreSQL under Patroni while people and applications go on: what was acknowledged is there, what has
 * ended stays ended, the service recovers by itself, and the time without writes is reported.
 */
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { assertNone } from '../support/values.ts'
import { check, summary } from './checker.ts'
import { execute, type Member, startCluster } from './cluster.ts'
import { journeySettings, prepareJourneys, startJourneys } from './journeys.ts'
import { longestGap } from './ledger.ts'
import { startNodes } from './nodes.ts'
import { processesBelow, until } from './watchdog.ts'

const cluster = await startCluster()
after(() => cluster.stop())
const nodes = await startNodes(cluster, { env: journeySettings, people: [] })
after(() => nodes.stop())
const secret = await prepareJourneys(nodes)

/** How long a recovery may take: the key of a primary lives for twenty seconds, and machines are slow. */
const patienceMs = 90_000

/** Whether a request may fail like this: 503 with Retry-After, or a connection that ended. */
const isExplained = (failure: string): boolean => !/^5(?!03$)/.test(failure)

type Journeys = ReturnType<typeof startJourneys>

/**
 * Runs `fault` under journeys and waits until writes are acknowledged again and the cluster is whole. Checks every
 * acknowledged write, and that the processes of the service are those of before. Reports the longest time without a write.
 */
async function under(
  t: TestContext,
  name: string,
  fault: (journeys: Journeys) => Promise<void>,
  mend: () => Promise<void> | void = () => {},
): Promise<void> {
  const pids = nodes.processes.map((node) => node?.pid)
  const journeys = startJourneys({ issuer: nodes.issuer, secret })
  const beganAtMs = Date.now()
  let settledAtMs = 0
  try {
    await journeys.acknowledged(40)
    await fault(journeys)
    await journeys.acknowledged(40, patienceMs)
    await mend()
    await cluster.settled()
    settledAtMs = Date.now()
    await journeys.acknowledged(20)
  } catch (error) {
    t.diagnostic(`${cluster.logs()}\n${nodes.logs()}`)
    throw error
  } finally {
    await journeys.stop().catch(() => {})
  }
  const { ledger } = journeys
  const gap = longestGap(ledger, beganAtMs, Date.now())
  const verdict = await check(ledger, {
    issuer: nodes.issuer,
    database: cluster.superuserUrl((await cluster.primary()).name, 'latchkey'),
    auditVerify: () => nodes.cli('audit', 'verify'),
  })
  t.diagnostic(
    `${name}: ${(gap.ms / 1000).toFixed(1)} s without a write, whole again ${((settledAtMs - gap.atMs) / 1000).toFixed(1)} s ` +
      `after it began; ${ledger.writes.length} writes, ${verdict.lost.length} lost, ${verdict.undone.length} undone; ` +
      `not acknowledged: ${JSON.stringify(Object.fromEntries(ledger.failures))}`,
  )
  assert.deepEqual([verdict.lost, verdict.undone], [[], []], summary(verdict))
  assertNone([...ledger.failures.keys()].filter((failure) => !isExplained(failure)))
  assert.ok((await nodes.readiness()).every((status) => status === 200))
  assert.deepEqual(
    nodes.processes.map((node) => node?.pid),
    pids,
  )
  for (const pid of pids) assert.ok(process.kill(pid ?? 0, 0), 'no node ended')
}

const byName = (name: string): Member => cluster.members.find((one) => one.name === name) ?? assert.fail(name)

/** Waits until a member other than `name` is the only primary. */
const isReplaced = (name: string) =>
  until(`another member than ${name} is the primary`, patienceMs, async () => (await cluster.primary()).name !== name)

async function replicas(): Promise<readonly Member[]> {
  const { name } = await cluster.primary()
  return cluster.members.filter((one) => one.name !== name)
}

/** Whether PostgreSQL of a member takes writes. */
async function takesWrites(name: string): Promise<boolean> {
  try {
    const [row] = await execute(cluster.superuserUrl(name), ['select pg_is_in_recovery() as standby'])
    return row?.standby === false
  } catch {
    return false
  }
}

describe('three nodes on PostgreSQL under Patroni, with synchronous replication', { timeout: 540_000 }, () => {
  it('lose nothing when the primary is switched over', (t) =>
    under(t, 'switchover', async () => {
      await cluster.switchOver()
    }))

  it('lose nothing when the machine of the primary is gone, and its replica takes over', async (t) => {
    const { name } = await cluster.primary()
    const fault = async (): Promise<void> => {
      await cluster.kill(name)
      await isReplaced(name)
    }
    await under(t, 'the primary is killed', fault, () => cluster.start(name))
  })

  it('lose nothing when PostgreSQL of the primary is killed and Patroni is not', async (t) => {
    const { folder } = await cluster.primary()
    await under(t, 'PostgreSQL of the primary is killed', async () => {
      const killed = processesBelow(`${folder}/data`)
      assert.ok(killed.length > 0)
      for (const pid of killed) process.kill(pid, 'SIGKILL')
    })
  })

  it('lose nothing when the primary is cut off from etcd: it gives up its role, and another takes it', async (t) => {
    const { name } = await cluster.primary()
    const fault = async (): Promise<void> => {
      cluster.cutFromEtcd(name)
      await isReplaced(name)
      await until('the former primary takes no writes', patienceMs, async () => !(await takesWrites(name)))
    }
    await under(t, 'the primary is cut off from etcd', fault, () => cluster.reconnect(name))
    assert.equal(await takesWrites(name), false)
  })

  it('lose nothing and go on when the synchronous replica is killed', async (t) => {
    const { name } = (await cluster.state()).find(({ role }) => role === 'sync_standby') ?? assert.fail('there is none')
    await under(
      t,
      'the synchronous replica is killed',
      () => cluster.kill(byName(name).name),
      () => cluster.start(name),
    )
  })

  it('acknowledge nothing without a replica, say that they are not ready, and recover when one is back', async (t) => {
    const both = await replicas()
    const fault = async ({ ledger }: Journeys): Promise<void> => {
      await Promise.all(both.map(({ name }) => cluster.kill(name)))
      // What a replica had on its disk may still be on its way to the client.
      const goneAtMs = Date.now() + 1000
      await until('every node says that it is not ready', patienceMs, async () =>
        (await nodes.readiness()).every((status) => status === 503),
      )
      t.diagnostic(`no replica: every node said so after ${((Date.now() - goneAtMs + 1000) / 1000).toFixed(1)} s`)
      const { status } = await fetch(new URL('.well-known/openid-configuration', nodes.issuer))
      assert.equal(status, 200, 'what needs no database is answered')
      assertNone(
        ledger.writes.filter((atMs) => atMs > goneAtMs),
        'nothing was acknowledged',
      )
      for (const { name } of both) cluster.start(name)
    }
    await under(t, 'both replicas are killed', fault)
  })

  it('lose nothing when everything is killed at once and started again', (t) =>
    under(t, 'everything is restarted', () => cluster.restart()))

  it('lose nothing when etcd is gone: there is no primary until it is back', (t) => {
    const fault = async (): Promise<void> => {
      await cluster.killEtcd()
      await until('no member takes writes', patienceMs, async () => {
        const taking = await Promise.all(cluster.members.map(({ name }) => takesWrites(name)))
        return taking.every((each) => !each)
      })
      await cluster.startEtcd()
    }
    return under(t, 'etcd is gone', fault)
  })
})
