import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { stringify } from 'yaml'
import { problemsOf, problemsOfTitles, type TestResult, testsIn } from '../../scripts/proofs.ts'
import { deadEndsReport, type Evidence, proofsReport } from '../../scripts/proofs-report.ts'
import { checkProofs, readSources } from '../../scripts/proofs-step.ts'
import { type Catalogue, catalogueFiles, readCatalogue, rowsOf } from '../../scripts/requirements.ts'
import { filesOf, type Run, runOf, runsByFile, testSources } from '../../scripts/test-runs.ts'
import { missingLine } from '../cluster/packages.ts'
import { assertNone } from '../support/values.ts'
import { filesBelow, read, root } from './sources.ts'

/** What the project itself has. */
const project = readSources()

const written = testsIn(
  'test/a.test.ts',
  `describe('a suite', () => {
    it('opens | closes', async () => {})
    for (const door of doors) it(\`opens door \${door.name}!\`, { timeout: 1 }, () => {})
    it('is written twice', () => {})
    testWithBell('is written twice', () => {})
    it('is only spoken of')
  })`,
)
/** As a catalogue names all cases of a test: `${…}` and all. */
const everyDoor = 'opens door $' + '{door.name}!'

type Row = Readonly<Record<string, unknown>>

/** A catalogue with these sections. */
const sectioned = (...sections: readonly Readonly<Record<string, Row>>[]): string =>
  stringify({
    title: 'Doors',
    columns: {
      requirement: 'Requirement',
      ...(sections.some((rows) => 'state' in (rows.R0 ?? {})) && { state: 'State' }),
    },
    sections: sections.map((rows, at) => ({ title: `Section ${at}`, rows })),
  })

/** A catalogue with a row for each of these tests of one file; none: a row without a test. */
const naming = (...names: readonly string[]): string =>
  sectioned(
    Object.fromEntries(names.map((name, at) => [`R${at}`, { requirement: '…', tests: { 'test/a.test.ts': [name] } }])),
  )

const catalogue = (source: string): Catalogue => readCatalogue('x.yaml', source, [])
const runs = new Map<string, ReadonlySet<Run>>([['test/a.test.ts', new Set<Run>(['short'])]])
const problems = (source: string, results?: readonly TestResult[], run: Run = 'short'): string[] =>
  problemsOf([catalogue(source)], written, runs, results && { run, results })
const result = (name: string, passed = true, file = 'test/a.test.ts') => ({ file, name, passed })

