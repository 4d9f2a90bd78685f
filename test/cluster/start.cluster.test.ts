/** The configuration of `deploy/`, started as it is: three PostgreSQL, three nodes, and somebody who signs in. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Browser, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { execute, startCluster } from './cluster.ts'
import { startNodes } from './nodes.ts'
import { processesBelow } from './watchdog.ts'

const cluster = await startCluster()
after(() => cluster.stop())
const nodes = await startNodes(cluster)
after(() => nodes.stop())

describe('the cluster of deploy/patroni and deploy/haproxy', () => {
  it('has one primary, and a replica that a commit waits for', async () => {
    const { name } = await cluster.primary()
    const roles = (await cluster.state()).map(({ role }) => role).toSorted()
    assert.deepEqual(roles, ['leader', 'replica', 'sync_standby'])
    const [settings] = await execute(cluster.superuserUrl(name), [
      `select current_setting('synchronous_commit') as commits, current_setting('synchronous_standby_names') as names`,
    ])
    assert.equal(settings?.commits, 'on')
    assert.match(String(settings?.names), /db[123]/)
  })

  it('serves a journey through the proxy, on whatever node its requests land', async () => {
    const browser = new Browser(nodes)
    const tokens = await postToken(nodes, codeFields(await obtainCode(browser)))
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body))
    const refreshed = await postToken(nodes, refreshFields(tokens.body.refresh_token))
    assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body))
  })

  it('is found by the names of its servers alone', async () => {
    const [row] = await execute(cluster.hostsUrl.replace(/127[^,/]*,/g, ''), ['select pg_is_in_recovery() as standby'])
    assert.equal(typeof row?.standby, 'boolean')
    assert.match(await nodes.cli('doctor'), /synchronous/i)
  })

  it('leaves no process behind when it is stopped', async () => {
    assert.ok(processesBelow(cluster.folder).length >= 10)
    await nodes.stop()
    await cluster.stop()
    assert.deepEqual(processesBelow(cluster.folder), [])
  })
})
