import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { fileIn } from './folder.ts'
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
  if (found.isFile()) return [place]
  if (!found.isDirectory()) throw new UnreadableSource(`${place} is neither a file nor a folder.`)
  const names = readdirSync(place).filter((name) => name.endsWith('.csv'))
  return names.sort().flatMap((name) => fileIn(place, name) ?? [])
}
