/** Test files that share a process (`scripts/test-groups.ts`) begin and end together. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { temporaryFolder } from '../support/lifetime.ts'

const ends = new URL('../support/ends.ts', import.meta.url)

/** Runs the files in one process, in their order, as the runner does. */
async function run(t: TestContext, files: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder(t)
  for (const [at, source] of files.entries()) writeFileSync(join(folder, `${at}.mjs`), source)
  writeFileSync(join(folder, 'group.mjs'), files.map((_source, at) => `import './${at}.mjs'\n`).join(''))
  // Otherwise the inner process would take itself for one of this run.
  const { NODE_TEST_CONTEXT: _context, ...outer } = process.env
  const child = spawn(process.execPath, ['--test-reporter=tap', `--import=${ends}`, join(folder, 'group.mjs')], {
    env: { ...outer, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [printed, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { printed, complaints, code }
}

/** Ends its tests long before the next file is loaded. */
const quick = `import { it } from 'node:test'
  it('is over at once', () => {})`

/** Still loads while the tests of others have ended: it awaits more turns of the event loop than those take. */
const slow = `import assert from 'node:assert/strict'
  import { after, it } from 'node:test'
  let isOpen = true
  after(() => { isOpen = false; console.log('# closed') })
  for (let turn = 0; turn < 2000; turn += 1) await new Promise(setImmediate)
  it('finds what it opened', () => { assert.ok(isOpen); console.log('# found') })`

describe('files that share a process', () => {
  it('close what they opened after the last test of all files, however long one takes to load', async (t) => {
    const { printed, complaints, code } = await run(t, [quick, slow, quick])
    assert.equal(code, 0, `${printed}${complaints}`)
    assert.match(printed, /# found.*# closed/s)
    assert.match(printed, /^# pass 3$/m)
  })

  it('fail as a whole when one cannot be loaded', async (t) => {
    const { printed, code } = await run(t, [quick, `await null\nthrow new Error('cannot be loaded')`])
    assert.equal(code, 1)
    assert.match(printed, /cannot be loaded/)
  })

  it('are ended, and what keeps them alive is named, when something still runs after the last hook has ended', async (t) => {
    const server = `import { createServer } from 'node:net'
      import { after, it } from 'node:test'
      it('leaves a server behind', (t, done) => { createServer().listen(0, '127.0.0.1', done) })
      after(async () => {
        for (let turn = 0; turn < 2000; turn += 1) await new Promise(setImmediate)
        console.log('# closed')
      })`
    const { printed, complaints, code } = await run(t, [quick, server], { TEST_SECONDS_AFTER_HOOKS: '0.001' })
    assert.equal(code, 1)
    assert.match(printed, /# closed/)
    assert.match(complaints, /has not ended after its tests, its hooks and 0\.001 seconds.*TCPServerWrap/)
  })

  it('are not ended while a test runs, also one of which the runner knew nothing when it ran the last hook', async (t) => {
    const late = `import { after, it } from 'node:test'
      it('is over at once', () => {})
      after(() => void setImmediate(() => it('begins late', async () => {
        for (const endMs = performance.now() + 1000; performance.now() < endMs; ) await new Promise(setImmediate)
        console.log('# ended by itself')
      })))`
    const { printed, complaints, code } = await run(t, [late], { TEST_SECONDS_AFTER_HOOKS: '0.5' })
    assert.equal(code, 0, `${printed}${complaints}`)
    assert.match(printed, /# ended by itself/)
    assert.equal(complaints, '')
  })
})
