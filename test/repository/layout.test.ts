import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertNone } from '../support/values.ts'
import { filesBelow, read } from './sources.ts'

describe('the layout', () => {
  const files = filesBelow('src', [''])

  it('has no folder more than two levels below src/', () => {
    assert.ok(files.length >= 50, `only ${files.length} files were found`)
    assertNone(files.filter((file) => file.split('/').length > 4))
  })

  it('has no file that is too long to be read at once, but for tables of data', () => {
    const tables = ['src/settings/table.ts', 'src/storage/sql/tables.ts', 'src/protocol/client/member-table.ts']
    for (const named of tables) assert.ok(files.includes(named), named)
    const lines = (file: string): number => read(file).trimEnd().split('\n').length
    assertNone(files.filter((file) => !tables.includes(file) && !file.endsWith('.bin') && lines(file) > 250))
    assert.ok(
      files.some((file) => lines(file) > 250),
      'lines are counted',
    )
  })

  it('has one file in each folder that opens with what belongs there and what does not', () => {
    const folders = [...new Set(files.map((file) => file.slice(0, file.lastIndexOf('/'))))].filter(
      (one) => one !== 'src',
    )
    assert.ok(folders.length >= 20, `only ${folders.length} folders were found`)
    const opening = (file: string): string => /^\/\*\*(.*?)\*\//s.exec(read(file))?.[1] ?? ''
    const says = (file: string): boolean => /\bBelongs here: .+\bBelongs elsewhere: /s.test(opening(file))
    const saying = files.filter((file) => says(file)).map((file) => file.slice(0, file.lastIndexOf('/')))
    assert.deepEqual(saying.toSorted(), folders.toSorted())
  })

  it('has no file whose name says nothing', () => {
    const everywhere = ['src', 'pages', 'scripts', 'test', 'examples'].flatMap((folder) => filesBelow(folder, ['']))
    assert.ok(everywhere.length >= files.length)
    assertNone(everywhere.filter((file) => /(^|[/.-])(utils?|helpers?|misc|common)[.-]/.test(file)))
  })
})

describe('package-lock.json', () => {
  const lockfile = JSON.parse(read('package-lock.json')) as { packages: Record<string, Record<string, unknown>> }
  const packages = Object.entries(lockfile.packages).filter(([path]) => path !== '')

  it('holds no address, so that it works with any registry', () => {
    assert.ok(packages.length >= 100, `only ${packages.length} packages were found`)
    assertNone(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path))
    assert.doesNotMatch(read('package-lock.json'), /https?:\/\/registry/)
  })

  it('holds the hash of every package', () => {
    assertNone(packages.filter(([, { integrity }]) => typeof integrity !== 'string').map(([path]) => path))
  })
})