describe('a catalogue of requirements', () => {
  it('is content when every row names tests that exist', () => {
    const source = naming('opens | closes', everyDoor, 'opens door A!')
    assert.equal(rowsOf(catalogue(source)).flatMap(({ proofs }) => proofs).length, 3)
    assert.deepEqual(problems(source), [])
  })

  it('says where a row stands', () => {
    const source = naming('opens | closes', 'gone')
    const line = source.split('\n').findIndex((text) => text.trim() === 'R1:') + 1
    assert.deepEqual(problems(source), [`x.yaml:${line}: R1 names test/a.test.ts 'gone', which does not exist`])
  })

  it('fails for a row without a test', () => {
    const [found = '', ...more] = problems(sectioned({ R0: { requirement: '…' } }))
    assert.match(found, /^x\.yaml:\d+: R0 names no test$/)
    assert.deepEqual(more, [])
  })

  it('is none when words, a link or a file alone stand where tests are to be named, or a member is unknown', () => {
    for (const row of [
      { requirement: '…', tests: 'seen in production' },
      { requirement: '…', tests: ['[a document](a.md)'] },
      { requirement: '…', tests: { 'test/a.test.ts': [] } },
      { requirement: '…', tests: { 'test/a.test.ts': [''] } },
      { requirement: '…', tests: { 'PLACE test/a.test.ts': ['opens | closes'] } },
      { requirement: '…', documents: ['[a document](a.md)'] },
      { requirement: '…', test: { 'test/a.test.ts': ['opens | closes'] } },
      { requirement: '' },
      {},
    ]) {
      assert.throws(
        () => catalogue(sectioned({ R0: row })),
        /^Error: x\.yaml\/sections\/0\/rows\/R0/,
        JSON.stringify(row),
      )
    }
    assert.throws(() => catalogue(sectioned({})), /x\.yaml\/sections\/0\/rows/)
    assert.throws(() => catalogue(sectioned({ '': { requirement: '…' } })), /x\.yaml\/sections\/0\/rows/)
    assert.throws(() => catalogue(''), /^Error: x\.yaml/)
  })

  it('fails for a test that does not exist, in name, in case or in file', () => {
    for (const [name, fault] of [
      ['opens', 'which does not exist'],
      ['Opens | closes', 'which does not exist'],
      ['opens door A', 'which does not exist'],
      ['is only spoken of', 'which does not exist'],
      ['is written twice', 'which is there more than once'],
    ] as const) {
      const [found = '', ...more] = problems(naming(name))
      assert.ok(/^x\.yaml:\d+: R0 names test\//.test(found) && found.endsWith(`, ${fault}`), found)
      assert.deepEqual(more, [])
    }
    const elsewhere = naming('opens | closes').replace('test/a.test.ts', 'test/b.test.ts')
    assert.match(problems(elsewhere).join(), /, and there is no test in that file$/)
  })

  it('fails for two rows with one id, in one section or in two', () => {
    const row = { requirement: '…', tests: { 'test/a.test.ts': ['opens | closes'] } }
    // Not as an alias of the first one.
    const again = structuredClone(row)
    assert.match(problems(sectioned({ R0: row }, { R0: again })).join(), /^x\.yaml:14: R0 stands at x\.yaml:7 already$/)
    const twice = sectioned({ R0: row, R1: again }).replace('R1:', 'R0:')
    assert.throws(() => catalogue(twice), /^Error: x\.yaml:12: Map keys must be unique/)
  })

  it('fails for a test that did not run or did not pass, be it one case of many', () => {
    const one = naming('opens | closes')
    assert.deepEqual(problems(one, [result('opens | closes')]), [])
    assert.match(problems(one, []).join(), /did not run$/)
    assert.match(problems(one, [result('opens | closes', true, 'test/b.test.ts')]).join(), /did not run$/)
    assert.match(problems(one, [result('opens | closes'), result('opens | closes', false)]).join(), /did not pass$/)
    const many = naming(everyDoor)
    assert.deepEqual(problems(many, [result('opens door A!'), result('opens door B!')]), [])
    assert.match(problems(many, [result('opens door A!'), result('opens door B!', false)]).join(), /did not pass$/)
    assert.match(problems(many, [result('opens | closes')]).join(), /did not run$/)
    const aCase = naming('opens door A!')
    assert.deepEqual(problems(aCase, [result('opens door A!'), result('opens door B!', false)]), [])
    assert.match(problems(aCase, [result('opens door B!')]).join(), /did not run$/)
  })

  it('asks each run for its own tests alone, and fails for a test that no run starts', () => {
    const source = naming('opens | closes')
    assert.deepEqual(problems(source, [], 'long'), [])
    assert.match(problems(source, [], 'short').join(), /did not run$/)
    assert.match(problemsOf([catalogue(source)], written, new Map()).join(), /, which no run starts$/)
  })

  it('takes a test that this machine cannot try for what the run says of it, and no other for such a one', () => {
    const source = naming('opens | closes')
    assert.deepEqual(problems(source, [{ ...result('opens | closes', false), notTried: true }]), [])
    assert.match(problems(source, [result('opens | closes', false)]).join(), /did not pass$/)
  })

  it('with states needs a proof for what it calls met, and takes a document for one', () => {
    const stated = (state: string, proof: Row = {}): string[] =>
      problems(sectioned({ R0: { requirement: '…', state, ...proof } }))
    assert.deepEqual(stated('not met'), [])
    assert.deepEqual(stated('not applicable'), [])
    assert.deepEqual(stated('met', { documents: ['[operating](docs/operating.md)'] }), [])
    assert.match(stated('met').join(), /names no test/)
    assert.match(stated('mett').join(), /unknown state 'mett'/)
    assert.match(stated('partly').join(), /names no test/)
    assert.throws(() => stated('partly', { documents: ['words'] }), /x\.yaml/)
    assert.throws(() => stated(''), /x\.yaml/)
    assert.match(stated('not met', { tests: { 'test/a.test.ts': ['gone'] } }).join(), /does not exist/)
  })
})

describe('the ids of requirements in titles', () => {
  const source = stringify({
    title: 'Doors',
    proof: 'titles',
    columns: { where: 'Where', requirement: 'Requirement' },
    sections: [
      {
        title: 'What doors do',
        rows: {
          'S1.1': { where: '1', requirement: 'Opens | closes' },
          'S1.2a': { where: '2', requirement: 'Rings' },
        },
      },
    ],
  })
  const withIds = testsIn(
    'test/a.test.ts',
    `it('opens | closes (RFC 1 §2) [S1.1, S1.2a]', () => {})
    it(\`rings \${bell.name} [S1.2a]\`, () => {})
    it('is silent', () => {})`,
  )
  const doors = (titled = withIds): Catalogue => readCatalogue('x.yaml', source, titled)

  it('make the proofs, each test named without them', () => {
    assert.deepEqual(
      rowsOf(doors()).map(({ id, proofs }) => [id, ...proofs.map(({ file, name }) => `${file} ${name}`)]),
      [
        ['S1.1', 'test/a.test.ts opens | closes (RFC 1 §2)'],
        ['S1.2a', 'test/a.test.ts opens | closes (RFC 1 §2)', 'test/a.test.ts rings $' + '{bell.name}'],
      ],
    )
  })

  it('leave a requirement that no title names without a proof, which is a fault', () => {
    assert.deepEqual(
      problemsOf([doors(withIds.slice(2))], withIds, runs).map((problem) => problem.replace(/^\S+ /, '')),
      ['S1.1 names no test', 'S1.2a names no test'],
    )
  })

  it('are the only proofs of such a catalogue', () => {
    const named = source.replace(
      'requirement: Rings',
      "requirement: Rings\n        tests: { 'test/a.test.ts': ['is silent'] }",
    )
    assert.throws(() => readCatalogue('x.yaml', named, withIds), /x\.yaml/)
  })

  it('fail when there is no such requirement, when one is named twice, and when brackets hold none', () => {
    const titles = testsIn(
      'test/a.test.ts',
      `it('opens [S1.1, S9.9]', () => {})
      it('closes [S1.1, S1.1]', () => {})
      it('rings [S1.1 S1.2a]', () => {})
      it('counts [0] before it rings', () => {})`,
    )
    assert.deepEqual(problemsOfTitles([doors(titles)], titles), [
      "test/a.test.ts 'opens' names S9.9, which is no requirement",
      "test/a.test.ts 'closes' names S1.1 twice",
      "test/a.test.ts 'rings [S1.1 S1.2a]' ends in brackets that hold no ids",
    ])
    // A row that names its tests itself is not named by titles.
    assert.equal(problemsOfTitles([catalogue(naming('opens | closes'))], titles).length, 6)
  })

  it('are those of requirements', () => {
    assert.deepEqual(problemsOfTitles(project.catalogues, project.written), [])
    assert.ok(project.written.filter(({ ids }) => ids.length > 0).length >= 300)
  })

  it('count for a test that ran as if they were not there', () => {
    const ran = (name: string, passed = true) => result(name, passed)
    const verdict = (...results: TestResult[]) => problemsOf([doors()], withIds, runs, { run: 'short', results })
    assert.deepEqual(verdict(ran('opens | closes (RFC 1 §2) [S1.1, S1.2a]'), ran('rings A [S1.2a]')), [])
    assert.match(verdict(ran('opens | closes (RFC 1 §2) [S1.1, S1.2a]')).join(), /bell\.name}', which did not run$/)
    assert.match(
      verdict(ran('opens | closes (RFC 1 §2) [S1.1, S1.2a]'), ran('rings A [S1.2a]', false)).join(),
      /bell\.name}', which did not pass$/,
    )
  })
})

