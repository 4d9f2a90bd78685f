/**
 * Loaded into the process of each test file (`--import`), in the short run often of several. No test of a process starts
 * before all of its files are loaded: the runner takes tests that ended while a file still awaits its service for the
 * last ones, and runs the hooks that close what the others need.
 *
 * A process that does not end, such as one whose server still listens when its tests and hooks are done, is named and
 * ended. The runner would wait for it without an end. Never while a test runs: one that takes long is ended by its own
 * limit of time.
 */
import { spawnSync } from 'node:child_process'
import { tracingChannel } from 'node:diagnostics_channel'
import { realpathSync } from 'node:fs'
import { after, before } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/** Longer than any test may take by itself, so that a slow machine is no reason. */
const minutesWithoutTest = 20
const secondsAfterHooks = Number(process.env.TEST_SECONDS_AFTER_HOOKS ?? 60)

if (isMainThread && process.argv[1] !== undefined) {
  // The address under which the runtime loads it: another one would load it twice.
  const entry = pathToFileURL(realpathSync(process.argv[1])).href
  const loaded = Promise.withResolvers<void>()
  // Not within the hook, to which the tests of the entry would then belong.
  setImmediate(async () => {
    // What cannot be loaded is reported by the import that started the process.
    await import(entry).catch(() => {})
    // The last of the hooks: those before it may take as long as they need.
    after(() => {
      const rest = setTimeout(() => {
        // The runner takes the hooks for the last ones when it knows of no other test. Only silence proves that.
        if (begun.size > 0) rest.refresh()
        else endHere(`its tests, its hooks and ${secondsAfterHooks} seconds`)
      }, secondsAfterHooks * 1000).unref()
      heard = () => void rest.refresh()
    })
    loaded.resolve()
  })
  before(() => loaded.promise)
  const silent = `${minutesWithoutTest} minutes in which no test began or ended`
  const silence = setTimeout(() => endHere(silent), minutesWithoutTest * 60_000).unref()
  let heard = () => {}
  /** What the runner says of each test is one object from its start to its end. */
  const begun = new Set<unknown>()
  const { start, end } = tracingChannel('node.test')
  start.subscribe((test) => {
    begun.add(test)
    silence.refresh()
    heard()
  })
  end.subscribe((test) => {
    begun.delete(test)
    silence.refresh()
    heard()
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
