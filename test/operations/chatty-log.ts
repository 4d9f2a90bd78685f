/** A process that logs as many lines as its parent asks for, and says what that took. */
import { setImmediate } from 'node:timers/promises'
import { createLog, lineForm } from '../../src/server/log.ts'
import { logOutput } from '../../src/server/log-output.ts'

const output = logOutput(process.stdout, { clock: Date.now, form: lineForm(false) })
const log = createLog('info', output, false)

/** What is held, and not what the collector has yet to look at. */
function heldBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

process.on('message', async (lines: number) => {
  const before = heldBytes()
  for (let at = 0; at < lines; at += 1) {
    log.info({ at, filling: 'x'.repeat(1000) }, 'line')
    if (at % 100 === 0) await setImmediate()
  }
  process.send?.({ dropped: output.dropped(), grownBytes: heldBytes() - before })
})
