/**
 * Keeps a release itself, so that every later version can prove that it works beside it on one database, and that going
 * back to it works: `test/fixtures/release-X.Y.Z.tar.gz`, the sources as they were released (`src`, `bin`, `package.json`).
 * The same revision always gives the same bytes. To be run once for each release, on its tag; the newest one is the one that is tried.
 *
 *   node_modules/.bin/node scripts/make-release-fixture.ts v0.1.0
 *
 * What is not in it: the dependencies and the pages, of which the test lends it today's. So it shows what the
 * program does to a database, and beside another version of itself; not how an old page meets a new service.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { constants, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('../', import.meta.url))
const git = (...parameters: string[]): Buffer =>
  execFileSync('git', parameters, { cwd: root, maxBuffer: 64 * 1024 * 1024 })

const revision = process.argv[2] ?? 'HEAD'
const { version } = JSON.parse(git('show', `${revision}:package.json`).toString('utf8'))
const file = fileURLToPath(new URL(`../test/fixtures/release-${version}.tar.gz`, import.meta.url))

if (existsSync(file)) {
  console.error(`${file} is there already, and stays as it is.`)
  process.exitCode = 1
} else {
  // The times in the archive are those of the commit, and gzip is told none.
  const archive = git('archive', '--format=tar', revision, 'src', 'bin', 'package.json')
  writeFileSync(file, gzipSync(archive, { level: constants.Z_BEST_COMPRESSION }))
  console.log(`Made ${file}.`)
}
