/**
 * All three databases are gone: a second cluster is made from a base backup and the archive, as of a chosen moment, and the
 * nodes go on with it.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'
import { read } from '../repository/sources.ts'
import { unprivileged } from '../support/postgres.ts'
import { check, summary } from './checker.ts'
import { execute, fill, startCluster } from './cluster.ts'
import { journeySettings, prepareJourneys, startJourneys } from './journeys.ts'
import { startNodes } from './nodes.ts'
import { findPrograms } from './packages.ts'
import { handOver, makeFolder, until } from './watchdog.ts'

const cluster = await startCluster()
after(() => cluster.stop())
const nodes = await startNodes(cluster, { env: journeySettings })
after(() => nodes.stop())

const backups = makeFolder(join(cluster.folder, 'backups'))
makeFolder(join(backups, 'wal'))
const shipped = '/var/backups/latchkey'

/** A file of `deploy/patroni` with the folder of this test in place of the shipped one. */
function fromDeploy(name: string): string {
  return fill(read(`deploy/patroni/${name}`), [[shipped, backups]])
}

/** Runs a program as the account of the servers, on the machine of a member. */
async function run(program: string, parameters: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const member = cluster.members[0]
  const options = {
    ...unprivileged(),
    cwd: member?.folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1', ...env },
  }
  return promisify(execFile)(program, parameters, options)
}

function patronictl(...parameters: string[]) {
  const { programs } = findPrograms()
  const configuration = join(cluster.members[0]?.folder ?? '', 'patroni.yml')
  const env = { PATRONI_ETCD3_USE_PROXIES: 'true' }
  return run(join(dirname(programs?.patroni ?? ''), 'patronictl'), ['-c', configuration, ...parameters], env)
}

const query = async (url: string, text: string) => (await execute(url, [text]))[0] ?? {}

describe('point-in-time recovery to a second cluster', { timeout: 400_000 }, () => {
  it('has everything acknowledged before the chosen time, and keeps what had ended', async (t) => {
    // As docs/operating.md says.
    const changes = join(backups, 'backup.yml')
    writeFileSync(changes, fromDeploy('backup.yml'))
    handOver(changes)
    await patronictl('edit-config', '--apply', changes, '--force')
    await until('every member knows that it must restart', 60_000, async () => {
      const members = await cluster.state()
      return members.length === 3 && members.every(({ pending_restart }) => pending_restart === true)
    })
    await patronictl('restart', 'latchkey', '--force')
    await until('every member archives', 60_000, async () => {
      const modes = await Promise.all(
        cluster.members.map(({ name }) => query(cluster.superuserUrl(name), 'show archive_mode')),
      )
      return modes.every(({ archive_mode }) => archive_mode === 'on')
    })
    await cluster.settled()
    await nodes.ready()
    const secret = await prepareJourneys(nodes)
    const journeys = startJourneys({ issuer: nodes.issuer, secret })
    t.after(() => journeys.stop())
    await journeys.acknowledged(60)

    const primary = await cluster.primary()
    const { programs } = findPrograms()
    const { replication } = parse(readFileSync(join(primary.folder, 'patroni.yml'), 'utf8')).postgresql.authentication
    const url = `postgres://${replication.username}@127.0.0.1:${primary.port}/postgres`
    const base = ['--pgdata', join(backups, 'base'), '--wal-method', 'stream', '--checkpoint', 'fast']
    await run(join(programs?.postgres ?? '', 'pg_basebackup'), ['--dbname', url, ...base], {
      PGPASSWORD: replication.password,
    })
    await run(join(programs?.postgres ?? '', 'pg_verifybackup'), [join(backups, 'base')])
    await journeys.acknowledged(150)
    const { now, ms } = await query(cluster.url, 'select now()::text, extract(epoch from now()) * 1000 as ms')
    const chosenMs = Number(ms)
    await journeys.acknowledged(80)
    const { wal } = await query(cluster.superuserUrl(primary.name), 'select pg_walfile_name(pg_switch_wal()) as wal')
    await until('the archive has it', 60_000, async () => {
      const archived = await query(
        cluster.superuserUrl(primary.name),
        'select last_archived_wal as wal from pg_stat_archiver',
      )
      return String(archived.wal) >= String(wal)
    })
    const report = await journeys.stop()
    assert.deepEqual(report.failures, {}, nodes.logs())
    assert.deepEqual(report.contradictions, [])

    const goneAtMs = Date.now()
    for (const index of [0, 1, 2]) await nodes.kill(index)
    await Promise.all([
      ...cluster.members.map(({ name }) => cluster.kill(name)),
      cluster.killEtcd(),
      cluster.killProxy(),
    ])
    for (const { folder } of cluster.members) rmSync(join(folder, 'data'), { recursive: true })

    const script = join(backups, 'restore.sh')
    copyFileSync(fileURLToPath(new URL('../../deploy/patroni/restore.sh', import.meta.url)), script)
    chmodSync(script, 0o755)
    handOver(script)
    const restoring = fill(fromDeploy('restore.yml'), [
      ['/etc/patroni/restore.sh', script],
      ['2030-01-31 12:00:00+00', String(now)],
    ])
    const second = await startCluster({
      isRestored: true,
      configure(text) {
        const configuration = parse(text)
        const { initdb: _, ...bootstrap } = configuration.bootstrap
        return stringify({ ...configuration, bootstrap: { ...bootstrap, ...parse(restoring).bootstrap } })
      },
    })
    t.after(() => second.stop())
    // The same nodes, with the address of the other database.
    Object.assign(nodes.env, { Database__Url: second.url })
    for (const index of [0, 1, 2]) await nodes.start(index)
    await nodes.ready()
    t.diagnostic(`served again ${((Date.now() - goneAtMs) / 1000).toFixed(0)} s after the disaster`)

    assert.match(await nodes.cli('audit', 'verify'), /\S/)
    const verdict = await check(journeys.ledger, { issuer: nodes.issuer, database: second.url })
    const isEarly = ({ atMs }: { readonly atMs: number }) => atMs <= chosenMs
    t.diagnostic(`${JSON.stringify(report)} ${summary(verdict)}`)
    assert.deepEqual([verdict.lost.filter(isEarly), verdict.undone.filter(isEarly)], [[], []])
    // What came later is gone, so the checker could see it.
    assert.ok(verdict.lost.length > 0)
    const writes = journeys.ledger.writes.filter((atMs) => atMs <= chosenMs)
    assert.ok(writes.length >= 150)

    // The second cluster is a whole one: it archives nothing until it is told a folder of its own, and it fails over.
    const again = startJourneys({ issuer: nodes.issuer, secret })
    await again.acknowledged(20)
    await second.switchOver()
    await again.acknowledged(20)
    assert.deepEqual((await again.stop()).contradictions, [])
    assert.match(await nodes.cli('audit', 'verify'), /\S/)
  })
})
