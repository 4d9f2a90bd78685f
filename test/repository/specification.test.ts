import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  problemsOf,
  provenDocuments,
  provenRows,
  readRows,
  type TestResult,
  testsIn,
  writtenTests,
} from '../../scripts/proofs.ts'
import { problemsOfTitles, specification } from '../../scripts/requirements.ts'
import { filesOf, type Run, runOf, runsByFile, testSources } from '../../scripts/test-runs.ts'
import { missingLine } from '../cluster/packages.ts'

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
/** As a document names all cases of a test: `${…}` and all. */
const everyDoor = '`test/a.test.ts` opens door $' + '{door.name}!'
const table = (...proofs: readonly string[]): string =>
  ['| Id | Requirement | Proven by |', '|---|---|---|', ...proofs.map((cell, at) => `| R${at} | … | ${cell} |`)].join(
    '\n',
  )
const runs = new Map<string, ReadonlySet<Run>>([['test/a.test.ts', new Set<Run>(['short'])]])
const problems = (text: string, results?: readonly TestResult[], run: Run = 'short'): string[] =>
  problemsOf(readRows('x.md', text), written, runs, results && { run, results })
const result = (name: string, passed = true, file = 'test/a.test.ts') => ({ file, name, passed })

describe('a table of proofs', () => {
  it('is content when every row names tests that exist', () => {
    const text = table('`test/a.test.ts` opens \\| closes', `${everyDoor}<br>\`test/a.test.ts\` opens door A!`)
    assert.equal(readRows('x.md', text).flatMap(({ proofs }) => proofs).length, 3)
    assert.deepEqual(problems(text), [])
  })

  it('fails for a row without a test, also where words or a link stand instead', () => {
    for (const cell of ['', 'seen in production', '[a document](a.md)', '`test/a.test.ts`']) {
      assert.deepEqual(problems(table(cell)), ['x.md:3: R0 names no test'])
    }
  })

  it('fails for a test that does not exist, in name, in case or in file', () => {
    for (const [cell, fault] of [
      ['`test/a.test.ts` opens', 'which does not exist'],
      ['`test/a.test.ts` Opens \\| closes', 'which does not exist'],
      ['`test/a.test.ts` opens door A', 'which does not exist'],
      ['`test/a.test.ts` is only spoken of', 'which does not exist'],
      ['`test/b.test.ts` opens \\| closes', 'and there is no test in that file'],
      ['`test/a.test.ts` is written twice', 'which is there more than once'],
    ] as const) {
      const [found = '', ...more] = problems(table(cell))
      assert.ok(found.startsWith('x.md:3: R0 names test/') && found.endsWith(`, ${fault}`), found)
      assert.deepEqual(more, [])
    }
  })

  it('fails for two rows with one id, in two tables too, and for a row without one', () => {
    const text = `${table('`test/a.test.ts` opens \\| closes')}\n\nAnd:\n\n${table('`test/a.test.ts` opens \\| closes')}`
    assert.deepEqual(problems(text), ['x.md:9: R0 stands at x.md:3 already'])
    assert.match(problems(text.replaceAll('R0', '')).join(), /a row without an id cannot be named/)
  })

  it('fails for a test that did not run or did not pass, be it one case of many', () => {
    const one = table('`test/a.test.ts` opens \\| closes')
    assert.deepEqual(problems(one, [result('opens | closes')]), [])
    assert.match(problems(one, []).join(), /did not run$/)
    assert.match(problems(one, [result('opens | closes', true, 'test/b.test.ts')]).join(), /did not run$/)
    assert.match(problems(one, [result('opens | closes'), result('opens | closes', false)]).join(), /did not pass$/)
    const many = table(everyDoor)
    assert.deepEqual(problems(many, [result('opens door A!'), result('opens door B!')]), [])
    assert.match(problems(many, [result('opens door A!'), result('opens door B!', false)]).join(), /did not pass$/)
    assert.match(problems(many, [result('opens | closes')]).join(), /did not run$/)
    const aCase = table('`test/a.test.ts` opens door A!')
    assert.deepEqual(problems(aCase, [result('opens door A!'), result('opens door B!', false)]), [])
    assert.match(problems(aCase, [result('opens door B!')]).join(), /did not run$/)
  })

  it('asks each run for its own tests alone, and fails for a test that no run starts', () => {
    const text = table('`test/a.test.ts` opens \\| closes')
    assert.deepEqual(problems(text, [], 'long'), [])
    assert.match(problems(text, [], 'short').join(), /did not run$/)
    assert.match(problemsOf(readRows('x.md', text), written, new Map()).join(), /, which no run starts$/)
  })

  it('takes a test that this machine cannot try for what the run says of it, and no other for such a one', () => {
    const text = table('`test/a.test.ts` opens \\| closes')
    assert.deepEqual(problems(text, [{ ...result('opens | closes', false), notTried: true }]), [])
    assert.match(problems(text, [result('opens | closes', false)]).join(), /did not pass$/)
  })

  it('with a state needs a proof for what it calls met, and takes a document for one', () => {
    const stated = (state: string, proof: string): string[] =>
      problems(`| Id | State | Proven by |\n|---|---|---|\n| R0 | ${state} | ${proof} |`)
    assert.deepEqual(stated('not met', ''), [])
    assert.deepEqual(stated('met', '[operating](operating.md)'), [])
    assert.match(stated('met', '').join(), /names no test/)
    assert.match(stated('mett', '').join(), /unknown state 'mett'/)
    assert.match(stated('', '').join(), /unknown state ''/)
    assert.match(stated('partly', 'words').join(), /names no test/)
    assert.match(stated('not met', '`test/a.test.ts` gone').join(), /does not exist/)
  })

  it('ends where the table ends, and is no other table', () => {
    assert.equal(
      readRows('x.md', `${table('x')}\n\n| R9 | … | y |\n\n| Name | Proven by |\n|---|---|\n| a | b |`).length,
      1,
    )
  })
})