describe('the requirements of the project', () => {
  const { catalogues, written: tests, runs: reached } = project

  it('are in these catalogues, each of which is read', (context) => {
    assert.deepEqual(filesBelow('test/requirements', ['.yaml', '.yml', '.json']).sort(), catalogueFiles.toSorted())
    const counts = catalogues.map(({ file, ...rest }) => [file, rowsOf({ file, ...rest }).length] as const)
    context.diagnostic(counts.map(([file, count]) => `${file}: ${count} rows`).join(', '))
    const atLeast = { service: 252, contract: 103, provider: 84, certification: 31, accounts: 59, threats: 86 }
    const more = { 'claims-and-groups': 123, connections: 98, 'rfc-9700': 52, asvs: 109 }
    for (const [name, least] of Object.entries({ ...atLeast, ...more })) {
      const count = counts.find(([file]) => file === `test/requirements/${name}.yaml`)?.[1] ?? 0
      assert.ok(count >= least, `only ${count} rows in ${name}.yaml`)
    }
  })

  it('name only tests that exist and that a run starts, at least one for each requirement that is met', () => {
    assert.deepEqual(problemsOf(catalogues, tests, reached), [])
  })
})

describe('docs/security.md', () => {
  const page = read('docs/security.md')
  const threats = project.catalogues.find(({ file }) => file.endsWith('/threats.yaml'))

  it('has every threat below the heading of its section, once, and no other', () => {
    const parts = page.split('\n## ').map((part) => part.split('\n'))
    for (const { title, rows } of threats?.sections ?? []) {
      const lines = parts.find(([heading]) => heading === title) ?? []
      const named = lines.flatMap((line) => /^\| (T[T\d, ]+) \|/.exec(line)?.[1]?.split(', ') ?? [])
      assert.deepEqual(named.sort(), rows.map(({ id }) => id).sort(), title)
    }
    assert.ok((threats?.sections.length ?? 0) >= 9)
  })

  it('names files and folders of tests for each threat, and in each section none that shows nothing of it', () => {
    const parts = new Map(page.split('\n## ').map((part) => [part.split('\n', 1)[0] ?? '', part]))
    const isBelow = (path: string, file: string): boolean =>
      file === path || (path.endsWith('/') && file.startsWith(path))
    const faults = (threats?.sections ?? []).flatMap(({ title, rows }) => {
      const named = [...(parts.get(title) ?? '').matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path)
      const files = rows.flatMap(({ proofs }) => proofs.map(({ file }) => file))
      return [
        ...named.filter((path) => !files.some((file) => isBelow(path, file))),
        ...rows
          .filter(({ proofs }) => !proofs.some(({ file }) => named.some((path) => isBelow(path, file))))
          .map(({ id }) => id),
      ]
    })
    assert.deepEqual(faults, [])
  })

  it('names each requirement of the two catalogues that is met partly or not at all, and no other', () => {
    const open = project.catalogues
      .filter(({ columns }) => 'state' in columns)
      .flatMap(rowsOf)
      .filter(({ texts }) => texts.state === 'partly' || texts.state === 'not met')
      .map(({ id }) => id)
    assert.ok(open.length >= 20, `only ${open.length}`)
    const named = page
      .split('\n')
      .flatMap((line) => /^- ([RV][\d.-]+(?:, [RV][\d.-]+)*) /.exec(line)?.[1]?.split(', ') ?? [])
    assert.deepEqual(named.sort(), open.sort())
  })
})

