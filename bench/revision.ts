/** Another revision of this repository in a folder of its own, with the packages and the pages of this checkout. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { checkout, newFolder } from './servers.ts'

/** The folder of the checkout. Throws with what git says when there is no such revision. */
export function checkOut(revision: string): string {
  const folder = newFolder()
  const archive = join(folder, 'revision.tar')
  const root = join(folder, 'latchkey')
  mkdirSync(root)
  run('git', ['-C', checkout, 'archive', '--format=tar', `--output=${archive}`, '--end-of-options', revision])
  run('tar', ['-xf', archive, '-C', root])
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
  linkPages(join(checkout, 'dist'), join(root, 'dist'))
  return root
}

/** Everything but the bundle of the server, which the revision makes of its own sources. */
function linkPages(from: string, to: string): void {
  if (existsSync(to)) return
  mkdirSync(to)
  for (const name of readdirSync(from)) if (!name.startsWith('server')) symlinkSync(join(from, name), join(to, name))
}

function run(program: string, parameters: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, parameters, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')}: ${error?.message ?? stderr.trim()}`)
}
