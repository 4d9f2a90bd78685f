/** A process that logs as many lines as its parent asks for, and says what that took. */
import { setImmediate } from 'node:timers/promises'
import { createLog, lineForm } from '../../src/commands/log.ts'
import { logOutput } from '../../src/commands/log-output.ts'

const output = logOutput(process.stdout, { clock: Date.now, form: lineForm(false) })
const log = createLog('info', output, false)

process.on('message', async (lines: number) => {
  const before = process.memoryUsage().rss
  for (let at = 0; at < lines; at += 1) {
    log.info({ at, filling: 'x'.repeat(1000) }, 'line')
    if (at % 100 === 0) await setImmediate()
  }
  process.send?.({ dropped: output.dropped(), grownBytes: process.memoryUsage().rss - before })
})
