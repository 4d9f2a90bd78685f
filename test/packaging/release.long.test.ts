/** A release as a maintainer makes it: `npm run release` in a clone, its files, and an installation of its package. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BillOfMaterials } from '../../scripts/bill-of-materials.ts'
import { assertNone } from '../support/values.ts'
import { freshEnvironment } from './fresh-environment.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const patience = { timeout: 300_000 }

describe('npm run release', patience, () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-release-'))
  const clone = join(folder, 'clone')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const archive = `latchkey-${version}.tgz`
  after(() => rmSync(folder, { recursive: true, force: true }))

  const git = (...parameters: string[]) => {
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    return execFileSync('git', [...author, ...parameters], { cwd: clone, encoding: 'utf8' })
  }
  const release = (...parameters: string[]) => {
    const command = ['run', '--silent', 'release', '--', ...parameters]
    const { status, stdout, stderr } = spawnSync('npm', command, {
      cwd: clone,
      env: freshEnvironment(),
      encoding: 'utf8',
    })
    return { status, printed: `${stdout}${stderr}` }
  }
  const made = (name: string): Buffer => readFileSync(join(clone, 'release', name))

  before(() => {
    execFileSync('git', ['clone', '--quiet', '--no-tags', root, clone])
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    // A link is no folder, which is what .gitignore names.
    writeFileSync(join(clone, '.git', 'info', 'exclude'), 'node_modules\n')
    // The service is bundled anew for a package. The pages and mails are those of the same sources.
    for (const built of ['pages', 'pages.stamp', 'messages', 'messages.stamp']) {
      cpSync(join(root, 'dist', built), join(clone, 'dist', built), { recursive: true })
    }
    // What is not released yet is left out: this is the release of the latest section.
    const changelog = join(clone, 'CHANGELOG.md')
    const settled = readFileSync(changelog, 'utf8').replace(/^(## \[Unreleased\]\n).*?(?=^## \[)/ms, '$1\n')
    writeFileSync(changelog, settled)
    for (const kept of readdirSync(join(clone, 'test', 'fixtures'))) {
      if (kept === `release-${version}.tar.gz`) git('rm', '--quiet', join('test', 'fixtures', kept))
    }
    git('commit', '--quiet', '--all', '--allow-empty', '--message', 'release')
  }, patience)

  it('writes nothing while something is in the way, and says what', () => {
    writeFileSync(join(clone, 'left-over.txt'), '')
    const { status, printed } = release()
    rmSync(join(clone, 'left-over.txt'))
    assert.equal(status, 1)
    assert.match(
      printed,
      /No release of \d[\d.]+:\n {2}- The tree has changes that are not committed:\n {4}\?\? left-over/,
    )
    assert.equal(existsSync(join(clone, 'release')), false)
  })

  it('writes the package, its bill of materials and the checksums of both, and says what comes next', patience, () => {
    assert.deepEqual(release('--check'), { status: 0, printed: `${version} can be released.\n` })
    const { status, printed } = release()
    assert.equal(status, 0, printed)
    assert.deepEqual(readdirSync(join(clone, 'release')), ['SHA256SUMS', `latchkey-${version}.cdx.json`, archive])
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(clone, 'release') })
    for (const next of [
      `git tag --sign v${version}`,
      `npm publish release/${archive}`,
      `make-release-fixture.ts v${version}`,
    ]) {
      assert.ok(printed.includes(next), next)
    }
    assert.equal(git('status', '--porcelain'), '')
  })

  it(
    'replaces the bundle without a moment in which it is missing, and removes what it did not make',
    patience,
    async () => {
      const bundle = join(clone, 'dist', 'server')
      writeFileSync(join(bundle, 'left-over.js'), '')
      const build = spawn(process.execPath, ['scripts/build.ts'], { cwd: clone, stdio: 'inherit' })
      let status: number | null | undefined
      build.once('exit', (code) => {
        status = code
      })
      let missing = 0
      while (status === undefined) {
        if (!existsSync(join(bundle, 'main.js'))) missing += 1
        await nextTurn()
      }
      assert.deepEqual({ status, missing }, { status: 0, missing: 0 })
      assert.equal(existsSync(join(bundle, 'left-over.js')), false)
      assert.deepEqual(readdirSync(join(clone, '.cache')), [])
    },
  )

  it('gives the same files again for the same commit', patience, () => {
    const { status, printed } = release('--output', join(folder, 'again'))
    assert.equal(status, 0, printed)
    assert.deepEqual(readFileSync(join(folder, 'again', 'SHA256SUMS')), made('SHA256SUMS'))
  })

  it('refuses a folder that is there, and a version that is tagged', () => {
    assert.match(release().printed, /- release is there already\. Move it away\./)
    git('tag', `v${version}`)
    const { status, printed } = release('--output', join(folder, 'tagged'))
    assert.equal(status, 1)
    assert.ok(printed.includes(`- Version ${version} exists already.`), printed)
    assert.equal(existsSync(join(folder, 'tagged')), false)
  })

  it('lists in the bill exactly what an installation of the package has', patience, () => {
    const target = join(folder, 'installed')
    const bill: BillOfMaterials = JSON.parse(made(`latchkey-${version}.cdx.json`).toString('utf8'))
    const options = ['--prefer-offline', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', '--prefix', target, ...options, join(clone, 'release', archive)], {
      cwd: folder,
      env: freshEnvironment(),
    })
    const installed = new Map<string, string>()
    for (const file of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
      const [, name] = /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/@]+)\/package\.json$/.exec(file) ?? []
      if (name === undefined || name === 'latchkey') continue
      installed.set(name, JSON.parse(readFileSync(join(target, file), 'utf8')).version)
    }
    const inBill = bill.components.filter(({ properties = [] }) =>
      properties.some(({ value }) => value === 'node_modules'),
    )
    const nameOf = ({ group, name }: (typeof inBill)[number]) => (group === undefined ? name : `${group}/${name}`)
    const listed = inBill.map(nameOf)
    assert.ok(installed.size >= 60)
    assertNone([...installed.keys()].filter((name) => !listed.includes(name)))
    const required = inBill.filter(({ scope }) => scope === 'required')
    assertNone(required.map(nameOf).filter((name) => !installed.has(name)))
    // What the package itself names has one version; below that npm chooses.
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const name of Object.keys(dependencies)) {
      assert.equal(inBill.find((component) => nameOf(component) === name)?.version, installed.get(name), name)
    }
  })
})
