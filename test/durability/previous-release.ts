/** The latest release that is kept in `test/fixtures/`, made ready to run. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const fixtures = join(root, 'test', 'fixtures')
const releases = readdirSync(fixtures).filter((name) => /^release-\d+\.\d+\.\d+\.tar\.gz$/.test(name))

/** The name of its archive. */
export const previousRelease: string =
  releases.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1) ??
  assert.fail('no release is kept')

/** Unpacks it into a new folder and returns the path of its program. Packages and pages are those of this checkout. */
export function unpackPreviousRelease(folder: string): string {
  mkdirSync(join(folder, 'dist'), { recursive: true })
  execFileSync('tar', ['-xzf', join(fixtures, previousRelease), '-C', folder])
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(root, 'dist', 'pages'), join(folder, 'dist', 'pages'), { recursive: true })
  return join(folder, 'bin', 'latchkey.js')
}
