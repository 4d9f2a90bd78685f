/** Installs packages that only the long run needs: those of folders with a lockfile of their own. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { StepResult } from './test-step.ts'

/**
 * Installs what the lockfile of `path`, a folder below the project's, says, unless it is there. Without a registry the
 * tests that need it are not tried.
 */
export async function installOwnPackages(path: string): Promise<StepResult> {
  const folder = fileURLToPath(new URL(`../${path}/`, import.meta.url))
  const lockfile = `${folder}package-lock.json`
  const stamp = `${folder}node_modules/.latchkey-install`
  const wanted = createHash('sha256').update(readFileSync(lockfile)).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return { ok: true, report: '' }
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  })
  const ended = new Promise<number | null>((resolve) => npm.once('close', resolve).once('error', () => resolve(null)))
  const report = await text(npm.stderr)
  if ((await ended) !== 0) {
    const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH/.test(report)
    return isOffline
      ? { ok: true, report, notes: ['not installed: the package registry cannot be reached'] }
      : { ok: false, report }
  }
  writeFileSync(stamp, wanted)
  return { ok: true, report: '' }
}
