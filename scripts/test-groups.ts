/**
 * Files whose tests share a process. Most of the time of a small file is spent on the start of Node.js and of the
 * service. The tests of a group run one after the other, as those of a file do. Each file is a suite, so that its hooks
 * are for its tests alone, and close what it opened before the next one begins.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The folders whose files share processes with each other, by the name of the group. */
const groups: Readonly<Record<string, readonly string[]>> = {
  account: ['test/account', 'test/account/self'],
  admin: ['test/admin', 'test/api'],
  attacks: ['test/attacks'],
  cli: ['test/cli'],
  connect: ['test/connect'],
  http: ['test/http'],
  operations: ['test/operations'],
  project: ['test/packaging', 'test/repository'],
  protocol: ['test/certification', 'test/journeys'],
  records: ['test/audit', 'test/keys', 'test/mail', 'test/storage', 'test/tokens'],
  rules: [
    'test',
    'test/configuration',
    'test/outbound',
    'test/protocol',
    'test/secrets',
    'test/settings',
    'test/users',
  ],
}

/** Files that watch or change what the process as a whole does, and those that take as long as a group. */
const alone: readonly string[] = [
  'test/attacks/enumeration.test.ts',
  'test/cli/db.test.ts',
  'test/cli/housekeeping.test.ts',
  'test/cli/master-key.test.ts',
  'test/cli/memory.test.ts',
  'test/fair-queue.test.ts',
  'test/repository/shared-process.test.ts',
  'test/secrets/password.test.ts',
  'test/storage/postgres.test.ts',
  'test/storage/postgres-hosts.test.ts',
  'test/storage/sqlite.test.ts',
]

/** Keeps a group short enough to be no bottleneck at the end. */
const filesAtMost = 12

/**
 * Writes a file for each group below `folder`. Returns for each of `files` what is started for it: its group, or itself.
 * All are absolute paths.
 */
export function groupFiles(files: readonly string[], folder: string): ReadonlyMap<string, string> {
  mkdirSync(folder, { recursive: true })
  const entries = new Map(files.map((file) => [file, file]))
  for (const [name, members] of groupsOf(files)) {
    const entry = join(folder, `${name}.ts`)
    writeFileSync(entry, groupOf(members, folder))
    for (const file of members) entries.set(file, entry)
  }
  return entries
}

/**
 * The text of a file in `folder` that runs these files, in their order. One that cannot be loaded has a test that fails:
 * the runner counts tests, not suites.
 */
export function groupOf(files: readonly string[], folder: string): string {
  const suites = files.map((file) => {
    const specifier = relative(folder, file)
    const path = JSON.stringify(specifier.startsWith('.') ? specifier : `./${specifier}`)
    return `describe(${JSON.stringify(relative(root, file))}, () =>
  import(${path}).then(() => {}, (error) => {
    it('is loaded', () => { throw error })
  }))
`
  })
  return `import { describe, it } from 'node:test'\n${suites.join('')}`
}

function groupsOf(files: readonly string[]): [name: string, members: string[]][] {
  return Object.entries(groups).flatMap(([group, folders]) => {
    const members = files.filter((file) => folders.includes(relative(root, dirname(file))) && !isAlone(file))
    const count = Math.ceil(members.length / filesAtMost)
    return Array.from({ length: count }, (_, index): [string, string[]] => [
      `${group}-${index + 1}`,
      members.filter((_file, at) => at % count === index),
    ])
  })
}

function isAlone(file: string): boolean {
  return alone.includes(relative(root, file))
}
