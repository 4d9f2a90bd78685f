/**
 * Files whose tests share a process. Most of the time of a small file is spent on the start of Node.js and of the
 * service. The tests of a group run one after the other, as those of a file do; hooks outside a suite are those of the
 * whole group, so a file with one that runs around each test has a process of its own.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Folders whose tests leave the process as it was: they call pure rules, or services of their own. */
const folders = [
  'test/account',
  'test/account/self',
  'test/admin',
  'test/attacks',
  'test/certification',
  'test/cli',
  'test/connect',
  'test/http',
  'test/journeys',
  'test/keys',
  'test/mail',
  'test/protocol',
  'test/users',
]

/** Keeps a group short enough to be no bottleneck at the end. */
const filesAtMost = 10

/**
 * Writes a file for each group below `folder`, which imports the files of the group. Returns for each of `files` what is
 * started for it: its group, or itself. All are absolute paths.
 */
export function groupFiles(files: readonly string[], folder: string): ReadonlyMap<string, string> {
  mkdirSync(folder, { recursive: true })
  const entries = new Map(files.map((file) => [file, file]))
  for (const [name, members] of groupsOf(files)) {
    const entry = join(folder, `${name}.ts`)
    writeFileSync(entry, members.map((file) => `import '${relative(folder, file)}'\n`).join(''))
    for (const file of members) entries.set(file, entry)
  }
  return entries
}

function groupsOf(files: readonly string[]): [name: string, members: string[]][] {
  return folders.flatMap((folder) => {
    const members = files.filter((file) => relative(root, dirname(file)) === folder && canShare(file))
    const count = Math.ceil(members.length / filesAtMost)
    return Array.from({ length: count }, (_, index): [string, string[]] => [
      `${basename(folder)}-${index + 1}`,
      members.filter((_file, at) => at % count === index),
    ])
  })
}

function canShare(file: string): boolean {
  return !/^(?:beforeEach|afterEach)\(/m.test(readFileSync(file, 'utf8'))
}