describe('the ids of requirements in titles', () => {
  const requirements = [
    '# The requirements',
    'About this document.',
    'Said in both.',
    '| Id | Where | Requirement |\n|---|---|---|\n| S1.1 | 1 | Opens \\| closes |\n| S1.2a | 2 | Rings |',
    '| Name |\n|---|\n| S1.1 |\n',
  ].join('\n\n')
  const withIds = testsIn(
    'test/a.test.ts',
    `it('opens | closes (RFC 1 §2) [S1.1, S1.2a]', () => {})
    it(\`rings \${bell.name} [S1.2a]\`, () => {})
    it('is silent', () => {})`,
  )

  it('make the table of proofs, each test named without them', () => {
    assert.equal(
      specification(requirements, withIds).split('\n\n').slice(2).join('\n\n'),
      ['Said in both.', '| Id | Where | Requirement | Proven by |\n|---|---|---|---|'].join('\n\n') +
        '\n| S1.1 | 1 | Opens \\| closes | `test/a.test.ts` opens \\| closes (RFC 1 §2) |' +
        '\n| S1.2a | 2 | Rings | `test/a.test.ts` opens \\| closes (RFC 1 §2)<br>`test/a.test.ts` rings $' +
        '{bell.name} |\n\n| Name |\n|---|\n| S1.1 |\n',
    )
  })

  it('leave a requirement that no title names without a proof, which is a fault', () => {
    const rows = readRows('x.md', specification(requirements, withIds.slice(2)))
    assert.equal(rows.length, 2)
    assert.deepEqual(
      problemsOf(rows, withIds, runs).map((problem) => problem.replace(/^\S+ /, '')),
      ['S1.1 names no test', 'S1.2a names no test'],
    )
  })

  it('fail when there is no such requirement, when one is named twice, and when brackets hold none', () => {
    const titles = testsIn(
      'test/a.test.ts',
      `it('opens [S1.1, S9.9]', () => {})
      it('closes [S1.1, S1.1]', () => {})
      it('rings [S1.1 S1.2a]', () => {})
      it('counts [0] before it rings', () => {})`,
    )
    assert.deepEqual(problemsOfTitles(requirements, titles), [
      "test/a.test.ts 'opens' names S9.9, which is no requirement",
      "test/a.test.ts 'closes' names S1.1 twice",
      "test/a.test.ts 'rings [S1.1 S1.2a]' ends in brackets that hold no ids",
    ])
  })

  it('are those of requirements', () => {
    assert.deepEqual(problemsOfTitles(), [])
    assert.ok(writtenTests().filter(({ ids }) => ids.length > 0).length >= 300)
  })

  it('count for a test that ran as if they were not there', () => {
    const rows = readRows('x.md', specification(requirements, withIds))
    const ran = (name: string, passed = true) => result(name, passed)
    const verdict = (...results: TestResult[]) => problemsOf(rows, withIds, runs, { run: 'short', results })
    assert.deepEqual(verdict(ran('opens | closes (RFC 1 §2) [S1.1, S1.2a]'), ran('rings A [S1.2a]')), [])
    assert.match(verdict(ran('opens | closes (RFC 1 §2) [S1.1, S1.2a]')).join(), /bell\.name}', which did not run$/)
    assert.match(
      verdict(ran('opens | closes (RFC 1 §2) [S1.1, S1.2a]'), ran('rings A [S1.2a]', false)).join(),
      /bell\.name}', which did not pass$/,
    )
  })
})

describe('docs/specification.md, docs/security.md and docs/provider.md', () => {
  const rows = provenRows()

  it('have a row for every requirement', (context) => {
    const counts = provenDocuments.map((document) => rows.filter(({ place }) => place.startsWith(document)).length)
    context.diagnostic(provenDocuments.map((document, at) => `${document}: ${counts[at]} rows`).join(', '))
    assert.ok((counts[0] ?? 0) >= 340, `only ${counts[0]} rows about the specification`)
    assert.ok((counts[1] ?? 0) >= 150, `only ${counts[1]} rows about security`)
    assert.ok((counts[2] ?? 0) >= 170, `only ${counts[2]} rows about the provider and accounts`)
  })

  it('name only tests that exist and that a run starts, at least one for each requirement that is met', () => {
    assert.deepEqual(problemsOf(rows, writtenTests(), runsByFile()), [])
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
    const reached = runsByFile()
    assert.deepEqual(
      [...new Set(writtenTests().map(({ file }) => file))].filter((file) => !reached.has(file)),
      [],
    )
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
