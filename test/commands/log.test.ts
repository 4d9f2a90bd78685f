import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog } from '../../src/commands/log.ts'

function logged(readable: boolean, write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('info', { write: (line: string) => lines.push(line) }, readable))
  return lines.join('')
}

describe('the log', () => {
  it('takes secrets out, wherever they stand', () => {
    const text = logged(false, (log) => {
      log.info({ password: 'hunter2', body: { refresh_token: 'hunter2', name: 'alice' } }, 'message')
      log.info({ req: { headers: { authorization: 'hunter2', cookie: 'hunter2', 'set-cookie': 'hunter2' } } })
    })
    assert.ok(!text.includes('hunter2'), text)
    assert.match(text, /"name":"alice"/)
    assert.equal(text.match(/\[secret\]/g)?.length, 5)
  })

  it('is JSON with ISO times, from the level of the settings on', () => {
    const text = logged(false, (log) => {
      log.debug('not this')
      log.warn('this')
    })
    assert.match(text, /^\{"level":40,"time":"\d{4}-\d\d-\d\dT[\d:.]+Z","msg":"this"\}\n$/)
  })

  it('is readable on a terminal', () => {
    assert.match(
      logged(true, (log) => log.info({ issuer: 'x', count: 2 }, 'ready')),
      /^\d\d:\d\d:\d\d INFO {2}ready issuer="x" count=2\n$/,
    )
    assert.match(
      logged(true, (log) => log.error(new Error('broken'))),
      /^\d\d:\d\d:\d\d ERROR broken\nError: broken\n {4}at /,
    )
  })
})
