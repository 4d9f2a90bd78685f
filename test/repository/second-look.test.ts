/** What becomes of a test that failed beside others. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { deservesLook, looks, unsteadyAtMost } from '../../scripts/second-look.ts'

const folder = await mkdtemp(join(tmpdir(), 'latchkey-second-look-'))
after(() => rm(folder, { recursive: true }))

/** Looks again at a file with one test, which fails as often as `failures` says. Resolves to the names of what passed, or null. */
async function lookAgain(name: string, failures: readonly number[]): Promise<string[] | null> {
  const file = join(folder, `${name}.test.mjs`)
  const count = join(folder, `${name}.count`)
  const text = `import { appendFileSync, readFileSync } from 'node:fs'
    import { it } from 'node:test'
    appendFileSync(${JSON.stringify(count)}, 'x')
    const look = readFileSync(${JSON.stringify(count)}, 'utf8').length
    it('holds', () => {})
    it('is looked at', () => { if (${JSON.stringify(failures)}.includes(look)) throw new Error('no') })`
  await writeFile(file, text)
  const program = `const { passedAgain } = await import(${JSON.stringify(new URL('../../scripts/second-look.ts', import.meta.url))})
    const passed = await passedAgain([${JSON.stringify(file)}], {}, String)
    process.stdout.write(JSON.stringify(passed && passed.map(({ name }) => name)))`
  // A test runner does not run within another.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  await writeFile(join(folder, `${name}.mjs`), program)
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, `${name}.mjs`)], { env })
  return JSON.parse(stdout)
}

describe('a second look at tests that failed', () => {
  it('counts what passes every time', async () => {
    assert.deepEqual(await lookAgain('steady', []), ['holds', 'is looked at'])
  })

  it('leaves a failure what it is when the test fails once more, be it the last time', async () => {
    assert.equal(await lookAgain('last', [looks]), null)
    assert.equal(await lookAgain('always', [1, 2, 3]), null)
  })

  it('is not taken at more failures than an accident has, nor without any', () => {
    assert.deepEqual([0, 1, unsteadyAtMost, unsteadyAtMost + 1].map(deservesLook), [false, true, true, false])
  })
})
