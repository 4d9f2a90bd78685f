/**
 * Tables in the documents whose rows name the tests that prove them, and whether that is so.
 *
 * Such a table begins with a column `Id` and ends with a column `Proven by`. A proof is the path of a file, as code, and
 * the name of a test in it; `<br>` separates several. The name of a test is its title without the ids of requirements at
 * its end (`requirements.ts`). A test that is written once for many cases is named either as the source writes it, `${…}`
 * and all, which means every case, or as one of its cases.
 *
 * A table with a column `State` also has rows that say what is not so. There `met` and `partly` need a proof, which may
 * be a link to a document where no test can tell; `not met` and `not applicable` need none.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'
import { type Run, testSources } from './test-runs.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The documents that hold such tables. */
export const provenDocuments = ['docs/specification.md', 'docs/security.md', 'docs/provider.md'] as const

export type Proof = { readonly file: string; readonly name: string }

export type Row = {
  /** Document and line, for messages. */
  readonly place: string
  readonly id: string
  readonly proofs: readonly Proof[]
  /** Without a proof the row says nothing. */
  readonly needsProof: boolean
  /** What stands in the column `State`, when it is none of the four. */
  readonly strangeState?: string
}

const statesWithProof = ['met', 'partly']
const statesWithout = ['not met', 'not applicable']

/** A test as a source writes it. */
export type WrittenTest = {
  readonly file: string
  /** With `${…}` where a case is filled in, and without the ids of requirements. */
  readonly name: string
  /** The requirements that its title names. */
  readonly ids: readonly string[]
  /** Matches the names of its cases. */
  readonly cases: RegExp
}

/** Ids of requirements at the end of a title: `… [S3.5, C4.6a]`. */
const idsAtTheEnd = / \[([A-Z]\d+(?:\.\d+)*[a-z]?(?:, [A-Z]\d+(?:\.\d+)*[a-z]?)*)\]$/

const withoutIds = (title: string): string => title.replace(idsAtTheEnd, '')

/** A test that ran. It may stand in another file than the one that was started. */
export type TestResult = {
  readonly file: string
  readonly name: string
  readonly passed: boolean
  /** The machine lacks what the test needs, which the run reports by itself. */
  readonly notTried?: boolean
}

/** All that ran in one of the runs. */
export type FinishedRun = { readonly run: Run; readonly results: readonly TestResult[] }

/** The rows of every table of proofs in a document. */
export function readRows(document: string, text: string): Row[] {
  const rows: Row[] = []
  let stateColumn = -1
  let inside = false
  text.split('\n').forEach((line, index) => {
    const cells = cellsOf(line)
    if (cells === undefined) inside = false
    else if (cells[0] === 'Id' && cells.at(-1) === 'Proven by') {
      inside = true
      stateColumn = cells.indexOf('State')
    } else if (inside && !cells.every((cell) => /^:?-+:?$/.test(cell))) {
      const last = cells.at(-1) ?? ''
      const row = { place: `${document}:${index + 1}`, id: cells[0] ?? '', proofs: proofsOf(last) }
      const state = cells[stateColumn]
      const documented = /\]\([^)]+\)/.test(last)
      if (state === undefined) rows.push({ ...row, needsProof: true })
      else if (statesWithProof.includes(state)) rows.push({ ...row, needsProof: !documented })
      else if (statesWithout.includes(state)) rows.push({ ...row, needsProof: false })
      else rows.push({ ...row, needsProof: true, strangeState: state })
    }
  })
  return rows
}

