import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { startThread, type Thread, ThreadEnded } from '../src/thread.ts'

type Request = number | 'fail' | 'end' | 'stop'

/** `fixtures/doubling-thread.ts`. */
function start(onEnd?: () => void): Thread<Request, number> {
  return startThread(import.meta.url, 'fixtures/doubling-thread', { data: 2, ...(onEnd && { onEnd }) })
}

describe('a thread', () => {
  it('answers requests, and ends when it is asked to', async () => {
    let ends = 0
    const thread = start(() => {
      ends += 1
    })
    assert.equal(await thread.ask(21), 42)
    assert.equal(await thread.ask(4), 8)
    assert.equal(ends, 0)
    await thread.end('end')
    assert.equal(ends, 1)
    await assert.rejects(thread.ask(1), ThreadEnded)
  })

  it('that fails rejects the request with what it threw', async () => {
    const thread = start()
    await assert.rejects(thread.ask('fail'), (error: Error) => {
      assert.ok(error instanceof ThreadEnded)
      assert.match(String(error.cause), /no number/)
      return true
    })
    await assert.rejects(start().end('fail'), ThreadEnded)
  })

  it('that ends instead of answering rejects the request, and tells the owner of an idle one', async () => {
    await assert.rejects(
      start().ask('stop'),
      (error: Error) => error instanceof ThreadEnded && error.cause === undefined,
    )
    const { promise, resolve } = Promise.withResolvers<void>()
    const idle = start(resolve)
    await idle.ask(1)
    idle.terminate()
    await promise
  })

  it('keeps the process alive for a request, and not while it is idle', () => {
    const program = `
      import { startThread } from ${JSON.stringify(new URL('../src/thread.ts', import.meta.url))}
      const thread = startThread(${JSON.stringify(import.meta.url)}, 'fixtures/doubling-thread', { data: 2 })
      thread.ask(21).then((answer) => console.log(answer))`
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
      timeout: 120_000,
    })
    assert.deepEqual([stdout, status], ['42\n', 0])
  })
})
