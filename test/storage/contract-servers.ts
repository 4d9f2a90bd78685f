import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Server } from '../../src/storage/port/servers.ts'
import { anEvent, atOnce, countOf, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const aServer = (id: string, change: Partial<Server> = {}): Server => ({
  id,
  host: 'node-1',
  pid: 4711,
  startedAtMs: now,
  seenAtMs: now,
  ...change,
})

export function serverContract(storageFor: StorageFor): void {
  describe('the servers of a database', () => {
    it('are those that gave a sign of life and did not leave, the oldest first', async (t) => {
      const { servers } = await storageFor(t)
      assert.deepEqual(await servers.list(), [])
      const [younger, older] = [aServer('b', { startedAtMs: now + 1 }), aServer('c')]
      await servers.beat(younger)
      await servers.beat(older)
      assert.deepEqual(await servers.list(), [older, younger])
      await servers.beat({ ...older, seenAtMs: now + 5000 })
      assert.deepEqual(await servers.list(), [{ ...older, seenAtMs: now + 5000 }, younger])
      await servers.leave('b')
      await servers.leave('b')
      assert.deepEqual(await servers.list(), [{ ...older, seenAtMs: now + 5000 }])
    })

    it('are forgotten when their last sign of life is too old', async (t) => {
      const { servers } = await storageFor(t)
      await servers.beat(aServer('old', { seenAtMs: now - 1 }))
      await servers.beat(aServer('new'))
      await servers.forgetBefore(now)
      assert.deepEqual(await servers.list(), [aServer('new')])
    })
  })

  describe('the mark of a database that was moved', () => {
    it('is set once, and taken away once', async (t) => {
      const { servers, audit } = await storageFor(t)
      assert.equal(await servers.findMove(), undefined)
      assert.equal(await servers.reopen([anEvent({ kind: 'database_reopened' })]), false)
      const marked = await atOnce(10, (at) =>
        servers.markMoved({ to: `place ${at}`, atMs: now }, [anEvent({ kind: 'database_moved' })]),
      )
      assert.equal(countOf(marked, true), 1)
      const move = { to: `place ${marked.indexOf(true)}`, atMs: now }
      assert.deepEqual(await servers.findMove(), { ...move, isSettled: false, isCopied: false })
      await servers.settleMove()
      assert.deepEqual(await servers.findMove(), { ...move, isSettled: true, isCopied: false })
      assert.equal(await servers.endMove(), true)
      assert.equal(await servers.endMove(), false)
      assert.deepEqual(await servers.findMove(), { ...move, isSettled: true, isCopied: true })
      assert.equal(await servers.findArrival(), undefined)
      assert.equal(await servers.reopen([anEvent({ kind: 'database_reopened' })]), true)
      assert.equal(await servers.findMove(), undefined)
      const kinds = (await audit.newest({}, 10)).map(({ kind }) => kind)
      assert.deepEqual(kinds.sort(), ['database_moved', 'database_reopened'])
    })
  })
}
