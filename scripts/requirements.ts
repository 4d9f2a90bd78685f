/**
 * What must hold, and the tests that say so in their titles: `docs/requirements.md` has the requirements, and a test that
 * proves one names its id at the end of its title, in brackets. `docs/specification.md` is written from both.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cellsOf, type WrittenTest, writtenTests } from './proofs.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

const introduction = `# The specification, and what proves it

Every requirement of [requirements.md](requirements.md) with the tests that prove it: those with its id in their titles.
\`npm run generate\` writes this document. \`npm test\` fails when a requirement has no test, when a title names an id that does not exist,
and when this document is out of date; \`npm test\` and \`npm run test:long\` each fail when a named test of their own did not
run or did not pass. A test that is written once for many cases is named as the source writes it, \`\${…}\` and all: then every
case counts.`

export function readRequirements(): string {
  return readFileSync(join(root, 'docs/requirements.md'), 'utf8')
}

/** The text of `docs/specification.md`. */
export function specification(
  requirements: string = readRequirements(),
  written: readonly WrittenTest[] = writtenTests(),
): string {
  // The title and the first paragraph are about that document alone.
  const [, , ...rest] = requirements.split('\n\n')
  let inside = false
  const lines = rest.join('\n\n').split('\n')
  const table = lines.map((line) => {
    const cells = cellsOf(line)
    const [id = ''] = cells ?? []
    if (cells === undefined) inside = false
    else if (id === 'Id') {
      inside = true
      return `${line} Proven by |`
    } else if (inside) return /^:?-+:?$/.test(id) ? `${line}---|` : `${line} ${proofsOf(id, written)} |`
    return line
  })
  return [introduction, table.join('\n')].join('\n\n')
}

function proofsOf(id: string, written: readonly WrittenTest[]): string {
  return written
    .filter(({ ids }) => ids.includes(id))
    .map(({ file, name }) => `\`${file}\` ${name.replaceAll('|', '\\|')}`)
    .join('<br>')
}

/** What is wrong with the ids that titles name, one line each. */
export function problemsOfTitles(
  requirements: string = readRequirements(),
  written: readonly WrittenTest[] = writtenTests(),
): string[] {
  const known = new Set(requirements.split('\n').map((line) => cellsOf(line)?.[0]))
  return written.flatMap(({ file, name, ids }) => [
    ...ids.filter((id) => !known.has(id)).map((id) => `${file} '${name}' names ${id}, which is no requirement`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${file} '${name}' names ${id} twice`),
    ...(name.endsWith(']') ? [`${file} '${name}' ends in brackets that hold no ids`] : []),
  ])
}
