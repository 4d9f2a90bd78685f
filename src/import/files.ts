/** The files of an import: those that are named, and those that are found in a folder. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UnreadableSource } from './source.ts'

/**
 * Returns the id of an import: SHA-256 of the kind and of the content of the files, in their order. Throws
 * `UnreadableSource` for what is neither a file nor a folder, such as a device, which would have no end.
 */
export async function importId(kind: string, places: readonly string[]): Promise<string> {
  const digest = createHash('sha256').update(`${kind}\n`)
  for (const file of places.flatMap(filesIn)) {
    digest.update(`${statSync(file).size}\n`)
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) digest.update(chunk)
  }
  return digest.digest('base64url')
}

/** A folder stands for the CSV files in it. */
function filesIn(place: string): string[] {
  const found = statSync(place)
  // SQLite keeps the latest changes beside the file.
  if (found.isFile()) return existsSync(`${place}-wal`) ? [place, `${place}-wal`] : [place]
  if (!found.isDirectory()) throw new UnreadableSource(`${place} is neither a file nor a folder.`)
  const names = readdirSync(place).filter((name) => /\.csv$/i.test(name))
  return names.sort().flatMap((name) => fileIn(place, name) ?? [])
}

/**
 * Returns the path of a file in a folder; undefined: there is none. Throws `UnreadableSource` for a link that leads out of the
 * folder, because nobody named its target, and for what is no file.
 */
export function fileIn(folder: string, name: string): string | undefined {
  const path = join(folder, name)
  if (!existsSync(path)) return undefined
  const isInside = dirname(realpathSync(path)) === realpathSync(folder)
  if (!isInside) throw new UnreadableSource(`${path} is a link to a file of another folder.`)
  if (!statSync(path).isFile()) throw new UnreadableSource(`${path} is no file.`)
  return path
}
