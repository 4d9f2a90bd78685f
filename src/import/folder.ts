/** Files of an import that are found, not named: only those that are in the folder themselves. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UnreadableSource } from './source.ts'

/**
 * Returns the path of a file in a folder; undefined: there is none. Throws `UnreadableSource` for a link that leads out of
 * the folder, and for what is no file.
 */
export function fileIn(folder: string, name: string): string | undefined {
  const path = join(folder, name)
  if (!existsSync(path)) return undefined
  const isInside = dirname(realpathSync(path)) === realpathSync(folder)
  if (!isInside) throw new UnreadableSource(`${path} is a link to a file of another folder.`)
  if (!statSync(path).isFile()) throw new UnreadableSource(`${path} is no file.`)
  return path
}
