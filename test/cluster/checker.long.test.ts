/** The checker of the cluster's tests: it finds nothing where nothing was lost, and everything that was. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import postgres from 'postgres'
import { startRoundRobin } from '../durability/round-robin.ts'
import { freePort } from '../support/free-port.ts'
import { startServer } from '../support/postgres.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { check, summary } from './checker.ts'
import { command, journeySettings, prepareJourneys, startJourneys } from './journeys.ts'
import { longestGap } from './ledger.ts'

const server = await startServer()
const folder = mkdtempSync(join(tmpdir(), 'latchkey-checker-'))
const database = await server.createDatabase()
const sql = postgres(database, { max: 1, onnotice: () => {} })
const [proxyPort, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()]
const env = {
  Database__Url: database,
  Keys__MasterKey: Buffer.alloc(32, 9).toString('base64'),
  OAuth__Issuer: `http://localhost:${proxyPort}/`,
  ...journeySettings,
}
const start = (port: number) => startProcess({ port, folder, env })
const nodes: ServiceProcess[] = []
const proxy = await startRoundRobin(proxyPort, ports)
const issuer = proxy.address
let secret: string

before(async () => {
  secret = await prepareJourneys({ folder, env })
  nodes.push(...(await Promise.all(ports.map(start))))
})
after(async () => {
  await proxy.stop()
  for (const node of nodes) await node.kill()
  await sql.end()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const auditVerify = () => command(['audit', 'verify'], { folder, env })

/** Everything that was deleted or replaced in these tables, and an older copy of all of them. */
async function keepWhatEnds(): Promise<void> {
  for (const [table, on] of [
    ['sessions', 'delete'],
    ['authorizations', 'delete'],
    ['users', 'update of password_hash'],
  ]) {
    await sql.unsafe(`
      create table kept_${table} as select * from ${table} where false;
      create function keep_${table}() returns trigger language plpgsql as
        'begin insert into kept_${table} select old.*; return null; end';
      create trigger keep after ${on} on ${table} for each row execute function keep_${table}()`)
  }
}

