/** The alerts of deploy/ as Prometheus reads them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it, type TestContext } from 'node:test'
import { parse } from 'yaml'
import { read, root } from '../repository/sources.ts'

const promtool = (...parameters: string[]) => spawnSync('promtool', parameters, { cwd: root, encoding: 'utf8' })

describe('the alerts, read by Prometheus', () => {
  const onThisMachine = (t: TestContext): boolean => {
    if (promtool('--version').status === 0) return true
    t.skip('not on this machine: promtool')
    return false
  }

  it('are understood, with the example that loads them', (t) => {
    if (!onThisMachine(t)) return
    const { status, stdout, stderr } = promtool('check', 'config', 'deploy/prometheus/prometheus.example.yaml')
    assert.equal(status, 0, stdout + stderr)
    assert.match(stdout, /SUCCESS: \d+ rules found/)
  })

  it('come when they should, and not before, each of them', (t) => {
    if (!onThisMachine(t)) return
    const file = 'test/packaging/latchkey.rules.test.yaml'
    const { status, stdout, stderr } = promtool('test', 'rules', file)
    assert.equal(status, 0, stdout + stderr)
    const { groups } = parse(read('deploy/prometheus/latchkey.rules.yaml'))
    for (const { alert } of groups.flatMap(({ rules }: { rules: { alert: string }[] }) => rules)) {
      assert.ok(read(file).includes(`alertname="${alert}"`), alert)
    }
  })
})
