/**
 * Makes what a published package runs: JavaScript below `dist/server` from the sources, beside the pages in `dist/pages`.
 * Node.js strips no types below `node_modules`, so a package cannot bring the sources instead.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = fileURLToPath(new URL('../dist/server/', import.meta.url))

// What has no source any more must not be published.
rmSync(folder, { recursive: true, force: true })
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']
const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' })
// Data that modules read from beside them.
if (status === 0) copyFileSync(`${root}src/secrets/frequent-passwords.bin`, `${folder}secrets/frequent-passwords.bin`)
if (status !== 0 || !existsSync(`${folder}main.js`)) {
  process.stderr.write('The sources could not be compiled; the compiler says why above.\n')
  process.exitCode = 1
}
