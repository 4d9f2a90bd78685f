/** What `npm run release` refuses, and the bill of materials that it writes. `test/packaging/` makes a release. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { billOfMaterials } from '../../scripts/bill-of-materials.ts'
import { type Candidate, candidate, obstacles } from '../../scripts/release.ts'
import { assertNone, valuesOf } from '../support/values.ts'
import { filesBelow, read } from './sources.ts'

const ready: Candidate = {
  version: '1.3.0',
  lockfile: { version: '1.3.0', packages: { '': { version: '1.3.0' } } },
  changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.3.0] - 2030-01-31\n\nText.\n\n## [1.2.0] - 2029-01-31\n\nText.\n',
  naming: { 'docs/deploy.md': 'npm install ./latchkey-1.3.0.tgz', 'deploy/x.yaml': 'image: latchkey:1.3.0' },
  changes: [],
  tags: ['v1.1.0', 'v1.2.0'],
  kept: ['1.1.0'],
  today: '2030-01-31',
}

const refused: Readonly<Record<string, { change: Partial<Candidate>; says: RegExp }>> = {
  'a tree with changes': {
    change: { changes: [' M src/main.ts', '?? a'] },
    says: /not committed:\n {4} M src\/main.ts/,
  },
  'a version that is tagged': { change: { tags: ['v1.3.0'] }, says: /^Version 1\.3\.0 exists already/ },
  'a version that is kept': { change: { kept: ['1.3.0'] }, says: /^Version 1\.3\.0 exists already/ },
  'a version before the latest': { change: { tags: ['v1.10.0'] }, says: /^Version 1\.10\.0 exists, which is later/ },
  'a lockfile of another version': {
    change: { lockfile: { version: '1.3.0', packages: { '': { version: '1.2.0' } } } },
    says: /^package-lock\.json has version 1\.2\.0/,
  },
  'a document that names another version': {
    change: { naming: { 'docs/deploy.md': 'latchkey-1.2.0.tgz' } },
    says: /^docs\/deploy\.md names version 1\.2\.0/,
  },
  'a changelog without a section': {
    change: { changelog: ready.changelog.replace('[1.3.0] - 2030-01-31', '[1.2.9] - 2030-01-31') },
    says: /has no section "## \[1\.3\.0\] - 2030-01-31"/,
  },
  'a section without a date': {
    change: { changelog: ready.changelog.replace(' - 2030-01-31', '') },
    says: /section of 1\.3\.0 has no date/,
  },
  'a section of tomorrow': { change: { today: '2030-01-30' }, says: /dated 2030-01-31, and today is 2030-01-30/ },
  'an empty section': {
    change: { changelog: ready.changelog.replace('Text.', '') },
    says: /section of 1\.3\.0 is empty/,
  },
  'changes that belong to no version': {
    change: { changelog: ready.changelog.replace('[Unreleased]\n', '[Unreleased]\n\n- More.\n') },
    says: /below "## \[Unreleased\]" is part of this commit/,
  },
  'a changelog that does not go on': {
    change: { changelog: ready.changelog.replace('## [Unreleased]\n', '') },
    says: /must be the first one below "## \[Unreleased\]"/,
  },
}

describe('a release', () => {
  it('is made when version, changelog and documents agree', () => {
    assert.deepEqual(obstacles(ready), [])
  })

  for (const [what, { change, says }] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      const [reason = '', ...others] = obstacles({ ...ready, ...change })
      assert.match(reason, says)
      assert.deepEqual(others, [])
    })
  }

  it('names every reason at once', () => {
    assert.equal(
      obstacles({ ...ready, changes: ['?? a'], tags: ['v1.3.0'], naming: { a: 'latchkey:1.2.0' } }).length,
      3,
    )
  })

  it('compares every file that names the version, as docs/releasing.md lists them', () => {
    const { version, naming } = candidate()
    const files = ['README.md', ...filesBelow('docs', ['.md']), ...filesBelow('deploy', [''])]
    const names = new RegExp(`\\b(?:latchkey[:-]|newTag: )${version.replaceAll('.', '\\.')}\\b`)
    assert.deepEqual(files.filter((file) => names.test(read(file))).toSorted(), Object.keys(naming).toSorted())
    const [step = ''] = /^1\. .*?(?=^2\. )/ms.exec(read('docs/releasing.md')) ?? []
    assertNone(Object.keys(naming).filter((path) => !step.includes(path.slice(path.lastIndexOf('/') + 1))))
  })

  it('finds this tree in agreement: version, lockfile, documents and the latest section of the changelog', () => {
    const { changelog, ...present } = candidate()
    const settled = changelog.replace(/^(## \[Unreleased\]\n).*?(?=^## \[)/ms, '$1\n')
    assert.deepEqual(obstacles({ ...present, changelog: settled, changes: [], tags: [], kept: [] }), [])
  })
})

describe('the bill of materials', () => {
  const archive = Buffer.from('package')
  const bill = billOfMaterials({ archive, at: new Date('2030-01-31T12:00:00Z') })
  const refs = bill.components.map((component) => component['bom-ref'])

  it('is valid by the schema of CycloneDX 1.6, licence identifiers included', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    assert.equal(await validator.validate(JSON.stringify(bill)), null)
    const wrong = JSON.stringify(bill).replace('"id":"Apache-2.0"', '"id":"Nobody-1.0"')
    assert.notEqual(await validator.validate(wrong), null)
  })

  it('lists what the lockfile installs in production, what is in the built files, and the runtime', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
    const installed = Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true)
    const at = (place: string) =>
      bill.components.filter(({ properties = [] }) => properties.some(({ value }) => value === place))
    assert.ok(installed.length >= 60)
    assert.equal(at('node_modules').length, installed.length + 1)
    assert.deepEqual(valuesOf(at('dist/pages'), 'name'), ['table-core', 'oauth4webapi', 'preact', 'uqr'])
    assert.deepEqual(valuesOf(at('dist/server'), 'name'), ['unhomoglyph'])
    const { version } = JSON.parse(read('node_modules/node/package.json'))
    const runtimes = bill.components.filter(({ type }) => type === 'platform')
    assert.deepEqual(
      runtimes.map((runtime) => runtime.version),
      [version],
    )
    assert.ok(runtimes[0]?.name.endsWith(`-${process.platform}-${process.arch}`))
    assert.equal(bill.components.length, new Set(refs).size)
  })

  it('gives each a version, a licence, the SHA-512 of its archive and a Package URL, and names no registry', () => {
    for (const { version, licenses, hashes, purl } of bill.components) {
      assert.ok(version && licenses.length === 1 && purl.startsWith('pkg:npm/'), purl)
      assert.match(hashes?.[0]?.content ?? '', /^[0-9a-f]{128}$/)
    }
    assert.doesNotMatch(JSON.stringify(bill), /https?:|registry/)
  })

  it('says who uses whom, so that every component is reached from the product', () => {
    const uses = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
    const reached = new Set<string>()
    const reach = (ref: string): void => {
      if (reached.has(ref)) return
      reached.add(ref)
      for (const other of uses.get(ref) ?? assert.fail(`${ref} is not in the graph`)) reach(other)
    }
    reach(bill.metadata.component['bom-ref'])
    assert.deepEqual([...reached].toSorted(), [...refs, bill.metadata.component['bom-ref']].toSorted())
  })

  it('is the same for the same package, and another one for another', () => {
    const at = new Date('2030-01-31T12:00:00Z')
    assert.deepEqual(billOfMaterials({ archive, at }), bill)
    assert.notEqual(billOfMaterials({ archive: Buffer.from('another'), at }).serialNumber, bill.serialNumber)
  })
})
