/**
 * The previous release and this one on one cluster: three nodes are replaced one after the other while people sign in, go
 * back to the previous release, and one of them forward again.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { migrations } from '../../src/storage/migrations/index.ts'
import { previousRelease, unpackPreviousRelease } from '../durability/previous-release.ts'
import { guard } from '../support/service-process.ts'
import { check, summary } from './checker.ts'
import { execute, startCluster } from './cluster.ts'
import { journeySettings, type Operator, startJourneys } from './journeys.ts'
import { startNodes } from './nodes.ts'
import { client, redirectUri } from './requests.ts'

const cluster = await startCluster()
after(() => cluster.stop())
const previous = unpackPreviousRelease(join(cluster.folder, 'release'))
const nodes = await startNodes(cluster, { program: previous, env: journeySettings })
after(() => nodes.stop())

/** Runs a command of the previous release; its standard output. */
async function previously(parameters: readonly string[], input = ''): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = { cwd: nodes.folder, env: { PATH: process.env.PATH, ...guard, ...nodes.env } }
  const child = execFile(process.execPath, [previous, ...parameters], options, (error, stdout, stderr) =>
    error === null ? resolve(stdout) : reject(new Error(`${parameters.join(' ')}: ${stderr}`, { cause: error })),
  )
  child.stdin?.end(input)
  return promise
}

/** The previous release has neither an account area nor an admin API. */
const operator: Operator = {
  async register({ name, password }) {
    const parameters = ['user', 'add', name, '--email', `${name}@example.com`, '--email-confirmed', '--password-stdin']
    await previously(parameters, password)
    const [row] = await execute(cluster.url, [`select id from users where name = '${name}'`])
    return String(row?.id)
  },
  async setPassword(name, password) {
    await previously(['user', 'set-password', name, '--password-stdin'], password)
  },
  async revokeConsents(name) {
    const given: { id: string }[] = JSON.parse(await previously(['authorizations', 'list', '--user', name, '--json']))
    for (const { id } of given) await previously(['authorizations', 'revoke', id])
  },
}

async function applied(): Promise<string[]> {
  const rows = await execute(cluster.url, ['select name from kysely_migration'])
  return rows.map(({ name }) => String(name)).toSorted()
}

const versions = async (): Promise<number> => {
  const rows = await execute(cluster.url, [
    'select count(*) as servers from servers where seen_at_ms > (extract(epoch from now()) - 15) * 1000',
  ])
  return Number(rows[0]?.servers)
}

describe(`an upgrade of three nodes from ${previousRelease}`, { timeout: 400_000 }, () => {
  it('refuses no request, loses nothing and undoes nothing, forward, back and forward again', async (t) => {
    const released = await applied()
    assert.ok(released.length < Object.keys(migrations).length)
    await previously(['client', 'add', client, '--redirect-uri', redirectUri, '--scope', 'offline_access'])
    const journeys = startJourneys({ issuer: nodes.issuer, operator })
    await journeys.acknowledged(60)

    const migrated = await nodes.cli('db', 'migrate')
    t.diagnostic(migrated.trim().split('\n').at(-1) ?? '')
    assert.deepEqual(await applied(), Object.keys(migrations))
    await journeys.acknowledged(30)

    for (const [direction, program, places] of [
      ['forward', undefined, [0, 1, 2]],
      ['back', previous, [0, 1, 2]],
      ['forward again', undefined, [0]],
    ] as const) {
      for (const index of places) {
        await nodes.replace(index, program)
        await nodes.ready()
        await journeys.acknowledged(15)
      }
      t.diagnostic(`${direction}: ${journeys.ledger.writes.length} writes; ${await versions()} nodes of this release`)
    }

    const report = await journeys.stop()
    const verdict = await check(journeys.ledger, {
      issuer: nodes.issuer,
      database: cluster.url,
      auditVerify: () => nodes.cli('audit', 'verify'),
      trail: false,
    })
    t.diagnostic(`${JSON.stringify(report)} ${summary(verdict)}`)
    assert.deepEqual(report.failures, {}, nodes.logs())
    assert.deepEqual([verdict.lost, verdict.undone], [[], []], summary(verdict))
    for (const kind of [
      'sessions',
      'ended sessions',
      'people',
      'lockouts',
      'replaced passwords',
      'consents',
      'withdrawn consents',
      'refresh chains',
      'chains ended by revocation',
      'chains ended by withdrawal',
      'redeemed codes',
    ]) {
      assert.ok((verdict.checked[kind] ?? 0) > 0, `no ${kind} were checked: ${summary(verdict)}`)
    }
  })
})
