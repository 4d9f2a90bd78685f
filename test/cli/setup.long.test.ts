/** What `latchkey serve` prints of a new installation. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../support/lifetime.ts'
import { startProgram } from '../support/program.ts'
import { freePort } from '../support/service.ts'

describe('latchkey serve on an empty database', () => {
  it('prints the link after the line by which scripts know that it is ready, and once somebody has an account no more', async (t) => {
    const folder = temporaryFolder(t)
    const port = String(await freePort())
    const env = { Server__Port: port, OAuth__Issuer: `http://localhost:${port}/` }
    const start = () => startProgram(t, ['serve', '--json'], { folder, env })
    const setUp = 'nobody has an account yet: open the address to become the administrator; it works once'
    const first = start()
    const { open, until, level } = await first.logged(setUp)
    assert.match(
      String(open),
      new RegExp(`^http://localhost:${port}/Account/Confirm\\?purpose=setup#token=[\\w.-]{64}$`),
    )
    assert.ok(Math.abs(Date.parse(String(until)) - Date.now() - 30 * 60_000) < 60_000)
    assert.equal(level, 40)
    const lines = first.log().map(({ msg }) => msg)
    assert.ok(lines.indexOf('ready') < lines.indexOf(setUp))
    const ready = first.log().find(({ msg }) => msg === 'ready') ?? {}
    assert.deepEqual(Object.keys(ready).sort(), ['database', 'issuer', 'level', 'msg', 'time'])
    first.child.kill('SIGTERM')
    await first.ended
    const second = start()
    assert.notEqual((await second.logged(setUp)).open, open)
    second.child.kill('SIGTERM')
    await second.ended
    const add = ['user', 'add', 'ada', '--email', 'ada@example.com', '--no-password']
    assert.equal((await startProgram(t, add, { folder, env }).ended).code, 0)
    const third = start()
    await third.logged('ready')
    third.child.kill('SIGTERM')
    await third.ended
    assert.ok(!third.stdout().includes('purpose=setup'))
  })
})
