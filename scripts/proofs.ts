/** The tests of the project, and whether they show what the catalogues of requirements (`requirements.ts`) say they do. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'
import { type Catalogue, type Proof, type Requirement, rowsOf } from './requirements.ts'
import { type Run, testSources } from './test-runs.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

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
  /** How long it took, in milliseconds, for those who read the results. */
  readonly ms?: number
  /** The machine lacks what the test needs, which the run reports by itself. */
  readonly notTried?: boolean
}

/** All that ran in one of the runs. */
export type FinishedRun = { readonly run: Run; readonly results: readonly TestResult[] }

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

/**
 * What is wrong with the catalogues, one line each: whether what their rows name exists and belongs to a run (`runs`: the
 * runs of each file). With a `finished` run also whether every case of what belongs to it ran and passed.
 */
export function problemsOf(
  catalogues: readonly Catalogue[],
  written: readonly WrittenTest[],
  runs: ReadonlyMap<string, ReadonlySet<Run>>,
  finished?: FinishedRun,
): string[] {
  const problems: string[] = []
  const seen = new Map<string, string>()
  for (const catalogue of catalogues) {
    for (const row of rowsOf(catalogue)) {
      const { id, place, proofs } = row
      const complain = (what: string): void => void problems.push(`${place}: ${id} ${what}`)
      const earlier = seen.get(id)
      if (earlier !== undefined) complain(`stands at ${earlier} already`)
      seen.set(id, place)
      const fault = faultOfState(catalogue, row)
      if (fault !== undefined) complain(fault)
      for (const proof of proofs) {
        const faultOfProof = faultOf(proof, written, runs, finished)
        if (faultOfProof !== undefined) complain(`names ${proof.file} '${proof.name}', ${faultOfProof}`)
      }
    }
  }
  return problems
}

/** What is wrong with the state of a row, and with how much shows it. */
function faultOfState({ columns }: Catalogue, { texts, proofs, documents }: Requirement): string | undefined {
  const { state = '' } = texts
  if ('state' in columns) {
    if (statesWithout.includes(state)) return undefined
    if (!statesWithProof.includes(state)) return `has the unknown state '${state}'`
  }
  return proofs.length === 0 && documents.length === 0 ? 'names no test' : undefined
}

/** Why a proof is none. */
function faultOf(
  proof: Proof,
  written: readonly WrittenTest[],
  runs: ReadonlyMap<string, ReadonlySet<Run>>,
  finished: FinishedRun | undefined,
): string | undefined {
  const test = testOf(proof, written)
  if (typeof test === 'string') return test
  const own = runs.get(proof.file)
  if (own === undefined) return 'which no run starts'
  if (finished === undefined || !own.has(finished.run)) return undefined
  const outcome = outcomeOf(proof, test, finished.results)
  return outcome === 'did not run' || outcome === 'did not pass' ? `which ${outcome}` : undefined
}

/** The test that a proof names; a text says why there is none. */
export function testOf({ file, name }: Proof, written: readonly WrittenTest[]): WrittenTest | string {
  const there = written.filter((test) => test.file === file)
  const exact = there.filter((test) => test.name === name)
  if (exact.length > 1) return 'which is there more than once'
  const [test] = exact.length === 1 ? exact : there.filter(({ cases }) => cases.test(name))
  if (test !== undefined) return test
  return there.length === 0 ? 'and there is no test in that file' : 'which does not exist'
}

export type Outcome = 'passed' | 'not on this machine' | 'did not pass' | 'did not run'

/** What became of a test, or of the one case of it that the proof names. */
export function outcomeOf({ file, name }: Proof, test: WrittenTest, results: readonly TestResult[]): Outcome {
  const ran = results.filter((result) => {
    if (result.file !== file) return false
    const title = withoutIds(result.name)
    return test.name === name ? test.cases.test(title) : title === name
  })
  if (ran.length === 0) return 'did not run'
  if (!ran.every(({ passed, notTried }) => passed || notTried === true)) return 'did not pass'
  return ran.some(({ notTried }) => notTried === true) ? 'not on this machine' : 'passed'
}

/** What is wrong with the ids that titles name, one line each. */
export function problemsOfTitles(catalogues: readonly Catalogue[], written: readonly WrittenTest[]): string[] {
  const titled = catalogues.filter(({ isProvenByTitles }) => isProvenByTitles)
  const known = new Set(titled.flatMap((catalogue) => rowsOf(catalogue).map(({ id }) => id)))
  return written.flatMap(({ file, name, ids }) => [
    ...ids.filter((id) => !known.has(id)).map((id) => `${file} '${name}' names ${id}, which is no requirement`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${file} '${name}' names ${id} twice`),
    ...(name.endsWith(']') ? [`${file} '${name}' ends in brackets that hold no ids`] : []),
  ])
}
