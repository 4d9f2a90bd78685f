/**
 * Makes what a published package runs: JavaScript below `dist/server` from the sources, beside the pages in `dist/pages`.
 * Node.js strips no types below `node_modules`, so a package cannot bring the sources instead.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = fileURLToPath(new URL('../dist/server/', import.meta.url))

// What has no source any more must not be published.
rmSync(folder, { recursive: true, force: true })
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']
const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' })
// Data that modules read from beside them.
if (status === 0) copyFileSync(`${root}src/secrets/frequent-passwords.bin`, `${folder}secrets/frequent-passwords.bin`)
if (status === 0) await bundle('admin/type.js')
if (status !== 0 || !existsSync(`${folder}main.js`)) {
  process.stderr.write('The sources could not be compiled; the compiler says why above.\n')
  process.exitCode = 1
}

/** Makes one file of a module and the packages that it imports, without what nobody uses of them. */
async function bundle(module: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: `${folder}${module}`,
      outDir: dirname(`${folder}${module}`),
      emptyOutDir: false,
      minify: true,
      rollupOptions: { output: { entryFileNames: basename(module) } },
    },
  })
}