describe('the checker', { timeout: 240_000 }, () => {
  it('finds nothing lost and nothing undone when a node is killed', async (t) => {
    const journeys = startJourneys({ issuer, secret })
    await journeys.acknowledged(150)
    const killedAtMs = Date.now()
    await nodes[0]?.kill()
    await journeys.acknowledged(150)
    nodes[0] = await start(ports[0] ?? 0)
    await journeys.acknowledged(100)
    const report = await journeys.stop()
    const verdict = await check(journeys.ledger, { issuer, database, auditVerify })
    t.diagnostic(`${JSON.stringify(report)} ${summary(verdict)}`)
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
      'replaced refresh tokens',
      'chains ended by revocation',
      'chains ended by withdrawal',
      'redeemed codes',
      'audit entries',
    ]) {
      assert.ok((verdict.checked[kind] ?? 0) > 0, `no ${kind} were checked: ${summary(verdict)}`)
    }
    const gap = longestGap(journeys.ledger, killedAtMs, Date.now())
    assert.ok(gap.ms > 0 && gap.atMs >= killedAtMs)
  })

  it('names what was changed in the database behind the back of the service, kind by kind', async () => {
    await keepWhatEnds()
    const journeys = startJourneys({ issuer, secret })
    await journeys.acknowledged(450)
    await journeys.stop()
    const { chains, consents, people, sessions } = journeys.ledger
    // A password that was changed after a sign-out ends the session a second time, which is not undone below.
    const signedOut = () =>
      new Set(
        sessions
          .filter(({ person, endedAtMs, inDoubt }) => endedAtMs !== undefined && !inDoubt && !person.former.length)
          .map(({ person }) => person),
      )
    while (signedOut().size < 2) {
      const more = startJourneys({ issuer, secret, ledger: journeys.ledger })
      await more.acknowledged(40)
      await more.stop()
    }
    const living = chains.filter(({ endedAtMs, inDoubt }) => endedAtMs === undefined && !inDoubt)
    const [one, other, third] = [...new Set(living.map(({ person }) => person))]
    const changed = people.find((person) => person.former.length > 0 && person !== one && person !== third)
    const latest = [...new Map(consents.map((consent) => [consent.person, consent])).values()]
    const withdrawn = latest.find(({ person, withdrawnAtMs }) => withdrawnAtMs !== undefined && person !== changed)
    assert.ok(living.length > 4 && one && other && third && changed && withdrawn)
    const grantOf = (person: typeof one, at: number) => {
      const chain = living.filter((each) => each.person === person).at(at)
      return chain?.tokens[0]?.token.split('.')[0] ?? ''
    }
    const nowMs = Date.now()
    await sql.begin(async (sql) => {
      await sql`update grants set revoked_at_ms = null where revoked_at_ms is not null`
      await sql`delete from grants where id = ${grantOf(one, 0)}`
      await sql`update grants set generation = generation - 2 where id = ${grantOf(other, 0)}`
      await sql`update grants set revoked_at_ms = ${nowMs} where id = ${grantOf(third, 0)}`
      await sql`update users set locked_until_ms = null, failed_attempts = 0 where locked_until_ms is not null`
      await sql`update users set password_hash = kept.password_hash from kept_users as kept
        where kept.id = users.id and users.id = ${changed.id}`
      await sql`delete from authorizations where user_id = ${third.id}`
      await sql`insert into authorizations select * from kept_authorizations where user_id = ${withdrawn.person.id}
        on conflict do nothing`
      await sql`delete from sessions where user_id = ${other.id}`
      await sql`insert into sessions select * from kept_sessions where user_id <> ${other.id} on conflict do nothing`
      await sql`delete from audit_entries where kind = 'consent_given' and user_id = ${other.id}`
    })
    const verdict = await check(journeys.ledger, { issuer, database, auditVerify })
    const lost = verdict.lost.map(({ what }) => what).join('\n')
    const undone = verdict.undone.map(({ what }) => what).join('\n')
    for (const pattern of [
      /the grant of p/,
      /2 rotations of a chain/,
      /the current refresh token of p\w+, refused/,
      /the password of p/,
      /the consent of p/,
      /a session of p/,
      /entries 'consent_given'/,
      /audit verify fails/,
    ]) {
      assert.match(lost, pattern)
    }
    for (const pattern of [
      /the redemption of a code/,
      /the revocation of a chain/,
      /the revocation of an access token/,
      /the lockout of/,
      /the change of the password/,
      /the withdrawal of p\w+'s consent/,
      /the end of a session/,
    ]) {
      assert.match(undone, pattern)
    }
  })

  it('finds what is missing after an older copy of the database came back', async (t) => {
    const tables = (
      await sql`select tablename as name from pg_tables where schemaname = current_schema() and tablename not like 'k%'`
    ).map(({ name }) => String(name))
    const journeys = startJourneys({ issuer, secret })
    await journeys.acknowledged(150)
    await sql.begin('isolation level repeatable read', async (sql) => {
      for (const table of tables) await sql.unsafe(`create table kcopy_${table} as table ${table}`)
    })
    const copiedAtMs = Date.now()
    await journeys.acknowledged(250)
    await journeys.stop()
    await sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`
      for (const table of tables) {
        await sql.unsafe(`delete from ${table}`)
        await sql.unsafe(`insert into ${table} select * from kcopy_${table}`)
      }
    })
    const verdict = await check(journeys.ledger, { issuer, database })
    t.diagnostic(summary(verdict))
    assert.ok(verdict.lost.length > 20 && verdict.undone.length > 0, summary(verdict))
    // What was acknowledged before the copy is in it. A second is left for what was in flight.
    const early = [...verdict.lost, ...verdict.undone].filter(({ atMs }) => atMs < copiedAtMs - 1000)
    assert.deepEqual(early, [])
  })
})