/** The cells of a line of a table; undefined for any other line. */
export function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith('|')) return undefined
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function proofsOf(cell: string): Proof[] {
  return cell.split('<br>').flatMap((entry) => {
    const [, file, name] = /^`(test\/[^`]+)` (.+)$/.exec(entry.trim()) ?? []
    return file !== undefined && name !== undefined ? [{ file, name }] : []
  })
}

/** Every test that a source text writes: `it('…', …)`, and `test('…', …)` in whatever extension of it. */
export function testsIn(file: string, text: string): WrittenTest[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const found: WrittenTest[] = []
  new Visitor({
    CallExpression({ callee, arguments: [title, ...rest] }) {
      if (callee.type !== 'Identifier' || !/^(it|test\w*)$/.test(callee.name) || rest.length === 0) return
      if (title?.type === 'Literal' && typeof title.value === 'string') {
        found.push(writtenTest(file, [title.value], []))
      } else if (title?.type === 'TemplateLiteral') {
        const fixed = title.quasis.map(({ value }) => value.cooked ?? value.raw)
        found.push(
          writtenTest(
            file,
            fixed,
            title.expressions.map(({ start, end }) => `\${${text.slice(start, end)}}`),
          ),
        )
      }
    },
  }).visit(program)
  return found
}

/** `fixed` are the parts of the title between those that are filled in. */
function writtenTest(file: string, fixed: readonly string[], filled: readonly string[]): WrittenTest {
  const last = fixed.at(-1) ?? ''
  const ids = idsAtTheEnd.exec(last)?.[1]?.split(', ') ?? []
  const parts = [...fixed.slice(0, -1), withoutIds(last)]
  const name = parts.map((part, at) => part + (filled[at] ?? '')).join('')
  const cases = new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`, 's')
  return { file, name, ids, cases }
}

/** Every test of the project. */
export function writtenTests(): WrittenTest[] {
  return testSources().flatMap((file) => testsIn(file, readFileSync(join(root, file), 'utf8')))
}

/** The rows of every document. */
export function provenRows(): Row[] {
  return provenDocuments.flatMap((document) => readRows(document, readFileSync(join(root, document), 'utf8')))
}

/**
 * What is wrong with the rows, one line each: whether what they name exists and belongs to a run (`runs`: the runs of each
 * file). With a `finished` run also whether every case of what belongs to it ran and passed.
 */
export function problemsOf(
  rows: readonly Row[],
  written: readonly WrittenTest[],
  runs: ReadonlyMap<string, ReadonlySet<Run>>,
  finished?: FinishedRun,
): string[] {
  const problems: string[] = []
  const seen = new Map<string, string>()
  for (const { id, place, proofs, needsProof, strangeState } of rows) {
    const complain = (what: string): void => void problems.push(`${place}: ${id || 'a row without an id'} ${what}`)
    const earlier = seen.get(id)
    if (id === '') complain('cannot be named')
    else if (earlier !== undefined) complain(`stands at ${earlier} already`)
    seen.set(id, place)
    if (strangeState !== undefined) complain(`has the unknown state '${strangeState}'`)
    if (needsProof && proofs.length === 0) complain('names no test')
    for (const proof of proofs) {
      const fault = faultOf(proof, written, runs.get(proof.file), finished)
      if (fault !== undefined) complain(`names ${proof.file} '${proof.name}', ${fault}`)
    }
  }
  return problems
}

function faultOf(
  { file, name }: Proof,
  written: readonly WrittenTest[],
  runs: ReadonlySet<Run> | undefined,
  finished: FinishedRun | undefined,
): string | undefined {
  const there = written.filter((test) => test.file === file)
  const exact = there.filter((test) => test.name === name)
  if (exact.length > 1) return 'which is there more than once'
  const [test] = exact.length === 1 ? exact : there.filter(({ cases }) => cases.test(name))
  if (test === undefined) return there.length === 0 ? 'and there is no test in that file' : 'which does not exist'
  if (runs === undefined) return 'which no run starts'
  if (finished === undefined || !runs.has(finished.run)) return undefined
  const ran = finished.results.filter((result) => {
    const title = withoutIds(result.name)
    return result.file === file && (test.name === name ? test.cases.test(title) : title === name)
  })
  if (ran.length === 0) return 'which did not run'
  return ran.every(({ passed, notTried }) => passed || notTried === true) ? undefined : 'which did not pass'
}
