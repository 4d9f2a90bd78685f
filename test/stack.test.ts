/** Stack traces of the bundle. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { inSources } from '../src/stack.ts'

it('names the places in the sources that a bundled file was made from', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-stack-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'src'))
  const source = join(folder, 'src', 'a.ts')
  writeFileSync(
    source,
    '// A comment that is left out.\n\nexport const fail = (): never => {\n  throw new Error("no")\n}\n',
  )
  const bundled = await rolldown({ input: source })
  const dir = join(folder, 'dist', 'server')
  await bundled.write({ dir, format: 'esm', entryFileNames: '[name].js', minify: true, sourcemap: true })
  await bundled.close()
  const { fail } = await import(pathToFileURL(join(dir, 'a.js')).href)
  const error = await new Promise<Error>((resolve) => {
    try {
      fail()
    } catch (caught) {
      resolve(caught as Error)
    }
  })
  assert.match(error.stack ?? '', /dist\/server\/a\.js:1:\d+/)
  assert.match(inSources(error.stack ?? ''), /^Error: no\n {4}at .*src\/a\.ts:4:\d+/)
})

it('leaves every other place as it is, and those of a file without a map', () => {
  const stack =
    'Error: no\n    at a (file:///x/src/a.ts:1:2)\n    at b (file:///x/dist/server/b.js:1:2)\n    at node:fs:1:2'
  assert.equal(inSources(stack), stack)
})
