/**
 * Writes `dist/messages/`: what mails say, a file for each language, and the declaration that the compiler checks keys and
 * places by. The texts of the pages are compiled with the pages (`vite.config.ts`).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { catalogue, declaration, readCatalogues } from './messages.ts'

const folder = new URL('../dist/messages/', import.meta.url)
const files = readCatalogues()

mkdirSync(folder, { recursive: true })
for (const tag of files.keys()) {
  const { direction, mail } = catalogue(files, tag)
  writeFileSync(new URL(`${tag}.json`, folder), JSON.stringify({ direction, ...(mail as object) }))
}
writeFileSync(new URL('index.d.ts', folder), declaration(files))
