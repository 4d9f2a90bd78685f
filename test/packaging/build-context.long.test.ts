/** What `.dockerignore` lets through is enough to build the service, also where no image can be built. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { read, root } from '../repository/sources.ts'

it('the service is built from what .dockerignore lets through', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-context-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const allowed: readonly string[] = read('.dockerignore').match(/(?<=^!).+$/gm) ?? []
  for (const path of allowed) cpSync(join(root, path), join(folder, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}\n${stderr}`)
  for (const built of ['pages/index.html', 'messages', 'server']) {
    assert.ok(existsSync(join(folder, 'dist', built)), built)
  }
})