describe('the reports of the runs', () => {
  const source = sectioned({
    R0: { requirement: 'Opens | closes', state: 'met', tests: { 'test/a.test.ts': ['opens | closes', everyDoor] } },
    R1: { requirement: 'Rings', state: 'met', documents: ['[bells](docs/bells.md#rung)'] },
    R2: { requirement: 'Flies', state: 'not met' },
  })
  const report = (finished: Evidence['finished']): string =>
    proofsReport([catalogue(source)], { written, runs, finished }, ['something is missing'])
  const ended = (...results: TestResult[]) => [{ run: 'short' as const, endedAt: new Date(0), results }]

  it('tell of each requirement which tests show it and what became of them', () => {
    const text = report(ended(result('opens | closes'), result('opens door A!', false)))
    assert.match(text, /- `npm test`: ended 1970-01-01T00:00:00\.000Z\n- `npm run test:long`: not run here\n/)
    assert.match(text, /^- something is missing$/m)
    assert.match(text, /^\| Doors \(`x\.yaml`\) \| 3 \| 1 \| 1 \| 1 \|$/m)
    assert.match(
      text,
      /^\| R0 \| Opens \\\| closes \| met \| ✓ `test\/a\.test\.ts` opens \\\| closes<br>✗ did not pass: `test\/a\.test\.ts` opens door/m,
    )
    assert.match(text, /^\| R1 \| Rings \| met \| \[bells\]\(\.\.\/docs\/bells\.md#rung\) \|$/m)
    assert.match(text, /^\| R2 \| Flies \| not met \| {2}\|$/m)
  })

  it('say of a test that it was not run, or not on this machine, and never that it passed', () => {
    assert.match(report([]), /\| … `test\/a\.test\.ts` opens \\\| closes<br>… /)
    assert.match(report(ended()), /✗ did not run: `test\/a\.test\.ts` opens \\\| closes/)
    const here = { ...result('opens | closes', false), notTried: true }
    assert.match(report(ended(here)), /– not on this machine: `test\/a\.test\.ts` opens \\\| closes/)
  })

  it('tell where each page leads', () => {
    const file = 'test/pages/no-dead-ends-login.long.spec.ts'
    const cells = { 'What happens, and where': { 'login page': { nothing: 'code', reloaded: 'refused → code' } } }
    const text = deadEndsReport(
      {
        finished: ended(
          result('login page, nothing: no dead end', true, file),
          result('login page, reloaded: no dead end', false, file),
        ),
      },
      { outcomes: { code: 'back' }, messages: { refused: 'no' }, cells } as never,
    )
    assert.match(text, /^2 cells: 1 passed, 1 did not pass\.$/m)
    assert.match(
      text,
      /^\| {2}\| login page \|\n\|---\|---\|\n\| nothing \| ✓ code \|\n\| reloaded \| ✗ refused → code \|$/m,
    )
  })
})

describe('the last step of a run', () => {
  const { written: tests, runs: reached, catalogues } = project
  const proofs = catalogues.flatMap(rowsOf).flatMap((row) => row.proofs)

  /** The titles of all tests of a run, and of each case that a catalogue names. */
  const titlesOf = (run: Run, isInBrowser: boolean) =>
    [
      ...tests.map(({ file, name, ids }) => ({ file, name: ids.length === 0 ? name : `${name} [${ids.join(', ')}]` })),
      ...proofs.filter(({ file, name }) => !tests.some((test) => test.file === file && test.name === name)),
    ].filter(({ file }) => reached.get(file)?.has(run) && file.startsWith('test/pages/') === isInBrowser)

  /** What a run of all tests leaves, but for what `change` makes of the results of Node.js. */
  async function check(run: Run, change: (results: TestResult[]) => TestResult[] = (results) => results) {
    const folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'proofs-'))}/`)
    const results = titlesOf(run, false).map((one) => ({ ...one, passed: true }))
    await writeFile(new URL(`${run}-node.json`, folder), JSON.stringify(change(results)))
    const specs = titlesOf(run, true).map(({ file, name }) => ({
      file,
      title: name,
      tests: [{ status: 'expected', results: [{ duration: 1 }] }],
    }))
    await writeFile(
      new URL(`${run}-browser.json`, folder),
      JSON.stringify({ config: { rootDir: root }, suites: [{ specs }], stats: {} }),
    )
    const { ok, report } = await checkProofs(run, folder, project)
    const written = await readFile(new URL('specification.md', folder), 'utf8')
    await rm(folder, { recursive: true })
    return { ok, report, written }
  }

  it('is content when every test of the run passed, and reports each requirement', async () => {
    for (const run of ['short', 'long'] as const) {
      const { ok, report, written } = await check(run)
      assert.deepEqual({ ok, report }, { ok: true, report: '' })
      assert.match(written, /^Nothing is missing\.$/m)
      for (const row of catalogues.flatMap(rowsOf)) assert.ok(written.includes(`\n| ${row.id} | `), row.id)
      assert.doesNotMatch(written, /✗ d(?:id not (?:pass|run)|oes not exist):/)
    }
  })

  it('fails for a test of the run that did not pass or did not run, and tells of it', async () => {
    const isIt = ({ name }: TestResult): boolean => name.startsWith('refuses an expired code (ID2016)')
    const failed = await check('short', (results) =>
      results.map((one) => ({ ...one, passed: one.passed && !isIt(one) })),
    )
    assert.equal(failed.ok, false)
    assert.match(failed.report, /service\.yaml:\d+: S\S+ names test\/connect\/token\.test\.ts .*, which did not pass$/m)
    assert.match(failed.written, /✗ did not pass: `test\/connect\/token\.test\.ts` refuses an expired code/)
    const missing = await check('short', (results) => results.filter((one) => !isIt(one)))
    assert.match(missing.report, /V10\.4\.3 names test\/connect\/token\.test\.ts .*, which did not run$/m)
    const notTried = await check('short', (results) =>
      results.map((one) => (isIt(one) ? { ...one, passed: false, notTried: true } : one)),
    )
    assert.equal(notTried.report, '')
    assert.match(notTried.written, /– not on this machine: `test\/connect\/token\.test\.ts` refuses an expired code/)
  })
})

describe('the runs of the tests', () => {
  it('share the files by their names, and start each of them once', () => {
    const started = (['short', 'long', 'cluster'] as const).map((run) => [
      ...filesOf(run, 'test'),
      ...filesOf(run, 'spec'),
    ])
    const [short = [], long = [], cluster = []] = started
    assert.ok(
      short.length > 100 && long.length > 10 && cluster.length > 0,
      `${started.map(({ length }) => length)} files`,
    )
    assert.deepEqual(
      started.flat().sort(),
      testSources().filter((file) => /\.(?:test|spec)\.ts$/.test(file)),
    )
    assert.ok(long.every((file) => file.includes('.long.')) && !short.some((file) => file.includes('.long.')))
    assert.ok(
      cluster.every((file) => file.startsWith('test/cluster/')) && !short.some((file) => cluster.includes(file)),
    )
  })

  it('reach every test, also one that stands in a file which others import', () => {
    const reached = project.runs
    assertNone([...new Set(project.written.map(({ file }) => file))].filter((file) => !reached.has(file)))
  })

  it('give a file that is imported the runs of its importers, however far away', () => {
    const imports: Readonly<Record<string, string[]>> = {
      'test/a.test.ts': ['test/contract.ts'],
      'test/b.long.test.ts': ['test/contract.ts', 'test/matrix.ts'],
      'test/contract.ts': ['test/part.ts'],
      'test/part.ts': ['test/contract.ts'],
    }
    const reached = runsByFile(Object.keys(imports), (file) => imports[file] ?? [])
    assert.deepEqual([...(reached.get('test/part.ts') ?? [])].sort(), ['long', 'short'])
    assert.deepEqual([...(reached.get('test/matrix.ts') ?? [])], ['long'])
    assert.equal(runOf('test/part.ts'), undefined)
    assert.equal(runOf('test/cluster/a.cluster.test.ts'), 'cluster')
  })

  it('names the packages that the run on a cluster lacks, and the command that installs them', () => {
    const line = missingLine({ programs: undefined, missing: ['etcd-server', 'patroni'] })
    assert.match(line ?? '', /^etcd-server, patroni are missing\. .*apt-get install .*etcd-server patroni$/)
    assert.equal(missingLine({ programs: undefined, missing: [] }), undefined)
  })
})
