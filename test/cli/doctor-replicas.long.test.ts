/** `latchkey doctor` on a real primary with a real standby. */
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import postgres from 'postgres'
import { checkReplication } from '../../src/server/doctor/replica-checks.ts'
import { readReplication } from '../../src/storage/postgres/replicas.ts'
import { postgresPair } from '../support/postgres.ts'
import { valuesOf } from '../support/values.ts'
import { workplace } from './run.ts'

const { primary, standby } = await postgresPair()
after(() => Promise.all([primary.stop(), standby.stop()]))
const url = await primary.createDatabase()

/** Sets these for the whole server, and waits until the standby has the state that follows. */
async function configure(settings: Record<string, string>, state: 'sync' | 'async'): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  for (const [name, value] of Object.entries(settings)) await admin.unsafe(`alter system set ${name} = '${value}'`)
  await admin`select pg_reload_conf()`
  for (let found = ''; found !== state; ) {
    const [row] = await admin`select sync_state from pg_stat_replication`
    found = String(row?.sync_state)
  }
  await admin.end()
}

/** What the doctor says of replicas, if anything. */
async function examine(t: TestContext): Promise<string | undefined> {
  const env = { Database__Url: url, Keys__MasterKey: Buffer.alloc(32).toString('base64') }
  const { code, stdout } = await workplace(t, { database: false }).run('doctor', { env })
  assert.equal(code, 0, stdout)
  return stdout.split('\n').find((line) => /[Rr]eplica|synchronous/.test(line))
}

describe('latchkey doctor on a standby', () => {
  it('fails: it accepts no writes', async (t) => {
    const env = {
      Database__Url: url.replace(`:${primary.port}/`, `:${standby.port}/`),
      Keys__MasterKey: Buffer.alloc(32).toString('base64'),
    }
    const place = workplace(t, { database: false })
    // It follows the primary, and has the database a moment later.
    for (let examined = ''; !/it accepts no writes now/.test(examined); ) {
      const { code, stdout } = await place.run('doctor', { env })
      assert.equal(code, 1)
      assert.match(stdout, /✗ The database .* (?:it accepts no writes now|there is no such database)/)
      examined = stdout
    }
  })
})

describe('latchkey doctor on a PostgreSQL with a standby', () => {
  it('warns when no commit waits for it [C2.24]', async (t) => {
    await configure({ synchronous_standby_names: '', synchronous_commit: 'on' }, 'async')
    assert.match(
      (await examine(t)) ?? '',
      /^! Replicas are attached to PostgreSQL \(standby\), but no commit waits for them/,
    )
  })

  it('is content when commits wait for it', async (t) => {
    await configure({ synchronous_standby_names: 'standby', synchronous_commit: 'on' }, 'sync')
    assert.match((await examine(t)) ?? '', /^✓ Replicas are attached .* commits wait for a synchronous one\.$/)
  })

  it('takes neither a backup nor a program that follows changes for a replica', async (t) => {
    const sender = () =>
      postgres(url, { max: 1, fetch_types: false, connection: { replication: 'database' }, onnotice: () => {} })
    const [backup, changes, admin] = [sender(), sender(), postgres(url, { max: 1 })]
    t.after(() => Promise.all([backup, changes, admin].map((sql) => sql.end({ timeout: 0 }))))
    await changes.unsafe('CREATE_REPLICATION_SLOT changes TEMPORARY LOGICAL pgoutput').simple()
    backup
      .unsafe("BASE_BACKUP (MAX_RATE 32, CHECKPOINT 'fast')")
      .simple()
      .catch(() => {})
    for (let found = 0; found !== 3; ) {
      const rows = await admin`select from pg_stat_replication where state <> 'startup' or pid in (
        select active_pid from pg_replication_slots)`
      found = rows.length
    }
    const replication = await readReplication(url)
    assert.deepEqual(valuesOf(replication?.replicas ?? [], 'name'), ['standby'])
  })

  it('warns when commits wait for another one than that which is attached', async (t) => {
    // Nobody else comes, so commits would wait for ever: they are not made to.
    await configure({ synchronous_standby_names: 'other', synchronous_commit: 'local' }, 'async')
    assert.match((await examine(t)) ?? '', /^! Replicas are attached .*\(synchronous_commit is local\)/)
    const replication = await readReplication(url)
    assert.ok(replication !== undefined)
    const [finding] = checkReplication({ ...replication, synchronousCommit: 'on' })
    assert.match(finding?.message ?? '', /^Commits do not wait for the replicas standby: /)
  })

  it('fails when commits wait for a replica that is not there, and says so in place of how it shows', async (t) => {
    await configure({ synchronous_standby_names: 'other', synchronous_commit: 'on' }, 'async')
    const env = { Database__Url: url, Keys__MasterKey: Buffer.alloc(32).toString('base64') }
    const { code, stdout } = await workplace(t, { database: false }).run('doctor', { env })
    assert.equal(code, 1)
    assert.match(
      stdout,
      /✗ PostgreSQL can be read, and confirms no commits: .* \(synchronous_standby_names is other\), and those that are attached \(standby\) do not confirm them\./,
    )
  })

  it('finds Patroni by its connection', async (t) => {
    const patroni = postgres(url, { max: 1, connection: { application_name: 'Patroni' } })
    t.after(() => patroni.end())
    assert.equal((await readReplication(url))?.isPatroni, false)
    await patroni`select 1`
    assert.equal((await readReplication(url))?.isPatroni, true)
  })

  it('is content with Patroni, which promotes no replica that may lack a commit', () => {
    const replicas = [
      { name: 'db2', state: 'sync' },
      { name: 'db3', state: 'async' },
    ]
    const found = { synchronousCommit: 'on', synchronousNames: 'db2', replicas, waiting: 0 }
    const [content] = checkReplication({ ...found, isPatroni: true })
    assert.equal(content?.status, 'ok')
    const [unsure] = checkReplication({ ...found, isPatroni: false })
    assert.equal(unsure?.status, 'warning')
    const [none] = checkReplication({ ...found, synchronousNames: '', isPatroni: true })
    assert.match(`${none?.status} ${none?.advice}`, /^warning .*synchronous_mode_strict/)
    const [alone] = checkReplication({ ...found, synchronousNames: '', replicas: [], isPatroni: true })
    assert.match(`${alone?.status} ${alone?.message}`, /^warning .* on one machine/)
  })

  it('warns when commits do not wait for the disk', async (t) => {
    await configure({ synchronous_standby_names: '', synchronous_commit: 'off' }, 'async')
    assert.match((await examine(t)) ?? '', /^! PostgreSQL confirms a commit before it is on the disk/)
  })
})
