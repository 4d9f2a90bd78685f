/**
 * Loaded into the process of each test file (`--import`): a file that does not end, such as one whose server still
 * listens when its tests are done, or one whose failed test still asks, is named and ended. The runner would wait for it
 * without an end.
 */
import { spawnSync } from 'node:child_process'
import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'

const minutesAtMost = 10
const secondsAfterTests = 30

if (isMainThread) {
  setTimeout(() => endHere(`${minutesAtMost} minutes`), minutesAtMost * 60_000).unref()
  after(() => {
    setTimeout(() => endHere(`its tests and ${secondsAfterTests} seconds`), secondsAfterTests * 1000).unref()
  })
}

function endHere(when: string): never {
  const ps = spawnSync('ps', ['-o', 'pid=,etime=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  process.stderr.write(
    `This file has not ended after ${when}. It is kept alive by ${process.getActiveResourcesInfo().join(', ')}.\n` +
      `Processes that it started:\n${ps.stdout || 'none'}\n`,
  )
  process.exit(1)
}
