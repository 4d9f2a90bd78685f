/**
 * What the runs of the tests leave for people who want to see what is shown: `test-results/specification.md` has every
 * requirement with its tests and what became of each, `test-results/no-dead-ends.md` where each page leads.
 */
import { type Expectations, expectations } from '../test/pages/no-dead-ends-outcomes.ts'
import { type FinishedRun, type Outcome, outcomeOf, testOf, type WrittenTest } from './proofs.ts'
import { type Catalogue, type Proof, type Requirement, rowsOf } from './requirements.ts'
import { commandOf, type Run } from './test-runs.ts'

/** A run that ended, and when. */
export type RecordedRun = FinishedRun & { readonly endedAt: Date }

/** What is known of the tests: those that are written, the runs of each file, and the results of runs. */
export type Evidence = {
  readonly written: readonly WrittenTest[]
  readonly runs: ReadonlyMap<string, ReadonlySet<Run>>
  readonly finished: readonly RecordedRun[]
}

/** Of a requirement or a test. The worst comes first, and decides where there are several. */
const states = [
  'does not exist',
  'did not pass',
  'did not run',
  'not run here',
  'not on this machine',
  'passed',
] as const
type State = (typeof states)[number]

const marks: Readonly<Record<State, string>> = {
  'does not exist': '✗ does not exist:',
  'did not pass': '✗ did not pass:',
  'did not run': '✗ did not run:',
  'not run here': '…',
  'not on this machine': '– not on this machine:',
  passed: '✓',
}

const legend = '✓ passed, ✗ did not, – not on this machine, … not run here.'

/** The text of `test-results/specification.md`. */
export function proofsReport(
  catalogues: readonly Catalogue[],
  evidence: Evidence,
  problems: readonly string[],
): string {
  const counted = catalogues.map((catalogue) => ({ catalogue, counts: countsOf(catalogue, evidence) }))
  const heads = [...states, 'by a document', 'not claimed'].filter((state) =>
    counted.some(({ counts }) => counts[state]),
  )
  return [
    '# What must hold, and what shows it',
    'Written by the last step of each run of the tests, from `test/requirements/` and from what the runs left.',
    legend,
    runsIn(evidence),
    problems.length === 0 ? 'Nothing is missing.' : problems.map((problem) => `- ${problem}`).join('\n'),
    table([
      ['Catalogue', 'Requirements', ...heads],
      ...counted.map(({ catalogue, counts }) => [
        `${catalogue.title} (\`${catalogue.file}\`)`,
        String(rowsOf(catalogue).length),
        ...heads.map((state) => String(counts[state] ?? 0)),
      ]),
    ]),
    ...catalogues.flatMap((catalogue) => [
      `## ${catalogue.title}`,
      ...(catalogue.about === undefined ? [] : [linksFromResults(catalogue.about)]),
      ...catalogue.sections.flatMap(({ title, rows }) => [
        `### ${title}`,
        table([
          ['Id', ...Object.values(catalogue.columns), 'Shown by'],
          ...rows.map((row) => [
            row.id,
            ...Object.keys(catalogue.columns).map((column) => linksFromResults(row.texts[column] ?? '')),
            [...row.proofs.map((proof) => proofLine(proof, evidence)), ...row.documents.map(linksFromResults)].join(
              '<br>',
            ),
          ]),
        ]),
      ]),
    ]),
    '',
  ].join('\n\n')
}

/** The text of `test-results/no-dead-ends.md`; `results` of the run in a browser. */
export function deadEndsReport(
  { finished }: Pick<Evidence, 'finished'>,
  { cells, outcomes, messages }: Expectations = expectations,
): string {
  const results = finished
    .flatMap((run) => run.results)
    .filter(({ file }) => file.startsWith('test/pages/no-dead-ends-'))
  const passed = new Set(results.filter((result) => result.passed).map(({ name }) => name))
  const failed = new Set(results.filter((result) => !result.passed).map(({ name }) => name))
  const titles: string[] = []
  const sections = Object.entries(cells).flatMap(([section, pages]) => {
    const events = [...new Set(Object.values(pages).flatMap((page) => Object.keys(page)))]
    const cell = (page: string, event: string, outcome: string | undefined): string => {
      if (outcome === undefined) return ''
      const title = `${section === 'Error pages' ? 'error page, ' : ''}${page}, ${event}: no dead end`
      titles.push(title)
      const mark = failed.has(title) ? '✗ ' : passed.has(title) ? '✓ ' : '… '
      return mark + outcome
    }
    return [
      `## ${section}`,
      table([
        ['', ...Object.keys(pages)],
        ...events.map((event) => [
          event,
          ...Object.entries(pages).map(([page, known]) => cell(page, event, known[event])),
        ]),
      ]),
    ]
  })
  const count = (names: ReadonlySet<string>): number => titles.filter((title) => names.has(title)).length
  return [
    '# No dead ends',
    'What happens on each page, what is told on the way, and where it ends, from `test/pages/no-dead-ends.yaml`. An empty cell cannot happen.',
    legend,
    `${titles.length} cells: ${count(passed)} passed, ${count(failed)} did not pass.`,
    table([['Outcome', 'Meaning'], ...Object.entries(outcomes)]),
    table([['Word', 'The page says'], ...Object.entries(messages)]),
    ...sections,
    '',
  ].join('\n\n')
}

function runsIn({ finished }: Evidence): string {
  const lines = (Object.keys(commandOf) as Run[]).map((run) => {
    const ended = finished.find((one) => one.run === run)
    return `- \`${commandOf[run]}\`: ${ended ? `ended ${ended.endedAt.toISOString()}` : 'not run here'}`
  })
  return lines.join('\n')
}

function countsOf(catalogue: Catalogue, evidence: Evidence): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const row of rowsOf(catalogue)) {
    const state = stateOf(row, evidence)
    counts[state] = (counts[state] ?? 0) + 1
  }
  return counts
}

function stateOf({ proofs, documents }: Requirement, evidence: Evidence): State | 'by a document' | 'not claimed' {
  if (proofs.length === 0) return documents.length > 0 ? 'by a document' : 'not claimed'
  return worst(proofs.map((proof) => stateOfProof(proof, evidence)))
}

function worst(found: readonly State[]): State {
  return states.find((state) => found.includes(state)) ?? 'not run here'
}

/** A test that several runs have counts in each of them that ended. */
function stateOfProof(proof: Proof, { written, runs, finished }: Evidence): State {
  const test = testOf(proof, written)
  if (typeof test === 'string') return 'does not exist'
  const own = finished.filter(({ run }) => runs.get(proof.file)?.has(run))
  return worst(own.map(({ results }): Outcome => outcomeOf(proof, test, results)))
}

function proofLine(proof: Proof, evidence: Evidence): string {
  return `${marks[stateOfProof(proof, evidence)]} \`${proof.file}\` ${proof.name}`
}

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rest.map(line)].join('\n')
}

/** Links of the catalogues are relative to the project's folder, and the reports are one below. */
function linksFromResults(text: string): string {
  return text.replaceAll(/\]\((?![a-z]+:)/g, '](../')
}
