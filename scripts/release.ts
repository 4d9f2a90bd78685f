/**
 * Makes a release of the last commit: checks that version, changelog and documents agree, packs the package, and writes
 * it with its bill of materials and the checksums of both into a folder. Publishes nothing.
 *
 *   npm run release                        into release/
 *   npm run release -- --output FOLDER
 *   npm run release -- --check             says what is in the way of a release, and writes nothing
 *
 * Ends with 1 when something is in the way of the release; nothing is written then.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { read, root } from '../test/repository/sources.ts'
import { billOfMaterials } from './bill-of-materials.ts'

/** What a release is judged by. */
export type Candidate = {
  readonly version: string
  readonly lockfile: {
    readonly version: string
    readonly packages: Readonly<Record<string, { readonly version?: string }>>
  }
  readonly changelog: string
  /** Documents and files of `deploy/` that name the version, by path. */
  readonly naming: Readonly<Record<string, string>>
  /** Lines of `git status --porcelain`. */
  readonly changes: readonly string[]
  readonly tags: readonly string[]
  /** Versions of which a fixture is kept. */
  readonly kept: readonly string[]
  /** `YYYY-MM-DD` */
  readonly today: string
}

/** Files that name the version of a release, as `latchkey:1.2.3`, `latchkey-1.2.3.tgz` or `newTag: 1.2.3`. */
const namingFiles = [
  'deploy/kubernetes/deployment.yaml',
  'deploy/kubernetes/kustomization.yaml',
  'deploy/kubernetes/migrate.yaml',
  'docs/deploy.md',
]

/** Returns what is in the way of the release, in sentences; nothing means that it can be made. */
export function obstacles({ version, lockfile, changelog, naming, changes, tags, kept, today }: Candidate): string[] {
  const found: string[] = []
  if (!/^\d+\.\d+\.\d+$/.test(version)) found.push(`package.json: "${version}" is no version (1.2.3).`)
  for (const other of [lockfile.version, lockfile.packages['']?.version]) {
    if (other !== version) {
      found.push(
        `package-lock.json has version ${other}, package.json ${version}. Run npm install --package-lock-only.`,
      )
      break
    }
  }
  found.push(...changelogObstacles(changelog, version, today))
  for (const [path, text] of Object.entries(naming)) {
    const named = [...text.matchAll(/\b(?:latchkey[:-]|newTag: )(\d+\.\d+\.\d+)/g)].map(([, one = '']) => one)
    const others = [...new Set(named.filter((one) => one !== version))]
    if (others.length > 0) found.push(`${path} names version ${others.join(' and ')}, package.json ${version}.`)
  }
  const exists = [...tags.map((tag) => tag.replace(/^v/, '')), ...kept]
  if (exists.includes(version))
    found.push(`Version ${version} exists already. Set the next one: npm version --no-git-tag-version`)
  const later = exists.filter((one) => isLater(one, version))
  if (later.length > 0) found.push(`Version ${later.join(' and ')} exists, which is later than ${version}.`)
  if (changes.length > 0) {
    const some = changes.slice(0, 5).map((line) => `    ${line}`)
    const more = changes.length > 5 ? [`    and ${changes.length - 5} more`] : []
    found.push(['The tree has changes that are not committed:', ...some, ...more].join('\n'))
  }
  return found
}

function changelogObstacles(changelog: string, version: string, today: string): string[] {
  const sections = [...changelog.matchAll(/^## \[(.+?)\](?: - (.+))?$/gm)]
  const textOf = (at: number) =>
    changelog.slice((sections[at]?.index ?? 0) + (sections[at]?.[0].length ?? 0), sections[at + 1]?.index).trim()
  const at = sections.findIndex(([, name]) => name === version)
  if (at === -1) return [`CHANGELOG.md has no section "## [${version}] - ${today}".`]
  const found: string[] = []
  const date = sections[at]?.[2]
  const isDate = date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date))
  if (!isDate) found.push(`CHANGELOG.md: the section of ${version} has no date: "## [${version}] - ${today}".`)
  else if (date > today) found.push(`CHANGELOG.md: ${version} is dated ${date}, and today is ${today}.`)
  if (textOf(at) === '') found.push(`CHANGELOG.md: the section of ${version} is empty.`)
  if (at !== 1 || sections[0]?.[1] !== 'Unreleased') {
    found.push(`CHANGELOG.md: the section of ${version} must be the first one below "## [Unreleased]".`)
  } else if (textOf(0) !== '') {
    found.push(`CHANGELOG.md: what is below "## [Unreleased]" is part of this commit. Move it to a version.`)
  }
  return found
}

