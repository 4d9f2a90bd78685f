/** This program as a package: where its files are, and which version it is. */
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/** Found from here, because the sources and what is built from them lie at different depths. */
const manifest = findPackageJSON('.', import.meta.url)

export function packageVersion(): string {
  return manifest === undefined ? 'unknown' : JSON.parse(readFileSync(manifest, 'utf8')).version
}

/** The pages as Vite built them. */
export function builtPagesFolder(): string {
  return join(manifest === undefined ? import.meta.dirname : dirname(manifest), 'dist', 'pages')
}
