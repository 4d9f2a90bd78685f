/** What a first call of the admin API needs is loaded after the start, beside requests. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { filesBelow, importsOf } from '../repository/sources.ts'

/** Each file takes about half a millisecond of the event loop. The library of schemas is one file in a package. */
const filesAtMost = 30

const program = `
  import { registerHooks } from 'node:module'
  const from = (path) => import(new URL(path, ${JSON.stringify(new URL('../../src/', import.meta.url))}))
  await from('app.ts')
  const { loadSignInEndpoints } = await from('routes.ts')
  await loadSignInEndpoints()
  let files = 0
  registerHooks({
    load(url, context, next) {
      if (!url.includes('/node_modules/typebox/') && !url.startsWith('node:')) files += 1
      return next(url, context)
    },
  })
  const { parts } = await from('admin/parts.ts')
  const brought = []
  for (const load of parts) {
    files = 0
    await load()
    brought.push([files, String(load)])
  }
  files = 0
  await from('admin/endpoint.ts')
  await from('admin/console.ts')
  console.log(JSON.stringify({ brought, afterwards: files }))`

describe('the parts of the admin API and the console', () => {
  it('are all of them, and none brings so many files that requests would notice', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
    const { brought, afterwards } = JSON.parse(stdout) as { brought: [number, string][]; afterwards: number }
    assert.ok(brought.reduce((sum, [files]) => sum + files, 0) > 60, 'they are most of what it needs')
    assert.deepEqual(
      brought.filter(([files]) => files > filesAtMost),
      [],
    )
    assert.equal(afterwards, 0, 'the first request loads nothing more')
  })

  it('know of the library of schemas types alone, but for the module that a package has in one piece', () => {
    const imports = filesBelow('src', ['.ts']).flatMap((file) => importsOf(file))
    const library = imports.filter(({ specifier, typeOnly }) => /^typebox(?:\/|$)/.test(specifier) && !typeOnly)
    assert.deepEqual([...new Set(library.map(({ from }) => from))], ['src/admin/type.ts'])
  })
})