function isLater(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0
}

const git = (...parameters: string[]): string[] =>
  execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

/** Reads what the working tree and its repository say. */
export function candidate(): Candidate {
  return {
    version: JSON.parse(read('package.json')).version,
    lockfile: JSON.parse(read('package-lock.json')),
    changelog: read('CHANGELOG.md'),
    naming: Object.fromEntries(namingFiles.map((path) => [path, read(path)])),
    changes: git('status', '--porcelain'),
    tags: git('tag', '--list', 'v*'),
    kept: git('ls-files', 'test/fixtures').flatMap((path) => /\/release-(.+)\.tar\.gz$/.exec(path)?.[1] ?? []),
    today: new Date().toISOString().slice(0, 10),
  }
}

/** Packs into `folder`, which must exist, and returns the name of the file. */
function pack(folder: string): string {
  // The npm that started this process, if one did: it may not be on the path.
  const cli = process.env.npm_execpath
  const [program, first] = cli?.endsWith('npm-cli.js') ? [process.env.npm_node_execpath ?? 'node', [cli]] : ['npm', []]
  const parameters = [...first, 'pack', '--json', '--loglevel=error', '--pack-destination', folder]
  const printed = execFileSync(program, parameters, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const packed = JSON.parse(printed.slice(printed.search(/^[[{]/m)))
  return (Array.isArray(packed) ? packed : Object.values(packed))[0].filename
}

/** Writes the files of the release into `target`, all or none. */
function write(target: string, version: string): readonly string[] {
  mkdirSync(dirname(target), { recursive: true })
  const draft = mkdtempSync(`${target}.`)
  try {
    const archive = pack(draft)
    const at = new Date(git('log', '-1', '--format=%cI')[0] ?? '')
    const bill = `latchkey-${version}.cdx.json`
    const content = billOfMaterials({ archive: readFileSync(join(draft, archive)), at })
    writeFileSync(join(draft, bill), `${JSON.stringify(content, null, 2)}\n`)
    const sums = [archive, bill].map((name) => `${sha256(readFileSync(join(draft, name)))}  ${name}\n`)
    writeFileSync(join(draft, 'SHA256SUMS'), sums.join(''))
    renameSync(draft, target)
    return [archive, bill, 'SHA256SUMS']
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function main(): void {
  const { values } = parseArgs({
    options: { output: { type: 'string', default: 'release' }, check: { type: 'boolean', default: false } },
  })
  const judged = candidate()
  const { version } = judged
  const target = resolve(root, values.output)
  const found = obstacles(judged)
  if (!values.check && existsSync(target))
    found.push(`${relative(root, target) || target} is there already. Move it away.`)
  if (found.length > 0) {
    console.error([`No release of ${version}:`, ...found.map((line) => `  - ${line}`)].join('\n'))
    process.exitCode = 1
  } else if (values.check) {
    console.log(`${version} can be released.`)
  } else {
    const files = write(target, version).map((name) => `  ${join(relative(root, target), name)}`)
    const archive = files[0]?.trim()
    console.log(`Release ${version} of ${git('rev-parse', '--short', 'HEAD')[0]}:\n${files.join('\n')}\n
Next, after npm test and npm run test:long passed on this commit:
  git tag --sign v${version}
  git push origin v${version}
  npm publish ${archive}
  node_modules/.bin/node scripts/make-release-fixture.ts v${version}
Publish the bill of materials and SHA256SUMS beside the package.`)
  }
}

if (import.meta.main) main()
