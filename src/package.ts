/** This program as a package: its folder and version. */
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/** Searched from here, because sources and build output have different depths. */
const manifest = findPackageJSON('.', import.meta.url)

export function packageVersion(): string {
  return manifest === undefined ? 'unknown' : JSON.parse(readFileSync(manifest, 'utf8')).version
}

/** Returns the folder of the pages built by Vite. */
export const builtPagesFolder = (): string => built('pages')

/** Returns the folder of the compiled texts of mails. */
export const builtMessagesFolder = (): string => built('messages')

function built(name: string): string {
  return join(manifest === undefined ? import.meta.dirname : dirname(manifest), 'dist', name)
}
